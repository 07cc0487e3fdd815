import { describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";

/** The same mistakes as the service worded them until the middle of 2026: no count in front. */

const server = useServer({ dialect: "2026-05" });

type Json = Record<string, unknown>;

const Key = { pk: { S: "k" } };
const S = { S: "x" };

async function message(operation: string, request: Json): Promise<string> {
  const { json } = await server.raw(operation, { TableName: "no-such-table", ...request });
  expect(json.__type).toBe("com.amazon.coral.validate#ValidationException");
  return json.message;
}

const writes: [operation: string, target: Json][] = [
  ["PutItem", { Item: Key }],
  ["UpdateItem", { Key }],
  ["DeleteItem", { Key }],
];

describe.each(writes)("%s", (operation, target) => {
  test.each<[Json, string]>([
    [{ ConditionExpression: "" }, "Invalid ConditionExpression: The expression can not be empty;"],
    [
      { ConditionExpression: "a = = b" },
      'Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"',
    ],
    [
      { ConditionExpression: "((a = b))" },
      "Invalid ConditionExpression: The expression has redundant parentheses;",
    ],
    [
      { ConditionExpression: "a = :v" },
      "Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :v",
    ],
    [
      { ConditionExpression: "attribute_exists(a)", ExpressionAttributeNames: { "#a": "a" } },
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}",
    ],
    [
      { ConditionExpression: "attribute_exists(a)", ExpressionAttributeValues: { ":v": S } },
      "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
    ],
    [
      { ConditionExpression: "a = :v", ExpressionAttributeValues: { ":v": { N: "x" } } },
      "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :v",
    ],
    [
      { ConditionExpression: "a = :v", ExpressionAttributeValues: { ":v": { SS: ["a", "a"] } } },
      "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: Input collection [a, a] contains duplicates. for key :v",
    ],
    [
      { ConditionExpression: "a = :v", ExpressionAttributeValues: {} },
      "ExpressionAttributeValues must not be empty",
    ],
    [
      { Expected: { a: { Exists: true } } },
      "One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: a",
    ],
    [
      { Expected: { a: {} }, ConditionExpression: "" },
      "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}",
    ],
  ])("%o", async (parameters, complaint) => {
    expect(await message(operation, { ...target, ...parameters })).toBe(complaint);
  });
});

test.each([
  ["PutItem", { Item: Key }, "ConditionExpression is null"],
  ["UpdateItem", { Key }, "UpdateExpression and ConditionExpression are null"],
  ["DeleteItem", { Key }, "ConditionExpression is null"],
  ["Scan", {}, "FilterExpression is null"],
  [
    "Query",
    { KeyConditions: { pk: { ComparisonOperator: "EQ", AttributeValueList: [S] } } },
    "FilterExpression and KeyConditionExpression are null",
  ],
])("%s says which expressions are missing", async (operation, target, missing) => {
  expect(await message(operation, { ...target, ExpressionAttributeValues: { ":v": S } })).toBe(
    `ExpressionAttributeValues can only be specified when using expressions: ${missing}`,
  );
});

test.each<[Json, string]>([
  [
    { UpdateExpression: "INVALID SYNTAX" },
    'Invalid UpdateExpression: Syntax error; token: "INVALID", near: "INVALID SYNTAX"',
  ],
  [
    { UpdateExpression: "SET a = b, a = c" },
    "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
  ],
  [
    { AttributeUpdates: { a: { Action: "PUT" } } },
    "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified",
  ],
])("UpdateItem with %o", async (parameters, complaint) => {
  expect(await message("UpdateItem", { Key, ...parameters })).toBe(complaint);
});

test("all bad members are gathered, with their values", async () => {
  const request = { Key, ReturnValues: "INVALID", ReturnConsumedCapacity: "INVALID" };
  expect(await message("UpdateItem", request)).toBe(
    "2 validation errors detected: Value 'INVALID' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value 'INVALID' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
  );
});
