import { beforeAll, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { counted, invalid, itemOfBytes, keyMismatch } from "./support.ts";

/** Requests with two faults: which of them is told. */
const server = useServer();
const known = "order-known";
const absent = "order-absent";

beforeAll(async () => {
  await createTable(server, { key: "pk:S" }, { TableName: known });
  await server.raw("PutItem", { TableName: known, Item: { pk: { S: "there" } } });
});

const notFound = "Requested resource not found";
const emptyCondition = `${counted}Invalid ConditionExpression: The expression can not be empty;`;
const mixed = (other: string, expression: string) =>
  `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${other}} Expression parameters: {${expression}}`;
const notNumeric = `${counted}The parameter cannot be converted to a numeric value: x`;
const empty =
  "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk";

const badNumber = { pk: { S: "a" }, n: { N: "x" } };
const there = { pk: { S: "there" } };
const fails = { ConditionExpression: "attribute_not_exists(pk)" };

type Case = readonly [what: string, operation: string, request: object, message: string];

const cases: readonly Case[] = [
  [
    "a bad enum beats a bad value",
    "PutItem",
    { TableName: known, Item: badNumber, ReturnConsumedCapacity: "BAD" },
    `${counted}Value 'BAD' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]`,
  ],
  [
    "a bad value beats a missing table",
    "PutItem",
    { TableName: absent, Item: badNumber },
    notNumeric,
  ],
  [
    "a bad value in a key beats a missing table",
    "DeleteItem",
    { TableName: absent, Key: { pk: { N: "x" } } },
    notNumeric,
  ],
  [
    "a bad expression beats a missing table",
    "PutItem",
    { TableName: absent, Item: there, ConditionExpression: "" },
    emptyCondition,
  ],
  [
    "a bad expression beats a missing table",
    "DeleteItem",
    { TableName: absent, Key: there, ConditionExpression: "" },
    emptyCondition,
  ],
  [
    "a bad projection beats a missing table",
    "GetItem",
    { TableName: absent, Key: there, ProjectionExpression: "!!!" },
    'Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"',
  ],
  [
    "mixed parameters beat a missing table",
    "PutItem",
    {
      TableName: absent,
      Item: there,
      Expected: { a: { Exists: false } },
      ConditionExpression: "attribute_exists(pk)",
    },
    counted + mixed("Expected", "ConditionExpression"),
  ],
  [
    "names without expression beat a bad Expected",
    "DeleteItem",
    {
      TableName: absent,
      Key: there,
      Expected: { a: { Exists: true } },
      ExpressionAttributeNames: { "#a": "a" },
    },
    `${counted}ExpressionAttributeNames can only be specified when using expressions`,
  ],
  [
    "values without expression",
    "DeleteItem",
    { TableName: absent, Key: there, ExpressionAttributeValues: { ":a": { S: "a" } } },
    `${counted}ExpressionAttributeValues can only be specified when using expressions`,
  ],
  [
    "an unused name beats a missing table",
    "PutItem",
    { TableName: absent, Item: there, ...fails, ExpressionAttributeNames: { "#a": "a" } },
    `${counted}Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}`,
  ],
  [
    "an unused value beats a missing table",
    "PutItem",
    { TableName: absent, Item: there, ...fails, ExpressionAttributeValues: { ":a": { S: "a" } } },
    `${counted}Value provided in ExpressionAttributeValues unused in expressions: keys: {:a}`,
  ],
  ["a missing table beats a missing key", "PutItem", { TableName: absent, Item: {} }, notFound],
  ["a missing table beats a missing key", "GetItem", { TableName: absent, Key: {} }, notFound],
  ["a missing table beats a missing key", "DeleteItem", { TableName: absent, Key: {} }, notFound],
  [
    "a bad value beats a key of the wrong type",
    "PutItem",
    { TableName: known, Item: { pk: { N: "1" }, n: { N: "x" } } },
    notNumeric,
  ],
  [
    "a bad expression beats a key of the wrong type",
    "DeleteItem",
    { TableName: known, Key: { pk: { N: "1" } }, ConditionExpression: "" },
    emptyCondition,
  ],
  [
    "a missing key beats a condition that fails",
    "PutItem",
    { TableName: known, Item: { a: { S: "a" } }, ConditionExpression: "attribute_exists(b)" },
    `${invalid}Missing the key pk in the item`,
  ],
  [
    "a key mismatch beats a condition that fails",
    "DeleteItem",
    { TableName: known, Key: { ...there, more: { S: "a" } }, ...fails },
    keyMismatch,
  ],
  [
    "an empty key beats a condition that fails",
    "DeleteItem",
    { TableName: known, Key: { pk: { S: "" } }, ConditionExpression: "attribute_exists(b)" },
    empty,
  ],
  [
    "an item too large beats a condition that fails",
    "PutItem",
    { TableName: known, Item: itemOfBytes(409_601, "there"), ...fails },
    "Item size has exceeded the maximum allowed size",
  ],
];

test.each(cases)("%s: %s", async (_, operation, request, message) => {
  const answer = await server.raw(operation, request);
  expect(answer.status).toBe(400);
  expect(answer.json.message).toBe(message);
});

test("nothing of all that was written", async () => {
  const { json } = await server.raw("Scan", { TableName: known });
  expect(json.Items).toEqual([there]);
});
