import { beforeEach, expect, test } from "vitest";
import { logKey } from "../storage/log-keys.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Entry, Store, Write } from "../storage/store.ts";
import { type Workbench, workbenchOn } from "../workbench/workbench.ts";
import { Catalog } from "./catalog.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { allLogs, catalogKey, logName, placeOfLogKey, shardKey, streamKey } from "./layout.ts";
import type { ClosedShard, StreamDescriptor } from "./stream-descriptor.ts";
import { mark } from "./stream-record.ts";
import { verify } from "./verify.ts";

const caller = { account: "000000000000", region: "us-east-1" };
const namespace = "000000000000/us-east-1";

let store: Store;
let workbench: Workbench;
let table: TableDescriptor;
let stream: StreamDescriptor;

beforeEach(async () => {
  store = openMemoryStore();
  workbench = await workbenchOn(store);
  await workbench.execute(
    "CreateTable",
    {
      TableName: "Things",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    },
    caller,
  );
  for (const pk of ["a", "b", "c"]) await put(pk);
  [table] = (await new Catalog(store).all()) as [TableDescriptor];
  stream = table.stream as StreamDescriptor;
});

const put = (pk: string) =>
  workbench.execute("PutItem", { TableName: "Things", Item: { pk: { S: pk } } }, caller);
const write = (...writes: Write[]): Promise<void> =>
  store.commit([], () => ({ writes, result: undefined }));
const problems = async (): Promise<readonly string[]> => (await verify(store)).problems;

async function logs(): Promise<readonly Entry[]> {
  return (await store.scan(allLogs, { limit: 1_000, bytesMax: Number.MAX_SAFE_INTEGER })).entries;
}

/** A record, wherever it lies. */
async function aRecord(): Promise<Entry> {
  return (await logs()).find(({ value }) => value[0] === 1) as Entry;
}

test("sound streams have no problems, also when shards were split and the table is gone", async () => {
  expect(await verify(store)).toEqual({ tables: 1, items: 3, records: 3, problems: [] });
  await workbench.splitShard("Things", stream.shards[0]?.id as string, caller);
  for (const pk of ["d", "e", "f", "g"]) await put(pk);
  expect(await verify(store)).toEqual({ tables: 1, items: 7, records: 7, problems: [] });
  await workbench.execute("DeleteTable", { TableName: "Things" }, caller);
  await workbench.idle();
  expect(await verify(store)).toEqual({ tables: 0, items: 0, records: 7, problems: [] });
});

test("finds a log of no stream", async () => {
  await write({ kind: "append", log: logName(9_999, 0), value: mark("opened", 0) });
  expect(await problems()).toEqual(["The log 9999/0 belongs to no stream."]);
});

test("finds a log of no shard", async () => {
  await write({ kind: "append", log: logName(stream.id, 77), value: mark("opened", 0) });
  expect(await problems()).toEqual([
    `Things: stream ${stream.label}: the log ${stream.id}/77 belongs to no shard.`,
  ]);
});

test("finds a shard without a log", async () => {
  const { key } = (await logs())[0] as Entry;
  const { shard } = placeOfLogKey(key);
  const own = (await logs()).filter((entry) => placeOfLogKey(entry.key).shard === shard);
  await write(...own.map((entry): Write => ({ kind: "delete", key: entry.key })));
  expect(await problems()).toEqual([
    expect.stringMatching(/^Things: stream .*: shard shardId-.* has no log\.$/),
  ]);
});

test("finds a record that cannot be read", async () => {
  const { key, value } = await aRecord();
  await write({ kind: "put", key, value: value.subarray(0, value.length - 1) });
  expect(await problems()).toEqual([expect.stringMatching(/entry \d+ of .* cannot be read: /)]);
});

test("finds a record with an image that is no item", async () => {
  const { key, value } = await aRecord();
  const broken = Buffer.from(value);
  broken[broken.length - 1] = 0x20;
  await write({ kind: "put", key, value: broken });
  expect(await problems()).toEqual([expect.stringMatching(/entry \d+ of .* cannot be read: /)]);
});

test("finds a record in another shard than its item's", async () => {
  const { key, value } = await aRecord();
  const { shard, number } = placeOfLogKey(key);
  const other = stream.shards.find((one) => one.number !== shard)?.number as number;
  await write(
    { kind: "delete", key },
    { kind: "put", key: logKey(logName(stream.id, other), number + 1_000), value },
  );
  expect(await problems()).toEqual([expect.stringMatching(/ is of another shard\.$/)]);
});

test("finds a record of the wrong size", async () => {
  const { key, value } = await aRecord();
  const wrong = Buffer.from(value);
  wrong.writeUInt32BE(1, 10);
  await write({ kind: "put", key, value: wrong });
  expect(await problems()).toEqual([expect.stringMatching(/ is not of 1 bytes\.$/)]);
});

test("finds a record behind the end of its shard", async () => {
  const { key, value } = await aRecord();
  const { shard, number } = placeOfLogKey(key);
  const { id } = stream.shards.find((one) => one.number === shard) as { id: string };
  await workbench.splitShard("Things", id, caller);
  const late = logKey(logName(stream.id, shard), number + 1_000);
  await write({ kind: "put", key: late, value });
  expect(await problems()).toEqual([expect.stringMatching(/ is behind the end of the shard\.$/)]);
});

test("finds a closed shard whose log is not", async () => {
  const [shard] = stream.shards as [StreamDescriptor["shards"][number]];
  await workbench.splitShard("Things", shard.id, caller);
  const last = (await logs()).findLast((entry) => placeOfLogKey(entry.key).shard === shard.number);
  await write({ kind: "delete", key: (last as Entry).key });
  expect(await problems()).toEqual([expect.stringMatching(/ is closed, but its log is not\.$/)]);
});

test("does not mind a log that is being cleared", async () => {
  const [shard] = stream.shards as [StreamDescriptor["shards"][number]];
  await workbench.splitShard("Things", shard.id, caller);
  const key = shardKey(stream.id, shard.number);
  const [row] = await store.get([key]);
  const closed = JSON.parse(Buffer.from(row as Uint8Array).toString()) as ClosedShard;
  const own = (await logs()).filter((entry) => placeOfLogKey(entry.key).shard === shard.number);
  await write(
    { kind: "put", key, value: Buffer.from(JSON.stringify({ ...closed, dropped: true })) },
    ...own.slice(0, 1).map((entry): Write => ({ kind: "delete", key: entry.key })),
  );
  expect(await problems()).toEqual([]);
});

test("finds a stream that is not listed", async () => {
  await write({ kind: "delete", key: streamKey(namespace, "Things", stream.label) });
  expect(await problems()).toContain(`Things: its stream ${stream.label} is not listed.`);
});

test("finds a stream that is on without a table", async () => {
  const { stream: _, ...rest } = table;
  const value = Buffer.from(JSON.stringify(rest));
  await write({ kind: "put", key: catalogKey(namespace, "Things"), value });
  expect(await problems()).toContain(
    `Things: stream ${stream.label} is not disabled, but no table has it.`,
  );
});

test("finds shards that do not hold all hashes", async () => {
  const value = Buffer.from(
    JSON.stringify({ ...table, stream: { ...stream, shards: stream.shards.slice(1) } }),
  );
  await write({ kind: "put", key: catalogKey(namespace, "Things"), value });
  expect(await problems()).toContain(
    `Things: stream ${stream.label}: no shard holds the first hashes.`,
  );
});
