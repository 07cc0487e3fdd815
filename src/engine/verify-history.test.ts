import { beforeEach, expect, test } from "vitest";
import { logKey } from "../storage/log-keys.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Entry, KeyRange, Store, Write } from "../storage/store.ts";
import { type Workbench, workbenchOn } from "../workbench/workbench.ts";
import { type BackupRow, backupWrite, parseBackup } from "./backup-row.ts";
import { Catalog } from "./catalog.ts";
import type { TableDescriptor } from "./descriptor.ts";
import {
  allBackups,
  catalogKey,
  dataRange,
  historyMarkLog,
  undoOrderLog,
  undoOrderRange,
  undoRange,
} from "./layout.ts";
import { verify } from "./verify.ts";

const caller = { account: "000000000000", region: "us-east-1" };
const everything = { limit: 1_000, bytesMax: Number.MAX_SAFE_INTEGER };

let store: Store;
let workbench: Workbench;
let table: TableDescriptor;
let backup: BackupRow;

const run = (operation: string, request: object) =>
  workbench.execute(operation, { TableName: "Things", ...request }, caller);
const write = (...writes: Write[]): Promise<void> =>
  store.commit([], () => ({ writes, result: undefined }));
const entriesOf = async (range: KeyRange): Promise<readonly Entry[]> =>
  (await store.scan(range, everything)).entries;
const problems = async (): Promise<readonly string[]> => (await verify(store)).problems;

beforeEach(async () => {
  store = openMemoryStore();
  workbench = await workbenchOn(store);
  await run("CreateTable", {
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
  });
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await run("UpdateContinuousBackups", { PointInTimeRecoverySpecification });
  for (const pk of ["a", "b", "a", "b"]) {
    await run("PutItem", { Item: { pk: { S: pk }, n: { N: String(Math.random()) } } });
  }
  await run("CreateBackup", { BackupName: "nightly" });
  await workbench.idle();
  [table] = (await new Catalog(store).all()) as [TableDescriptor];
  const [row] = await entriesOf(allBackups);
  backup = parseBackup((row as Entry).value);
});

const historyId = () => table.history?.id ?? 0;

const change = (changed: TableDescriptor) =>
  write({
    kind: "put",
    key: catalogKey(table.namespace, table.name),
    value: Buffer.from(JSON.stringify(changed)),
  });

test("a sound history and a sound backup have no problems, also when the table is gone", async () => {
  expect(await entriesOf(undoRange(historyId()))).toHaveLength(4);
  expect(await problems()).toEqual([]);
  await run("DeleteTable", {});
  await workbench.idle();
  expect(await problems()).toEqual([]);
  expect(await entriesOf(undoRange(historyId()))).toEqual([]);
});

test("an old image that is lost", async () => {
  const [first] = await entriesOf(undoRange(historyId()));
  await write({ kind: "delete", key: (first as Entry).key });
  expect(await problems()).toEqual([
    "Things history: the changes of items and their order differ.",
  ]);
});

test("a change that is told of twice instead of another", async () => {
  const [first, second] = await entriesOf(undoOrderRange(historyId()));
  await write({ kind: "put", key: (second as Entry).key, value: (first as Entry).value });
  expect(await problems()).toEqual([
    "Things history: the changes of items and their order differ.",
  ]);
});

test("an old image of another item, and one that cannot be read", async () => {
  const images = (await entriesOf(undoRange(historyId()))).filter(({ value }) => value.length > 8);
  const [one, other] = images as [Entry, Entry];
  const mixed = Buffer.concat([one.value.subarray(0, 8), other.value.subarray(8)]);
  await write({ kind: "put", key: one.key, value: mixed });
  expect(await problems()).toEqual([
    expect.stringMatching(/^Things history: .* belongs elsewhere\.$/),
  ]);
  const broken = Buffer.concat([one.value.subarray(0, 8), Buffer.from([9, 9])]);
  await write({ kind: "put", key: one.key, value: broken });
  expect(await problems()).toEqual([expect.stringMatching(/cannot be read/)]);
});

test("a history of no table, and a mark of no job", async () => {
  await write(
    { kind: "put", key: logKey(undoOrderLog(9_999), 1), value: Buffer.alloc(8) },
    { kind: "put", key: logKey(historyMarkLog(9_998), 1), value: Buffer.alloc(0) },
  );
  expect(await problems()).toEqual([
    "The history 9999 belongs to no table.",
    "A history is marked for the job 9998, which is done.",
  ]);
});

test("a hold, and a restore, without a job", async () => {
  const history = { id: historyId(), holds: [9_997] };
  await change({ ...table, history });
  expect(await problems()).toEqual([
    "Things: its history is held for the job 9997, which is done.",
  ]);
  await change({ ...table, restore: { table: "Other", at: 0 } });
  expect(await problems()).toEqual(["Things: it is being restored, but no job does it."]);
});

test("a backup that lacks an item, one that nobody makes, one that nobody reads", async () => {
  const [item] = await entriesOf(dataRange(backup.dataId));
  await write({ kind: "delete", key: (item as Entry).key });
  expect(await problems()).toEqual([expect.stringMatching(/^backup .*: 1 items of .* but 2 of /)]);
  await write({ kind: "put", ...(item as Entry) });
  expect(await problems()).toEqual([]);
  await write(backupWrite({ ...backup, status: "CREATING" }));
  expect(await problems()).toEqual([expect.stringMatching(/being made, but no job does it/)]);
  await write(backupWrite({ ...backup, readers: [9_996] }));
  expect(await problems()).toEqual([expect.stringMatching(/read by the job 9996, which is done/)]);
});
