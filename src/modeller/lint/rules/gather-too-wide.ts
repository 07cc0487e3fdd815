import { readsPrice } from "../bills.ts";
import { evaluatedIn, patternText, readsIn, runsText, sourceText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { listText, numberText } from "../words.ts";

const widthMin = 10;
const ratesMin = 1;

export const gatherTooWide: Rule = {
  id: "gather-too-wide",
  severity: "warning",
  title: "A read that is made often asks ten or more partition keys and throws most of it away.",
  topic: "write-sharding",
  *check(context) {
    for (const { pattern, request, estimate } of readsIn(context)) {
      const { expected, operation, times } = request;
      if (operation !== "Query" || times.some(({ why }) => why === "results")) continue;
      if (expected.calls < widthMin || (pattern.rps.average?.value ?? 0) < ratesMin) continue;
      const items = evaluatedIn(request);
      // All of it is wanted: then every key has to be asked.
      if (items > 0 && expected.returned / items > 0.5) continue;
      const needed = items === 0 ? 0.5 : (estimate.read * expected.returned) / items;
      yield {
        path: pattern.path,
        message: `${patternText(pattern)} asks ${numberText(expected.calls)} keys of ${sourceText(request)} for one answer.`,
        evidence: `${listText(times.map(({ text }) => text))}: one run reads ${numberText(items)} items with ${numberText(estimate.read)} read units and returns ${numberText(expected.returned)}; ${runsText(pattern)}.`,
        price: readsPrice(
          context.prices,
          pattern,
          request.table,
          estimate.read - Math.max(0.5, needed),
          expected.assumptions.length > 0,
        ),
        cure: "Use as few shards as the writes need, shard only the keys that are hot, or keep the merged answer in an item of its own.",
      };
    }
  },
};
