import {
  BatchWriteItemCommand,
  DescribeTableCommand,
  type ReturnConsumedCapacity,
} from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable } from "../harness.ts";
import { day, hour, useTtl } from "./support.ts";

const server = useTtl();

async function setTtl(TableName: string, pk: string, ttl: number | undefined): Promise<void> {
  const removes = ttl === undefined;
  await server.documents.send(
    new UpdateCommand({
      TableName,
      Key: { pk },
      UpdateExpression: removes ? "REMOVE #t" : "SET #t = :t",
      ExpressionAttributeNames: { "#t": "ttl" },
      ...(removes ? {} : { ExpressionAttributeValues: { ":t": ttl } }),
    }),
  );
}

async function countsOf(TableName: string) {
  const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
  return {
    items: Table?.ItemCount,
    bytes: Table?.TableSizeBytes,
    indexes: [
      ...(Table?.GlobalSecondaryIndexes ?? []),
      ...(Table?.LocalSecondaryIndexes ?? []),
    ].map(({ ItemCount, IndexSizeBytes }) => [ItemCount, IndexSizeBytes]),
  };
}

describe("what counts is the time that the item names last", () => {
  test("put off by an update", async () => {
    const table = await server.table();
    await server.put(table, { pk: "a", ttl: server.second(day) });
    await setTtl(table, "a", server.second(20 * day));
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["a"]);
    await server.elapse(20 * day);
    expect(await server.keys(table)).toEqual([]);
  });

  test("brought forward by an update", async () => {
    const table = await server.table();
    await server.put(table, { pk: "a", ttl: server.second(20 * day) });
    await setTtl(table, "a", server.second(day));
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual([]);
  });

  test("given by an update, and taken away", async () => {
    const table = await server.table();
    for (const pk of ["a", "b"]) await server.put(table, { pk });
    await setTtl(table, "a", server.second(day));
    await setTtl(table, "b", server.second(day));
    await setTtl(table, "b", undefined);
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["b"]);
  });

  test("replaced by another item of the same key", async () => {
    const table = await server.table();
    for (const pk of ["a", "b", "c"]) await server.put(table, { pk, ttl: server.second(day) });
    await server.put(table, { pk: "a", ttl: server.second(20 * day) });
    await server.put(table, { pk: "b" });
    await server.put(table, { pk: "c", ttl: "never" });
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["a", "b", "c"]);
  });

  test("counted up by an update", async () => {
    const table = await server.table();
    await server.put(table, { pk: "a", ttl: server.second(day) });
    for (let i = 0; i < 5; i += 1) {
      await server.documents.send(
        new UpdateCommand({
          TableName: table,
          Key: { pk: "a" },
          UpdateExpression: "ADD #t :more",
          ExpressionAttributeNames: { "#t": "ttl" },
          ExpressionAttributeValues: { ":more": 5 * day },
        }),
      );
    }
    await server.elapse(20 * day);
    expect(await server.keys(table)).toEqual(["a"]);
    await server.elapse(20 * day);
    expect(await server.keys(table)).toEqual([]);
  });

  test("deleted and made again", async () => {
    const table = await server.table();
    await server.put(table, { pk: "a", ttl: server.second(day) });
    await server.documents.send(new DeleteCommand({ TableName: table, Key: { pk: "a" } }));
    await server.put(table, { pk: "a" });
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["a"]);
  });

  test("written in a batch", async () => {
    const table = await server.table();
    await server.put(table, { pk: "old", ttl: server.second(day) });
    const put = (pk: string, days: number) => ({
      PutRequest: { Item: { pk: { S: pk }, ttl: { N: String(server.second(days * day)) } } },
    });
    await server.client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [table]: [put("a", 1), put("b", 20), { DeleteRequest: { Key: { pk: { S: "old" } } } }],
        },
      }),
    );
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["b"]);
  });

  test("written in a transaction, and not in one that was cancelled", async () => {
    const [table, other] = [await server.table(), await server.table()];
    await server.put(table, { pk: "kept", ttl: server.second(20 * day) });
    const expiring = (TableName: string, pk: string) => ({
      Put: { TableName, Item: { pk, ttl: server.second(day) } },
    });
    const exists = {
      ConditionCheck: {
        TableName: other,
        Key: { pk: "nobody" },
        ConditionExpression: "attribute_exists(pk)",
      },
    };
    const cancelled = server.documents.send(
      new TransactWriteCommand({ TransactItems: [expiring(table, "kept"), exists] }),
    );
    await expect(cancelled).rejects.toThrow("ConditionalCheckFailed");
    await server.documents.send(
      new TransactWriteCommand({ TransactItems: [expiring(table, "a"), expiring(other, "b")] }),
    );
    expect(await server.keys(table)).toEqual(["a", "kept"]);
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["kept"]);
    expect(await server.keys(other)).toEqual([]);
  });

  test("not written by a condition that failed", async () => {
    const table = await server.table();
    await server.put(table, { pk: "a", ttl: server.second(20 * day) });
    const put = new PutCommand({
      TableName: table,
      Item: { pk: "a", ttl: server.second(day) },
      ConditionExpression: "attribute_not_exists(pk)",
    });
    await expect(server.documents.send(put)).rejects.toThrow("conditional");
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["a"]);
  });
});

describe("with an expired item goes", () => {
  const indexed = {
    key: "pk:S sk:S",
    global: { byG: { hash: "g:S" }, byTtl: { hash: "g:S", range: "ttl:N" } },
    local: { byL: { range: "l:S" } },
  };
  const read = async (IndexName: string, TableName: string) => {
    const { Items = [] } = await server.documents.send(new ScanCommand({ TableName, IndexName }));
    return Items.map(({ sk }) => sk).sort();
  };

  test("its entry in every index", async () => {
    const table = await server.table(indexed);
    const item = (sk: string, days: number) => ({
      ...{ pk: "p", sk, g: "x", l: sk },
      ttl: server.second(days * day),
    });
    await server.put(table, item("1", 1));
    await server.put(table, item("2", 20));
    await server.elapse(10 * day);
    for (const index of ["byG", "byTtl", "byL"]) expect(await read(index, table)).toEqual(["2"]);
    const { Items } = await server.documents.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: "pk = :p",
        ExpressionAttributeValues: { ":p": "p" },
      }),
    );
    expect(Items).toHaveLength(1);
  });

  test("what it added to the counts and sizes of the table and its indexes", async () => {
    const table = await server.table(indexed);
    await server.put(table, { pk: "p", sk: "1", g: "x", l: "y" });
    const before = await countsOf(table);
    for (let i = 0; i < 30; i += 1) {
      const ttl = server.second(day + i);
      await server.put(table, { pk: `q${i % 3}`, sk: `${i}`, g: "x", l: "y", ttl });
    }
    await server.elapse(10 * day);
    expect(await countsOf(table)).toEqual(before);
  });

  test("what it added to the size of its item collection", async () => {
    const table = await server.table({ key: "pk:S sk:S", local: { byL: { range: "l:S" } } });
    const text = "x".repeat(300_000);
    for (const sk of ["1", "2", "3"]) {
      await server.put(table, { pk: "p", sk, l: sk, text, ttl: server.second(day) });
    }
    await server.elapse(10 * day);
    const { running } = server;
    expect((await running.workbench.verify()).problems).toEqual([]);
    const put = new PutCommand({
      TableName: table,
      Item: { pk: "p", sk: "4", l: "4" },
      ReturnItemCollectionMetrics: "SIZE",
    });
    const { ItemCollectionMetrics } = await server.documents.send(put);
    expect(ItemCollectionMetrics?.SizeEstimateRangeGB?.[0]).toBe(0);
  });

  test("nothing of another table", async () => {
    const [table, other] = [await server.table(), await createTable(server, { key: "pk:S" })];
    for (const name of [table, other]) {
      await server.put(name, { pk: "a", ttl: server.second(day) });
    }
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual([]);
    expect(await server.keys(other)).toEqual(["a"]);
  });

  test("all of many, and none of those that stay", async () => {
    const table = await server.table();
    for (let first = 0; first < 300; first += 25) {
      const requests = Array.from({ length: 25 }, (_, i) => {
        const days = (first + i) % 3 === 0 ? 1 : 20;
        const ttl = { N: String(server.second(days * day + i)) };
        return { PutRequest: { Item: { pk: { S: `${first + i}` }, ttl } } };
      });
      await server.client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
    }
    await server.elapse(10 * day);
    const keys = await server.keys(table);
    expect(keys).toHaveLength(200);
    expect(keys.filter((pk) => Number(pk) % 3 === 0)).toEqual([]);
  });
});

describe("an item that was deleted", () => {
  test("can be made again, and does not expire for its former time", async () => {
    const table = await server.table();
    await server.put(table, { pk: "a", ttl: server.second(day) });
    await server.elapse(10 * day);
    expect(await server.get(table, { pk: "a" })).toBeUndefined();
    await server.put(table, { pk: "a", n: 1 });
    await server.elapse(10 * day);
    expect(await server.get(table, { pk: "a" })).toEqual({ pk: "a", n: 1 });
  });

  test("is missing to a condition", async () => {
    const table = await server.table();
    await server.put(table, { pk: "lock", owner: "me", ttl: server.second(hour) });
    const take = () =>
      server.documents.send(
        new PutCommand({
          TableName: table,
          Item: { pk: "lock", owner: "you", ttl: server.second(hour) },
          ConditionExpression: "attribute_not_exists(pk)",
        }),
      );
    await expect(take()).rejects.toThrow("conditional");
    await server.elapse(10 * day);
    await take();
    expect(await server.get(table, { pk: "lock" })).toMatchObject({ owner: "you" });
  });
});

test("the attribute costs a write nothing", async () => {
  const [table, plain] = [await server.table(), await createTable(server, { key: "pk:S" })];
  const units = async (TableName: string) => {
    const answer = await server.documents.send(
      new PutCommand({
        TableName,
        Item: { pk: "a", ttl: server.second(day) },
        ReturnConsumedCapacity: "TOTAL" satisfies ReturnConsumedCapacity,
      }),
    );
    return answer.ConsumedCapacity?.CapacityUnits;
  };
  expect(await units(table)).toBe(1);
  expect(await units(plain)).toBe(1);
});
