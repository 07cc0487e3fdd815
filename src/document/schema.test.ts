import { expect, test } from "vitest";
import { pathText } from "./path.ts";
import { checkSchema, type Schema } from "./schema.ts";

const schema: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["kind"],
  properties: {
    kind: { enum: ["query", "scan"] },
    share: { type: "number", exclusiveMinimum: 0, maximum: 1 },
    count: { type: "integer", minimum: 0 },
    name: { type: "string", minLength: 3, maxLength: 5, pattern: "^[a-z]+$", examples: ["abc"] },
    either: { anyOf: [{ enum: ["all", "keys"] }, { type: "array", items: { type: "string" } }] },
    list: { type: "array", minItems: 1, maxItems: 2, items: { $ref: "#/$defs/flag" } },
    map: {
      type: "object",
      minProperties: 1,
      maxProperties: 2,
      propertyNames: { type: "string", pattern: "^[a-z]+$", examples: ["abc"] },
      additionalProperties: { $ref: "#/$defs/flag" },
    },
    nested: {
      anyOf: [
        { anyOf: [{ type: "number" }] },
        { type: "string", pattern: "KB$", examples: ["5 KB"] },
        { type: "string", pattern: "^\\d+_\\d+$" },
      ],
    },
    size: {
      type: "object",
      properties: { min: {}, max: {}, shares: {} },
      oneOf: [{ required: ["min", "max"] }, { required: ["shares"] }],
    },
  },
  $defs: { flag: { type: "boolean" } },
};

const check = (value: object): string[] =>
  checkSchema({ kind: "scan", ...value }, schema).map(
    ({ path, message }) => `${pathText(path)} ${message}`,
  );

test.each<[object, string[]]>([
  [{ share: 1, count: 0, name: "abc", either: "all", list: [true], map: { a: true } }, []],
  [{ either: ["x"], size: { shares: 1 } }, []],
  [{ nested: "1_000" }, []],
  [{ nested: "5 KB" }, []],
  [{ nested: 5 }, []],
  [{ nested: "x" }, ['nested must look like "5 KB"']],
  [{ nested: true }, ['nested must be a number or text such as "5 KB" or text']],
  [{ size: { min: 1, max: 2 } }, []],
  [{ kind: undefined }, ["kind must be 'query' or 'scan'"]],
  [{ kind: "scna" }, ["kind must be 'query' or 'scan'; did you mean 'scan'?"]],
  [{ share: 0 }, ["share must be more than 0"]],
  [{ share: 1.1 }, ["share must be at most 1"]],
  [{ count: -1 }, ["count must be at least 0"]],
  [{ count: 1.5 }, ["count must be a whole number"]],
  [{ name: "ab" }, ["name must have at least 3 characters"]],
  [{ name: "abcdef" }, ["name must have at most 5 characters"]],
  [{ name: "a1c" }, ['name must look like "abc"']],
  [{ either: "kyes" }, ["either must be 'all' or 'keys' or a list; did you mean 'keys'?"]],
  [{ list: [] }, ["list must have at least one entry"]],
  [{ list: [true, 1, true] }, ["list must have at most 2", "list[1] must be true or false"]],
  [{ map: {} }, ["map must not be empty"]],
  [{ map: { A: true } }, ['map.A is a name that must look like "abc"']],
  [{ map: { a: true, b: true, c: true } }, ["map must have at most 2 entries"]],
  [{ size: {} }, ["size needs exactly one of min with max, shares"]],
  [{ size: { min: 1 } }, ["size needs 'max'"]],
  [{ size: { min: 1, max: 1, shares: 1 } }, ["size needs exactly one of min with max, shares"]],
  [
    { cuont: 1 },
    [
      "cuont is not known here; did you mean 'count'? known: kind, share, count, name, either, list, map, nested, size",
    ],
  ],
])("%j", (value, expected) => {
  expect(check(value)).toEqual(expected);
});

test("a name of every object is no known name", () => {
  const [issue] = checkSchema(JSON.parse('{"kind":"scan","__proto__":1}'), schema);
  expect(issue?.message).toContain("is not known here");
});
