import {
  BatchWriteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable } from "../harness.ts";
import { day, hour, useTtl } from "./support.ts";

const server = useTtl();

/** Items with numbers for keys; those that three divides expire in a day. */
async function fill(table: string, count: number, attribute = "ttl"): Promise<void> {
  const soon = { N: String(server.second(day)) };
  const later = { N: String(server.second(400 * day)) };
  for (let first = 0; first < count; first += 25) {
    const requests = Array.from({ length: Math.min(25, count - first) }, (_, i) => ({
      PutRequest: {
        Item: {
          pk: { S: String(first + i).padStart(4, "0") },
          [attribute]: (first + i) % 3 === 0 ? soon : later,
        },
      },
    }));
    await server.client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
  }
}

const dividedBy3 = (keys: unknown[]) => keys.filter((key) => Number(key) % 3 === 0).length;

describe("enabled on a table with items", () => {
  test("it holds for them too", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await fill(table, 260);
    await server.enable(table);
    await server.elapse(10 * day);
    const keys = await server.keys(table);
    expect([keys.length, dividedBy3(keys)]).toEqual([173, 0]);
  });

  test("it holds for those that had expired before", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await fill(table, 30);
    await server.elapse(10 * day);
    expect(await server.keys(table)).toHaveLength(30);
    await server.enable(table);
    await server.elapse(10 * day);
    expect(await server.keys(table)).toHaveLength(20);
  });

  test("it holds for what is written at the same time", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await fill(table, 400);
    const later = server.second(400 * day);
    const writes = async () => {
      for (let i = 0; i < 400; i += 9) {
        await server.put(table, { pk: String(i).padStart(4, "0"), ttl: later });
        await server.put(table, { pk: String(i + 1).padStart(4, "0"), ttl: server.second(day) });
      }
    };
    await Promise.all([server.enable(table), writes()]);
    await server.elapse(10 * day);
    const keys = new Set(await server.keys(table));
    for (let i = 0; i < 400; i += 9) {
      expect(keys).toContain(String(i).padStart(4, "0"));
      expect(keys).not.toContain(String(i + 1).padStart(4, "0"));
    }
    expect((await server.running.workbench.verify()).problems).toEqual([]);
  });
});

describe("disabled", () => {
  test("nothing expires any longer", async () => {
    const table = await server.table();
    await fill(table, 30);
    await server.elapse(2 * hour);
    await server.disable(table);
    await server.elapse(30 * day);
    expect(await server.keys(table)).toHaveLength(30);
  });

  test("and enabled again, the old items expire, and those changed meanwhile as they were changed", async () => {
    const table = await server.table();
    await fill(table, 30);
    await server.elapse(2 * hour);
    await server.disable(table);
    await server.put(table, { pk: "0000" });
    await server.put(table, { pk: "0003", ttl: server.second(400 * day) });
    await server.elapse(2 * hour);
    await server.enable(table);
    await server.elapse(10 * day);
    const keys = await server.keys(table);
    expect([keys.length, dividedBy3(keys)]).toEqual([22, 2]);
  });

  test("and enabled by another attribute, that alone counts", async () => {
    const table = await server.table();
    await server.put(table, { pk: "a", ttl: server.second(day), other: server.second(90 * day) });
    await server.put(table, { pk: "b", ttl: server.second(90 * day), other: server.second(day) });
    await server.elapse(2 * hour);
    await server.disable(table);
    await server.elapse(2 * hour);
    await server.enable(table, "other");
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["a"]);
  });
});

describe("a table that is deleted", () => {
  test("takes its queue with it: one of the same name keeps its items", async () => {
    const table = await server.table();
    await fill(table, 30);
    await server.client.send(new DeleteTableCommand({ TableName: table }));
    await createTable(server, { key: "pk:S" }, { TableName: table });
    await fill(table, 30);
    await server.elapse(10 * day);
    expect(await server.keys(table)).toHaveLength(30);
    const { Table } = await server.client.send(new DescribeTableCommand({ TableName: table }));
    expect(Table?.ItemCount).toBe(30);
  });
});
