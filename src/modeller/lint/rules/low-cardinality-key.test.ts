import { testRule } from "../lint.test-support.ts";
import { lowCardinalityKey } from "./low-cardinality-key.ts";

const byTier = 'sets: { Order: { openShard: "{state}" } }';
const shards = 'sets: { Order: { openShard: "OPEN#{shard:4:orderId}" } }';
const rush = "rps: { average: 2, peak: 900 }";

testRule(lowCardinalityKey, {
  "two states for many orders": {
    bad: [
      [shards, byTier],
      [
        "average: 3, condition: absent }]\n    rps: { average: 2, peak: 15 }",
        `average: 3, condition: absent }]\n    ${rush}`,
      ],
    ],
    at: ["design.tables.Shop.indexes.OpenOrders.sets.Order.openShard"],
    line: "openShard",
    says: ["has only 2 values", "95 % of the items", "869 per second are written"],
    good: {
      "the same with little traffic": [[shards, byTier]],
      "the same with shards": [
        [shards, 'sets: { Order: { openShard: "{state}#{shard:10}" } }'],
        [
          "average: 3, condition: absent }]\n    rps: { average: 2, peak: 15 }",
          `average: 3, condition: absent }]\n    ${rush}`,
        ],
      ],
      "a key with many values": [
        [
          "average: 3, condition: absent }]\n    rps: { average: 2, peak: 15 }",
          `average: 3, condition: absent }]\n    ${rush}`,
        ],
      ],
    },
  },
});
