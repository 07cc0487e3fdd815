import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { type Item, put, transact } from "../transactions/outcomes.ts";

const server = useServer();

let local = "";
let plain = "";

beforeEach(async () => {
  local = await createTable(server, { key: "pk:S sk:S", local: { byRank: { range: "rank:N" } } });
  plain = await createTable(server, { key: "pk:S sk:S", global: { byRank: { hash: "rank:N" } } });
});

const at = (pk: string, sk = "s"): Item => ({ pk: { S: pk }, sk: { S: sk } });
const SIZE = { ReturnItemCollectionMetrics: "SIZE" } as const;
const small = (pk: string) => ({
  ItemCollectionKey: { pk: { S: pk } },
  SizeEstimateRangeGB: [0, 1],
});

describe("single writes on a table with a local index", () => {
  test("PutItem", async () => {
    const Item = { ...at("p"), rank: { N: "1" } };
    const answer = await server.client.send(
      new PutItemCommand({ TableName: local, Item, ...SIZE }),
    );
    expect(answer.ItemCollectionMetrics).toEqual(small("p"));
  });

  test("PutItem outside the index", async () => {
    const answer = await server.client.send(
      new PutItemCommand({ TableName: local, Item: at("p"), ...SIZE }),
    );
    expect(answer.ItemCollectionMetrics).toEqual(small("p"));
  });

  test("UpdateItem", async () => {
    const answer = await server.client.send(
      new UpdateItemCommand({
        TableName: local,
        Key: at("p"),
        UpdateExpression: "SET x = :x",
        ExpressionAttributeValues: { ":x": { S: "y" } },
        ...SIZE,
      }),
    );
    expect(answer.ItemCollectionMetrics).toEqual(small("p"));
  });

  test("DeleteItem", async () => {
    await put(server, local, at("p", "1"), at("p", "2"));
    const answer = await server.client.send(
      new DeleteItemCommand({ TableName: local, Key: at("p", "1"), ...SIZE }),
    );
    expect(answer.ItemCollectionMetrics).toEqual(small("p"));
  });

  test("nothing if not asked for, or for NONE", async () => {
    for (const options of [{}, { ReturnItemCollectionMetrics: "NONE" }]) {
      const { json } = await server.raw("PutItem", {
        TableName: local,
        Item: at("p"),
        ...options,
      });
      expect(json).toEqual({});
    }
  });
});

describe("several writes", () => {
  test("BatchWriteItem lists collections by table", async () => {
    await put(server, local, at("gone"));
    const second = await createTable(server, {
      key: "id:N sk:S",
      local: { byRank: { range: "rank:N" } },
    });
    const { ItemCollectionMetrics } = await server.client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [local]: [{ PutRequest: { Item: at("p") } }, { DeleteRequest: { Key: at("gone") } }],
          [second]: [{ PutRequest: { Item: { id: { N: "7" }, sk: { S: "s" } } } }],
          [plain]: [{ PutRequest: { Item: at("p") } }],
        },
        ...SIZE,
      }),
    );
    expect(Object.keys(ItemCollectionMetrics ?? {}).sort()).toEqual([local, second].sort());
    expect(ItemCollectionMetrics?.[local]).toHaveLength(2);
    expect(ItemCollectionMetrics?.[local]).toContainEqual(small("p"));
    expect(ItemCollectionMetrics?.[local]).toContainEqual(small("gone"));
    expect(ItemCollectionMetrics?.[second]).toEqual([
      { ItemCollectionKey: { id: { N: "7" } }, SizeEstimateRangeGB: [0, 1] },
    ]);
  });

  test("TransactWriteItems lists collections by table", async () => {
    await put(server, local, at("gone"), at("changed"));
    const { ItemCollectionMetrics } = await transact(
      server,
      [
        { Put: { TableName: local, Item: at("p") } },
        { Delete: { TableName: local, Key: at("gone") } },
        { Update: { TableName: local, Key: at("changed"), UpdateExpression: "REMOVE x" } },
        { Put: { TableName: plain, Item: at("p") } },
      ],
      SIZE,
    );
    expect(Object.keys(ItemCollectionMetrics ?? {})).toEqual([local]);
    expect(ItemCollectionMetrics?.[local]).toHaveLength(3);
    for (const key of ["p", "gone", "changed"]) {
      expect(ItemCollectionMetrics?.[local]).toContainEqual(small(key));
    }
  });

  test("metrics and capacity come together", async () => {
    const { json } = await server.raw("TransactWriteItems", {
      TransactItems: [{ Put: { TableName: local, Item: { ...at("p"), rank: { N: "1" } } } }],
      ReturnConsumedCapacity: "TOTAL",
      ...SIZE,
    });
    expect(json).toEqual({
      ConsumedCapacity: [{ TableName: local, CapacityUnits: 3, WriteCapacityUnits: 3 }],
      ItemCollectionMetrics: { [local]: [small("p")] },
    });
  });
});

describe("tables without a local index have no item collections", () => {
  test.each([
    ["PutItem", () => ({ TableName: plain, Item: at("p") })],
    ["DeleteItem", () => ({ TableName: plain, Key: at("p") })],
    ["UpdateItem", () => ({ TableName: plain, Key: at("p"), UpdateExpression: "REMOVE x" })],
    ["BatchWriteItem", () => ({ RequestItems: { [plain]: [{ PutRequest: { Item: at("p") } }] } })],
    [
      "TransactWriteItems",
      () => ({ TransactItems: [{ Put: { TableName: plain, Item: at("p") } }] }),
    ],
  ])("%s", async (operation, body) => {
    const { status, json } = await server.raw(operation, { ...body(), ...SIZE });
    expect(status).toBe(200);
    expect(json.ItemCollectionMetrics ?? {}).toEqual({});
  });
});
