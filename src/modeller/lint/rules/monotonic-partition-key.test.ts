import { testRule } from "../lint.test-support.ts";
import { monotonicPartitionKey } from "./monotonic-partition-key.ts";

const shards = "OPEN#{shard:4:orderId}";
const place = "average: 3, condition: absent }]\n    rps: { average: 2, peak: 15 }";
const busy = "average: 3, condition: absent }]\n    rps: { average: 2, peak: 60 }";
const unknown = "average: 3, condition: absent }]\n    rps: { average: 2 }";

testRule(monotonicPartitionKey, {
  "a day alone": {
    bad: [
      [shards, "{placedAt|day}"],
      [place, busy],
    ],
    at: ["design.tables.Shop.indexes.OpenOrders.sets.Order.openShard"],
    line: "{placedAt|day}",
    says: ["the period of placedAt alone", "60 per second"],
    good: {
      "a day with few writes": [[shards, "{placedAt|day}"]],
      "a day with shards": [
        [shards, "{placedAt|day}#{shard:10}"],
        [place, busy],
      ],
      "a day of somebody": [
        [shards, "{customerId}#{placedAt|day}"],
        [place, busy],
      ],
      "a time to the millisecond": [
        [shards, "{placedAt}"],
        [place, busy],
      ],
    },
  },
  "a day alone, at a rate that nobody knows": {
    bad: [
      [shards, "{placedAt|day}"],
      [place, unknown],
    ],
    at: ["design.tables.Shop.indexes.OpenOrders.sets.Order.openShard"],
    line: "{placedAt|day}",
    says: ["or more (not all rates are known)"],
  },
});
