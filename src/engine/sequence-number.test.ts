import { expect, test } from "vitest";
import { readSequenceNumber, sequenceNumberText } from "./sequence-number.ts";

test.each([1, 999, 2 ** 32, Number.MAX_SAFE_INTEGER])("%d is written and read", (number) => {
  const text = sequenceNumberText(number);
  expect(text).toMatch(/^\d{21}$/);
  expect(readSequenceNumber(text)).toBe(number);
});

test("texts order as their numbers do", () => {
  const texts = [1, 9, 10, 99, 2 ** 40, Number.MAX_SAFE_INTEGER].map(sequenceNumberText);
  expect(texts.toSorted()).toEqual(texts);
});

test("a smaller number than was ever given out is one before all", () => {
  expect(readSequenceNumber("000000000000000000001")).toBe(-1);
});

test.each(["", "x".repeat(21), "-1".padEnd(21, "0"), "1e20".padEnd(21, "0"), "9".repeat(40)])(
  "%j is none",
  (text) => {
    expect(readSequenceNumber(text)).toBeUndefined();
  },
);
