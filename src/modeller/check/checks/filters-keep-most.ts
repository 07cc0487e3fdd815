import { counted, numberText, shareText } from "../../lint/words.ts";
import { structureName } from "../../plans/plan.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { patternName } from "../check-context.ts";
import { isBlamed, withPrices } from "../reading.ts";

/** Beyond this share a sparse index or another key is worth a look. */
const discardedMax = 0.9;
const unitsMin = 1;

export const filtersKeepMost: Check = {
  id: "filters-keep-most",
  title: "Filters throw little away of what was read and paid for",
  run(context) {
    const findings = new Findings();
    let filters = 0;
    for (const pattern of context.served) {
      for (const { request, read } of context.run(pattern).requests) {
        if (request.kind !== "read" || request.filter.length === 0) continue;
        filters += 1;
        const own = request.expected.evaluated.find(({ record }) => record === request.record);
        const evaluated = own?.count ?? 0;
        const kept = evaluated === 0 ? 1 : Math.min(1, request.expected.returned / evaluated);
        const name = structureName(request.table, request.index);
        const says = `${patternName(pattern)} reads ${counted(evaluated, "item")} of ${name} and keeps ${shareText(kept)}`;
        if (1 - kept <= discardedMax || read <= unitsMin) {
          findings.saw(`${says}.`);
          continue;
        }
        const verdict = context.readVerdict(pattern, request);
        const units = `${says}: ${numberText(read)} read units for each request.`;
        if (isBlamed(verdict)) findings.wrong(pattern.path, withPrices(units, verdict));
        else findings.saw(withPrices(units, verdict));
      }
    }
    if (filters === 0) return notApplicable("No request needs a filter.");
    findings.saw(`${counted(filters, "request")} with a filter.`);
    return findings.outcome();
  },
};
