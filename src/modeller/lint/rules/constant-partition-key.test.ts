import { testRule } from "../lint.test-support.ts";
import { constantPartitionKey } from "./constant-partition-key.ts";

testRule(constantPartitionKey, {
  "an index with one key for all": {
    bad: [["OPEN#{shard:4:orderId}", "OPEN"]],
    at: ["design.tables.Shop.indexes.OpenOrders.sets.Order.openShard"],
    line: `openShard: "OPEN"`,
    says: ["always 'OPEN'", "5,000,000 items", "1,000 write units"],
    good: {
      "a few items": [
        ["OPEN#{shard:4:orderId}", "OPEN"],
        ["count: 5_000_000", "count: 100"],
      ],
      "one constant of two attributes": [
        ["OPEN#{shard:4:orderId}", "OPEN"],
        ["partition: openShard", "partition: [openShard, customerId]"],
      ],
    },
  },
  "a number of items that nobody knows": {
    bad: [
      ["OPEN#{shard:4:orderId}", "OPEN"],
      ["    count: 5_000_000\n", ""],
    ],
    at: ["design.tables.Shop.indexes.OpenOrders.sets.Order.openShard"],
    line: "openShard",
    says: ["Any number of Order"],
  },
});
