import {
  BatchGetCommand,
  DeleteCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { day, hour, useTtl } from "./support.ts";

/** The service takes its time too: until then an expired item is an item like any other. */
const server = useTtl({ ttlDelay: 2 * day });

/** A table with an item that has expired, but has not been deleted yet. */
async function tableWithExpired(): Promise<string> {
  const table = await server.table();
  await server.put(table, { pk: "a", n: 1, ttl: server.second(hour) });
  await server.elapse(2 * hour);
  return table;
}

async function update(TableName: string, UpdateExpression: string, ttl?: number) {
  return server.documents.send(
    new UpdateCommand({
      TableName,
      Key: { pk: "a" },
      UpdateExpression,
      ConditionExpression: "attribute_exists(pk)",
      ...(UpdateExpression.includes("#t") && { ExpressionAttributeNames: { "#t": "ttl" } }),
      ExpressionAttributeValues: { ":one": ttl ?? 1 },
      ReturnValues: "ALL_NEW",
    }),
  );
}

describe("an item that has expired and is not deleted yet", () => {
  test("can be read", async () => {
    const TableName = await tableWithExpired();
    const Key = { pk: "a" };
    expect(await server.get(TableName, Key)).toMatchObject({ n: 1 });
    const query = new QueryCommand({
      TableName,
      KeyConditionExpression: "pk = :a",
      ExpressionAttributeValues: { ":a": "a" },
    });
    expect((await server.documents.send(query)).Items).toHaveLength(1);
    expect((await server.documents.send(new ScanCommand({ TableName }))).Items).toHaveLength(1);
    const batch = new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key] } } });
    expect((await server.documents.send(batch)).Responses?.[TableName]).toHaveLength(1);
    const transaction = new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key } }] });
    const [found] = (await server.documents.send(transaction)).Responses ?? [];
    expect(found?.Item).toMatchObject({ n: 1 });
  });

  test("can be filtered away", async () => {
    const TableName = await tableWithExpired();
    const scan = new ScanCommand({
      TableName,
      FilterExpression: "#t > :now",
      ExpressionAttributeNames: { "#t": "ttl" },
      ExpressionAttributeValues: { ":now": server.second() },
    });
    const answer = await server.documents.send(scan);
    expect([answer.Count, answer.ScannedCount]).toEqual([0, 1]);
  });

  test("can be changed, and goes all the same", async () => {
    const table = await tableWithExpired();
    const { Attributes } = await update(table, "SET n = n + :one");
    expect(Attributes).toMatchObject({ n: 2 });
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual([]);
  });

  test("can be given more time", async () => {
    const table = await tableWithExpired();
    await update(table, "SET #t = :one", server.second(20 * day));
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["a"]);
    await server.elapse(20 * day);
    expect(await server.keys(table)).toEqual([]);
  });

  test("can be kept for ever", async () => {
    const table = await tableWithExpired();
    await update(table, "SET n = :one REMOVE #t");
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["a"]);
  });

  test("can be deleted by a client", async () => {
    const table = await tableWithExpired();
    const { Attributes } = await server.documents.send(
      new DeleteCommand({ TableName: table, Key: { pk: "a" }, ReturnValues: "ALL_OLD" }),
    );
    expect(Attributes).toMatchObject({ n: 1 });
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual([]);
  });

  test("is saved by disabling it in time", async () => {
    const table = await server.table();
    await server.put(table, { pk: "a", ttl: server.second(hour) });
    await server.elapse(2 * hour);
    expect(await server.keys(table)).toEqual(["a"]);
    await server.disable(table);
    await server.elapse(30 * day);
    expect(await server.keys(table)).toEqual(["a"]);
  });

  test("is deleted in the end", async () => {
    const table = await tableWithExpired();
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual([]);
  });
});
