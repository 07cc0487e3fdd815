import { testRule } from "../lint.test-support.ts";
import { constantPartitionKey } from "./constant-partition-key.ts";

testRule(constantPartitionKey, {
  "an index with one key for all": {
    bad: [["OPEN#{shard:4:orderId}", "OPEN"]],
    at: ["design.tables.Shop.indexes.OpenOrders.sets.Order.openShard"],
    line: `openShard: "OPEN"`,
    says: ["always 'OPEN'", "5,000,000 items", "1,000 write units"],
  },
});
