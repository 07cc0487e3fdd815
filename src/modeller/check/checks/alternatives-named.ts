import type { Pattern } from "../../../model/requirements.ts";
import { notForDynamodb } from "../../designer/not-dynamodb.ts";
import { counted, listText, numberText } from "../../lint/words.ts";
import type { ReadRequest } from "../../plans/plan.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";
import { peakOf } from "../rates.ts";
import { evaluatedBy, pageItems } from "../reading.ts";

export const alternativesNamed: Check = {
  id: "alternatives-named",
  title: "What DynamoDB does not do well goes to a service that does",
  run(context) {
    const findings = new Findings();
    const elsewhere = context.wanted.filter(({ status }) => status === "alternative");
    const searching = context.served.filter((pattern) => isSearch(context, pattern));
    // Before there is a design: patterns that the designer would refuse.
    const refused = context.design === undefined ? notForDynamodb(context.model) : [];
    for (const { path, text } of refused) findings.wrong(path, text);
    if (elsewhere.length + searching.length + refused.length === 0) {
      return notApplicable("No pattern searches inside texts or over everything there is.");
    }
    for (const pattern of searching) {
      const [request] = context.reads(pattern).filter(isInside);
      const asked = request?.filter.filter(({ operator }) => operator === "contains") ?? [];
      findings.wrong(
        pattern.path,
        `${patternName(pattern)} looks for what ${listText(asked.map(({ attribute }) => attribute))} contains, which no key tells: ${request?.operation === "Scan" ? "all" : "much"} of ${request?.table.name} is read for each request. (alternative)`,
      );
    }
    if (elsewhere.length > 0) {
      const names = new Set(elsewhere.map(({ alternative }) => alternative?.service ?? ""));
      const rps = elsewhere.reduce((sum, one) => sum + peakOf(one.rps), 0);
      findings.saw(
        `${counted(elsewhere.length, "pattern")} with ${numberText(rps)} requests per second at peak ${elsewhere.length === 1 ? "goes" : "go"} to ${listText([...names])}.`,
      );
    }
    return findings.outcome();
  },
};

function isSearch(context: CheckContext, pattern: Pattern): boolean {
  return context.reads(pattern).some(isInside);
}

/** Looks for a part of a value, and no key narrows it to a page of items. */
function isInside(request: ReadRequest): boolean {
  return (
    request.filter.some(({ operator }) => operator === "contains") &&
    (request.operation === "Scan" || evaluatedBy([request]) > pageItems)
  );
}
