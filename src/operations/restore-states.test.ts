import { beforeEach, expect, test } from "vitest";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Bytes, Store } from "../storage/store.ts";
import { type Workbench, workbenchOn } from "../workbench/workbench.ts";
import { failure } from "./table-operations.test-support.ts";

const caller = { account: "000000000000", region: "us-east-1" };
const jobTag = 5;

/** Lets jobs that go on in chunks wait until they may. */
class HeldJobs {
  readonly store: Store;
  #gate: Promise<void> = Promise.resolve();
  #open: () => void = () => {};

  constructor(inner: Store) {
    const commit: Store["commit"] = async (readKeys, decide, shared) => {
      const isStep = readKeys.slice(0, 2).some((key: Bytes) => key[0] === jobTag);
      if (isStep) await this.#gate;
      return inner.commit(readKeys, decide, shared);
    };
    this.store = new Proxy(inner, {
      get: (target, name: keyof Store) => {
        if (name === "commit") return commit;
        const member = target[name];
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  }

  hold(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  release(): void {
    this.#open();
  }
}

type Answer = Record<string, Record<string, unknown>>;

let jobs: HeldJobs;
let workbench: Workbench;

const run = async (operation: string, request: object): Promise<Answer> =>
  (await workbench.execute(operation, structuredClone(request), caller)) as Answer;

const createThings = (name: string) =>
  run("CreateTable", {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "g", AttributeType: "S" },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: "byG",
        KeySchema: [{ AttributeName: "g", KeyType: "HASH" }],
        Projection: { ProjectionType: "ALL" },
      },
    ],
  });

const describe = async (name: string) =>
  (await run("DescribeTable", { TableName: name })).Table as Record<string, unknown>;

async function backup(): Promise<string> {
  const answer = await run("CreateBackup", { TableName: "Things", BackupName: "nightly" });
  return answer.BackupDetails?.BackupArn as string;
}

async function statusOf(arn: string): Promise<unknown> {
  const { BackupDescription: found } = await run("DescribeBackup", { BackupArn: arn });
  return (found?.BackupDetails as Record<string, unknown> | undefined)?.BackupStatus;
}

beforeEach(async () => {
  jobs = new HeldJobs(openMemoryStore());
  workbench = await workbenchOn(jobs.store, { pitrLag: 0 });
  await createThings("Things");
  await run("PutItem", { TableName: "Things", Item: { pk: { S: "a" }, g: { S: "x" } } });
});

test("while a table is being restored it can be described, and nothing else be done with it", async () => {
  const arn = await backup();
  await workbench.idle();
  jobs.hold();
  await run("RestoreTableFromBackup", { TargetTableName: "New", BackupArn: arn });
  const creating = await describe("New");
  expect(creating.TableStatus).toBe("CREATING");
  expect(creating.RestoreSummary).toMatchObject({ SourceBackupArn: arn, RestoreInProgress: true });
  expect((creating.GlobalSecondaryIndexes as object[])[0]).not.toHaveProperty("IndexStatus");
  expect((await run("ListTables", {})).TableNames).toEqual(["New", "Things"]);

  const TableName = "New";
  const notFound = "ResourceNotFoundException: Requested resource not found: Table: New not found";
  const TimeToLiveSpecification = { AttributeName: "ttl", Enabled: true };
  for (const [operation, more] of [
    ["UpdateTable", { DeletionProtectionEnabled: true }],
    ["DescribeTimeToLive", {}],
    ["UpdateTimeToLive", { TimeToLiveSpecification }],
    ["DescribeContributorInsights", {}],
  ] as const) {
    expect(await failure(run(operation, { TableName, ...more }))).toBe(notFound);
  }
  expect(await failure(run("GetItem", { TableName, Key: { pk: { S: "a" } } }))).toBe(
    "ResourceNotFoundException: Requested resource not found",
  );
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  for (const [operation, more] of [
    ["CreateBackup", { BackupName: "too-soon" }],
    ["DescribeContinuousBackups", {}],
    ["UpdateContinuousBackups", { PointInTimeRecoverySpecification }],
  ] as const) {
    expect(await failure(run(operation, { TableName, ...more }))).toBe(
      "TableNotFoundException: Table not found: New",
    );
  }
  expect(await failure(run("DeleteTable", { TableName }))).toMatch(/^ResourceInUseException: /);
  expect(await failure(createThings("New"))).toBe(
    "ResourceInUseException: Table is being used: New",
  );
  expect(
    await failure(run("RestoreTableFromBackup", { TargetTableName: "New", BackupArn: arn })),
  ).toBe(`TableInUseException: Table: New is already being restored from backup: ${arn}`);
  expect(
    await failure(run("RestoreTableFromBackup", { TargetTableName: "Other", BackupArn: arn })),
  ).toBe(`BackupInUseException: Backup is being used to restore another table: ${arn}`);
  expect(await failure(run("DeleteBackup", { BackupArn: arn }))).toBe(
    `BackupInUseException: Backup is being used to restore table: ${arn}`,
  );
  expect(await statusOf(arn)).toBe("AVAILABLE");

  jobs.release();
  await workbench.idle();
  const active = await describe("New");
  expect([active.TableStatus, active.ItemCount]).toEqual(["ACTIVE", 1]);
  expect(active).not.toHaveProperty("RestoreSummary");
  await run("DeleteBackup", { BackupArn: arn });
  await run("DeleteTable", { TableName });
  expect((await workbench.verify()).problems).toEqual([]);
});

test("a backup that is being made can neither be restored nor deleted", async () => {
  jobs.hold();
  const arn = await backup();
  expect(await statusOf(arn)).toBe("CREATING");
  expect(await failure(run("DeleteBackup", { BackupArn: arn }))).toMatch(/^BackupInUseException/);
  expect(
    await failure(run("RestoreTableFromBackup", { TargetTableName: "New", BackupArn: arn })),
  ).toMatch(/^BackupInUseException/);
  jobs.release();
  await workbench.idle();
  expect(await statusOf(arn)).toBe("AVAILABLE");
});

/** So many that a copy takes several steps, of which the first has read its items when it is held. */
async function fill(): Promise<number> {
  const count = 700;
  for (let i = 0; i < count; i += 25) {
    const puts = Array.from({ length: 25 }, (_, j) => ({
      PutRequest: { Item: { pk: { S: `${i + j}` }, g: { S: "before" } } },
    }));
    await run("BatchWriteItem", { RequestItems: { Things: puts } });
  }
  return count + 1;
}

/** How many items of a table say so in its index. */
async function countOf(TableName: string, value: string): Promise<unknown> {
  const { Count } = await run("Query", {
    TableName,
    IndexName: "byG",
    KeyConditionExpression: "g = :g",
    ExpressionAttributeValues: { ":g": { S: value } },
  });
  return Count;
}

test("what is written between the steps of a copy is not part of it", async () => {
  const count = await fill();
  jobs.hold();
  const arn = await backup();
  for (let i = 0; i < 700; i += 1) {
    const Key = { pk: { S: `${i}` } };
    if (i % 3 === 0) await run("DeleteItem", { TableName: "Things", Key });
    else await run("PutItem", { TableName: "Things", Item: { ...Key, g: { S: "after" } } });
  }
  await run("PutItem", { TableName: "Things", Item: { pk: { S: "later" } } });
  jobs.release();
  await workbench.idle();
  await run("RestoreTableFromBackup", { TargetTableName: "New", BackupArn: arn });
  await workbench.idle();
  expect((await describe("New")).ItemCount).toBe(count);
  expect([await countOf("New", "before"), await countOf("New", "after")]).toEqual([700, 0]);
  expect((await workbench.verify()).problems).toEqual([]);
});

test("a table that is deleted while it is copied is copied whole, and then cleared", async () => {
  const count = await fill();
  jobs.hold();
  const arn = await backup();
  await run("PutItem", { TableName: "Things", Item: { pk: { S: "later" } } });
  await run("DeleteTable", { TableName: "Things" });
  jobs.release();
  await workbench.idle();
  await run("RestoreTableFromBackup", { TargetTableName: "New", BackupArn: arn });
  await workbench.idle();
  expect((await describe("New")).ItemCount).toBe(count);
  expect((await workbench.verify()).problems).toEqual([]);
});

test("two processes that are at the same copy, and the same restore, do each step once", async () => {
  const count = await fill();
  jobs.hold();
  const arn = await backup();
  // Takes up all jobs that it finds.
  const other = await workbenchOn(jobs.store, { pitrLag: 0 });
  jobs.release();
  await Promise.all([workbench.idle(), other.idle()]);
  jobs.hold();
  await run("RestoreTableFromBackup", { TargetTableName: "New", BackupArn: arn });
  const third = await workbenchOn(jobs.store, { pitrLag: 0 });
  jobs.release();
  await Promise.all([workbench.idle(), third.idle()]);
  expect((await describe("New")).ItemCount).toBe(count);
  expect(await statusOf(arn)).toBe("AVAILABLE");
  expect((await workbench.verify()).problems).toEqual([]);
});

test("a table that was deleted is still restored from its past", async () => {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await run("UpdateContinuousBackups", { TableName: "Things", PointInTimeRecoverySpecification });
  jobs.hold();
  const SourceTableName = "Things";
  const UseLatestRestorableTime = true;
  await run("RestoreTableToPointInTime", {
    SourceTableName,
    TargetTableName: "New",
    UseLatestRestorableTime,
  });
  await run("DeleteItem", { TableName: "Things", Key: { pk: { S: "a" } } });
  await run("DeleteTable", { TableName: "Things" });
  expect(
    await failure(
      run("RestoreTableToPointInTime", {
        SourceTableName,
        TargetTableName: "Newer",
        UseLatestRestorableTime,
      }),
    ),
  ).toBe("TableNotFoundException: Table not found: Things");
  jobs.release();
  await workbench.idle();
  expect((await describe("New")).ItemCount).toBe(1);
  expect((await workbench.verify()).problems).toEqual([]);
});

test("no more than fifty restores go on at a time", async () => {
  const arns: string[] = [];
  for (let i = 0; i < 51; i += 1) arns.push(await backup());
  await workbench.idle();
  jobs.hold();
  const restore = (i: number) =>
    run("RestoreTableFromBackup", { TargetTableName: `New-${i}`, BackupArn: arns[i] });
  for (let i = 0; i < 50; i += 1) await restore(i);
  expect(await failure(restore(50))).toBe(
    "LimitExceededException: Subscriber limit exceeded: " +
      "Only 50 restore operations can be done simultaneously",
  );
  jobs.release();
  await workbench.idle();
  await restore(50);
  await workbench.idle();
});

test("a restore that finds its name taken lets go of the backup", async () => {
  const arns = [await backup(), await backup()];
  await workbench.idle();
  const both = arns.map((BackupArn) =>
    failure(run("RestoreTableFromBackup", { TargetTableName: "New", BackupArn })),
  );
  expect((await Promise.all(both)).toSorted()).toEqual([
    expect.stringMatching(/^TableInUseException: Table: New is already being restored from backup/),
    "no error",
  ]);
  await workbench.idle();
  for (const BackupArn of arns) await run("DeleteBackup", { BackupArn });
  expect((await workbench.verify()).problems).toEqual([]);
});
