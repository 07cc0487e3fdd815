import { heatText, hotKeys } from "../hot-keys.ts";
import type { Rule } from "../rule.ts";

export const hotPartitionRead: Rule = {
  id: "hot-partition-read",
  severity: "error",
  title: "One partition key gets more reads at peak than a partition takes.",
  topic: "hot-partitions",
  *check(context) {
    for (const hot of hotKeys(context, "read")) {
      const { verdict, name, path } = hot;
      if (!verdict.over) continue;
      yield {
        path,
        severity: verdict.uncertain ? "hint" : "error",
        message: `Reads gather on one key ${name}.`,
        evidence: `${heatText(hot)}, so the rest is throttled.`,
        price: { kind: "throttled", share: verdict.throttledShare },
        cure: verdict.uncertain
          ? "State how many values there are (distinct) and how unevenly they are used (skew)."
          : "Let a cache answer what is read most, make what is read smaller, or keep copies of it under several keys.",
      };
    }
  },
};
