import type { Pattern } from "../../../model/requirements.ts";
import { counted, listText, numberText } from "../../lint/words.ts";
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
    if (elsewhere.length === 0 && searching.length === 0) {
      return notApplicable("No pattern searches inside texts or over everything there is.");
    }
    for (const pattern of searching) {
      findings.wrong(
        pattern.path,
        `${patternName(pattern)} searches ${numberText(evaluatedBy(context.reads(pattern)))} items for each request: say which service does it instead. (alternative)`,
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

/** Looks for a part of a value, and no key narrows it to a page of items. */
export function isSearch(context: CheckContext, pattern: Pattern): boolean {
  return context.reads(pattern).some((request) => {
    const isInside = request.filter.some(({ operator }) => operator === "contains");
    return isInside && (request.operation === "Scan" || evaluatedBy([request]) > pageItems);
  });
}
