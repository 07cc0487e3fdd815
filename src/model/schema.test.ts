import { describe, expect, test } from "vitest";
import { checkSchema, type Schema } from "../document/schema.ts";
import { Source } from "../document/source.ts";
import { complete } from "./complete.test-support.ts";
import { examples } from "./model.test-support.ts";
import { modelFrom } from "./parse.ts";
import { publishedSchema } from "./published-schema.ts";
import { modelSchema } from "./schema.ts";

/** Every schema in a schema, with the way to it. */
function* inside(schema: Schema, path = "model"): Generator<readonly [string, Schema]> {
  yield [path, schema];
  for (const [name, one] of Object.entries({ ...schema.properties, ...schema.$defs })) {
    yield* inside(one, `${path}.${name}`);
  }
  for (const [i, one] of (schema.anyOf ?? []).entries()) yield* inside(one, `${path}|${i}`);
  if (schema.items !== undefined) yield* inside(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === "object") {
    yield* inside(schema.additionalProperties, `${path}.*`);
  }
}

const members = [...inside(modelSchema)].flatMap(([path, { properties = {} }]) =>
  Object.entries(properties).map(([name, schema]) => [`${path}.${name}`, schema] as const),
);

describe("editors can explain every member", () => {
  test("there are many", () => expect(members.length).toBeGreaterThan(150));

  test.each(members)("%s says what it means and shows an example that fits", (_, schema) => {
    expect(schema.description?.length).toBeGreaterThan(4);
    expect(schema.examples).not.toEqual([]);
    for (const example of schema.examples ?? [undefined]) {
      // The parts that a schema refers to are those of the whole.
      const { $defs = {} } = modelSchema;
      expect(checkSchema(example, { $defs, anyOf: [schema] })).toEqual([]);
    }
  });
});

test("a part that is referred to is there", () => {
  for (const [, { $ref }] of inside(modelSchema)) {
    if ($ref !== undefined) expect(modelSchema.$defs).toHaveProperty($ref.replace("#/$defs/", ""));
  }
});

test.each(examples)("%s fits the schema that editors get", (_, text) => {
  const { source } = Source.read(text, "x.yaml");
  expect(checkSchema(source?.value, publishedSchema())).toEqual([]);
});

test("editors read grouped digits as text, and may", () => {
  const { $defs = {}, ...schema } = publishedSchema();
  const value = {
    keywright: 1,
    name: "x",
    entities: { A: { id: ["a"], count: "1_000_000", attributes: { a: { type: "S", bytes: 3 } } } },
  };
  expect(checkSchema(value, { ...schema, $defs })).toEqual([]);
  expect(checkSchema(value, modelSchema)).not.toEqual([]);
});

test("editors get every explanation and every example", () => {
  const told = (schema: Schema) =>
    [...inside(schema)].flatMap(([, { description, examples: shown = [] }]) => [
      ...(description === undefined ? [] : [description]),
      ...shown.map((one) => JSON.stringify(one)),
    ]);
  expect(told(publishedSchema()).toSorted()).toEqual(told(modelSchema).toSorted());
});

/** The names of all members that are in a value, however deep. */
function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(namesIn)];
}

describe("types and schema agree", () => {
  test("what has every member fits both, and makes sense", () => {
    expect(checkSchema(complete, modelSchema)).toEqual([]);
    expect(modelFrom(complete).complaints).toEqual([]);
  });

  test("the schema has no member that the types lack", () => {
    const used = new Set(namesIn(complete));
    const names = new Set(members.map(([path]) => path.split(".").at(-1) as string));
    expect([...names].filter((name) => !used.has(name))).toEqual([]);
  });
});
