import { expect, test } from "vitest";
import { readJavaNumber } from "./java-number.ts";

const problem = (text: string): string => {
  const read = readJavaNumber(text);
  return typeof read === "string" ? read : read.problem;
};

test.each([
  ["12.50", "12.5"],
  ["7.31e6", "7310000"],
  ["-.5E1", "-5"],
  ["1e126", "overflow"],
  ["1e-131", "underflow"],
])("%s is read as it always is", (text, read) => {
  expect(problem(text)).toBe(read);
});

test.each([
  "1e2147483648",
  "-1e99999999999",
  "1e-2147483648",
  "1.5e-2147483647",
  "",
  "abc",
  ".e99999",
])("%j is no number", (text) => {
  expect(problem(text)).toBe("not-a-number");
});

test("in 32 bits the largest exponents wrap", () => {
  expect(problem("1e2147483646")).toBe("overflow");
  expect(problem("1e2147483647")).toBe("underflow");
  expect(problem("1e-2147483647")).toBe("underflow");
});

test("a huge exponent that the digits make up for is none", () => {
  expect(problem(`0.${"0".repeat(10_000)}1e10001`)).toBe("1");
});
