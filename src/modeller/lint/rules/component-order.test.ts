import { testRule } from "../lint.test-support.ts";
import { componentOrder } from "./component-order.ts";

const index = "key: { partition: customerId, sort: orderId }";
const asked = [
  "read: Order, where: { customerId: equals }, order: { orderId: descending }",
  "read: Order, where: { customerId: equals, state: equals, placedAt: between }, order: { placedAt: descending }",
] as const;

testRule(componentOrder, {
  "a range before what is known": {
    bad: [[index, "key: { partition: customerId, sort: [placedAt, state] }"], asked],
    at: ["design.tables.Shop.indexes.OrdersByCustomer.key.sort[0]"],
    line: "sort: [placedAt, state]",
    says: [
      "placedAt stands before state",
      "Pattern orders knows state and wants a range of placedAt",
    ],
    good: {
      "what is known first": [
        [index, "key: { partition: customerId, sort: [state, placedAt] }"],
        asked,
      ],
      "no range is asked for": [
        [index, "key: { partition: customerId, sort: [placedAt, state] }"],
        [asked[0], asked[1].replace("placedAt: between", "placedAt: equals")],
      ],
    },
  },
});
