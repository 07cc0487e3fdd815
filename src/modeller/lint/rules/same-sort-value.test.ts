import { testRule } from "../lint.test-support.ts";
import { sameSortValue } from "./same-sort-value.ts";

const sort = "sort: [placedAt, orderId]";
const asked = "order: { placedAt: ascending }";

testRule(sameSortValue, {
  "a number alone": {
    bad: [
      [
        "key: { partition: customerId, sort: orderId }",
        "key: { partition: customerId, sort: amount }",
      ],
      ["order: { orderId: descending }", "order: { amount: descending }"],
    ],
    at: ["design.tables.Shop.indexes.OrdersByCustomer.key.sort"],
    line: "sort: amount",
    says: ["Order with the same amount", "Pattern orders sorts by amount, a number of 7 digits"],
    fixed: "sort: [amount, orderId]",
    good: {
      "a number and the id": [
        [
          "key: { partition: customerId, sort: orderId }",
          "key: { partition: customerId, sort: [amount, orderId] }",
        ],
        ["order: { orderId: descending }", "order: { amount: descending }"],
      ],
      "a time to the millisecond": [
        [
          "key: { partition: customerId, sort: orderId }",
          "key: { partition: customerId, sort: placedAt }",
        ],
        ["order: { orderId: descending }", "order: { placedAt: descending }"],
      ],
    },
  },
  "a day in a text": {
    bad: [
      [
        "key: { partition: customerId, sort: orderId }",
        'key: { partition: customerId, sort: when }\n          sets: { Order: { when: "{placedAt|day}" } }',
      ],
      ["order: { orderId: descending }", "order: { placedAt: descending }"],
    ],
    at: ["design.tables.Shop.indexes.OrdersByCustomer.sets.Order.when"],
    line: "when:",
    says: ["cut off after the day"],
    fixed: '"{placedAt|day}#{orderId}"',
    good: {
      "a list with the id behind it": [
        [sort, sort],
        [asked, asked],
      ],
    },
  },
});
