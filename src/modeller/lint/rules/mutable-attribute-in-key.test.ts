import { expect, test } from "vitest";
import { findingsOf, soundModel, swapped, testRule } from "../lint.test-support.ts";
import { mutableAttributeInKey } from "./mutable-attribute-in-key.ts";

const key = 'Order: { key: { owner: "O#{orderId}", part: "#ORDER" } }';
const withAmount = 'Order: { key: { owner: "O#{orderId}", part: "#ORDER#{amount}" } }';
const amount = "amount: { type: N, digits: 7, mutable: false }";

testRule(mutableAttributeInKey, {
  "a state that a pattern changes": {
    bad: [[key, 'Order: { key: { owner: "O#{orderId}", part: "#ORDER#{state}" } }']],
    at: ["design.tables.Shop.entities.Order.key.part"],
    line: "#ORDER#{state}",
    says: ["Order.state changes and is in the key of Order in Shop", "pattern ship"],
    good: { "an attribute that never changes": [[key, withAmount]] },
  },
  "what is said to change": {
    bad: [
      [key, withAmount],
      [amount, "amount: { type: N, digits: 7, mutable: true }"],
    ],
    at: ["design.tables.Shop.entities.Order.key.part"],
    line: "#ORDER#{amount}",
    says: ["said to be mutable"],
  },
  "what nothing is said of": {
    bad: [
      [key, withAmount],
      [amount, "amount: { type: N, digits: 7 }"],
    ],
    at: ["design.tables.Shop.entities.Order.key.part"],
    line: "#ORDER#{amount}",
    says: ["nothing says that it never changes"],
    fixed: "amount: { type: N, digits: 7, mutable: false }",
  },
});

test("what is only unsaid is a hint", () => {
  const text = swapped(soundModel, [
    [key, withAmount],
    [amount, "amount: { type: N, digits: 7 }"],
  ]);
  expect(findingsOf(mutableAttributeInKey, text)[0]?.severity).toBe("hint");
});
