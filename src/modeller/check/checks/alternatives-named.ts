import type { Pattern } from "../../../model/requirements.ts";
import { notForDynamodb } from "../../designer/not-dynamodb.ts";
import { counted, listText, numberText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";
import { peakOf } from "../rates.ts";
import { evaluatedBy, pageItems, withPrices } from "../reading.ts";

export const alternativesNamed: Check = {
  id: "alternatives-named",
  title: "What DynamoDB does not do well goes to a service that does",
  run(context) {
    const findings = new Findings();
    const elsewhere = context.wanted.filter(({ status }) => status === "alternative");
    const refused = notForDynamodb(context.model);
    for (const { path, text } of refused) findings.wrong(path, text);
    const isRefused = ({ path }: Pattern): boolean => refused.some((one) => one.path === path);
    const searches = context.served
      .filter((pattern) => !isRefused(pattern))
      .flatMap((pattern) => searchesIn(context, pattern));
    if (elsewhere.length + searches.length + refused.length === 0) {
      return notApplicable("No pattern searches inside texts or over everything there is.");
    }
    for (const sentence of searches) findings.saw(sentence);
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

/** Requests that search inside values and that no key narrows to a page of items: each with its price. */
function searchesIn(context: CheckContext, pattern: Pattern): readonly string[] {
  return context.reads(pattern).flatMap((request) => {
    const searched = request.filter.filter(({ operator }) => operator === "contains");
    const items = evaluatedBy([request]);
    if (searched.length === 0 || (request.operation !== "Scan" && items <= pageItems)) return [];
    const names = listText(searched.map(({ attribute }) => attribute));
    const verdict = context.readVerdict(pattern, request);
    const sentence = `${patternName(pattern)} searches inside ${names} of ${counted(Math.round(items), "item")} of ${request.table.name}, as no key answers it. A search engine would read less.`;
    return [withPrices(sentence, verdict)];
  });
}
