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
  "two states that are asked for often": {
    bad: [
      [shards, byTier],
      ["limit: 50, rps: { average: 1, peak: 5 }", "limit: 50, rps: { average: 1, peak: 2_000 }"],
    ],
    at: ["design.tables.Shop.indexes.OpenOrders.sets.Order.openShard"],
    line: "openShard",
    says: ["1,900 per second are read under it"],
    good: {
      "a hundred values": [
        [shards, 'sets: { Order: { openShard: "{note}" } }'],
        [
          "note: { type: S, bytes: { min: 0, max: 200 } }",
          "note: { type: S, bytes: 9, distinct: 100, skew: { hottest: 0.9 } }",
        ],
        [
          "average: 3, condition: absent }]\n    rps: { average: 2, peak: 15 }",
          `average: 3, condition: absent }]\n    ${rush}`,
        ],
      ],
      "nobody knows how many values": [
        [shards, 'sets: { Order: { openShard: "{note}" } }'],
        [
          "average: 3, condition: absent }]\n    rps: { average: 2, peak: 15 }",
          `average: 3, condition: absent }]\n    ${rush}`,
        ],
      ],
    },
  },
});
