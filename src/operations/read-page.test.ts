import { afterEach, beforeEach, expect, test } from "vitest";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { itemAddress } from "../engine/keys.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Bytes } from "../storage/store.ts";
import { Metrics } from "../traffic/metrics.ts";
import { Traffic } from "../traffic/traffic.ts";
import { createTable } from "./create-table.ts";
import { putItem } from "./put-item.ts";
import { query } from "./query.ts";
import { scan } from "./scan.ts";
import {
  type Bench,
  define,
  hash,
  openBench,
  range,
  run,
} from "./table-operations.test-support.ts";

interface Told {
  readonly operation: string;
  readonly key: string;
  readonly item: Item;
  readonly units: number;
}

let bench: Bench;
let told: Told[];

/** Remembers what it is told of reads. */
class Remembering extends Traffic {
  override read(...[, operation, , , key, item, units]: Parameters<Traffic["read"]>): void {
    told.push({ operation, key: text(key), item, units });
  }
}

const text = (key: Bytes): string => Buffer.from(key).toString("hex");
const row = (sk: string): Item => ({
  pk: { S: "a" },
  sk: { S: sk },
  rank: { S: `rank ${sk}` },
  text: { S: "x".repeat(5_000) },
});

beforeEach(async () => {
  told = [];
  const opened = await openBench();
  const traffic = new Remembering({
    metrics: new Metrics(),
    keys: opened.context.insights,
    enforcement: undefined,
    elapsed: () => 0,
  });
  bench = { ...opened, context: { ...opened.context, traffic } };
  await run(bench, createTable, {
    TableName: "Pages",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [hash("pk"), range("sk")],
    AttributeDefinitions: define("pk sk rank"),
    LocalSecondaryIndexes: [
      {
        IndexName: "by-rank",
        KeySchema: [hash("pk"), range("rank")],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ],
  });
  for (const sk of ["1", "2", "3"]) {
    await run(bench, putItem, { TableName: "Pages", Item: row(sk) });
  }
});
afterEach(() => bench.database.close());

const ask = {
  TableName: "Pages",
  KeyConditionExpression: "pk = :pk",
  ExpressionAttributeValues: { ":pk": { S: "a" } },
};

async function address(sk: string): Promise<string> {
  const table = (await bench.database.table("main", "Pages")) as TableDescriptor;
  return text(itemAddress(table, row(sk)).key);
}

test("a page is told with the place of its first item", async () => {
  await run(bench, query, ask);
  await run(bench, query, { ...ask, ScanIndexForward: false, Limit: 1 });
  await run(bench, query, {
    ...ask,
    ExclusiveStartKey: { pk: { S: "a" }, sk: { S: "1" } },
  });
  await run(bench, scan, { TableName: "Pages" });
  expect(told.map(({ operation, key }) => [operation, key])).toEqual([
    ["Query", await address("1")],
    ["Query", await address("3")],
    ["Query", await address("2")],
    ["Scan", await address("1")],
  ]);
});

test("an empty page is told with the place where it looked", async () => {
  await run(bench, query, { ...ask, ExpressionAttributeValues: { ":pk": { S: "b" } } });
  const table = (await bench.database.table("main", "Pages")) as TableDescriptor;
  const { hash: place } = itemAddress(table, { ...row("1"), pk: { S: "b" } });
  expect(told[0]?.key).toContain(text(place));
  expect(told[0]?.units).toBe(0.5);
});

test("a query is told with its partition key, a scan without any", async () => {
  await run(bench, query, ask);
  await run(bench, scan, { TableName: "Pages" });
  expect(told.map(({ item }) => ({ ...item }))).toEqual([{ pk: { S: "a" } }, {}]);
});

test("what a local index lacks is paid for item by item", async () => {
  const all = { ...ask, IndexName: "by-rank", ConsistentRead: true };
  await run(bench, query, all);
  await run(bench, query, { ...all, Select: "ALL_ATTRIBUTES" });
  expect(told.map(({ units }) => units)).toEqual([1, 1 + 3 * 2]);
});
