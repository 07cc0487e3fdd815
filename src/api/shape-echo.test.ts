import { expect, test } from "vitest";
import { attributeValue, list, map, string } from "./shape.ts";
import { echo, echoCharactersMax, echoJson } from "./shape-echo.ts";

const slack = 1_000;

test("a value of a few characters is shown whole", () => {
  expect(echo(map(list(string())), { a: ["x", "y"], b: [] })).toBe("{a=[x, y], b=[]}");
  expect(echoJson({ a: ["x"] })).toBe('{"a":["x"]}');
});

test.each([
  ["many values", attributeValue(), { L: Array(100_000).fill({ S: "" }) }],
  ["many members", attributeValue(), { SS: Array(100_000).fill("x") }],
  ["many binaries", attributeValue(), { BS: Array(100_000).fill("AA==") }],
  ["one long text", string(), "x".repeat(1_000_000)],
  ["many texts", list(string()), Array(100_000).fill("x")],
  ["many lists", list(list(string())), Array(100_000).fill(["x"])],
  [
    "many names",
    map(string()),
    Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [at, ""])),
  ],
])("%s are cut short", (_, shape, value) => {
  const shown = echo(shape, value);
  expect(shown).toContain("...");
  expect(shown.length).toBeGreaterThan(echoCharactersMax / 2);
  expect(shown.length).toBeLessThan(echoCharactersMax + slack);
});

test("long JSON is cut short", () => {
  expect(echoJson("x".repeat(1_000_000))).toHaveLength(echoCharactersMax + 3);
});
