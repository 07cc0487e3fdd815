import { expect, test } from "vitest";
import { endOf, placeOf } from "./place.ts";

const text = `{ "a": [1, {"b\\"": "x]}", "c": true}],
  "d": {"e": null, "f": -1.5e3},
  "d2": "last" }`;

/** The text from the place on. */
function rest(path: readonly (string | number)[]): string {
  const { line, column } = placeOf(text, path);
  return text
    .split("\n")
    .slice(line - 1)
    .join("\n")
    .slice(column - 1);
}

test.each([
  [[], "{ "],
  [["a"], "[1"],
  [["a", 0], "1,"],
  [["a", 1], "{"],
  [["a", 1, 'b"'], '"x]}"'],
  [["a", 1, "c"], "true"],
  [["d"], '{"e"'],
  [["d", "f"], "-1.5e3"],
  [["d2"], '"last"'],
])("%j", (path, begin) => {
  expect(rest(path).startsWith(begin)).toBe(true);
});

test("what could be a list of one is its only element", () => {
  expect(placeOf('{"s":{"t":1}}', ["s", 0, "t"])).toEqual({ line: 1, column: 11 });
});

test("what is not there is at the end", () => {
  expect(placeOf(text, ["nothing"])).toEqual(endOf(text));
  expect(endOf("{}")).toEqual({ line: 1, column: 3 });
});

test("the last of two of a name counts", () => {
  expect(placeOf('{"a":1,"a":2}', ["a"])).toEqual({ line: 1, column: 12 });
});

test("nesting as deep as the text is long is no matter", () => {
  const deep = `{"a":${"[".repeat(9_000)}${"]".repeat(9_000)},"b":1}`;
  expect(placeOf(deep, ["b"]).column).toBe(deep.length - 1);
});
