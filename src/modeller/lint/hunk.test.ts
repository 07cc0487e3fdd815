import { expect, test } from "vitest";
import { hunkOf } from "./hunk.ts";

test.each([
  ["a\nb\nc", "a\nx\nc", { line: 2, removed: ["b"], added: ["x"] }],
  ["a\nb\nc", "a\nc", { line: 2, removed: ["b"], added: [] }],
  ["a\nc", "a\nb\nb\nc", { line: 2, removed: [], added: ["b", "b"] }],
  ["a\na\na", "a\na", { line: 3, removed: ["a"], added: [] }],
  ["a\r\nb\r\n", "a\r\nc\r\n", { line: 2, removed: ["b"], added: ["c"] }],
  ["a", "a", { line: 2, removed: [], added: [] }],
])("%j to %j", (before, after, hunk) => {
  expect(hunkOf(before, after)).toEqual(hunk);
});
