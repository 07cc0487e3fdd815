import type { AttributeValue, TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { cancelled, get, type Item, put, transact } from "./outcomes.ts";

const server = useServer();

let table = "";
let indexed = "";

const id = (text: string): Item => ({ id: { S: text } });
const stored: Item = { ...id("stored"), v: { N: "1" }, tags: { SS: ["a", "b"] } };

beforeAll(async () => {
  table = await createTable(server, { key: "id:S" });
  indexed = await createTable(server, {
    key: "pk:S sk:S",
    global: { gsi1: { hash: "mark:S" } },
    local: { lsi1: { range: "mark:S" } },
  });
  await put(server, table, stored);
  await put(server, indexed, { pk: { S: "p" }, sk: { S: "s" }, note: { S: "" } });
});

const failedPut = (key: string): TransactWriteItem => ({
  Put: { TableName: table, Item: id(key), ConditionExpression: "attribute_exists(id)" },
});
const finePut = (key: string): TransactWriteItem => ({ Put: { TableName: table, Item: id(key) } });

describe("failed conditions", () => {
  test("are all reported, in the order of the actions", async () => {
    const reasons = await cancelled(
      transact(server, [
        finePut("a"),
        failedPut("b"),
        {
          ConditionCheck: {
            TableName: table,
            Key: id("c"),
            ConditionExpression: "attribute_exists(id)",
          },
        },
        finePut("d"),
        { Delete: { TableName: table, Key: id("e"), ConditionExpression: "attribute_exists(id)" } },
      ]),
      "None",
      "ConditionalCheckFailed",
      "ConditionalCheckFailed",
      "None",
      "ConditionalCheckFailed",
    );
    expect(reasons.map(({ Message }) => Message)).toEqual([
      undefined,
      "The conditional request failed",
      "The conditional request failed",
      undefined,
      "The conditional request failed",
    ]);
    expect(reasons.every((reason) => reason.Item === undefined)).toBe(true);
  });

  test("look on the wire like this", async () => {
    const { status, json } = await server.raw("TransactWriteItems", {
      TransactItems: [finePut("a"), failedPut("b")],
    });
    expect(status).toBe(400);
    expect(json).toEqual({
      __type: "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
      CancellationReasons: [
        { Code: "None" },
        { Code: "ConditionalCheckFailed", Message: "The conditional request failed" },
      ],
      Message:
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]",
    });
  });

  const onStored = (
    action: TransactWriteItem,
    wanted: "ALL_OLD" | "NONE" | undefined,
  ): TransactWriteItem =>
    Object.fromEntries(
      Object.entries(action).map(([kind, content]) => [
        kind,
        { ...content, ReturnValuesOnConditionCheckFailure: wanted },
      ]),
    );
  const absent = "attribute_not_exists(id)";

  const kinds: [string, () => TransactWriteItem][] = [
    ["Put", () => ({ Put: { TableName: table, Item: id("stored"), ConditionExpression: absent } })],
    [
      "Update",
      () => ({
        Update: {
          TableName: table,
          Key: id("stored"),
          UpdateExpression: "REMOVE v",
          ConditionExpression: absent,
        },
      }),
    ],
    [
      "Delete",
      () => ({ Delete: { TableName: table, Key: id("stored"), ConditionExpression: absent } }),
    ],
    [
      "ConditionCheck",
      () => ({
        ConditionCheck: { TableName: table, Key: id("stored"), ConditionExpression: absent },
      }),
    ],
  ];

  test.each(kinds)("%s with ALL_OLD shows the item", async (_, action) => {
    const [reason] = await cancelled(
      transact(server, [onStored(action(), "ALL_OLD")]),
      "ConditionalCheckFailed",
    );
    expect(reason?.Item).toEqual(stored);
    expect(await get(server, table, id("stored"))).toEqual(stored);
  });

  test.each(kinds)("%s with NONE does not", async (_, action) => {
    const [reason] = await cancelled(
      transact(server, [onStored(action(), "NONE")]),
      "ConditionalCheckFailed",
    );
    expect(reason?.Item).toBeUndefined();
  });

  test("only actions that ask for the item, and fail, show it", async () => {
    await put(server, table, { ...id("second"), v: { N: "2" } });
    const check = (key: string, ConditionExpression: string): TransactWriteItem => ({
      ConditionCheck: { TableName: table, Key: id(key), ConditionExpression },
    });
    const reasons = await cancelled(
      transact(server, [
        onStored(check("stored", absent), "ALL_OLD"),
        onStored(check("second", "attribute_exists(id)"), "ALL_OLD"),
        onStored(check("nobody", "attribute_exists(id)"), "ALL_OLD"),
      ]),
      "ConditionalCheckFailed",
      "None",
      "ConditionalCheckFailed",
    );
    expect(reasons.map(({ Item }) => Item)).toEqual([stored, undefined, undefined]);
  });
});

describe("invalid actions cancel with a ValidationError", () => {
  const invalid = "One or more parameter values were invalid: ";
  const mismatch = "The provided key element does not match the schema";
  const update = (
    Key: Item,
    UpdateExpression: string,
    value?: AttributeValue,
  ): TransactWriteItem => ({
    Update: {
      TableName: indexed,
      Key,
      UpdateExpression,
      ...(value !== undefined && { ExpressionAttributeValues: { ":v": value } }),
    },
  });
  const key: Item = { pk: { S: "p" }, sk: { S: "s" } };

  test.each<[string, () => TransactWriteItem, string]>([
    [
      "Put with a key of another type",
      () => ({ Put: { TableName: table, Item: { id: { N: "1" } } } }),
      `${invalid}Type mismatch for key id expected: S actual: N`,
    ],
    [
      "Put with a list as key",
      () => ({ Put: { TableName: table, Item: { id: { L: [{ S: "x" }] } } } }),
      `${invalid}Type mismatch for key id expected: S actual: L`,
    ],
    [
      "Update with a key of another type",
      () => update({ pk: { N: "1" }, sk: { S: "s" } }, "REMOVE x"),
      mismatch,
    ],
    [
      "Delete with a key of another type",
      () => ({ Delete: { TableName: table, Key: { id: { N: "1" } } } }),
      mismatch,
    ],
    [
      "Delete with a map as key",
      () => ({ Delete: { TableName: table, Key: { id: { M: {} } } } }),
      mismatch,
    ],
    [
      "ConditionCheck with a key of another type",
      () => ({
        ConditionCheck: {
          TableName: table,
          Key: { id: { BOOL: true } },
          ConditionExpression: "attribute_exists(id)",
        },
      }),
      mismatch,
    ],
    [
      "Put with an index key of another type",
      () => ({ Put: { TableName: indexed, Item: { ...key, mark: { N: "1" } } } }),
      `${invalid}Type mismatch for Index Key mark Expected: S Actual: N IndexName: gsi1`,
    ],
    [
      "Put with a list as index key",
      () => ({ Put: { TableName: indexed, Item: { ...key, mark: { L: [] } } } }),
      `${invalid}Type mismatch for Index Key mark Expected: S Actual: L IndexName: gsi1`,
    ],
    [
      "Update of an index key to another type",
      () => update(key, "SET mark = :v", { N: "1" }),
      `${invalid}Type mismatch for Index Key mark Expected: S Actual: N IndexName: gsi1`,
    ],
    [
      "Update of a key attribute",
      () => update(key, "SET sk = :v", { S: "x" }),
      `${invalid}Cannot update attribute sk. This attribute is part of the key`,
    ],
    [
      "Update below an attribute that is not there",
      () => update(key, "SET lost.child = :v", { S: "x" }),
      "The document path provided in the update expression is invalid for update",
    ],
    [
      "Update that reads an attribute that is not there",
      () => update(key, "SET x = lost"),
      "The provided expression refers to an attribute that does not exist in the item",
    ],
    [
      "Update with the wrong operand",
      () => update(key, "SET x = note + :v", { N: "1" }),
      "An operand in the update expression has an incorrect data type",
    ],
  ])("%s", async (_, action, message) => {
    const reasons = await cancelled(
      transact(server, [finePut("before"), action(), finePut("after")]),
      "None",
      "ValidationError",
      "None",
    );
    expect(reasons[1]).toEqual({ Code: "ValidationError", Message: message });
    expect(await get(server, table, id("before"))).toBeUndefined();
    expect(await get(server, table, id("after"))).toBeUndefined();
  });

  test("only the first one is reported", async () => {
    const reasons = await cancelled(
      transact(server, [
        { Put: { TableName: table, Item: { id: { N: "7" } } } },
        { Put: { TableName: table, Item: { id: { N: "8" } } } },
        failedPut("x"),
      ]),
      "ValidationError",
      "None",
      "None",
    );
    expect(reasons.slice(1)).toEqual([{ Code: "None" }, { Code: "None" }]);
  });

  test("a failed condition before it is not even looked at", async () => {
    await cancelled(
      transact(server, [failedPut("x"), { Put: { TableName: table, Item: { id: { N: "7" } } } }]),
      "None",
      "ValidationError",
    );
  });

  test("an update whose item becomes larger than 400 KB", async () => {
    const half = { S: "x".repeat(250_000) };
    await put(server, table, { ...id("large"), one: half });
    const [reason] = await cancelled(
      transact(server, [
        {
          Update: {
            TableName: table,
            Key: id("large"),
            UpdateExpression: "SET two = :v",
            ExpressionAttributeValues: { ":v": half },
          },
        },
      ]),
      "ValidationError",
    );
    expect(reason?.Message).toBe("Item size to update has exceeded the maximum allowed size");
    expect(await get(server, table, id("large"))).toEqual({ ...id("large"), one: half });
  });
});

describe("empty key values fail the request, not the transaction", () => {
  const empty = (type: string, key: string) =>
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${type} value. Key: ${key}`;

  test.each<[string, (TableName: string, key: Item) => TransactWriteItem]>([
    ["Put", (TableName, Item) => ({ Put: { TableName, Item } })],
    ["Update", (TableName, Key) => ({ Update: { TableName, Key, UpdateExpression: "REMOVE x" } })],
    ["Delete", (TableName, Key) => ({ Delete: { TableName, Key } })],
    [
      "ConditionCheck",
      (TableName, Key) => ({
        ConditionCheck: { TableName, Key, ConditionExpression: "attribute_not_exists(x)" },
      }),
    ],
  ])("%s", async (_, action) => {
    const binary = await createTable(server, { key: "bin:B" });
    await validation(
      transact(server, [finePut("beside"), action(table, { id: { S: "" } })]),
      empty("string", "id"),
    );
    await validation(
      transact(server, [action(indexed, { pk: { S: "p" }, sk: { S: "" } })]),
      empty("string", "sk"),
    );
    await validation(
      transact(server, [action(binary, { bin: { B: new Uint8Array() } })]),
      empty("binary", "bin"),
    );
    expect(await get(server, table, id("beside"))).toBeUndefined();
  });

  test("an empty index key in a Put", async () => {
    const Item = { pk: { S: "p" }, sk: { S: "s" }, mark: { S: "" } };
    await validation(
      transact(server, [finePut("beside"), { Put: { TableName: indexed, Item } }]),
      "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: gsi1, IndexKey: mark",
    );
    expect(await get(server, table, id("beside"))).toBeUndefined();
  });

  test("an empty index key in an Update", async () => {
    await validation(
      transact(server, [
        {
          Update: {
            TableName: indexed,
            Key: { pk: { S: "p" }, sk: { S: "s" } },
            UpdateExpression: "SET mark = :v",
            ExpressionAttributeValues: { ":v": { S: "" } },
          },
        },
      ]),
      /cannot contain an empty string value/,
    );
  });
});
