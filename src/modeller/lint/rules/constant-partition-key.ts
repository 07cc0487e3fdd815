import type { Rule } from "../rule.ts";
import { counted } from "../words.ts";

export const constantPartitionKey: Rule = {
  id: "constant-partition-key",
  severity: "warning",
  title: "A partition key is the same text for all items of an entity.",
  topic: "partition-key",
  *check({ keys }) {
    for (const { partition, entity, what, path } of keys) {
      const varies = partition.some(({ text }) =>
        text.segments.some((segment) => segment.kind !== "text"),
      );
      if (varies || partition.length === 0) continue;
      const count = entity.count;
      // A handful of settings under one key is what such keys are for.
      if (count !== undefined && count.value <= 100) continue;
      const value = partition.map(({ text }) => text.text).join(", ");
      yield {
        path: partition.length === 1 ? (partition[0]?.path ?? path) : path,
        message: `The partition key in ${what} is always '${value}'.`,
        evidence: `${count === undefined ? "Any number of" : counted(count.value, "item")}${count?.assumed ? " (assumed)" : ""} ${entity.name} share one key value, which gets at most 1,000 write units and 3,000 read units per second.`,
        cure: "Put an attribute with many values first, or spread the key with a shard such as {shard:10}.",
      };
    }
  },
};
