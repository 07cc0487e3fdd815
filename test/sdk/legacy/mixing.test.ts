import { describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";
import { counted, ItemTable } from "../item-table.ts";

/** Expressions and the parameters from before them do not go together. */

const server = useServer();
const table = new ItemTable(server);

type Json = Record<string, unknown>;

const Key = { pk: { S: "k" } };
const isNull = { ComparisonOperator: "NULL" };
const keyIs = { pk: { ComparisonOperator: "EQ", AttributeValueList: [{ S: "k" }] } };

const mixed = (legacy: string, expressions: string) =>
  `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${legacy}} Expression parameters: {${expressions}}`;

test.each<[string, Json, string, string, string]>([
  [
    "PutItem",
    { Item: Key, Expected: { a: isNull }, ConditionExpression: "attribute_exists(a)" },
    counted,
    "Expected",
    "ConditionExpression",
  ],
  [
    "DeleteItem",
    { Key, Expected: {}, ConditionExpression: "= =" },
    counted,
    "Expected",
    "ConditionExpression",
  ],
  [
    "UpdateItem",
    { Key, AttributeUpdates: {}, UpdateExpression: "REMOVE a" },
    counted,
    "AttributeUpdates",
    "UpdateExpression",
  ],
  [
    "UpdateItem",
    { Key, AttributeUpdates: { a: { Action: "ADD" } }, ConditionExpression: "" },
    counted,
    "AttributeUpdates",
    "ConditionExpression",
  ],
  [
    "UpdateItem",
    {
      Key: { pk: {} },
      Expected: { a: {} },
      AttributeUpdates: {},
      UpdateExpression: "",
      ConditionExpression: "",
      ExpressionAttributeNames: {},
      ExpressionAttributeValues: {},
    },
    counted,
    "AttributeUpdates, Expected",
    "UpdateExpression, ConditionExpression",
  ],
  [
    "GetItem",
    { Key, AttributesToGet: ["a"], ProjectionExpression: "a" },
    "",
    "AttributesToGet",
    "ProjectionExpression",
  ],
  [
    "Scan",
    { ScanFilter: { a: isNull }, FilterExpression: "attribute_exists(a)" },
    "",
    "ScanFilter",
    "FilterExpression",
  ],
  [
    "Scan",
    { AttributesToGet: ["a"], FilterExpression: "attribute_exists(a)" },
    "",
    "AttributesToGet",
    "FilterExpression",
  ],
  [
    "Scan",
    { ConditionalOperator: "OR", ProjectionExpression: "a" },
    "",
    "ConditionalOperator",
    "ProjectionExpression",
  ],
  [
    "Query",
    { KeyConditions: keyIs, KeyConditionExpression: "pk = :k" },
    "",
    "KeyConditions",
    "KeyConditionExpression",
  ],
  [
    "Query",
    { KeyConditions: keyIs, QueryFilter: { a: isNull }, FilterExpression: "= =" },
    "",
    "QueryFilter",
    "FilterExpression",
  ],
  [
    "Query",
    { KeyConditions: keyIs, AttributesToGet: ["a"], ProjectionExpression: "a" },
    "",
    "AttributesToGet",
    "ProjectionExpression",
  ],
])("%s with %o", async (operation, request, prefix, legacy, expressions) => {
  const { json } = await server.raw(operation, { TableName: "no-such-table", ...request });
  expect(json).toEqual({
    __type: "com.amazon.coral.validate#ValidationException",
    message: prefix + mixed(legacy, expressions),
  });
});

describe("but KeyConditions may stand beside other expressions", () => {
  test.each<[string, Json, number]>([
    ["a filter that lets it through", { FilterExpression: "attribute_exists(a)" }, 1],
    ["a filter that does not", { FilterExpression: "attribute_not_exists(a)" }, 0],
    ["a projection", { ProjectionExpression: "a" }, 1],
  ])("%s", async (_title, more, count) => {
    const key = await table.put({ a: 1, b: 2 });
    const { json } = await server.raw("Query", {
      TableName: table.name,
      KeyConditions: {
        pk: { ComparisonOperator: "EQ", AttributeValueList: [{ S: key.pk }] },
      },
      ...more,
    });
    expect(json.Count).toBe(count);
    if (_title === "a projection") expect(json.Items).toEqual([{ a: { N: "1" } }]);
  });
});
