import { expect, test } from "vitest";
import { Placeholders, resolvePath } from "./parser.ts";
import { messageOf } from "./plain-values.test-support.ts";
import type { Path } from "./tree.ts";

test("placeholders are own members of their maps", () => {
  const placeholders = new Placeholders({ "#a": "x" }, { ":a": { S: "y" } });
  const kind = "ConditionExpression";
  expect(placeholders.name(kind, "#a")).toBe("x");
  expect(placeholders.value(kind, ":a")).toEqual({ S: "y" });
  expect(placeholders.isUsed("#a")).toBe(true);
  expect(placeholders.isUsed("#b")).toBe(false);
  expect(messageOf(() => placeholders.name(kind, "toString"))).toContain("is not defined");
  expect(messageOf(() => new Placeholders(undefined, undefined).value(kind, ":a"))).toContain(
    "is not defined; attribute value: :a",
  );
});

test("a path without placeholders stays the same object", () => {
  const placeholders = new Placeholders({ "#b": "#literal" }, undefined);
  const plain: Path = { kind: "path", steps: ["a", 0, "b"] };
  expect(resolvePath(plain, placeholders, "ConditionExpression")).toBe(plain);
  const named: Path = { kind: "path", steps: ["a", 0, "#b"] };
  expect(resolvePath(named, placeholders, "ConditionExpression").steps).toEqual([
    "a",
    0,
    "#literal",
  ]);
});
