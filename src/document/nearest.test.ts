import { expect, test } from "vitest";
import { didYouMean, editDistance, nearest } from "./nearest.ts";

test.each([
  ["", "", 0],
  ["abc", "abc", 0],
  ["abc", "abd", 1],
  ["abc", "ab", 1],
  ["abc", "xabc", 1],
  ["abcd", "abdc", 1],
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
  ["__prot__", ["__proto__"], "__proto__"],
])("%s among %j means %s", (given, known, expected) => {
  expect(nearest(given, known)).toBe(expected);
});

test("a suggestion is a question, or nothing", () => {
  expect(didYouMean("tabel", ["table"])).toBe("; did you mean 'table'?");
  expect(didYouMean("tabel", [])).toBe("");
});
