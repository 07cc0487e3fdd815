import { expect, test } from "vitest";
import { columnWidths, wrapped } from "./layout.ts";

test("texts are broken at spaces", () => {
  expect(wrapped("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrapped("one two three", 6)).toEqual(["one", "two", "three"]);
  expect(wrapped("unbreakable", 4)).toEqual(["unbreakable"]);
});

test("code stays whole, with what stands right behind it", () => {
  expect(wrapped("see `a b c`, then", 13)).toEqual(["see `a b c`,", "then"]);
  expect(wrapped("see `a b c`, then", 9)).toEqual(["see", "`a b c`,", "then"]);
});

test("the widest column gives way first", () => {
  const rows = [
    ["a", "x".repeat(60)],
    ["bb", "y".repeat(20)],
  ];
  expect(columnWidths(rows, 100)).toEqual([2, 60]);
  expect(columnWidths(rows, 44)).toEqual([2, 40]);
  expect(columnWidths(rows, 5)).toEqual([2, 10]);
});
