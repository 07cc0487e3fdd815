import { expect, test } from "vitest";
import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import type { Store } from "../../src/storage/store.ts";
import { type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";
import { long } from "../simulation/settings.ts";
import { type Fault, FaultyStore } from "../storage/faulty-store.ts";

const caller = { account: "000000000000", region: "us-east-1" };
/** More than one step of a copy takes. */
const count = 300;

type Answer = Readonly<Record<string, unknown>>;

const run = async (bench: Workbench, operation: string, request: object): Promise<Answer> =>
  plain((await bench.execute(operation, request, caller)) ?? {}) as Answer;

const open = (store: Store) => workbenchOn(store, { pitrLag: 0, clock: new ManualClock() });

async function filled(): Promise<Store> {
  const store = openMemoryStore();
  const bench = await open(store);
  await run(bench, "CreateTable", {
    TableName: "Source",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
  });
  for (let i = 0; i < count; i += 25) {
    const puts = Array.from({ length: 25 }, (_, j) => ({
      PutRequest: { Item: { pk: { S: `${i + j}` } } },
    }));
    await run(bench, "BatchWriteItem", { RequestItems: { Source: puts } });
  }
  await run(bench, "UpdateContinuousBackups", {
    TableName: "Source",
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  await bench.idle();
  return store;
}

/** All that can be done with backups; what fails is left at that. */
async function useBackups(bench: Workbench): Promise<void> {
  const attempt = (operation: string, request: object): Promise<Answer | undefined> =>
    run(bench, operation, request).catch(() => undefined);
  const made = await attempt("CreateBackup", { TableName: "Source", BackupName: "nightly" });
  await attempt("PutItem", { TableName: "Source", Item: { pk: { S: "later" } } });
  await attempt("RestoreTableToPointInTime", {
    SourceTableName: "Source",
    TargetTableName: "Moment",
    UseLatestRestorableTime: true,
  });
  await attempt("DeleteItem", { TableName: "Source", Key: { pk: { S: "later" } } });
  await bench.idle().catch(() => {});
  const BackupArn = (made?.BackupDetails as Answer | undefined)?.BackupArn;
  if (BackupArn !== undefined) {
    await attempt("RestoreTableFromBackup", { BackupArn, TargetTableName: "Copy" });
    await bench.idle().catch(() => {});
    await attempt("DeleteBackup", { BackupArn });
  }
  await bench.idle().catch(() => {});
}

async function itemsOf(bench: Workbench, TableName: string): Promise<unknown> {
  const { Table } = await run(bench, "DescribeTable", { TableName });
  const { TableStatus, ItemCount } = Table as Answer;
  expect(TableStatus, TableName).toBe("ACTIVE");
  const { Count } = await run(bench, "Scan", { TableName });
  expect(ItemCount, TableName).toBe(Count);
  return Count;
}

/** The table is whole, and what was made of it is whole or not there. */
async function check(bench: Workbench): Promise<void> {
  await bench.idle();
  expect((await bench.verify()).problems).toEqual([]);
  // The item that came and went may have failed to do either.
  expect([count, count + 1]).toContain(await itemsOf(bench, "Source"));
  const { TableNames } = await run(bench, "ListTables", {});
  for (const name of TableNames as string[]) {
    if (name === "Copy") expect(await itemsOf(bench, name)).toBe(count);
    if (name === "Moment") expect([count, count + 1]).toContain(await itemsOf(bench, name));
  }
  const { BackupSummaries } = await run(bench, "ListBackups", {});
  for (const [i, { BackupArn, BackupStatus }] of (BackupSummaries as Answer[]).entries()) {
    expect(BackupStatus).toBe("AVAILABLE");
    await run(bench, "RestoreTableFromBackup", { BackupArn, TargetTableName: `Check-${i}` });
    await bench.idle();
    expect(await itemsOf(bench, `Check-${i}`)).toBe(count);
  }
  // Nothing is held for anybody who is gone.
  await run(bench, "DeleteTable", { TableName: "Source" });
  await bench.idle();
  expect((await bench.verify()).problems).toEqual([]);
}

async function callsOf(): Promise<number> {
  const store = new FaultyStore(await filled(), () => undefined);
  await useBackups(await open(store));
  return store.calls;
}

/** Every call takes a while; in turn they are all tried. */
const every = long ? 1 : 4;

test.each<readonly [Fault["do"], Fault, number]>([
  ["fail", { do: "fail" }, 1],
  ["lose", { do: "lose" }, 2],
  ["die", { do: "die" }, 3],
])(
  "whatever call of the store meets %s, tables and backups are whole or not there",
  { timeout: 120_000 },
  async (_, fault, first) => {
    const calls = await callsOf();
    expect(calls).toBeGreaterThan(50);
    for (let nth = long ? 1 : first; nth <= calls; nth += every) {
      const inner = await filled();
      const store = new FaultyStore(inner, ({ number }) => (number === nth ? fault : undefined));
      try {
        const opening = open(store).catch(() => undefined);
        const bench = await Promise.race([opening, store.death.then(() => undefined)]);
        if (bench !== undefined) await Promise.race([useBackups(bench), store.death]);
        // Without a death the same process goes on, else another one does.
        await check(fault.do === "die" || bench === undefined ? await open(inner) : bench);
      } catch (error) {
        throw new Error(`call ${nth} of ${calls}: ${(error as Error).message}`, { cause: error });
      }
    }
  },
);
