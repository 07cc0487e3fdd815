import { testRule } from "../lint.test-support.ts";
import { numbersDoNotAddUp } from "./numbers-do-not-add-up.ts";

const orders = "to: Order, kind: one-to-many, average: 5,";
const many = (average: number, reverse: number) =>
  [
    "relations:\n",
    `relations:\n  - { from: Customer, to: Order, kind: many-to-many, via: Line, average: ${average}, reverse: { average: ${reverse} } }\n`,
  ] as const;

testRule(numbersDoNotAddUp, {
  "too many orders for the customers": {
    bad: [[orders, orders.replace("5", "{ assumed: 11 }")]],
    at: ["relations[0].average"],
    line: "average: { assumed: 11 }",
    says: [
      "Customer times their Order",
      "1,000,000 Customer with 11 (assumed) each make 11,000,000, and the count is 5,000,000: 2.2 times as much",
    ],
    good: {
      "not quite twice as many": [[orders, orders.replace("5", "9.9")]],
      "an average that nobody knows": [[orders, "to: Order, kind: one-to-many,"]],
    },
  },
  "many to many, from the other end": {
    bad: [many(15, 1)],
    at: ["relations[0].reverse.average"],
    line: "reverse: { average: 1 }",
    says: ["5,000,000 Order with 1 each make 5,000,000, and the count is 15,000,000"],
    good: { "both ends agree": [many(15, 3)] },
  },
});
