import { expect, test } from "vitest";
import type { AttributeValue } from "./attribute-value.ts";
import { normaliseNumber } from "./number.ts";
import { itemSize, numberSize, valueSize } from "./size.ts";

test.each([
  ["0", 1],
  ["-0", 1],
  ["1", 2],
  ["12", 2],
  ["123", 3],
  ["12345", 4],
  ["123456", 4],
  ["12345678901234567890123456789012345678", 20],
  ["100", 2],
  ["1010", 3],
  ["1E125", 2],
  ["-1E125", 3],
  ["0.0000001", 2],
  ["0.15", 2],
  ["1.5", 3],
  ["1.234", 4],
  ["3.14159", 5],
  ["100.5", 4],
  ["-42", 3],
  ["-0.5", 3],
  ["-1.5", 4],
  ["1E-130", 2],
  ["0042.1200", 3],
])("the number %s takes %i bytes", (number, bytes) => {
  expect(numberSize(normaliseNumber(number) as string)).toBe(bytes);
});

const sizes: readonly (readonly [value: AttributeValue, bytes: number])[] = [
  [{ S: "" }, 0],
  [{ S: "abc" }, 3],
  [{ S: "é" }, 2],
  [{ S: "€" }, 3],
  [{ S: "😀" }, 4],
  [{ N: "12" }, 2],
  [{ B: "" }, 0],
  [{ B: "AA==" }, 1],
  [{ B: "AAA=" }, 2],
  [{ B: "AAAA" }, 3],
  [{ B: "AAAAAA==" }, 4],
  [{ BOOL: false }, 1],
  [{ NULL: true }, 1],
  [{ SS: ["a", "bc", ""] }, 3],
  [{ NS: ["1", "123"] }, 5],
  [{ BS: ["AA==", "AAAA"] }, 4],
  [{ L: [] }, 3],
  [{ M: {} }, 3],
  [{ L: [{ S: "abc" }, { N: "1" }] }, 3 + 1 + 3 + 1 + 2],
  [{ M: { ab: { S: "abc" } } }, 3 + 1 + 2 + 3],
  [{ M: { a: { L: [{ M: {} }] } } }, 3 + 1 + 1 + (3 + 1 + 3)],
];

test.each(sizes)("%j takes %i bytes", (value, bytes) => {
  expect(valueSize(value)).toBe(bytes);
});

test("an item is the sum of its names and values", () => {
  expect(itemSize({})).toBe(0);
  expect(itemSize({ pk: { S: "a" }, é: { N: "1" } })).toBe(2 + 1 + 2 + 2);
  const hostile = JSON.parse('{"__proto__":{"S":"ab"},"constructor":{"NULL":true}}');
  expect(itemSize(hostile)).toBe(9 + 2 + 11 + 1);
});
