import { expect, test } from "vitest";
import { plain } from "../api/response-json.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Store } from "../storage/store.ts";
import { type Workbench, workbenchOn } from "../workbench/workbench.ts";

const caller = { account: "000000000000", region: "us-east-1" };

/** A store whose large scans, those of a backfill, wait for a gate. */
class GatedStore implements Store {
  readonly #inner: Store;
  gate: Promise<void> = Promise.resolve();
  /** Runs between a scan and what is made of it. */
  scanned: (() => Promise<void>) | undefined;

  constructor(inner: Store) {
    this.#inner = inner;
  }

  get: Store["get"] = (keys) => this.#inner.get(keys);
  commit: Store["commit"] = (keys, decide) => this.#inner.commit(keys, decide);
  totals: Store["totals"] = (counter) => this.#inner.totals(counter);
  dropTotals: Store["dropTotals"] = (counter) => this.#inner.dropTotals(counter);
  clear: Store["clear"] = (range) => this.#inner.clear(range);
  horizon: Store["horizon"] = () => this.#inner.horizon();

  scan: Store["scan"] = async (range, options) => {
    if (options.bytesMax !== 256 * 1024) return this.#inner.scan(range, options);
    await this.gate;
    const page = await this.#inner.scan(range, options);
    await this.scanned?.();
    return page;
  };

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function closedGate(store: GatedStore): () => void {
  let open = (): void => {};
  store.gate = new Promise((resolve) => {
    open = resolve;
  });
  return open;
}

async function tableWithItems(workbench: Workbench, items: number): Promise<void> {
  await workbench.execute(
    "CreateTable",
    {
      TableName: "Things",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    },
    caller,
  );
  for (let i = 0; i < items; i += 1) await put(workbench, i, i % 2 === 0 ? "even" : "odd");
}

function put(workbench: Workbench, i: number, g: string | undefined) {
  const Item = { pk: { S: String(i) }, ...(g !== undefined && { g: { S: g } }) };
  return workbench.execute("PutItem", { TableName: "Things", Item }, caller);
}

function addIndex(workbench: Workbench) {
  return workbench.execute(
    "UpdateTable",
    {
      TableName: "Things",
      AttributeDefinitions: [{ AttributeName: "g", AttributeType: "S" }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: "ByG",
            KeySchema: [{ AttributeName: "g", KeyType: "HASH" }],
            Projection: { ProjectionType: "ALL" },
          },
        },
      ],
    },
    caller,
  );
}

async function countOf(workbench: Workbench, g: string): Promise<number> {
  const answer = await workbench.execute(
    "Query",
    {
      TableName: "Things",
      IndexName: "ByG",
      KeyConditionExpression: "g = :g",
      ExpressionAttributeValues: { ":g": { S: g } },
      Select: "COUNT",
    },
    caller,
  );
  return (plain(answer) as { Count: number }).Count;
}

test("a backfill takes in what was there and misses nothing that changes meanwhile", async () => {
  const store = new GatedStore(openMemoryStore());
  const workbench = await workbenchOn(store);
  await tableWithItems(workbench, 250);
  const open = closedGate(store);
  await addIndex(workbench);
  await put(workbench, 0, "odd");
  await put(workbench, 1, undefined);
  await put(workbench, 1_000, "even");
  await workbench.execute("DeleteItem", { TableName: "Things", Key: { pk: { S: "2" } } }, caller);
  await expect(countOf(workbench, "even")).rejects.toThrow(/backfilling/);
  open();
  await workbench.idle();
  expect(await countOf(workbench, "even")).toBe(125 - 2 + 1);
  expect(await countOf(workbench, "odd")).toBe(125 - 1 + 1);
  expect((await workbench.verify()).problems).toEqual([]);
});

test("writes while a backfill is half done keep the counters exact", async () => {
  const store = new GatedStore(openMemoryStore());
  const workbench = await workbenchOn(store);
  await tableWithItems(workbench, 400);
  await addIndex(workbench);
  for (let round = 0; round < 4; round += 1) {
    const open = closedGate(store);
    for (let i = round; i < 400; i += 7) await put(workbench, i, `g${(i + round) % 3}`);
    open();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await workbench.idle();
  expect((await workbench.verify()).problems).toEqual([]);
});

test("an item that changes between a scan and its commit is left to its writer", async () => {
  const store = new GatedStore(openMemoryStore());
  const workbench = await workbenchOn(store);
  await tableWithItems(workbench, 3);
  store.scanned = async () => {
    store.scanned = undefined;
    await put(workbench, 0, "odd");
    await put(workbench, 1, undefined);
    await workbench.execute("DeleteItem", { TableName: "Things", Key: { pk: { S: "2" } } }, caller);
  };
  await addIndex(workbench);
  await workbench.idle();
  expect(await countOf(workbench, "even")).toBe(0);
  expect(await countOf(workbench, "odd")).toBe(1);
  expect((await workbench.verify()).problems).toEqual([]);
});

test("a table that is replaced while its last index is finished is left as it is", async () => {
  const store = new GatedStore(openMemoryStore());
  const workbench = await workbenchOn(store);
  await tableWithItems(workbench, 0);
  store.scanned = async () => {
    store.scanned = undefined;
    await workbench.execute(
      "UpdateTable",
      { TableName: "Things", GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "ByG" } }] },
      caller,
    );
  };
  await addIndex(workbench);
  await workbench.idle();
  await put(workbench, 1, "odd");
  await expect(countOf(workbench, "odd")).rejects.toThrow(/does not have the specified index/);
  expect((await workbench.verify()).problems).toEqual([]);
});

test("a backfill that was cut off goes on with the next process", async () => {
  const inner = openMemoryStore();
  const first = new GatedStore(inner);
  const before = await workbenchOn(first);
  await tableWithItems(before, 300);
  closedGate(first);
  await addIndex(before);
  const after = await workbenchOn(new GatedStore(inner));
  await after.idle();
  expect(await countOf(after, "odd")).toBe(150);
  expect((await after.verify()).problems).toEqual([]);
});

test("an index or table deleted during its backfill is gone for good", async () => {
  for (const [operation, request] of [
    ["DeleteTable", { TableName: "Things" }],
    [
      "UpdateTable",
      {
        TableName: "Things",
        GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "ByG" } }],
      },
    ],
  ] as const) {
    const store = new GatedStore(openMemoryStore());
    const workbench = await workbenchOn(store);
    await tableWithItems(workbench, 10);
    const open = closedGate(store);
    await addIndex(workbench);
    const deleted = await Promise.resolve(workbench.execute(operation, request, caller)).then(
      () => true,
      () => false,
    );
    open();
    await workbench.idle();
    if (deleted) await expect(countOf(workbench, "odd")).rejects.toThrow();
    expect((await workbench.verify()).problems).toEqual([]);
  }
});
