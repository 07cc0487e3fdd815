import { beforeEach, expect, test } from "vitest";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Store, Write } from "../storage/store.ts";
import { type Workbench, workbenchOn } from "../workbench/workbench.ts";
import { Catalog } from "./catalog.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { indexEntry } from "./index-entries.ts";
import { jobWrite } from "./jobs.ts";
import { itemAddress } from "./keys.ts";
import { collectionKey, counterName, queueKey } from "./layout.ts";
import { StoredItem } from "./stored-item.ts";
import { verify } from "./verify.ts";

const caller = { account: "000000000000", region: "us-east-1" };
const item = { pk: { S: "a" }, sk: { N: "1" }, g: { S: "x" }, l: { N: "7" } };

let store: Store;
let workbench: Workbench;
let table: TableDescriptor;

const write = (...writes: Write[]): Promise<void> =>
  store.commit([], () => ({ writes, result: undefined }));

const problems = async (): Promise<readonly string[]> => (await verify(store)).problems;

beforeEach(async () => {
  store = openMemoryStore();
  workbench = await workbenchOn(store);
  await workbench.execute(
    "CreateTable",
    {
      TableName: "Things",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "N" },
        { AttributeName: "g", AttributeType: "S" },
        { AttributeName: "l", AttributeType: "N" },
      ],
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "ByG",
          KeySchema: [{ AttributeName: "g", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: "ByL",
          KeySchema: [
            { AttributeName: "pk", KeyType: "HASH" },
            { AttributeName: "l", KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      ],
    },
    caller,
  );
  await workbench.execute("PutItem", { TableName: "Things", Item: { ...item } }, caller);
  [table] = (await new Catalog(store).all()) as [TableDescriptor];
});

const indexNamed = (name: string) => table.indexes.find((index) => index.name === name);

function entryIn(name: string) {
  const index = indexNamed(name);
  const entry = index === undefined ? undefined : indexEntry(table, index, item);
  if (entry === undefined) throw new Error(`no entry in ${name}`);
  return entry;
}

test("a sound store has no problems", async () => {
  expect(await verify(store)).toEqual({ tables: 1, items: 1, records: 0, problems: [] });
});

test("does not mind keys of a kind that it does not know", async () => {
  const unknown = Buffer.from([0xfe, 0, 0, 0, 1]);
  await write(
    { kind: "put", key: unknown, value: Buffer.from("no item") },
    { kind: "append", log: unknown, value: Buffer.from("no item either") },
  );
  expect(await verify(store)).toEqual({ tables: 1, items: 1, records: 0, problems: [] });
});

test("finds an entry missing in an index", async () => {
  await write({ kind: "delete", key: entryIn("ByG").key });
  expect(await problems()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Things: the item at .* is missing in index ByG\.$/),
    ]),
  );
});

test("finds an entry that differs from its item", async () => {
  const { key, item: entry, size } = entryIn("ByG");
  const changed = StoredItem.make({ ...entry, l: { N: "8" } }, size);
  await write({ kind: "put", key, value: changed.bytes });
  expect(await problems()).toEqual([
    expect.stringMatching(/^Things: index ByG differs from the item at .*\.$/),
  ]);
});

test("finds an entry that no item accounts for", async () => {
  await write({ kind: "delete", key: itemAddress(table, item).key });
  expect(await problems()).toContain("Things index ByG: 1 entries, but 0 items belong there.");
});

test("finds a wrong recorded size", async () => {
  const wrong = StoredItem.make(item, 999);
  await write({ kind: "put", key: itemAddress(table, item).key, value: wrong.bytes });
  expect(await problems()).toEqual(
    expect.arrayContaining([expect.stringMatching(/ bytes, but 999 are recorded\.$/)]),
  );
});

test("finds an item that lies under another item's key", async () => {
  const { key } = itemAddress(table, { ...item, sk: { N: "2" } });
  await write({ kind: "put", key, value: StoredItem.make(item, 12).bytes });
  expect(await problems()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Things: the item at .* belongs elsewhere\.$/)]),
  );
});

test("finds a value that is no item", async () => {
  await write({
    kind: "put",
    key: itemAddress(table, item).key,
    value: Buffer.from([1, 0, 0, 0, 0, 123]),
  });
  expect(await problems()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Things: the item at .* cannot be read: /)]),
  );
});

test("finds counters that are off", async () => {
  await write({ kind: "add", counter: counterName(table.id), count: 1, bytes: 5 });
  expect(await problems()).toEqual([
    expect.stringMatching(/^Things: 1 items of \d+ bytes, but 2 of \d+ bytes are counted\.$/),
  ]);
});

test("finds an item collection whose size is off or not recorded", async () => {
  const key = collectionKey(table.id, itemAddress(table, item).hash);
  const value = Buffer.alloc(8);
  value.writeDoubleLE(1);
  await write({ kind: "put", key, value });
  expect(await problems()).toEqual([expect.stringMatching(/bytes, but 1 are recorded\.$/)]);
  await write({ kind: "delete", key });
  expect(await problems()).toEqual([expect.stringMatching(/is not recorded\.$/)]);
});

const expiring = { ...item, ttl: { N: "4000000000" } };

async function enableTtl(): Promise<{ readonly queueId: number }> {
  await workbench.execute(
    "UpdateTimeToLive",
    { TableName: "Things", TimeToLiveSpecification: { Enabled: true, AttributeName: "ttl" } },
    caller,
  );
  await workbench.execute("PutItem", { TableName: "Things", Item: { ...expiring } }, caller);
  await workbench.idle();
  [table] = (await new Catalog(store).all()) as [TableDescriptor];
  expect(await problems()).toEqual([]);
  return table.timeToLive as { readonly queueId: number };
}

test("finds an item that is not queued for its end", async () => {
  const { queueId } = await enableTtl();
  const { key } = itemAddress(table, expiring);
  await write({ kind: "delete", key: queueKey(queueId, 4_000_000_000, key) });
  expect(await problems()).toEqual([
    expect.stringMatching(/^Things: the item at \w+ expires at 4000000000, but is not queued/),
  ]);
});

test("finds an item that is queued for another second than its end", async () => {
  const { queueId } = await enableTtl();
  const { key } = itemAddress(table, expiring);
  const value = Buffer.alloc(0);
  await write({ kind: "put", key: queueKey(queueId, 3_999_999_999, key), value });
  expect(await problems()).toEqual([
    expect.stringMatching(/^Things: the item at \w+ does not expire at 3999999999, but is queued/),
  ]);
});

test("finds an entry of the queue that leads to no item", async () => {
  const { queueId } = await enableTtl();
  const { key } = itemAddress(table, { ...item, pk: { S: "nobody" } });
  await write({ kind: "put", key: queueKey(queueId, 7, key), value: Buffer.alloc(0) });
  expect(await problems()).toEqual([expect.stringMatching(/does not expire at 7, but is queued/)]);
});

test("finds a queue that belongs to no table", async () => {
  await enableTtl();
  const { key } = itemAddress(table, item);
  for (const id of [77, 78]) {
    await write({ kind: "put", key: queueKey(id, 7, key), value: Buffer.alloc(0) });
  }
  expect(await problems()).toEqual([
    "The queue 77 of items that expire belongs to no table.",
    "The queue 78 of items that expire belongs to no table.",
  ]);
});

test("a queue that is being filled may lack items, and one that is being removed may be there", async () => {
  const { queueId } = await enableTtl();
  const { key } = itemAddress(table, expiring);
  const job = { namespace: table.namespace, table: table.name, tableId: table.id, queueId };
  await write(
    { kind: "delete", key: queueKey(queueId, 4_000_000_000, key) },
    { kind: "put", key: queueKey(77, 7, key), value: Buffer.alloc(0) },
    jobWrite(90, { kind: "fill-queue", ...job }),
    jobWrite(91, { kind: "clear", ids: [], queueId: 77 }),
  );
  expect(await problems()).toEqual([]);
});
