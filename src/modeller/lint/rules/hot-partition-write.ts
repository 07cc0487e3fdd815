import { heatText, hotKeys, isCounting } from "../hot-keys.ts";
import type { Rule } from "../rule.ts";

export const hotPartitionWrite: Rule = {
  id: "hot-partition-write",
  severity: "error",
  title: "One partition key gets more writes at peak than a partition takes.",
  topic: "hot-partitions",
  *check(context) {
    for (const hot of hotKeys(context, "write")) {
      const { family, verdict, name, path, unsplittable } = hot;
      // Shards that do not suffice and single counters have rules of their own.
      const [first] = family.hottest.write.lines;
      if (!verdict.over || family.shards > 1) continue;
      if (first !== undefined && isCounting(context, first)) continue;
      const split =
        unsplittable === undefined
          ? " until the service has split the collection, after minutes"
          : ` for good, as a collection with ${unsplittable === "local index" ? "a local index" : unsplittable === "no sort key" ? "no sort key" : `a ${unsplittable}`} is never split`;
      yield {
        path,
        severity: verdict.uncertain ? "hint" : unsplittable === undefined ? "warning" : "error",
        message: `Writes gather on one key ${name}.`,
        evidence: `${heatText(hot)}, so the rest is throttled${split}.`,
        price: { kind: "throttled", share: verdict.throttledShare },
        cure: verdict.uncertain
          ? "State how many values there are (distinct) and how unevenly they are used (skew)."
          : "Put something with more values first, or add shards to the key of what is written most: {shard:10} if nobody looks single items up, {shard:10:id} if somebody does.",
      };
    }
  },
};
