import { expect, test } from "vitest";
import { matches } from "./wildcards.ts";

test.each([
  ["", "", true],
  ["", "a", false],
  ["*", "", true],
  ["*", "anything", true],
  ["a*c", "abbc", true],
  ["a*c", "abbd", false],
  ["a*b*c", "axbxbxc", true],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["abc", "abcd", false],
  ["abc*", "abc", true],
  ["*abc", "xabcabc", true],
  ["a.c", "abc", false],
])("%j and %j", (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

test("a pattern of many stars takes no time", () => {
  expect(matches(`${"*a".repeat(5_000)}b`, "a".repeat(10_000))).toBe(false);
}, 5_000);
