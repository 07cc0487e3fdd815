import { expect, test } from "vitest";
import { didYouMean, editDistance, nearest } from "./nearest.ts";

test.each([
  ["", "", 0],
  ["abc", "abc", 0],
  ["abc", "abd", 1],
  ["abc", "ab", 1],
  ["abc", "xabc", 1],
  ["abcd", "abdc", 1],
  ["ab", "ba", 1],
  ["ab", "ca", 2],
  ["abc", "cab", 2],
  ["", "abc", 3],
  ["kitten", "sitting", 3],
])("from %j to %j it is %i", (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

test.each<[string, string[], string | undefined]>([
  ["Custmer", ["Order", "Customer", "Custom"], "Customer"],
  ["customer", ["Order", "Customer"], "Customer"],
  ["ORDER", ["Order", "Border"], "Order"],
  ["pk", ["PK", "SK"], "PK"],
  ["x", ["PK", "SK"], undefined],
  ["S3", ["S", "N"], undefined],
  ["colour", ["title", "seed", "items"], undefined],
  ["y".repeat(65), ["y".repeat(64)], undefined],
  ["y".repeat(64), ["y".repeat(65)], undefined],
  ["y".repeat(63), ["y".repeat(64)], "y".repeat(64)],
  // A third of the shorter name may differ, rounded up, and no more.
  ["abcdef", ["abcdxy"], "abcdxy"],
  ["abcdef", ["abcxyz"], undefined],
  ["abcd", ["abcdef"], "abcdef"],
  ["abc", ["abcde"], undefined],
  // The nearer one, and of two as near the first.
  ["orders", ["order", "orderz"], "order"],
  ["orders", ["odres", "orderz"], "orderz"],
  ["ab", ["xy"], undefined],
  ["__prot__", ["__proto__"], "__proto__"],
])("%s among %j means %s", (given, known, expected) => {
  expect(nearest(given, known)).toBe(expected);
});

test("a suggestion is a question, or nothing", () => {
  expect(didYouMean("tabel", ["table"])).toBe("; did you mean 'table'?");
  expect(didYouMean("tabel", [])).toBe("");
});
