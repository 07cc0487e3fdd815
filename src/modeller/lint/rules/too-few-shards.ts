import { shardNeed } from "../../heat/judge-key.ts";
import { heatText, hotKeys } from "../hot-keys.ts";
import type { Rule } from "../rule.ts";
import { numberText } from "../words.ts";

export const tooFewShards: Rule = {
  id: "too-few-shards",
  severity: "error",
  title: "A key has shards, and the peak is still too much for each of them.",
  topic: "write-sharding",
  *check(context) {
    for (const hot of hotKeys(context, "write")) {
      const { family, verdict, name, path } = hot;
      if (!verdict.over || family.shards <= 1) continue;
      const { needed, present, unsharded } = shardNeed(family);
      const isTime = present <= 1;
      yield {
        path,
        severity: verdict.uncertain ? "hint" : "error",
        message: `The ${numberText(family.shards)} shards of ${name} are not enough.`,
        evidence: `${heatText(hot)}; without shards it were ${numberText(unsharded)}${isTime ? ", and a shard by time takes all that is written now" : `, over ${numberText(present)} ${numberText(unsharded / present)} each`}.`,
        price: { kind: "throttled", share: verdict.throttledShare },
        cure: `Use ${numberText(needed)} shards at least${isTime ? ", drawn or calculated from an id rather than by time" : ", better twice as many for what is uneven among them"}.`,
      };
    }
  },
};
