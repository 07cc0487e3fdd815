import { describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";
import { counted } from "../item-table.ts";

/** ExpressionAttributeNames and ExpressionAttributeValues: their keys, and whether they are used. */

const server = useServer();

type Request = Record<string, unknown>;

const Key = { pk: { S: "k" } };
const base = { TableName: "no-such-table" };

/** Each with a good expression, and what stands before a complaint. */
const operations: readonly (readonly [operation: string, request: Request, prefix: string])[] = [
  ["PutItem", { Item: Key, ConditionExpression: "attribute_exists(a)" }, counted],
  ["UpdateItem", { Key, UpdateExpression: "REMOVE a" }, counted],
  ["DeleteItem", { Key, ConditionExpression: "attribute_exists(a)" }, counted],
  ["Query", { KeyConditionExpression: "pk = :k", ProjectionExpression: "a" }, ""],
  ["Scan", { FilterExpression: "attribute_exists(a)" }, ""],
];

async function message(operation: string, request: Request): Promise<string> {
  const { json } = await server.raw(operation, { ...base, ...request });
  expect(json.__type).toBe("com.amazon.coral.validate#ValidationException");
  return json.message;
}

describe.each(operations)("%s", (operation, request, prefix) => {
  const N = { N: "1" };
  const S = { S: "x" };
  // Query cannot do without a value of its own.
  const own = operation === "Query" ? { ":k": S } : undefined;
  const names = (ExpressionAttributeNames: Request) => ({
    ...request,
    ExpressionAttributeNames,
    ...(own !== undefined && { ExpressionAttributeValues: own }),
  });
  const values = (given: Request) => ({
    ...request,
    ExpressionAttributeValues: { ...given, ...own },
  });

  test.each([
    ["no key at all", {}, "ExpressionAttributeNames must not be empty"],
    [
      "a key without its sign",
      { a: "a" },
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"',
    ],
    [
      "the sign alone",
      { "#": "a" },
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "#"',
    ],
    [
      "a dash",
      { "#a-b": "a" },
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"',
    ],
    [
      "an empty name",
      { "#a": "" },
      "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a",
    ],
    [
      "one that is not used",
      { "#a": "a" },
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}",
    ],
  ])("names: %s", async (_title, given, complaint) => {
    expect(await message(operation, names(given))).toBe(prefix + complaint);
  });

  test.each([
    [
      "a key without its sign",
      { v: N },
      'ExpressionAttributeValues contains invalid key: Syntax error; key: "v"',
    ],
    [
      "the sign alone",
      { ":": N },
      'ExpressionAttributeValues contains invalid key: Syntax error; key: ":"',
    ],
    [
      "a bad key before a bad value",
      { ":n": { N: "x" }, v: N },
      'ExpressionAttributeValues contains invalid key: Syntax error; key: "v"',
    ],
    [
      "one that is not used",
      { ":v": N },
      "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
    ],
  ])("values: %s", async (_title, given, complaint) => {
    expect(await message(operation, values(given))).toBe(prefix + complaint);
  });

  test.runIf(own === undefined)("values: no key at all", async () => {
    expect(await message(operation, values({}))).toBe(
      `${prefix}ExpressionAttributeValues must not be empty`,
    );
  });

  test("several that are not used are all named", async () => {
    const complaint = await message(operation, names({ "#a": "a", "#b": "b", "#c": "c" }));
    const [, keys] =
      /^.*ExpressionAttributeNames unused in expressions: keys: \{(.*)\}$/.exec(complaint) ?? [];
    expect(keys?.split(", ").sort()).toEqual(["#a", "#b", "#c"]);
    const other = await message(operation, values({ ":x": N, ":y": N }));
    const [, unused] =
      /^.*ExpressionAttributeValues unused in expressions: keys: \{(.*)\}$/.exec(other) ?? [];
    expect(unused?.split(", ").sort()).toEqual([":x", ":y"]);
  });

  test("names come before values, both before the expressions", async () => {
    const expression = Object.keys(request).find((name) => name.endsWith("Expression")) ?? "";
    const bad = { ...request, [expression]: "= =" };
    const broken = (ExpressionAttributeNames: Request, ExpressionAttributeValues: Request) =>
      message(operation, { ...bad, ExpressionAttributeNames, ExpressionAttributeValues });
    expect(await broken({ a: "a" }, { v: N })).toBe(
      `${prefix}ExpressionAttributeNames contains invalid key: Syntax error; key: "a"`,
    );
    expect(await broken({ "#a": "a" }, { v: N })).toBe(
      `${prefix}ExpressionAttributeValues contains invalid key: Syntax error; key: "v"`,
    );
    expect(await broken({ "#a": "a" }, { ":v": N })).toMatch(/Syntax error; token: "="/);
  });

  test("names that are not used come before values that are not", async () => {
    const both = { ...names({ "#a": "a" }), ExpressionAttributeValues: { ":v": N, ...own } };
    expect(await message(operation, both)).toBe(
      `${prefix}Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}`,
    );
  });
});

describe("without any expression", () => {
  test.each([
    ["PutItem", { Item: Key }, counted],
    ["UpdateItem", { Key }, counted],
    ["DeleteItem", { Key }, counted],
    ["GetItem", { Key }, ""],
  ])("%s has no use for names", async (operation, request, prefix) => {
    const ExpressionAttributeNames = { "#a": "a" };
    expect(await message(operation, { ...request, ExpressionAttributeNames })).toBe(
      `${prefix}ExpressionAttributeNames can only be specified when using expressions`,
    );
  });

  test.each([
    ["PutItem", { Item: Key }],
    ["UpdateItem", { Key }],
    ["DeleteItem", { Key }],
  ])("%s has no use for values", async (operation, request) => {
    const ExpressionAttributeValues = { ":v": { N: "1" } };
    expect(await message(operation, { ...request, ExpressionAttributeValues })).toBe(
      `${counted}ExpressionAttributeValues can only be specified when using expressions`,
    );
  });

  test("Expected is no expression", async () => {
    const request = {
      Key,
      Expected: { a: { Exists: false } },
      ExpressionAttributeNames: { "#a": "a" },
      ExpressionAttributeValues: { ":v": { N: "1" } },
    };
    expect(await message("DeleteItem", request)).toBe(
      `${counted}ExpressionAttributeNames can only be specified when using expressions`,
    );
  });

  test("neither is a projection, for values", async () => {
    const ExpressionAttributeValues = { ":v": { N: "1" } };
    expect(await message("Scan", { ProjectionExpression: "a", ExpressionAttributeValues })).toMatch(
      /^ExpressionAttributeValues can only be specified when using expressions/,
    );
  });
});

describe("values that are wrong by themselves", () => {
  const rows: [value: unknown, complaint: string][] = [
    [{ N: "abc" }, "The parameter cannot be converted to a numeric value: abc"],
    [{ SS: [] }, "One or more parameter values were invalid: An string set  may not be empty"],
    [
      { SS: ["b", "a", "b"] },
      'One or more parameter values were invalid: Input collection ["a", "b", "b"] contains duplicates.',
    ],
    [
      { NS: ["2", "1", "2.0"] },
      "One or more parameter values were invalid: Input collection contains duplicates.",
    ],
    [
      { NULL: false },
      "One or more parameter values were invalid: Null attribute value types must have the value of true",
    ],
  ];

  test.each(rows)("%o in a write", async (value, complaint) => {
    const request = { ConditionExpression: "a = :v", ExpressionAttributeValues: { ":v": value } };
    for (const operation of ["UpdateItem", "DeleteItem"]) {
      expect(await message(operation, { Key, ...request })).toBe(counted + complaint);
    }
    expect(await message("PutItem", { Item: Key, ...request })).toBe(counted + complaint);
  });

  test.each(rows)("%o in a query, with neither count nor wrapping", async (value, complaint) => {
    const request = {
      KeyConditionExpression: "pk = :k",
      FilterExpression: "a = :v",
      ExpressionAttributeValues: { ":k": { S: "x" }, ":v": value },
    };
    expect(await message("Query", request)).toBe(complaint);
  });

  test("a scan still wraps them", async () => {
    const request = {
      FilterExpression: "a = :v",
      ExpressionAttributeValues: { ":v": { N: "abc" } },
    };
    expect(await message("Scan", request)).toBe(
      "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: abc for key :v",
    );
  });

  test("they come before the expression is read", async () => {
    const request = {
      Key,
      UpdateExpression: "SET a = = b",
      ExpressionAttributeValues: { ":v": { N: "abc" } },
    };
    expect(await message("UpdateItem", request)).toBe(
      `${counted}The parameter cannot be converted to a numeric value: abc`,
    );
  });
});

test("a placeholder that only one of two expressions uses is used", async () => {
  const { json } = await server.raw("UpdateItem", {
    ...base,
    Key,
    UpdateExpression: "SET #a = :x",
    ConditionExpression: "#b = :y OR #a = :y",
    ExpressionAttributeNames: { "#a": "a", "#b": "b" },
    ExpressionAttributeValues: { ":x": { N: "1" }, ":y": { N: "2" } },
  });
  expect(json.__type).toBe("com.amazonaws.dynamodb.v20120810#ResourceNotFoundException");
});
