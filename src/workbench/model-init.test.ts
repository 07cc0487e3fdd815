import { expect, test } from "vitest";
import { checkModel, isSound } from "./model-check.ts";
import { modelInitText, startingModel, unknownExample, withSchema } from "./model-init.ts";

const text = withSchema(startingModel, "./schema.json");

test("the first model is whole, and says what is assumed", () => {
  const checked = checkModel(text, "model.yaml");
  expect(checked.complaints).toEqual([]);
  expect(isSound(checked)).toBe(true);
  expect(checked.summary?.assumed).toBeGreaterThan(10);
});

test("no count, size or rate in it looks as if somebody had given it", () => {
  for (const line of text.split("\n")) {
    const given = /\b(count|bytes|average|peak|max|users|requests|together): [0-9]/.exec(line);
    expect(given?.[0], line).toBe(undefined);
  }
});

test("it begins with the schema, and its lines are short", () => {
  expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/schema\.json\n# /);
  for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(105);
});

test("what to do next is told in two lines", () => {
  expect(modelInitText(text, "m.yaml").split("\n")).toEqual([
    "m.yaml is written: 2 entities, 5 patterns, 1 table; 18 numbers in it are assumed.",
    "Make it yours; 'keywright check m.yaml' says what is wrong or open, 'keywright learn' explains.",
    "",
  ]);
});

test("an example that is not there is told with those that are", () => {
  expect(unknownExample("shp", ["shop", "votes"])).toBe(
    "There is no example 'shp', but shop, votes. Did you mean 'shop'?",
  );
  expect(unknownExample("x", ["shop"])).toBe("There is no example 'x', but shop.");
});
