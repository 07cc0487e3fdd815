import { expect, test } from "vitest";
import { useServer } from "../harness.ts";
import { counted } from "./support.ts";

/** What a request must be before anything else is looked at: today's wording. */
const server = useServer();

const long = "a".repeat(256);
const key = { pk: { S: "a" } };
const must = (shown: string, member: string, what: string) =>
  `Value ${shown} at '${member}' failed to satisfy constraint: Member must ${what}`;
const missing = (member: string) => must("null", member, "not be null");
const emptyName =
  "Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1";
const longName = must(`'${long}'`, "tableName", "have length less than or equal to 255");
const badName = (name: string) =>
  must(`'${name}'`, "tableName", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
const capacity = must(
  "'BAD'",
  "returnConsumedCapacity",
  "satisfy enum value set: [INDEXES, TOTAL, NONE]",
);
const metrics = must(
  "'BAD'",
  "returnItemCollectionMetrics",
  "satisfy enum value set: [SIZE, NONE]",
);
const returned =
  "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]";
const olderReturned = must(
  "'BAD'",
  "returnValues",
  "satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
);

const several = (...failures: string[]) =>
  failures.length === 1
    ? counted + failures[0]
    : `${failures.length} validation errors detected: ${failures.join("; ")}`;

function nested(levels: number): unknown {
  let value: unknown = { S: "leaf" };
  for (let level = 0; level < levels; level += 1) value = { M: { a: value } };
  return value;
}

const TableName = "some-table";
const badCapacity = { ReturnConsumedCapacity: "BAD" };
const badMetrics = { ReturnItemCollectionMetrics: "BAD" };
const badReturned = { ReturnValues: "BAD" };

type Case = readonly [what: string, operation: string, request: object, message: string];

const cases: readonly Case[] = [
  ["no table name", "PutItem", { Item: key }, several(missing("tableName"))],
  [
    "a table name that is null",
    "PutItem",
    { TableName: null, Item: key },
    several(missing("tableName")),
  ],
  ["no item", "PutItem", { TableName }, several(missing("item"))],
  ["an empty table name", "PutItem", { TableName: "", Item: key }, several(emptyName)],
  [
    "an empty table name and an empty item",
    "PutItem",
    { TableName: "", Item: {} },
    several(emptyName),
  ],
  [
    "an empty table name beats a bad ReturnValues",
    "PutItem",
    { TableName: "", Item: key, ...badReturned },
    several(emptyName),
  ],
  ["a table name of 256 characters", "PutItem", { TableName: long, Item: key }, several(longName)],
  [
    "a table name with other characters",
    "PutItem",
    { TableName: "bad table!@#", Item: key },
    several(badName("bad table!@#")),
  ],
  [
    "ReturnConsumedCapacity",
    "PutItem",
    { TableName, Item: key, ...badCapacity },
    several(capacity),
  ],
  [
    "ReturnItemCollectionMetrics",
    "PutItem",
    { TableName, Item: key, ...badMetrics },
    several(metrics),
  ],
  ["ReturnValues", "PutItem", { TableName, Item: key, ...badReturned }, several(returned)],
  [
    "all three",
    "PutItem",
    { TableName, Item: key, ...badMetrics, ...badReturned, ...badCapacity },
    several(capacity, returned, metrics),
  ],
  [
    "ReturnValues in small letters",
    "PutItem",
    { TableName, Item: key, ReturnValues: "all_old" },
    several(returned),
  ],
  ["no table name", "DeleteItem", { Key: key }, several(missing("tableName"))],
  ["no key", "DeleteItem", { TableName }, several(missing("key"))],
  [
    "an empty table name and an empty key",
    "DeleteItem",
    { TableName: "", Key: {} },
    several(emptyName),
  ],
  [
    "a table name with other characters",
    "DeleteItem",
    { TableName: "x!", Key: {} },
    several(badName("x!")),
  ],
  [
    "ReturnConsumedCapacity",
    "DeleteItem",
    { TableName, Key: key, ...badCapacity },
    several(capacity),
  ],
  [
    "ReturnValues and ReturnConsumedCapacity",
    "DeleteItem",
    { TableName, Key: key, ...badReturned, ...badCapacity },
    several(capacity, returned),
  ],
  [
    "ReturnValues beside a key that is nested 40 levels deep",
    "DeleteItem",
    { TableName, Key: { pk: nested(40) }, ...badReturned },
    several(returned),
  ],
  [
    "ReturnValues beside a key that is nested 100 levels deep",
    "DeleteItem",
    { TableName, Key: { pk: nested(100) }, ...badReturned },
    several(olderReturned),
  ],
  [
    "ReturnValues of other operations beside a value that is nested 100 levels deep",
    "DeleteItem",
    {
      TableName,
      Key: key,
      ConditionExpression: "a = :a",
      ExpressionAttributeValues: { ":a": nested(100) },
      ReturnValues: "UPDATED_NEW",
    },
    "ReturnValues can only be ALL_OLD or NONE",
  ],
  ["no key", "GetItem", { TableName }, several(missing("key"))],
  ["no table name", "GetItem", { Key: key }, several(missing("tableName"))],
  ["a table name of 256 characters", "GetItem", { TableName: long, Key: key }, several(longName)],
  ["ReturnConsumedCapacity", "GetItem", { TableName, Key: key, ...badCapacity }, several(capacity)],
];

test.each(cases)("%s: %s", async (_, operation, request, message) => {
  const answer = await server.raw(operation, request);
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual({
    __type: "com.amazon.coral.validate#ValidationException",
    message,
  });
});

test("GetItem refuses an empty table name", async () => {
  const { json } = await server.raw("GetItem", { TableName: "", Key: key });
  expect(json.message).toMatch(
    /ableName' failed to satisfy constraint: Member must have length greater than or equal to 1$/,
  );
});

test.each(["PutItem", "GetItem", "DeleteItem"])(
  "%s takes table names of one to 255 characters, and does not find them",
  async (operation) => {
    const request = operation === "PutItem" ? { Item: key } : { Key: key };
    for (const name of ["a", "ab", "a".repeat(254), "a".repeat(255), "A-z_0.9"]) {
      const { json } = await server.raw(operation, { TableName: name, ...request });
      expect(json.message).toBe("Requested resource not found");
    }
  },
);

test.each([
  ["TableName", { TableName: 1, Item: key }],
  ["Item", { TableName, Item: "a" }],
  ["Item's value", { TableName, Item: { pk: "a" } }],
  ["ReturnValues", { TableName, Item: key, ReturnValues: true }],
  ["ConditionExpression", { TableName, Item: key, ConditionExpression: 1 }],
  ["ExpressionAttributeNames", { TableName, Item: key, ExpressionAttributeNames: [] }],
  ["ExpressionAttributeValues", { TableName, Item: key, ExpressionAttributeValues: "a" }],
])(
  "%s of another JSON type is a SerializationException, whatever else is wrong",
  async (_, body) => {
    const answer = await server.raw("PutItem", { ...body, ...badCapacity });
    expect(answer.status).toBe(400);
    expect(answer.json.__type).toBe("com.amazon.coral.service#SerializationException");
  },
);
