import { expect, test } from "vitest";
import type { IndexDescriptor } from "../engine/descriptor.ts";
import { dataKey, dataRange } from "../engine/layout.ts";
import { StoredItem } from "../engine/stored-item.ts";
import { itemSize } from "../item/size.ts";
import { createTable } from "./create-table.ts";
import { deleteTable } from "./delete-table.ts";
import { describeTable } from "./describe-table.ts";
import {
  type Answer,
  type Bench,
  define,
  failure,
  hash,
  openBench,
  range,
  run,
  start,
  units,
} from "./table-operations.test-support.ts";
import { updateTable } from "./update-table.ts";

const all = { ProjectionType: "ALL" };
const invalid = "ValidationException: One or more parameter values were invalid: ";
const hour = 60 * 60 * 1_000;
const day = 24 * hour;

const index = (IndexName: string, key = "c", more: object = {}) => ({
  IndexName,
  KeySchema: [hash(key)],
  Projection: all,
  ...more,
});

/** `abc` is on-demand, `pro` provisioned; both have the key `a` and the indexes `loc` and `glo`. */
async function openTables(options: Parameters<typeof openBench>[0] = {}): Promise<Bench> {
  const bench = await openBench(options);
  const common = {
    AttributeDefinitions: define("a b c:N"),
    KeySchema: [hash("a"), range("b")],
    LocalSecondaryIndexes: [{ ...index("loc"), KeySchema: [hash("a"), range("c")] }],
  };
  await run(bench, createTable, {
    ...common,
    TableName: "abc",
    BillingMode: "PAY_PER_REQUEST",
    GlobalSecondaryIndexes: [index("glo")],
  });
  await run(bench, createTable, {
    ...common,
    TableName: "pro",
    ProvisionedThroughput: units(10, 20),
    GlobalSecondaryIndexes: [index("glo", "c", { ProvisionedThroughput: units(3) })],
  });
  return bench;
}

const update = (bench: Bench, TableName: string, change: object) =>
  run(bench, updateTable, { TableName, ...change });
const describe = async (bench: Bench, TableName: string) =>
  (await run(bench, describeTable, { TableName })).Table ?? {};
const globals = (description: Record<string, unknown> | undefined) =>
  (description?.GlobalSecondaryIndexes ?? []) as Record<string, unknown>[];
const shown = (answer: Answer) => answer.TableDescription;

const create = (name: string, more: object = {}) => ({
  AttributeDefinitions: define("d"),
  GlobalSecondaryIndexUpdates: [{ Create: index(name, "d", more) }],
});
const change = (...updates: object[]) => ({ GlobalSecondaryIndexUpdates: updates });
const remove = (IndexName: string) => change({ Delete: { IndexName } });
const alter = (IndexName: string, more: object) => change({ Update: { IndexName, ...more } });

const nothing =
  "ValidationException: At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, " +
  "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, " +
  "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, " +
  "WarmThroughput or TableClass is required";
const noAction =
  `${invalid}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, ` +
  "GlobalSecondaryIndexUpdate.Delete must not be null";
const withOnDemand =
  `${invalid}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode ` +
  "is PAY_PER_REQUEST";
const oneAtATime =
  "LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or " +
  "deleted simultaneously per table";
const blocked =
  "ValidationException: This operation cannot be performed with given input values. Please " +
  "contact DynamoDB service team for more info: Action Blocked: IndexUpdate";
const guide =
  "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.";

type Case = readonly [what: string, table: string, change: object, message: string];

const cases: readonly Case[] = [
  ["nothing", "nothing", {}, nothing],
  ["no index updates", "nothing", change(), nothing],
  ["definitions only", "nothing", { AttributeDefinitions: define("a") }, nothing],
  ["empty on-demand limits", "abc", { OnDemandThroughput: {} }, nothing],
  [
    "provisioned without units",
    "nothing",
    { BillingMode: "PROVISIONED" },
    `${invalid}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`,
  ],
  [
    "too many read units",
    "nothing",
    { ProvisionedThroughput: units(1_000_000_000_001) },
    "ValidationException: Given value 1000000000001 for ReadCapacityUnits is out of bounds",
  ],
  [
    "too many write units",
    "nothing",
    { ProvisionedThroughput: units(1_000_000_000_000, 1_000_000_000_001) },
    "ValidationException: Given value 1000000000001 for WriteCapacityUnits is out of bounds",
  ],
  ["an empty index update", "nothing", change({}), noAction],
  ["six empty index updates", "nothing", change({}, {}, {}, {}, {}, {}), noAction],
  [
    "one index twice",
    "nothing",
    change({ Delete: { IndexName: "abc" } }, { Delete: { IndexName: "abc" } }),
    `${invalid}Only one global secondary index update per index is allowed simultaneously. Index: abc`,
  ],
  [
    "two actions in one update",
    "nothing",
    change({ Delete: { IndexName: "abc" }, Create: index("abd") }),
    `${invalid}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object`,
  ],
  [
    "no such table",
    "nothing",
    alter("abc", { ProvisionedThroughput: units(1_000_000_000_001) }),
    "ResourceNotFoundException: Requested resource not found: Table: nothing not found",
  ],
  // Throughput
  ["units of an on-demand table", "abc", { ProvisionedThroughput: units(1) }, withOnDemand],
  [
    "units of a table that becomes on-demand",
    "pro",
    { BillingMode: "PAY_PER_REQUEST", ProvisionedThroughput: units(1) },
    `${invalid}ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST`,
  ],
  [
    "the same units",
    "pro",
    { ProvisionedThroughput: units(10, 20) },
    "ValidationException: The provisioned throughput for the table will not change. The requested " +
      "value equals the current value. Current ReadCapacityUnits provisioned for the table: 10. " +
      "Requested ReadCapacityUnits: 10. Current WriteCapacityUnits provisioned for the table: 20. " +
      `Requested WriteCapacityUnits: 20. ${guide}`,
  ],
  [
    "the same units of an index",
    "pro",
    alter("glo", { ProvisionedThroughput: units(3) }),
    "ValidationException: The provisioned throughput for the index glo will not change. The " +
      "requested value equals the current value. Current ReadCapacityUnits provisioned for the " +
      "index: 3. Requested ReadCapacityUnits: 3. Current WriteCapacityUnits provisioned for the " +
      `index: 3. Requested WriteCapacityUnits: 3. ${guide}`,
  ],
  [
    "provisioned without units of an index",
    "abc",
    { BillingMode: "PROVISIONED", ProvisionedThroughput: units(1) },
    `${invalid}ProvisionedThroughput must be specified for index: glo`,
  ],
  [
    "index units of an on-demand table",
    "abc",
    alter("glo", { ProvisionedThroughput: units(1) }),
    `${invalid}The only Updates for index: glo when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput`,
  ],
  ["too many index units", "pro", alter("glo", { ProvisionedThroughput: units(2e12) }), blocked],
  [
    "too many units of an index that is not there",
    "pro",
    alter("abc", { ProvisionedThroughput: units(1, 2e12) }),
    blocked,
  ],
  [
    "units of an index that is not there",
    "pro",
    alter("abc", { ProvisionedThroughput: units(1) }),
    "ResourceNotFoundException: Requested resource not found: Index abc for table pro",
  ],
  [
    "units of a local index",
    "pro",
    alter("loc", { ProvisionedThroughput: units(1) }),
    "ValidationException: Cannot update an index that is not a GlobalSecondaryIndex: loc",
  ],
  [
    "an index update that says nothing",
    "pro",
    alter("glo", {}),
    `${invalid}ProvisionedThroughput must be specified for index: glo`,
  ],
  [
    "on-demand limits of a provisioned table",
    "pro",
    { OnDemandThroughput: { MaxReadRequestUnits: 0, MaxWriteRequestUnits: 1 } },
    `${invalid}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED`,
  ],
  [
    "an on-demand limit of zero",
    "abc",
    { OnDemandThroughput: { MaxWriteRequestUnits: 0 } },
    `${invalid}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range`,
  ],
  [
    "an on-demand limit below -1",
    "abc",
    alter("glo", { OnDemandThroughput: { MaxWriteRequestUnits: -2 } }),
    `${invalid}Requested MaxWriteRequestUnits for OnDemandThroughput for index : glo is outside of valid range`,
  ],
  [
    "less warm throughput",
    "abc",
    { WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 3_999 } },
    `${invalid}Requested WriteUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported`,
  ],
  [
    "less warm throughput of an index",
    "pro",
    alter("glo", { WarmThroughput: { ReadUnitsPerSecond: 2 } }),
    `${invalid}Requested ReadUnitsPerSecond for WarmThroughput for index glo is lower than current WarmThroughput, decreasing WarmThroughput is not supported`,
  ],
  // Indexes
  [
    "two indexes at a time",
    "abc",
    change({ Delete: { IndexName: "abc" } }, { Delete: { IndexName: "abd" } }),
    oneAtATime,
  ],
  [
    "one index made and one deleted",
    "abc",
    {
      AttributeDefinitions: define("d"),
      ...change({ Delete: { IndexName: "glo" } }, { Create: index("new", "d") }),
    },
    oneAtATime,
  ],
  [
    "an index that is not there",
    "abc",
    remove("abd"),
    "ResourceNotFoundException: Requested resource not found: Index abd for table abc",
  ],
  [
    "a local index",
    "abc",
    remove("loc"),
    "ValidationException: Cannot delete an index that is not a GlobalSecondaryIndex: loc",
  ],
  [
    "an index that is there",
    "abc",
    create("glo"),
    "ValidationException: Attempting to create an index which already exists",
  ],
  [
    "the name of a local index",
    "abc",
    create("loc"),
    "ValidationException: Attempting to create an index which already exists",
  ],
  [
    "a key that the request does not declare",
    "abc",
    change({ Create: index("new", "c") }),
    `${invalid}Some index key attributes are not defined in AttributeDefinitions. Keys: [c], AttributeDefinitions: []`,
  ],
  [
    "an index without projection type",
    "abc",
    create("new", { Projection: {} }),
    `${invalid}Unknown ProjectionType: null`,
  ],
  [
    "index units of an on-demand table, made",
    "abc",
    create("new", { ProvisionedThroughput: units(1) }),
    `${invalid}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: new when BillingMode is PAY_PER_REQUEST`,
  ],
  [
    "no index units in a provisioned table",
    "pro",
    create("new"),
    `${invalid}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: new`,
  ],
  [
    "too many projected attributes",
    "abc",
    create("new", {
      Projection: {
        ProjectionType: "INCLUDE",
        NonKeyAttributes: Array.from({ length: 101 }, (_, i) => `n${i}`),
      },
    }),
    `${invalid}Number of projected attributes of all indexes exceeds the per-table limit of 100`,
  ],
  [
    "a disabled stream with a view",
    "abc",
    { StreamSpecification: { StreamEnabled: false, StreamViewType: "NEW_IMAGE" } },
    `${invalid}If stream is being disabled, then UpdateViewType must not be specified`,
  ],
  [
    "an enabled stream without a view",
    "abc",
    { StreamSpecification: { StreamEnabled: true } },
    `${invalid}If stream is being enabled then UpdateViewType is required`,
  ],
  [
    "a stream with a change to provisioned, whatever the units",
    "abc",
    {
      BillingMode: "PROVISIONED",
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
    },
    `${invalid}You cannot modify stream status while updating table IOPS`,
  ],
  [
    "a stream to disable where there is none",
    "abc",
    { StreamSpecification: { StreamEnabled: false } },
    "ValidationException: Table has no stream to disable: TableName: abc",
  ],
  ...(
    [
      ["ReplicaUpdates", [{ Create: { RegionName: "eu-west-2" } }]],
      ["MultiRegionConsistency", "STRONG"],
      ["GlobalTableWitnessUpdates", [{ Create: { RegionName: "eu-west-2" } }]],
      ["GlobalTableSettingsReplicationMode", "ENABLED"],
      ["DisassociationProtectionEnabled", true],
      ["VectorIndexUpdates", [{ Delete: { IndexName: "vec" } }]],
    ] as const
  ).map(
    ([name, value]): Case => [
      `unsupported ${name}`,
      "abc",
      { [name]: value },
      `ValidationException: The parameter ${name} of UpdateTable is not supported by Keywright yet`,
    ],
  ),
];

test.each(cases)("UpdateTable refuses: %s", async (_, table, request, message) => {
  const bench = await openTables();
  const before = await bench.database.catalog.all();
  expect(await failure(update(bench, table, request))).toBe(message);
  expect(await bench.database.catalog.all()).toEqual(before);
});

test("units rise at once and the answer shows the old ones", async () => {
  const bench = await openTables();
  bench.clock.advance(1_500);
  const answer = await update(bench, "pro", {
    ProvisionedThroughput: units(30, 20),
    ...alter("glo", { ProvisionedThroughput: units(3, 4) }),
  });
  const changed = { LastIncreaseDateTime: start / 1_000 + 1.5, NumberOfDecreasesToday: 0 };
  expect(shown(answer)).toMatchObject({
    TableStatus: "UPDATING",
    ProvisionedThroughput: { ...changed, ...units(10, 20) },
    GlobalSecondaryIndexes: [
      { IndexStatus: "UPDATING", ProvisionedThroughput: { ...changed, ...units(3) } },
    ],
  });
  expect(await describe(bench, "pro")).toMatchObject({
    TableStatus: "ACTIVE",
    ProvisionedThroughput: { ...changed, ...units(30, 20) },
    WarmThroughput: { ReadUnitsPerSecond: 30, WriteUnitsPerSecond: 20 },
    GlobalSecondaryIndexes: [
      { IndexStatus: "ACTIVE", ProvisionedThroughput: { ...changed, ...units(3, 4) } },
    ],
  });
});

test("decreases are counted per day and limited", async () => {
  const bench = await openTables();
  const lower = (read: number) => update(bench, "pro", { ProvisionedThroughput: units(read, 20) });
  const counted = async () =>
    ((await describe(bench, "pro")).ProvisionedThroughput as Record<string, unknown>)
      .NumberOfDecreasesToday;
  const first = await lower(9);
  expect(shown(first)?.ProvisionedThroughput).toEqual({
    NumberOfDecreasesToday: 0,
    LastDecreaseDateTime: start / 1_000,
    ...units(10, 20),
  });
  for (const read of [8, 7, 6]) await lower(read);
  expect(await counted()).toBe(4);
  bench.clock.advance(hour - 1_000);
  expect(await failure(lower(5))).toBe(
    "LimitExceededException: Subscriber limit exceeded: Provisioned throughput decreases are " +
      "limited within a given UTC day. After the first 4 decreases, each subsequent decrease in " +
      "the same UTC day can be performed at most once every 3600 seconds. Number of decreases " +
      "today: 4. Last decrease at Thursday, January 15, 2026 at 12:00:00 PM Coordinated " +
      "Universal Time. Next decrease can be made at Thursday, January 15, 2026 at 1:00:00 PM " +
      "Coordinated Universal Time",
  );
  await lower(40);
  bench.clock.advance(1_000);
  await lower(5);
  expect(await counted()).toBe(5);
  bench.clock.advance(day / 2);
  expect(await counted()).toBe(0);
  await lower(4);
  expect(await counted()).toBe(1);
});

test("a table changes its billing mode and back", async () => {
  const bench = await openTables();
  bench.clock.advance(2_000);
  const now = start / 1_000 + 2;
  const zero = { ...units(0) };
  const answer = await update(bench, "pro", { BillingMode: "PAY_PER_REQUEST" });
  expect(shown(answer)).toMatchObject({
    TableStatus: "UPDATING",
    BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
    ProvisionedThroughput: zero,
    GlobalSecondaryIndexes: [{ IndexStatus: "UPDATING", ProvisionedThroughput: zero }],
  });
  expect(await describe(bench, "pro")).toMatchObject({
    BillingModeSummary: {
      BillingMode: "PAY_PER_REQUEST",
      LastUpdateToPayPerRequestDateTime: now,
    },
    ProvisionedThroughput: zero,
    WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 },
    GlobalSecondaryIndexes: [
      { ProvisionedThroughput: { NumberOfDecreasesToday: 1, LastDecreaseDateTime: now } },
    ],
  });
  await update(bench, "pro", { BillingMode: "PAY_PER_REQUEST" });
  await update(bench, "pro", {
    OnDemandThroughput: { MaxReadRequestUnits: 5 },
    ...alter("glo", { OnDemandThroughput: { MaxReadRequestUnits: 5 } }),
  });

  const back = await update(bench, "pro", {
    BillingMode: "PROVISIONED",
    ProvisionedThroughput: units(7),
    ...alter("glo", { ProvisionedThroughput: units(8) }),
  });
  for (const description of [shown(back), await describe(bench, "pro")]) {
    expect(description).toMatchObject({
      BillingModeSummary: {
        BillingMode: "PROVISIONED",
        LastUpdateToPayPerRequestDateTime: now,
      },
      ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...units(7) },
      // What was warm stays warm.
      WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 },
      GlobalSecondaryIndexes: [{ ProvisionedThroughput: units(8) }],
    });
    expect(description).not.toHaveProperty("OnDemandThroughput");
    expect(globals(description)[0]).not.toHaveProperty("OnDemandThroughput");
  }
});

test("on-demand limits are merged, and -1 takes one away", async () => {
  const bench = await openTables();
  const limit = async (OnDemandThroughput: object) => {
    const answer = await update(bench, "abc", { OnDemandThroughput });
    return [shown(answer)?.OnDemandThroughput, (await describe(bench, "abc")).OnDemandThroughput];
  };
  const read = { MaxReadRequestUnits: 5 };
  const both = { ...read, MaxWriteRequestUnits: 6 };
  expect(await limit(read)).toEqual([read, read]);
  expect(await limit({ MaxWriteRequestUnits: 6 })).toEqual([both, both]);
  expect(await limit({ MaxWriteRequestUnits: -1 })).toEqual([
    { ...read, MaxWriteRequestUnits: -1 },
    read,
  ]);
  expect(await limit({ MaxReadRequestUnits: -1 })).toEqual([
    { MaxReadRequestUnits: -1 },
    undefined,
  ]);
});

test("warm throughput rises and stays", async () => {
  const bench = await openTables();
  await update(bench, "pro", {
    WarmThroughput: { ReadUnitsPerSecond: 100 },
    ...alter("glo", { WarmThroughput: { WriteUnitsPerSecond: 50 } }),
  });
  await update(bench, "pro", { ProvisionedThroughput: units(1) });
  expect(await describe(bench, "pro")).toMatchObject({
    WarmThroughput: { ReadUnitsPerSecond: 100, WriteUnitsPerSecond: 20, Status: "ACTIVE" },
    GlobalSecondaryIndexes: [
      { WarmThroughput: { ReadUnitsPerSecond: 3, WriteUnitsPerSecond: 50 } },
    ],
  });
});

test("the table class changes twice in thirty days", async () => {
  const bench = await openTables();
  const to = (TableClass: string) => update(bench, "abc", { TableClass });
  const rare = "STANDARD_INFREQUENT_ACCESS";
  await to("STANDARD");
  expect(await describe(bench, "abc")).not.toHaveProperty("TableClassSummary");
  await to(rare);
  expect((await describe(bench, "abc")).TableClassSummary).toEqual({
    TableClass: rare,
    LastUpdateDateTime: start / 1_000,
  });
  bench.clock.advance(day);
  await to("STANDARD");
  const refused =
    "LimitExceededException: Subscriber limit exceeded: Update to TableClass are limited to 2 " +
    "times in 30 day(s).";
  expect(await failure(to(rare))).toBe(refused);
  bench.clock.advance(29 * day);
  await to(rare);
  expect(await failure(to("STANDARD"))).toBe(refused);
  await to(rare);
});

test("encryption and deletion protection are set and taken back", async () => {
  const bench = await openTables();
  await update(bench, "abc", { SSESpecification: { Enabled: true } });
  await update(bench, "abc", { DeletionProtectionEnabled: true });
  expect(await describe(bench, "abc")).toMatchObject({
    SSEDescription: {
      Status: "ENABLED",
      SSEType: "KMS",
      KMSMasterKeyArn: expect.stringMatching(
        /^arn:aws:kms:eu-west-1:000000000000:key\/[0-9a-f-]{36}$/,
      ),
    },
    DeletionProtectionEnabled: true,
  });
  await update(bench, "abc", { SSESpecification: { Enabled: false } });
  await update(bench, "abc", { DeletionProtectionEnabled: false });
  const table = await describe(bench, "abc");
  expect(table).not.toHaveProperty("SSEDescription");
  expect(table.DeletionProtectionEnabled).toBe(false);
});

/** Puts items as a writer that knows of no index would have done. */
async function seed(bench: Bench, count: number): Promise<void> {
  const { id } = await bench.database.describe("main", "abc");
  await bench.store.commit([], () => ({
    writes: Array.from({ length: count }, (_, i) => {
      const item = {
        a: { S: `a${i}` },
        b: { S: "b" },
        // Every third item is not in the index: it lacks the key or has it with another type.
        ...(i % 3 === 0 ? { d: { N: "1" } } : { d: { S: `d${i}` } }),
      };
      const hashed = Buffer.alloc(16);
      hashed.writeUInt32BE(i, 0);
      return {
        kind: "put",
        key: dataKey(id, hashed),
        value: StoredItem.make(item, itemSize(item)).bytes,
      };
    }),
    result: undefined,
  }));
}

const find = async (bench: Bench, name: string): Promise<IndexDescriptor | undefined> =>
  (await bench.database.describe("main", "abc")).indexes.find((one) => one.name === name);

async function entries(bench: Bench, id: number): Promise<number> {
  const page = await bench.store.scan(dataRange(id), { limit: 10_000, bytesMax: 1e9 });
  return page.entries.length;
}

test("an index is made, filled and deleted", async () => {
  const bench = await openTables();
  await seed(bench, 300);
  const answer = await update(bench, "abc", {
    ...create("new"),
    // Of these only `d` is used, and `c` keeps its type.
    AttributeDefinitions: define("d e c:S"),
  });
  expect(shown(answer)?.TableStatus).toBe("UPDATING");
  expect(globals(shown(answer))[1]).toMatchObject({
    IndexName: "new",
    IndexStatus: "CREATING",
    Backfilling: false,
    IndexArn: "arn:aws:dynamodb:eu-west-1:000000000000:table/abc/index/new",
  });
  await bench.database.jobs.idle();
  const table = await describe(bench, "abc");
  expect(table.TableStatus).toBe("ACTIVE");
  expect(table.AttributeDefinitions).toEqual(define("a b c:N d"));
  expect(globals(table)[1]).toMatchObject({ IndexStatus: "ACTIVE", ItemCount: 200 });
  expect(globals(table)[1]).not.toHaveProperty("Backfilling");
  const id = (await find(bench, "new"))?.id ?? 0;
  expect(await entries(bench, id)).toBe(200);

  const deleted = await update(bench, "abc", remove("new"));
  expect(shown(deleted)?.TableStatus).toBe("UPDATING");
  expect(globals(shown(deleted)).map((one) => [one.IndexName, one.IndexStatus])).toEqual([
    ["glo", "ACTIVE"],
    ["new", "DELETING"],
  ]);
  await bench.database.jobs.idle();
  const after = await describe(bench, "abc");
  expect(globals(after).map((one) => one.IndexName)).toEqual(["glo"]);
  expect(after.AttributeDefinitions).toEqual(define("a b c:N"));
  expect(await entries(bench, id)).toBe(0);
  expect(await bench.database.totals(id)).toEqual({ count: 0, bytes: 0 });
});

test("a key attribute keeps the type that the table knows", async () => {
  const bench = await openTables();
  await update(bench, "abc", {
    AttributeDefinitions: define("c:S"),
    ...change({ Create: index("new", "c") }),
  });
  await bench.database.jobs.idle();
  expect((await find(bench, "new"))?.key).toEqual({ hash: [{ name: "c", type: "N" }], range: [] });
});

test("while an index is being filled, only giving it up is allowed", async () => {
  const bench = await openTables();
  await seed(bench, 10);
  const { jobs } = bench.database;
  const startJob = jobs.start.bind(jobs);
  const held: Parameters<typeof startJob>[] = [];
  jobs.start = (...job) => void held.push(job);
  await update(bench, "abc", create("new"));
  const table = await describe(bench, "abc");
  expect(table.TableStatus).toBe("UPDATING");
  expect(globals(table)[1]).toMatchObject({ IndexStatus: "CREATING", Backfilling: true });

  const inUse =
    "ResourceInUseException: Attempt to change a resource which is still in use: Table is being " +
    "updated: abc";
  expect(await failure(update(bench, "abc", create("more")))).toBe(oneAtATime);
  expect(await failure(update(bench, "abc", remove("glo")))).toBe(oneAtATime);
  expect(await failure(update(bench, "abc", { DeletionProtectionEnabled: true }))).toBe(inUse);
  expect(await failure(run(bench, deleteTable, { TableName: "abc" }))).toBe(inUse);

  const id = (await find(bench, "new"))?.id ?? 0;
  await update(bench, "abc", remove("new"));
  for (const job of held) startJob(...job);
  await jobs.idle();
  expect(await entries(bench, id)).toBe(0);
  expect(await find(bench, "new")).toBeUndefined();
  expect((await describe(bench, "abc")).TableStatus).toBe("ACTIVE");
  const reopened = await openBench({ store: bench.store });
  await reopened.database.jobs.idle();
});

test("an index is filled on after a restart", async () => {
  const bench = await openTables();
  await seed(bench, 250);
  bench.database.jobs.start = () => {};
  await update(bench, "abc", create("new"));
  expect((await find(bench, "new"))?.ready).toBe(false);

  const again = await openBench({ store: bench.store });
  await again.database.jobs.idle();
  const made = await find(again, "new");
  expect(made?.ready).toBe(true);
  expect(await entries(again, made?.id ?? 0)).toBe(166);
});

test("a table is UPDATING for as long as the database says", async () => {
  const bench = await openTables({ transitionMs: 100 });
  const being = (what: string) =>
    `ResourceInUseException: Attempt to change a resource which is still in use: Table is being ${what}: pro`;
  const raise = () => update(bench, "pro", { ProvisionedThroughput: units(50) });
  expect(await failure(raise())).toBe(being("created"));
  bench.clock.advance(100);
  await raise();
  expect((await describe(bench, "pro")).TableStatus).toBe("UPDATING");
  expect(await failure(update(bench, "pro", { TableClass: "STANDARD" }))).toBe(being("updated"));
  expect(await failure(run(bench, deleteTable, { TableName: "pro" }))).toBe(being("updated"));
  bench.clock.advance(100);
  expect((await describe(bench, "pro")).TableStatus).toBe("ACTIVE");
  await run(bench, deleteTable, { TableName: "pro" });
  expect(await failure(raise())).toBe(being("deleted"));
});

test("no more than twenty global indexes", async () => {
  const bench = await openTables();
  const add = async (count: number) => {
    await update(bench, "abc", create(`index${count}`));
    await bench.database.jobs.idle();
  };
  for (let count = 2; count <= 20; count += 1) await add(count);
  expect(await failure(add(21))).toBe(
    "LimitExceededException: Subscriber limit exceeded: Number of global secondary indexes " +
      "exceeds per-table limit of 20",
  );
});
