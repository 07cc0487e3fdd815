import {
  type ConsumedCapacity,
  DescribeTableCommand,
  type QueryCommandInput,
  type ScanCommandInput,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { type Item, putAll, query, S, scan } from "../reading.ts";

const server = useServer();

let TableName: string;
let scanned: string;

/** An item of exactly so many bytes. */
function sized(pk: string, sk: string, bytes: number): Item {
  const fixed = { pk: S(pk), sk: S(sk), gk: S(pk), lk: S(sk) };
  const overhead = 4 * 2 + 2 * pk.length + 2 * sk.length + "cargo".length;
  return { ...fixed, cargo: S("x".repeat(bytes - overhead)) };
}

const partitions: Record<string, number[]> = {
  one: [4096],
  over: [4097],
  sum: [2048, 2048],
  more: [2048, 2049],
  many: [3000, 3000, 3000, 3000],
  nine: [9 * 1024, 9 * 1024, 9 * 1024],
  small: [100, 100, 100],
};

beforeAll(async () => {
  const spec = {
    key: "pk:S sk:S",
    global: {
      gall: { hash: "gk:S", range: "sk:S" },
      gkeys: { hash: "gk:S", range: "sk:S", projection: { ProjectionType: "KEYS_ONLY" as const } },
    },
    local: {
      lall: { range: "lk:S" },
      lkeys: { range: "lk:S", projection: { ProjectionType: "KEYS_ONLY" as const } },
    },
  };
  TableName = await createTable(server, spec);
  for (const [pk, sizes] of Object.entries(partitions)) {
    await putAll(
      server,
      TableName,
      sizes.map((bytes, at) => sized(pk, `s${at}`, bytes)),
    );
  }
  // A provisioned table of this size is one partition, so that a scan rounds once.
  const provisioned = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
  scanned = await createTable(
    server,
    { key: "pk:S sk:S" },
    { BillingMode: "PROVISIONED", ProvisionedThroughput: provisioned },
  );
  await putAll(server, scanned, [
    sized("a", "s0", 4096),
    sized("b", "s0", 4096),
    sized("c", "s0", 100),
  ]);
});

const asked = (pk: string, more: Partial<QueryCommandInput> = {}): QueryCommandInput => ({
  TableName,
  KeyConditionExpression: more.IndexName?.startsWith("g") ? "gk = :p" : "pk = :p",
  ReturnConsumedCapacity: "INDEXES",
  ...more,
  ExpressionAttributeValues: { ":p": S(pk), ...more.ExpressionAttributeValues },
});

const consumed = async (input: QueryCommandInput): Promise<ConsumedCapacity | undefined> =>
  (await query(server, input)).ConsumedCapacity;

describe("a query of the table pays the bytes that it evaluates, rounded once", () => {
  test.each([
    ["nothing here", 0.5],
    ["one", 0.5],
    ["over", 1],
    ["sum", 0.5],
    ["more", 1],
    ["many", 1.5],
    ["nine", 3.5],
    ["small", 0.5],
  ])("partition %s: %d", async (pk, units) => {
    expect(await consumed(asked(pk))).toEqual({
      TableName,
      CapacityUnits: units,
      Table: { CapacityUnits: units },
    });
    expect(await consumed(asked(pk, { ConsistentRead: true }))).toEqual({
      TableName,
      CapacityUnits: units * 2,
      Table: { CapacityUnits: units * 2 },
    });
  });

  test.each<[string, Partial<QueryCommandInput>]>([
    [
      "a filter that lets nothing pass",
      {
        FilterExpression: "attribute_exists(nothing)",
      },
    ],
    ["a projection", { ProjectionExpression: "sk" }],
    ["a count", { Select: "COUNT" }],
    ["the other direction", { ScanIndexForward: false }],
  ])("%s makes it no cheaper", async (_, more) => {
    expect((await consumed(asked("many", more)))?.CapacityUnits).toBe(1.5);
  });

  test.each([
    [1, 0.5],
    [2, 1],
    [3, 1.5],
    [4, 1.5],
  ])("Limit %i does: %d", async (Limit, units) => {
    expect((await consumed(asked("many", { Limit })))?.CapacityUnits).toBe(units);
  });

  test("a narrower key condition does", async () => {
    const narrow = asked("many", {
      KeyConditionExpression: "pk = :p AND sk >= :s",
      ExpressionAttributeValues: { ":s": S("s3") },
    });
    expect((await consumed(narrow))?.CapacityUnits).toBe(0.5);
  });
});

describe("how it is reported", () => {
  test("TOTAL names the table and the sum", async () => {
    const total = await consumed(asked("over", { ReturnConsumedCapacity: "TOTAL" }));
    expect(total).toEqual({ TableName, CapacityUnits: 1 });
    const index = asked("over", { ReturnConsumedCapacity: "TOTAL", IndexName: "gall" });
    expect(await consumed(index)).toEqual({ TableName, CapacityUnits: 1 });
  });

  test("NONE and nothing report nothing", async () => {
    expect(await consumed(asked("one", { ReturnConsumedCapacity: "NONE" }))).toBeUndefined();
    expect(await consumed(asked("one", { ReturnConsumedCapacity: undefined }))).toBeUndefined();
    expect((await scan(server, { TableName })).ConsumedCapacity).toBeUndefined();
  });

  test("a table that was named by its ARN is reported so", async () => {
    const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
    const found = await consumed({ ...asked("one"), TableName: Table?.TableArn });
    expect(found?.TableName).toBe(Table?.TableArn);
  });
});

describe("a query of an index pays for its entries", () => {
  test.each([
    ["gall", "many", 1.5],
    ["gall", "over", 1],
    ["gall", "nothing", 0.5],
    ["gkeys", "many", 0.5],
    ["gkeys", "nine", 0.5],
  ])("global index %s, partition %s: %d", async (IndexName, pk, units) => {
    expect(await consumed(asked(pk, { IndexName }))).toEqual({
      TableName,
      CapacityUnits: units,
      Table: { CapacityUnits: 0 },
      GlobalSecondaryIndexes: { [IndexName]: { CapacityUnits: units } },
    });
  });

  test.each([
    ["lall", "many", 1.5],
    ["lall", "nothing", 0.5],
    ["lkeys", "many", 0.5],
  ])("local index %s, partition %s: %d", async (IndexName, pk, units) => {
    expect(await consumed(asked(pk, { IndexName }))).toEqual({
      TableName,
      CapacityUnits: units,
      Table: { CapacityUnits: 0 },
      LocalSecondaryIndexes: { [IndexName]: { CapacityUnits: units } },
    });
    expect(await consumed(asked(pk, { IndexName, ConsistentRead: true }))).toEqual({
      TableName,
      CapacityUnits: units * 2,
      Table: { CapacityUnits: 0 },
      LocalSecondaryIndexes: { [IndexName]: { CapacityUnits: units * 2 } },
    });
  });
});

describe("a local index that reads the table pays each item on its own", () => {
  test.each<[string, Partial<QueryCommandInput>, number]>([
    ["small", { Select: "ALL_ATTRIBUTES" }, 1.5],
    ["small", { ProjectionExpression: "cargo" }, 1.5],
    ["nine", { Select: "ALL_ATTRIBUTES" }, 4.5],
    ["one", { Select: "ALL_ATTRIBUTES" }, 0.5],
    ["over", { Select: "ALL_ATTRIBUTES" }, 1],
    ["nine", { Select: "ALL_ATTRIBUTES", Limit: 2 }, 3],
    ["nothing", { Select: "ALL_ATTRIBUTES" }, 0],
    ["nine", { ProjectionExpression: "sk, lk" }, 0],
    ["nine", { Select: "COUNT" }, 0],
    ["nine", { Select: "ALL_PROJECTED_ATTRIBUTES" }, 0],
  ])("partition %s, %j: %d", async (pk, more, units) => {
    for (const [ConsistentRead, factor] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const found = await consumed(asked(pk, { IndexName: "lkeys", ConsistentRead, ...more }));
      expect(found).toEqual({
        TableName,
        CapacityUnits: (0.5 + units) * factor,
        Table: { CapacityUnits: units * factor },
        LocalSecondaryIndexes: { lkeys: { CapacityUnits: 0.5 * factor } },
      });
    }
  });
});

describe("a scan", () => {
  const pay = async (more: Partial<ScanCommandInput>) =>
    (await scan(server, { TableName: scanned, ReturnConsumedCapacity: "INDEXES", ...more }))
      .ConsumedCapacity;

  test.each<[Partial<ScanCommandInput>, number]>([
    [{}, 1.5],
    [{ ConsistentRead: true }, 3],
    [{ Select: "COUNT" }, 1.5],
    [{ ProjectionExpression: "sk" }, 1.5],
    [{ FilterExpression: "attribute_exists(nothing)" }, 1.5],
  ])("%j: %d", async (more, units) => {
    expect(await pay(more)).toEqual({
      TableName: scanned,
      CapacityUnits: units,
      Table: { CapacityUnits: units },
    });
  });

  test.each([
    ["gall", "GlobalSecondaryIndexes"],
    ["lall", "LocalSecondaryIndexes"],
  ] as const)("of index %s is paid there", async (IndexName, arm) => {
    const found = await pay({ TableName, IndexName });
    expect(found?.Table).toEqual({ CapacityUnits: 0 });
    expect(found?.[arm]).toEqual({ [IndexName]: { CapacityUnits: found?.CapacityUnits } });
    expect(found?.CapacityUnits).toBeGreaterThan(6);
  });

  test("TOTAL names the table and the sum", async () => {
    const found = await pay({ ReturnConsumedCapacity: "TOTAL" });
    expect(found).toEqual({ TableName: scanned, CapacityUnits: 1.5 });
  });
});

test("a full page pays for the item that crosses 1 MB too", async () => {
  const table = await createTable(server, { key: "pk:S sk:S" });
  const sizes = Array.from({ length: 12 }, (_, n) => sized("p", `s${10 + n}`, 100 * 1024));
  for (let from = 0; from < sizes.length; from += 4) {
    await putAll(server, table, sizes.slice(from, from + 4));
  }
  const first = await query(server, { ...asked("p"), TableName: table });
  expect(first.Count).toBe(11);
  expect(first.ConsumedCapacity?.CapacityUnits).toBe((11 * 25) / 2);
});
