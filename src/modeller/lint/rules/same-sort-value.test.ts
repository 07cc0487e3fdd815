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
  "a date": {
    bad: [
      ["placedAt: { type: S, format: iso-time", "placedAt: { type: S, format: iso-date"],
      [
        "key: { partition: customerId, sort: orderId }",
        "key: { partition: customerId, sort: placedAt }",
      ],
      ["order: { orderId: descending }", "order: { placedAt: descending }"],
    ],
    at: ["design.tables.Shop.indexes.OrdersByCustomer.key.sort"],
    line: "sort: placedAt }",
    says: ["sorts by placedAt, which is a day"],
    fixed: "sort: [placedAt, orderId] }",
    good: {
      "a number that is each order's own": [
        [
          "amount: { type: N, digits: 7, mutable: false }",
          "amount: { type: N, digits: 7, mutable: false, unique: true }",
        ],
        [
          "key: { partition: customerId, sort: orderId }",
          "key: { partition: customerId, sort: amount }",
        ],
        ["order: { orderId: descending }", "order: { amount: descending }"],
      ],
      "something else behind it": [
        [
          "key: { partition: customerId, sort: orderId }",
          "key: { partition: customerId, sort: [amount, placedAt] }",
        ],
        ["order: { orderId: descending }", "order: { amount: descending }"],
      ],
    },
  },
  "one of two values": {
    bad: [
      [
        "key: { partition: customerId, sort: orderId }",
        "key: { partition: customerId, sort: state }",
      ],
      ["order: { orderId: descending }", "order: { state: descending }"],
    ],
    at: ["design.tables.Shop.indexes.OrdersByCustomer.key.sort"],
    line: "sort: state }",
    says: ["sorts by state, which has 2 values"],
    fixed: "sort: [state, orderId] }",
  },
  "a number in an index that others are in": {
    bad: [
      [
        "key: { partition: customerId, sort: orderId }",
        "key: { partition: customerId, sort: amount }",
      ],
      ["order: { orderId: descending }", "order: { amount: descending }"],
      ["      visits: { type: N", "      amount: { type: N, digits: 2 }\n      visits: { type: N"],
      ["digits: 7, mutable: false }", "mutable: false }"],
    ],
    at: ["design.tables.Shop.indexes.OrdersByCustomer.key.sort"],
    line: "sort: amount }",
    says: ["a number of 10 digits (assumed)"],
  },
});
