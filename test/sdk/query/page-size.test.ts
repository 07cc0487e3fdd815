import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { column, itemsOf, N, putAll, query, queryPages, S, scanPages } from "../reading.ts";

const server = useServer();

/** Far from the boundary of 1 MB, whose exact place depends on how the service stores items. */
const itemKilobytes = 100;
const count = 25;

let TableName: string;

beforeAll(async () => {
  TableName = await createTable(server, {
    key: "pk:S sk:N",
    global: {
      all: { hash: "group:S", range: "sk:N" },
      keys: { hash: "group:S", range: "sk:N", projection: { ProjectionType: "KEYS_ONLY" } },
    },
    local: { local: { range: "rank:N" } },
  });
  const items = Array.from({ length: count }, (_, n) => ({
    pk: S("p"),
    sk: N(n),
    group: S("g"),
    rank: N(count - n),
    parity: S(n % 2 === 0 ? "even" : "odd"),
    load: S("x".repeat(itemKilobytes * 1024)),
  }));
  for (let from = 0; from < count; from += 5) {
    await putAll(server, TableName, items.slice(from, from + 5));
  }
});

const byKey = (more: Partial<QueryCommandInput> = {}): QueryCommandInput => ({
  TableName,
  KeyConditionExpression: "pk = :p",
  ...more,
  ExpressionAttributeValues: { ":p": S("p"), ...more.ExpressionAttributeValues },
});

const numbers = Array.from({ length: count }, (_, n) => String(n));

test("1 MB is counted in bytes of the item, however long they are on the wire", async () => {
  const table = await createTable(server, { key: "pk:S sk:N" });
  const items = Array.from({ length: 40 }, (_, n) => ({
    pk: S("p"),
    sk: N(n),
    load: { B: new Uint8Array(60 * 1024) },
  }));
  for (let from = 0; from < items.length; from += 10) {
    await putAll(server, table, items.slice(from, from + 10));
  }
  const order = items.map(({ sk }) => sk.N);
  for (const ScanIndexForward of [true, false]) {
    const all = await queryPages(server, {
      TableName: table,
      KeyConditionExpression: "pk = :p",
      ExpressionAttributeValues: { ":p": S("p") },
      ProjectionExpression: "sk",
      ScanIndexForward,
    });
    expect(all.map(({ Count }) => Count)).toEqual([18, 18, 4]);
    expect(column(itemsOf(all), "sk")).toEqual(ScanIndexForward ? order : order.toReversed());
  }
});

describe("a page holds 1 MB", () => {
  test("of a table, forward", async () => {
    const all = await queryPages(server, byKey());
    expect(all.map(({ Count }) => Count)).toEqual([11, 11, 3]);
    expect(column(itemsOf(all), "sk")).toEqual(numbers);
    expect(all[0]?.LastEvaluatedKey).toEqual({ pk: S("p"), sk: N(10) });
  });

  test("of a table, backward", async () => {
    const all = await queryPages(server, byKey({ ScanIndexForward: false }));
    expect(all.map(({ Count }) => Count)).toEqual([11, 11, 3]);
    expect(column(itemsOf(all), "sk")).toEqual(numbers.toReversed());
  });

  test("before the filter", async () => {
    const all = await queryPages(
      server,
      byKey({
        FilterExpression: "parity = :v",
        ExpressionAttributeValues: { ":v": S("odd") },
      }),
    );
    expect(all.map(({ ScannedCount }) => ScannedCount)).toEqual([11, 11, 3]);
    expect(all.map(({ Count }) => Count)).toEqual([5, 6, 1]);
    expect(column(itemsOf(all), "sk")).toEqual(numbers.filter((n) => Number(n) % 2 === 1));
  });

  test("before a filter that lets nothing pass", async () => {
    const page = await query(
      server,
      byKey({
        FilterExpression: "parity = :v",
        ExpressionAttributeValues: { ":v": S("neither") },
      }),
    );
    expect(page).toMatchObject({ Count: 0, ScannedCount: 11, Items: [] });
    expect(page.LastEvaluatedKey).toEqual({ pk: S("p"), sk: N(10) });
  });

  test("before the projection", async () => {
    const all = await queryPages(server, byKey({ ProjectionExpression: "sk" }));
    expect(all.map(({ Count }) => Count)).toEqual([11, 11, 3]);
    expect(itemsOf(all)).toEqual(numbers.map((n) => ({ sk: N(n) })));
  });

  test("when only counting", async () => {
    const all = await queryPages(server, byKey({ Select: "COUNT" }));
    expect(all.map(({ Count }) => Count)).toEqual([11, 11, 3]);
    expect(all.every(({ Items }) => Items === undefined)).toBe(true);
  });

  test("unless the limit is reached first", async () => {
    const all = await queryPages(server, byKey({ Limit: 10 }));
    expect(all.map(({ Count }) => Count)).toEqual([10, 10, 5]);
  });

  test("though the limit is greater", async () => {
    const all = await queryPages(server, byKey({ Limit: 12 }));
    expect(all.map(({ Count }) => Count)).toEqual([11, 11, 3]);
  });

  test("of a local index", async () => {
    const all = await queryPages(server, byKey({ IndexName: "local" }));
    expect(all.map(({ Count }) => Count)).toEqual([11, 11, 3]);
    expect(column(itemsOf(all), "sk")).toEqual(numbers.toReversed());
  });

  test("of a global index, by what the index holds", async () => {
    const input = {
      TableName,
      KeyConditionExpression: "#g = :g",
      ExpressionAttributeNames: { "#g": "group" },
      ExpressionAttributeValues: { ":g": S("g") },
    };
    const all = await queryPages(server, { ...input, IndexName: "all" });
    expect(all.map(({ Count }) => Count)).toEqual([11, 11, 3]);
    const keys = await queryPages(server, { ...input, IndexName: "keys" });
    expect(keys.map(({ Count }) => Count)).toEqual([count]);
  });

  test("of a scan, of table and indexes", async () => {
    for (const IndexName of [undefined, "all", "local"]) {
      const all = await scanPages(server, { TableName, IndexName });
      expect(all.map(({ Count }) => Count)).toEqual([11, 11, 3]);
      expect(new Set(column(itemsOf(all), "sk"))).toEqual(new Set(numbers));
    }
  });

  test("of a scan, before its filter", async () => {
    const all = await scanPages(server, {
      TableName,
      FilterExpression: "sk >= :n",
      ExpressionAttributeValues: { ":n": N(20) },
    });
    expect(all.map(({ ScannedCount }) => ScannedCount)).toEqual([11, 11, 3]);
    expect(all.map(({ Count }) => Count)).toEqual([0, 2, 3]);
  });
});
