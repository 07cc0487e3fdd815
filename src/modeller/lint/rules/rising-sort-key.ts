import { partitionUnitsMax } from "../../../capacity/throughput.ts";
import { heatText, hotKeys } from "../hot-keys.ts";
import type { Rule } from "../rule.ts";

/** From half of what a partition takes, growth is near the end. */
const nearness = 0.5;

export const risingSortKey: Rule = {
  id: "rising-sort-key",
  severity: "warning",
  title: "A busy collection is written in the order of its sort key, so it can never be split.",
  topic: "monotonic-keys",
  *check(context) {
    for (const hot of hotKeys(context, "write")) {
      const { family, verdict, name, path, unsplittable } = hot;
      if (verdict.uncertain || verdict.units < partitionUnitsMax.write * nearness) continue;
      if (unsplittable !== "rising sort key" && unsplittable !== "falling sort key") continue;
      yield {
        path,
        message: `What is written to ${name} comes in the order of its sort key.`,
        evidence: `${heatText(hot)}. All writes are at the ${unsplittable === "rising sort key" ? "end" : "beginning"} of the collection, so a split leaves them together.`,
        ...(verdict.over && {
          price: { kind: "throttled", share: verdict.throttledShare } as const,
        }),
        cure: `Spread the partition key over shards${family.shards > 1 ? ", more than there are," : ""} or put something before the time that does not rise, such as the kind or the source.`,
      };
    }
  },
};
