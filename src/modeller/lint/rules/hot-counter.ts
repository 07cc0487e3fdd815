import { partitionUnitsMax } from "../../../capacity/throughput.ts";
import { addsOnly } from "../hot-keys.ts";
import { patternText, writesIn } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { amountText, listText, numberText, shareText } from "../words.ts";
import { hottestItem } from "./transaction-contention.ts";

/** From half of what a partition takes. */
const nearness = 0.5;

export const hotCounter: Rule = {
  id: "hot-counter",
  severity: "warning",
  title: "One number is added to so often that its item takes what a partition takes.",
  topic: "stream-aggregates",
  *check(context) {
    for (const { pattern, request, estimate } of writesIn(context)) {
      if (!addsOnly(pattern)) continue;
      for (const { kind, record, changes, count } of request.actions) {
        const peak = pattern.rps.peak ?? pattern.rps.average;
        const share = hottestItem(context, pattern, record.entity);
        if (kind !== "update" || changes.adds.length === 0 || peak === undefined) continue;
        const own = estimate.arms.find(
          ({ table, index }) => table === record.table && index === undefined,
        );
        const each = (own?.write ?? 0) / request.actions.reduce((sum, one) => sum + one.count, 0);
        const shards = record.key.reduce(
          (product, { text }) =>
            text.segments.reduce(
              (all, segment) => (segment.kind === "shard" ? all * segment.count : all),
              product,
            ),
          1,
        );
        const units = (peak.value * count * each * (share ?? 0)) / shards;
        if (units < partitionUnitsMax.write * nearness) continue;
        const lost = Math.max(0, 1 - partitionUnitsMax.write / units);
        const names = listText(changes.adds.map(({ attribute }) => attribute));
        yield {
          path: pattern.path,
          message: `${patternText(pattern)} adds to ${names} of one ${record.name} ${numberText(units / each)} times per second.`,
          evidence: `At a peak of ${amountText(peak)} per second, ${shareText((share ?? 0) / shards)} go to one item, ${numberText(units)} write units per second; a partition takes ${numberText(partitionUnitsMax.write)}.`,
          ...(lost > 0 && { price: { kind: "throttled", share: lost * (share ?? 0) } as const }),
          cure: "Write what is to be counted as items of their own and let a stream or a schedule add them up, or spread the counter over shards and add those when it is read.",
        };
      }
    }
  },
};
