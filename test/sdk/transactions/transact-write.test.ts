import { QueryCommand, type TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { cancelled, get, type Item, put, transact } from "./outcomes.ts";

const server = useServer();

let table = "";

beforeEach(async () => {
  table = await createTable(server, { key: "id:S" });
});

const id = (text: string): Item => ({ id: { S: text } });

describe("the four actions", () => {
  test("Put makes an item", async () => {
    await transact(server, [{ Put: { TableName: table, Item: { ...id("a"), v: { N: "1" } } } }]);
    expect(await get(server, table, id("a"))).toEqual({ ...id("a"), v: { N: "1" } });
  });

  test("Put replaces the whole item", async () => {
    await put(server, table, { ...id("a"), old: { S: "x" } });
    await transact(server, [{ Put: { TableName: table, Item: { ...id("a"), v: { S: "y" } } } }]);
    expect(await get(server, table, id("a"))).toEqual({ ...id("a"), v: { S: "y" } });
  });

  test("Update changes an item", async () => {
    await put(server, table, { ...id("a"), n: { N: "1" }, s: { SS: ["x"] }, gone: { S: "" } });
    await transact(server, [
      {
        Update: {
          TableName: table,
          Key: id("a"),
          UpdateExpression: "SET #m = :m ADD n :one DELETE s :x REMOVE gone",
          ExpressionAttributeNames: { "#m": "map" },
          ExpressionAttributeValues: { ":m": { M: {} }, ":one": { N: "1" }, ":x": { SS: ["x"] } },
        },
      },
    ]);
    expect(await get(server, table, id("a"))).toEqual({
      ...id("a"),
      n: { N: "2" },
      map: { M: {} },
    });
  });

  test("Update makes an item that is not there", async () => {
    await transact(server, [
      {
        Update: {
          TableName: table,
          Key: id("new"),
          UpdateExpression: "ADD n :one",
          ExpressionAttributeValues: { ":one": { N: "1" } },
        },
      },
    ]);
    expect(await get(server, table, id("new"))).toEqual({ ...id("new"), n: { N: "1" } });
  });

  test("Delete removes an item, and one that is not there", async () => {
    await put(server, table, id("a"));
    await transact(server, [
      { Delete: { TableName: table, Key: id("a") } },
      { Delete: { TableName: table, Key: id("nobody") } },
    ]);
    expect(await get(server, table, id("a"))).toBeUndefined();
    expect(await get(server, table, id("nobody"))).toBeUndefined();
  });

  test("ConditionCheck writes nothing", async () => {
    await transact(server, [
      {
        ConditionCheck: {
          TableName: table,
          Key: id("a"),
          ConditionExpression: "attribute_not_exists(id)",
        },
      },
    ]);
    expect(await get(server, table, id("a"))).toBeUndefined();
  });

  test("all in one transaction", async () => {
    await put(server, table, { ...id("u"), n: { N: "1" } }, id("d"), {
      ...id("c"),
      ok: { BOOL: true },
    });
    await transact(server, [
      { Put: { TableName: table, Item: id("p"), ConditionExpression: "attribute_not_exists(id)" } },
      {
        Update: {
          TableName: table,
          Key: id("u"),
          UpdateExpression: "SET n = n + :one",
          ConditionExpression: "n = :one",
          ExpressionAttributeValues: { ":one": { N: "1" } },
        },
      },
      {
        Delete: { TableName: table, Key: id("d"), ConditionExpression: "attribute_exists(id)" },
      },
      {
        ConditionCheck: {
          TableName: table,
          Key: id("c"),
          ConditionExpression: "ok = :yes",
          ExpressionAttributeValues: { ":yes": { BOOL: true } },
        },
      },
    ]);
    expect(await get(server, table, id("p"))).toEqual(id("p"));
    expect(await get(server, table, id("u"))).toEqual({ ...id("u"), n: { N: "2" } });
    expect(await get(server, table, id("d"))).toBeUndefined();
    expect(await get(server, table, id("c"))).toEqual({ ...id("c"), ok: { BOOL: true } });
  });

  test("over several tables", async () => {
    const other = await createTable(server, { key: "pk:S sk:N" });
    await transact(server, [
      { Put: { TableName: table, Item: id("a") } },
      { Put: { TableName: other, Item: { pk: { S: "a" }, sk: { N: "1" } } } },
      { Put: { TableName: other, Item: { pk: { S: "a" }, sk: { N: "2" } } } },
    ]);
    expect(await get(server, table, id("a"))).toEqual(id("a"));
    expect(await get(server, other, { pk: { S: "a" }, sk: { N: "2" } })).toBeDefined();
  });

  test("through the document client", async () => {
    await server.documents.send(
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName: table, Item: { id: "doc", list: [1, "two"] } } },
          {
            Update: {
              TableName: table,
              Key: { id: "doc2" },
              UpdateExpression: "SET x = :x",
              ExpressionAttributeValues: { ":x": { deep: true } },
            },
          },
        ],
      }),
    );
    expect(await get(server, table, id("doc2"))).toEqual({
      ...id("doc2"),
      x: { M: { deep: { BOOL: true } } },
    });
  });

  test("maintain indexes", async () => {
    const indexed = await createTable(server, {
      key: "id:S",
      global: { byOwner: { hash: "own:S" } },
    });
    await put(server, indexed, { ...id("a"), own: { S: "x" } }, { ...id("b"), own: { S: "x" } });
    await transact(server, [
      { Delete: { TableName: indexed, Key: id("a") } },
      {
        Update: {
          TableName: indexed,
          Key: id("b"),
          UpdateExpression: "SET own = :y",
          ExpressionAttributeValues: { ":y": { S: "y" } },
        },
      },
      { Put: { TableName: indexed, Item: { ...id("c"), own: { S: "y" } } } },
    ]);
    const owned = async (own: string) => {
      const { Items = [] } = await server.client.send(
        new QueryCommand({
          TableName: indexed,
          IndexName: "byOwner",
          KeyConditionExpression: "own = :o",
          ExpressionAttributeValues: { ":o": { S: own } },
        }),
      );
      return Items.map((item) => item.id?.S).sort();
    };
    expect(await owned("x")).toEqual([]);
    expect(await owned("y")).toEqual(["b", "c"]);
  });

  test("answer with an empty object", async () => {
    const { json } = await server.raw("TransactWriteItems", {
      TransactItems: [{ Put: { TableName: table, Item: id("a") } }],
    });
    expect(json).toEqual({});
  });
});

describe("all or nothing", () => {
  const failing = (TableName: string): TransactWriteItem => ({
    ConditionCheck: {
      TableName,
      Key: id("nobody"),
      ConditionExpression: "attribute_exists(id)",
    },
  });

  test.each([0, 1, 2, 3])("a failed check at place %i undoes the others", async (place) => {
    await put(server, table, { ...id("u"), n: { N: "1" } }, id("d"));
    const actions: TransactWriteItem[] = [
      { Put: { TableName: table, Item: id("p") } },
      {
        Update: {
          TableName: table,
          Key: id("u"),
          UpdateExpression: "ADD n :one",
          ExpressionAttributeValues: { ":one": { N: "1" } },
        },
      },
      { Delete: { TableName: table, Key: id("d") } },
    ];
    actions.splice(place, 0, failing(table));
    const codes = actions.map((_, i) => (i === place ? "ConditionalCheckFailed" : "None"));
    await cancelled(transact(server, actions), ...codes);
    expect(await get(server, table, id("p"))).toBeUndefined();
    expect(await get(server, table, id("u"))).toEqual({ ...id("u"), n: { N: "1" } });
    expect(await get(server, table, id("d"))).toEqual(id("d"));
  });

  test("a failed check in one table undoes the other table", async () => {
    const other = await createTable(server, { key: "id:S" });
    await cancelled(
      transact(server, [{ Put: { TableName: table, Item: id("a") } }, failing(other)]),
      "None",
      "ConditionalCheckFailed",
    );
    expect(await get(server, table, id("a"))).toBeUndefined();
  });

  test("an index shows nothing of a cancelled transaction", async () => {
    const indexed = await createTable(server, {
      key: "id:S",
      global: { byOwn: { hash: "own:S" } },
    });
    await cancelled(
      transact(server, [
        { Put: { TableName: indexed, Item: { ...id("a"), own: { S: "x" } } } },
        failing(indexed),
      ]),
      "None",
      "ConditionalCheckFailed",
    );
    const { Count } = await server.client.send(
      new QueryCommand({
        TableName: indexed,
        IndexName: "byOwn",
        KeyConditionExpression: "own = :o",
        ExpressionAttributeValues: { ":o": { S: "x" } },
      }),
    );
    expect(Count).toBe(0);
  });

  test("an update that cannot be applied undoes the others", async () => {
    await put(server, table, { ...id("u"), text: { S: "x" } });
    const [, reason] = await cancelled(
      transact(server, [
        { Put: { TableName: table, Item: id("p") } },
        {
          Update: {
            TableName: table,
            Key: id("u"),
            UpdateExpression: "SET #t = #t + :one",
            ExpressionAttributeNames: { "#t": "text" },
            ExpressionAttributeValues: { ":one": { N: "1" } },
          },
        },
      ]),
      "None",
      "ValidationError",
    );
    expect(reason?.Message).toBe("An operand in the update expression has an incorrect data type");
    expect(await get(server, table, id("p"))).toBeUndefined();
  });

  test("the next transaction on the same items succeeds", async () => {
    const actions: TransactWriteItem[] = [{ Put: { TableName: table, Item: id("a") } }];
    await cancelled(
      transact(server, [...actions, failing(table)]),
      "None",
      "ConditionalCheckFailed",
    );
    await transact(server, actions);
    expect(await get(server, table, id("a"))).toEqual(id("a"));
  });
});
