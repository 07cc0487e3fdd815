import { expect, test } from "vitest";
import { findingsOf, soundModel, swapped, testRule } from "../lint.test-support.ts";
import { caseOrder } from "./case-order.ts";

const index = "key: { partition: customerId, sort: orderId }";
const byNote =
  'key: { partition: customerId, sort: noteKey }\n          sets: { Order: { noteKey: "{note}#{orderId}" } }';
const byNoteLower =
  'key: { partition: customerId, sort: noteKey }\n          sets: { Order: { noteKey: "{note|lower}#{orderId}" } }';
const order = ["order: { orderId: descending }", "order: { note: ascending }"] as const;

testRule(caseOrder, {
  "words as they are": {
    bad: [[index, byNote], order],
    at: ["design.tables.Shop.indexes.OrdersByCustomer.sets.Order.noteKey"],
    line: "noteKey:",
    says: ["note in the key of Order in index OrdersByCustomer", "Pattern orders"],
    fixed: '"{note|lower}#{orderId}"',
    good: {
      "small letters": [[index, byNoteLower], order],
      "an order that nobody asks for": [[index, byNote]],
      codes: [
        [index, byNote],
        order,
        [
          "note: { type: S, bytes: { min: 0, max: 200 } }",
          "note: { type: S, bytes: 2, distinct: 20 }",
        ],
      ],
    },
  },
  "an attribute as it is": {
    bad: [[index, "key: { partition: customerId, sort: [note, orderId] }"], order],
    at: ["design.tables.Shop.indexes.OrdersByCustomer.key.sort[0]"],
    line: "sort: [note, orderId]",
    says: ["note in the key of Order"],
  },
});

test("an attribute as it is cannot be cured in place: a hint", () => {
  const text = swapped(soundModel, [
    [index, "key: { partition: customerId, sort: [note, orderId] }"],
    order,
  ]);
  expect(findingsOf(caseOrder, text)[0]?.severity).toBe("hint");
});
