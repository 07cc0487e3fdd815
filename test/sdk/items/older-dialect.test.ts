import { beforeAll, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { invalid, nested } from "./support.ts";

/** The texts of early 2026: values are shown, failures gathered, and nothing else is counted. */
const server = useServer({ dialect: "2026-05" });
let TableName: string;

beforeAll(async () => {
  TableName = await createTable(server, { key: "pk:S" }, { TableName: "known" });
});

const key = { pk: { S: "a" } };
const absent = "absent-table";
const long = "a".repeat(256);
const must = (shown: string, member: string, what: string) =>
  `Value ${shown} at '${member}' failed to satisfy constraint: Member must ${what}`;
const emptyName = must("''", "tableName", "have length greater than or equal to 1");
const capacity = must(
  "'BAD'",
  "returnConsumedCapacity",
  "satisfy enum value set: [INDEXES, TOTAL, NONE]",
);
const returned = must(
  "'BAD'",
  "returnValues",
  "satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
);
const several = (...failures: string[]) =>
  `${failures.length} validation error${failures.length === 1 ? "" : "s"} detected: ${failures.join("; ")}`;

const notNumeric = "The parameter cannot be converted to a numeric value";
const overflow =
  "Number overflow. Attempting to store a number with magnitude larger than supported range";
const underflow =
  "Number underflow. Attempting to store a number with magnitude smaller than supported range";
const tooManyDigits = "Attempting to store more than 38 significant digits in a Number";
const tooDeep =
  "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
const empty =
  "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
const twoTypes =
  "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
const tooLarge = "Item size has exceeded the maximum allowed size";
const notFound = "Requested resource not found";
const mixed =
  "Can not use both expression and non-expression parameters in the same request: " +
  "Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}";

const values: readonly (readonly [value: object, message: string])[] = [
  [{}, empty],
  [{ S: "a", N: "1" }, twoTypes],
  [{ S: "a", N: "b" }, `${notNumeric}: b`],
  [{ S: "", N: "" }, notNumeric],
  [{ N: "" }, notNumeric],
  [{ N: "abc" }, `${notNumeric}: abc`],
  [{ NS: ["1", ""] }, notNumeric],
  [{ NS: ["1", "b"] }, `${notNumeric}: b`],
  [{ NS: ["1", "1"] }, "Input collection contains duplicates"],
  [{ N: "123456789012345678901234567890123456789" }, tooManyDigits],
  [{ N: "-1.23456789012345678901234567890123456789" }, tooManyDigits],
  [{ N: "1e126" }, overflow],
  [{ N: "-1e126" }, overflow],
  [{ N: "1e-131" }, underflow],
  [{ N: "-1e-131" }, underflow],
  [{ NULL: false }, `${invalid}Null attribute value types must have the value of true`],
  [{ SS: [] }, `${invalid}An string set  may not be empty`],
  [{ NS: [] }, `${invalid}An number set  may not be empty`],
  [{ BS: [] }, `${invalid}Binary sets should not be empty`],
  [{ SS: ["a", "a"] }, `${invalid}Input collection [a, a] contains duplicates.`],
  [{ SS: ["b", "a", "b"] }, `${invalid}Input collection [b, a, b] contains duplicates.`],
  [
    { BS: ["Yg==", "Yg=="] },
    `${invalid}Input collection [Yg==, Yg==]of type BS contains duplicates.`,
  ],
  [nested(32), tooDeep],
];

test.each(values)("%j is refused without a count", async (value, message) => {
  const put = await server.raw("PutItem", { TableName: absent, Item: { a: value } });
  expect(put.json.message).toBe(message);
  for (const operation of ["GetItem", "DeleteItem"]) {
    const { json } = await server.raw(operation, { TableName: absent, Key: { a: value } });
    expect(json.message).toBe(message);
  }
});

const big = { pk: { S: "a" }, v: { S: "x".repeat(409_600 - 3) } };
const fitting = { pk: { S: "a" }, v: { S: "x".repeat(409_600 - 4) } };
const hollow = { a: { Exists: true } };

type Case = readonly [what: string, operation: string, request: object, message: string];

const cases: readonly Case[] = [
  ["an empty table name", "PutItem", { TableName: "", Item: {} }, several(emptyName)],
  [
    "an empty table name and a bad ReturnValues",
    "PutItem",
    { TableName: "", Item: {}, ReturnValues: "BAD" },
    several(returned, emptyName),
  ],
  [
    "a table name of 256 characters",
    "PutItem",
    { TableName: long, Item: key },
    several(must(`'${long}'`, "tableName", "have length less than or equal to 255")),
  ],
  [
    "a bad ReturnValues and ReturnConsumedCapacity",
    "DeleteItem",
    { TableName: absent, Key: key, ReturnValues: "BAD", ReturnConsumedCapacity: "BAD" },
    several(capacity, returned),
  ],
  [
    "an empty list of attributes to get",
    "GetItem",
    { TableName: absent, Key: key, AttributesToGet: [] },
    several(must("'[]'", "attributesToGet", "have length greater than or equal to 1")),
  ],
  // What is looked at first
  [
    "mixed parameters beat bad values",
    "PutItem",
    { TableName: absent, Item: { a: {} }, Expected: hollow, ConditionExpression: "" },
    mixed,
  ],
  [
    "names without expression beat bad values",
    "PutItem",
    { TableName: absent, Item: { a: {} }, Expected: hollow, ExpressionAttributeNames: {} },
    "ExpressionAttributeNames can only be specified when using expressions",
  ],
  [
    "values without expression beat bad values",
    "PutItem",
    { TableName: absent, Item: { a: {} }, ExpressionAttributeValues: {} },
    "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
  ],
  [
    "bad values beat bad expressions",
    "PutItem",
    { TableName: absent, Item: { a: { SS: [] } }, ConditionExpression: "" },
    `${invalid}An string set  may not be empty`,
  ],
  [
    "ReturnValues that the operation does not know",
    "PutItem",
    { TableName: absent, Item: {}, ReturnValues: "ALL_NEW" },
    "ReturnValues can only be ALL_OLD or NONE",
  ],
  [
    "an item too large beats bad conditions",
    "PutItem",
    { TableName: absent, Item: big, Expected: { a: {} } },
    tooLarge,
  ],
  [
    "an item too large beats a missing table",
    "PutItem",
    { TableName: absent, Item: big },
    tooLarge,
  ],
  ["an item that just fits", "PutItem", { TableName: absent, Item: fitting }, notFound],
  [
    "an empty map of names beats an empty expression",
    "PutItem",
    { TableName: absent, Item: {}, ExpressionAttributeNames: {}, ConditionExpression: "" },
    "ExpressionAttributeNames must not be empty",
  ],
  [
    "an empty map of values beats an empty expression",
    "PutItem",
    { TableName: absent, Item: {}, ExpressionAttributeValues: {}, ConditionExpression: "" },
    "ExpressionAttributeValues must not be empty",
  ],
  [
    "an empty expression beats a missing table",
    "PutItem",
    { TableName: absent, Item: {}, ConditionExpression: "" },
    "Invalid ConditionExpression: The expression can not be empty;",
  ],
  ["a missing table beats a missing key", "PutItem", { TableName: absent, Item: {} }, notFound],
  ["a missing table beats an empty key", "GetItem", { TableName: absent, Key: {} }, notFound],
  ["a missing table beats a key mismatch", "DeleteItem", { TableName: absent, Key: {} }, notFound],
  [
    "bad key values beat repeated attributes to get",
    "GetItem",
    { TableName: absent, Key: { a: { NULL: "no" } }, AttributesToGet: ["a", "a"] },
    `${invalid}Null attribute value types must have the value of true`,
  ],
  [
    "an attribute to get twice",
    "GetItem",
    { TableName: absent, Key: {}, AttributesToGet: ["a", "a"] },
    `${invalid}Duplicate value in attribute name: a`,
  ],
];

test.each(cases)("%s: %s", async (_, operation, request, message) => {
  const answer = await server.raw(operation, request);
  expect(answer.status).toBe(400);
  expect(answer.json.message).toBe(message);
});

test("what needs the table is worded alike in both dialects", async () => {
  const text = async (operation: string, request: object) =>
    (await server.raw(operation, { TableName, ...request })).json.message;
  expect(await text("PutItem", { Item: {} })).toBe(`${invalid}Missing the key pk in the item`);
  expect(await text("PutItem", { Item: { pk: { N: "1" } } })).toBe(
    `${invalid}Type mismatch for key pk expected: S actual: N`,
  );
  expect(await text("GetItem", { Key: {} })).toBe(
    "The provided key element does not match the schema",
  );
});
