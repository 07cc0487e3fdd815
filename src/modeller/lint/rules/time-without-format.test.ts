import { testRule } from "../lint.test-support.ts";
import { timeWithoutFormat } from "./time-without-format.ts";

const placed = "placedAt: { type: S, format: iso-time, mutable: false }";
const as = (text: string) => [placed, `placedAt: { type: S, ${text} }`] as const;

testRule(timeWithoutFormat, {
  "a text of 24 bytes": {
    bad: [as("bytes: 24, mutable: false")],
    at: ["entities.Order.attributes.placedAt"],
    line: "placedAt: {",
    says: ["Order.placedAt is sorted by", "16/11/2026"],
    fixed: "placedAt: { type: S, mutable: false, format: iso-time }",
    good: {
      "nobody sorts by it": [
        as("bytes: 24, mutable: false"),
        ["order: { placedAt: ascending }, ", ""],
        ["sort: [placedAt, orderId]", "sort: [orderId]"],
      ],
    },
  },
  "a text of any length": {
    bad: [as("bytes: 30, mutable: false")],
    at: ["entities.Order.attributes.placedAt"],
    line: "placedAt: {",
    says: ["Order.placedAt"],
  },
  "a number of thirteen digits": {
    bad: [[placed, "placedAt: { type: N, digits: 13, mutable: false }"]],
    at: ["entities.Order.attributes.placedAt"],
    line: "placedAt: {",
    says: ["count the same unit"],
    fixed: "format: epoch-milliseconds",
  },
});
