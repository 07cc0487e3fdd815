import {
  type Get,
  TransactGetItemsCommand,
  type TransactWriteItem,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { createTable, freshName, useServer } from "../harness.ts";
import { type Item, put, transact } from "../transactions/outcomes.ts";

const server = useServer();

let table = "";
let other = "";

beforeEach(async () => {
  table = await createTable(server, { key: "id:S" });
  other = await createTable(server, { key: "id:S", global: { byOwner: { hash: "own:S" } } });
});

const id = (text: string): Item => ({ id: { S: text } });
const large = (text: string, bytes: number): Item => ({ ...id(text), v: { S: "x".repeat(bytes) } });

const putting = (Item: Item, TableName = table): TransactWriteItem => ({
  Put: { TableName, Item },
});
const deleting = (text: string): TransactWriteItem => ({
  Delete: { TableName: table, Key: id(text) },
});
const checking = (
  text: string,
  ConditionExpression = "attribute_exists(id)",
): TransactWriteItem => ({
  ConditionCheck: { TableName: table, Key: id(text), ConditionExpression },
});
const updating = (text: string, value: string): TransactWriteItem => ({
  Update: {
    TableName: table,
    Key: id(text),
    UpdateExpression: "SET v = :v",
    ExpressionAttributeValues: { ":v": { S: value } },
  },
});

const written = (TableName: string, units: number) => ({
  TableName,
  CapacityUnits: units,
  WriteCapacityUnits: units,
});

async function spent(...actions: TransactWriteItem[]) {
  const answer = await transact(server, actions, { ReturnConsumedCapacity: "TOTAL" });
  return answer.ConsumedCapacity;
}

describe("writes pay twice what they pay alone", () => {
  test.each<
    [string, (() => Item) | undefined, TransactWriteItem | (() => TransactWriteItem), number]
  >([
    ["a small put", undefined, () => putting(id("a")), 2],
    ["a put of 1.5 KB", undefined, () => putting(large("a", 1500)), 4],
    ["a put that shrinks 3 KB", () => large("a", 3000), () => putting(id("a")), 6],
    ["a put that grows to 3 KB", () => id("a"), () => putting(large("a", 3000)), 6],
    ["an update of a small item", () => id("a"), () => updating("a", "x"), 2],
    ["an update that makes an item", undefined, () => updating("a", "x"), 2],
    ["an update that shrinks 3 KB", () => large("a", 3000), () => updating("a", "x"), 6],
    ["deleting a small item", () => id("a"), () => deleting("a"), 2],
    ["deleting 3 KB", () => large("a", 3000), () => deleting("a"), 6],
    ["deleting what is not there", undefined, () => deleting("a"), 2],
    ["checking a small item", () => id("a"), () => checking("a"), 2],
    ["checking 3 KB", () => large("a", 3000), () => checking("a"), 6],
    ["checking what is not there", undefined, () => checking("a", "attribute_not_exists(id)"), 2],
  ])("%s", async (_, before, action, units) => {
    if (before !== undefined) await put(server, table, before());
    const one = typeof action === "function" ? action() : action;
    expect(await spent(one)).toEqual([written(table, units)]);
  });

  test.each([
    [1024, 2],
    [1025, 4],
  ])("%i bytes are rounded before they are doubled", async (bytes, units) => {
    expect(await spent(putting(large("a", bytes - 4)))).toEqual([written(table, units)]);
  });

  test("a condition that holds adds nothing", async () => {
    await put(server, table, id("a"));
    const conditional: TransactWriteItem = {
      Put: { TableName: table, Item: id("a"), ConditionExpression: "attribute_exists(id)" },
    };
    expect(await spent(conditional)).toEqual([written(table, 2)]);
  });

  test("actions on one table are summed", async () => {
    await put(server, table, large("b", 3000), id("c"));
    expect(
      await spent(putting(large("a", 1500)), deleting("b"), checking("c"), updating("d", "x")),
    ).toEqual([written(table, 4 + 6 + 2 + 2)]);
  });

  test("tables are reported apart", async () => {
    const entries = await spent(
      putting(id("a")),
      putting({ ...id("a"), own: { S: "o" } }, other),
      putting(id("b")),
    );
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(written(table, 4));
    expect(entries).toContainEqual(written(other, 3));
  });
});

describe("the shape of the report", () => {
  const both = () => [putting({ ...id("a"), own: { S: "o" } }, other)];

  test("INDEXES splits table and indexes, with write units at every level", async () => {
    const answer = await transact(server, both(), { ReturnConsumedCapacity: "INDEXES" });
    expect(answer.ConsumedCapacity).toEqual([
      {
        ...written(other, 3),
        Table: { CapacityUnits: 2, WriteCapacityUnits: 2 },
        GlobalSecondaryIndexes: { byOwner: { CapacityUnits: 1, WriteCapacityUnits: 1 } },
      },
    ]);
  });

  test("NONE and nothing report nothing", async () => {
    for (const options of [{}, { ReturnConsumedCapacity: "NONE" }]) {
      const { json } = await server.raw("TransactWriteItems", {
        TransactItems: both(),
        ...options,
      });
      expect(json).toEqual({});
    }
  });

  test("a cancelled transaction reports nothing", async () => {
    const { status, json } = await server.raw("TransactWriteItems", {
      TransactItems: [putting(id("a")), checking("nobody")],
      ReturnConsumedCapacity: "INDEXES",
    });
    expect(status).toBe(400);
    expect(json).not.toHaveProperty("ConsumedCapacity");
  });
});

describe("a repeated request pays for reading", () => {
  async function twice(...actions: TransactWriteItem[]) {
    const ClientRequestToken = freshName("token");
    const options = { ClientRequestToken, ReturnConsumedCapacity: "TOTAL" as const };
    const first = await transact(server, actions, options);
    const again = await transact(server, actions, options);
    return [first.ConsumedCapacity, again.ConsumedCapacity];
  }
  const read = (units: number) => ({
    TableName: table,
    CapacityUnits: units,
    ReadCapacityUnits: units,
  });

  test.each<[string, (() => Item) | undefined, () => TransactWriteItem[], number, number]>([
    ["a small put", undefined, () => [putting(id("a"))], 2, 2],
    ["a put of 1.5 KB", undefined, () => [putting(large("a", 1500))], 4, 2],
    ["a put that shrinks 9 KB", () => large("a", 9000), () => [putting(id("a"))], 18, 6],
    ["a put that grows to 9 KB", () => id("a"), () => [putting(large("a", 9000))], 18, 6],
    ["deleting 9 KB", () => large("a", 9000), () => [deleting("a")], 18, 6],
    ["checking 9 KB", () => large("a", 9000), () => [checking("a")], 18, 6],
    [
      "deleting 9 KB beside a small put",
      () => large("a", 9000),
      () => [deleting("a"), putting(id("b"))],
      20,
      8,
    ],
  ])("%s", async (_, before, actions, first, again) => {
    if (before !== undefined) await put(server, table, before());
    expect(await twice(...actions())).toEqual([[written(table, first)], [read(again)]]);
  });

  test("nothing is reported if not asked for", async () => {
    const body = { TransactItems: [putting(id("a"))], ClientRequestToken: freshName("token") };
    await server.raw("TransactWriteItems", body);
    expect((await server.raw("TransactWriteItems", body)).json).toEqual({});
  });
});

describe("TransactGetItems", () => {
  async function reading(detail: "TOTAL" | "INDEXES", ...gets: Get[]) {
    const answer = await server.client.send(
      new TransactGetItemsCommand({
        TransactItems: gets.map((one) => ({ Get: one })),
        ReturnConsumedCapacity: detail,
      }),
    );
    return answer.ConsumedCapacity;
  }
  const from = (text: string, TableName = table): Get => ({ TableName, Key: id(text) });
  const read = (TableName: string, units: number) => ({
    TableName,
    CapacityUnits: units,
    ReadCapacityUnits: units,
  });

  test.each([
    [4096, 2],
    [4097, 4],
    [9000, 6],
  ])("an item of %i bytes: %i units", async (bytes, units) => {
    await put(server, table, large("a", bytes - 4));
    expect(await reading("TOTAL", from("a"))).toEqual([read(table, units)]);
  });

  test("an item that is not there pays the minimum", async () => {
    expect(await reading("TOTAL", from("nobody"), from("nothing"))).toEqual([read(table, 4)]);
  });

  test("a projection makes nothing cheaper", async () => {
    await put(server, table, large("a", 9000));
    const narrow = { ...from("a"), ProjectionExpression: "id" };
    expect(await reading("TOTAL", narrow)).toEqual([read(table, 6)]);
  });

  test("tables are reported apart", async () => {
    await put(server, table, large("a", 5000));
    const entries = await reading("TOTAL", from("a"), from("a", other), from("b"));
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(read(table, 6));
    expect(entries).toContainEqual(read(other, 2));
  });

  test("INDEXES adds the table's part", async () => {
    expect(await reading("INDEXES", from("a"))).toEqual([
      { ...read(table, 2), Table: { CapacityUnits: 2, ReadCapacityUnits: 2 } },
    ]);
  });

  test("nothing is reported if not asked for", async () => {
    const { json } = await server.raw("TransactGetItems", { TransactItems: [{ Get: from("a") }] });
    expect(json).toEqual({ Responses: [{}] });
  });
});
