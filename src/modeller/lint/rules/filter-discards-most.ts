import { readsPrice } from "../bills.ts";
import { evaluatedIn, patternText, readsIn, runsText, sourceText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { counted, listText, numberText, shareText } from "../words.ts";

const discardedMax = 0.9;

export const filterDiscardsMost: Rule = {
  id: "filter-discards-most",
  severity: "warning",
  title: "More than nine in ten of the items that a Query reads are thrown away.",
  topic: "filters",
  *check(context) {
    for (const { pattern, request, estimate } of readsIn(context)) {
      const { operation, filter, beside, expected, record, together, limit } = request;
      if (operation !== "Query" || (filter.length === 0 && beside.length === 0)) continue;
      const all = evaluatedIn(request);
      const wanted = expected.evaluated
        .filter((one) => one.record === record || together.includes(one.record))
        .reduce((sum, { count }) => sum + count, 0);
      const share = context.facts.share(record.entity, filter);
      const kept =
        limit === undefined && pattern.matches !== undefined
          ? expected.returned
          : wanted * share.value;
      // Within the least that a call costs anyway, nothing is lost.
      const least = expected.calls * (request.consistent ? 1 : 0.5);
      if (all < 1 || kept / all >= 1 - discardedMax || estimate.read <= least) continue;
      const why = [
        ...(filter.length > 0
          ? [`a filter on ${listText(filter.map(({ attribute }) => attribute))}`]
          : []),
        ...(beside.length > 0 ? [`${listText(beside.map(({ name }) => name))} beside them`] : []),
      ];
      yield {
        path: pattern.path,
        message: `${patternText(pattern)} throws away ${shareText(1 - kept / all)} of what it reads from ${sourceText(request)}.`,
        evidence: `One run reads ${counted(Math.round(all), "item")} with ${numberText(estimate.read)} read units and keeps ${numberText(kept)}: ${why.join(", ")}${share.assumed ? " (how many pass is assumed)" : ""}; ${runsText(pattern)}.`,
        price: readsPrice(
          context.prices,
          pattern,
          request.table,
          estimate.read - Math.max(least, (estimate.read * kept) / all),
          share.assumed || expected.assumptions.length > 0,
        ),
        cure: "Put what the filter asks for into a key: a sort key that begins with it, or a sparse index of only the items that pass.",
      };
    }
  },
};
