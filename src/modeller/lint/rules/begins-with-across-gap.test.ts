import { testRule } from "../lint.test-support.ts";
import { beginsWithAcrossGap } from "./begins-with-across-gap.ts";

const index = "key: { partition: customerId, sort: orderId }";
const joined =
  'key: { partition: customerId, sort: path }\n          sets: { Order: { path: "{state}#{placedAt}#{orderId}" } }';
const asked = [
  "read: Order, where: { customerId: equals }, order: { orderId: descending }",
  "read: Order, where: { customerId: equals, placedAt: between }, order: { placedAt: descending }",
] as const;

testRule(beginsWithAcrossGap, {
  "a part that is skipped": {
    bad: [[index, joined], asked],
    at: ["design.tables.Shop.indexes.OrdersByCustomer.sets.Order.path"],
    line: "path:",
    says: [
      "placedAt in the key of Order in index OrdersByCustomer of Shop cannot be asked for without state",
      "Pattern orders names placedAt and not state",
    ],
    good: {
      "the part is named": [
        [index, joined],
        [asked[0], asked[1].replace("placedAt: between", "state: equals, placedAt: between")],
      ],
      "another key has it first": [
        [index, "key: { partition: customerId, sort: [placedAt, state] }"],
        asked,
      ],
    },
  },
});
