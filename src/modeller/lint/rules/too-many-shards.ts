import { shardNeed } from "../../heat/judge-key.ts";
import { isWorthIt, moneyPrice } from "../bills.ts";
import { hotKeys } from "../hot-keys.ts";
import { monthly } from "../money.ts";
import type { Rule } from "../rule.ts";
import { listText, numberText } from "../words.ts";

/** Twice as many as the peak needs are a reserve. */
const reserve = 2;

export const tooManyShards: Rule = {
  id: "too-many-shards",
  severity: "warning",
  title: "A key has more shards than its writes need, and every read asks all of them.",
  topic: "write-sharding",
  *check(context) {
    for (const { family, load, name, path, verdict } of hotKeys(context, "write")) {
      const { needed, present, gathering, unsharded } = shardNeed(family);
      const enough = needed * reserve;
      if (present <= enough || verdict.uncertain || gathering.patterns.length === 0) continue;
      // What a read asks of a shard it also asks of fewer; only how often it asks changes.
      const saved = gathering.now * (1 - enough / present);
      const dollars = monthly(context.prices, load.table, { reads: saved });
      if (!isWorthIt(dollars, context.design)) continue;
      yield {
        path,
        message: `${name} has ${numberText(present)} shards and needs ${numberText(needed)}.`,
        evidence: `Without shards the hottest key would get ${numberText(unsharded)} write units per second at peak, and one partition takes 1,000; ${listText(gathering.patterns)} ${gathering.patterns.length === 1 ? "asks" : "ask"} all shards, ${numberText(gathering.now)} read units per second on average.`,
        price: moneyPrice(dollars, family.assumptions.length > 0),
        cure:
          needed === 1
            ? "Do without shards, or shard only the few values that are hot."
            : `Use ${numberText(enough)} shards, twice what the peak needs.`,
      };
    }
  },
};
