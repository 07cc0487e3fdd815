import { expect, test } from "vitest";
import { compareMembers, type SetType, sortMembers } from "./set.ts";

const sets: readonly (readonly [SetType, sent: readonly string[], sorted: readonly string[]])[] = [
  ["SS", [], []],
  ["SS", ["a"], ["a"]],
  ["SS", ["b", "", "a", "B"], ["", "B", "a", "b"]],
  ["SS", ["😀", "\uffff"], ["\uffff", "😀"]],
  ["NS", ["10", "9", "-1", "0.5"], ["-1", "0.5", "9", "10"]],
  ["BS", ["/w==", "AAA=", "AA==", "gA=="], ["AA==", "AAA=", "gA==", "/w=="]],
];

test.each(sets)("%s %j is kept as %j", (type, sent, sorted) => {
  const members = [...sent];
  expect(sortMembers(type, members)).toBe(true);
  expect(members).toEqual(sorted);
});

test("a member that occurs twice is told and nothing moves", () => {
  const members = ["b", "a", "b"];
  expect(sortMembers("SS", members)).toBe(false);
  expect(members).toEqual(["b", "a", "b"]);
  expect(sortMembers("NS", ["1", "1"])).toBe(false);
});

test("the same texts order differently by type", () => {
  expect(compareMembers("SS", "10", "9")).toBeLessThan(0);
  expect(compareMembers("NS", "10", "9")).toBeGreaterThan(0);
});
