import { DescribeLimitsCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import { expectError, useServer, validation } from "../harness.ts";
import {
  all,
  create,
  describeTable,
  drop,
  globalIndex,
  hash,
  invalid,
  units,
  untilActive,
  update,
} from "./support.ts";

const hourMs = 60 * 60 * 1_000;
const clock = new ManualClock(Date.UTC(2026, 9, 8, 0, 0, 0));
const server = useServer({ clock });

const provisioned = (read: number, write = read) => ({
  BillingMode: "PROVISIONED",
  ProvisionedThroughput: units(read, write),
});
const onDemand = { BillingMode: "PAY_PER_REQUEST" };
const byB = (more: object = {}) => ({
  GlobalSecondaryIndexes: [{ IndexName: "byB", KeySchema: [hash("b")], Projection: all, ...more }],
});
const made = async (change: object) => (await create(server, change)).TableName ?? "";

/** Changes the table, waits until it is done and answers what is then provisioned. */
async function changed(TableName: string, change: object) {
  await update(server, { TableName, ...change });
  const table = await untilActive(server, TableName);
  return { table: table.ProvisionedThroughput, index: globalIndex(table, "byB") };
}

const raiseIndex = (read: number, write = read) => ({
  GlobalSecondaryIndexUpdates: [
    { Update: { IndexName: "byB", ProvisionedThroughput: units(read, write) } },
  ],
});

const untilNextDay = () => clock.advance(24 * hourMs - (clock.now() % (24 * hourMs)));

describe("decreases", () => {
  test("are four at once, then one for each hour without one, and 27 in a day", async () => {
    untilNextDay();
    const TableName = await made(provisioned(100));
    let read = 100;
    const lower = async () => {
      read -= 1;
      return (await changed(TableName, { ProvisionedThroughput: units(read, 100) })).table;
    };
    for (const count of [1, 2, 3, 4]) expect((await lower())?.NumberOfDecreasesToday).toBe(count);
    const refused = () =>
      expectError(
        update(server, { TableName, ProvisionedThroughput: units(1) }),
        "LimitExceededException",
        /^Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day\. After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds\. Number of decreases today: \d+\. Last decrease at \w+, \w+ \d+, \d+ at [\d:]+ [AP]M Coordinated Universal Time\. Next decrease can be made at \w+, \w+ \d+, \d+ at [\d:]+ [AP]M Coordinated Universal Time/,
      );
    let last = 4;
    for (let hour = 1; hour <= 23; hour += 1) {
      await refused();
      clock.advance(hourMs);
      last = (await lower())?.NumberOfDecreasesToday ?? 0;
    }
    expect(last).toBe(27);
    await refused();
    untilNextDay();
    expect((await describeTable(server, TableName)).ProvisionedThroughput).toMatchObject({
      NumberOfDecreasesToday: 0,
      LastDecreaseDateTime: expect.any(Date),
    });
    expect((await lower())?.NumberOfDecreasesToday).toBe(1);
  });

  test("are all there again with the next day, even if the hour is not over", async () => {
    untilNextDay();
    clock.advance(23 * hourMs + 20 * 60_000);
    const TableName = await made(provisioned(100));
    const lower = (read: number) =>
      update(server, { TableName, ProvisionedThroughput: units(read, 100) });
    for (const read of [90, 80, 70, 60])
      await lower(read).then(() => untilActive(server, TableName));
    const error = await expectError(lower(50), "LimitExceededException");
    expect(error.message).toMatch(
      /at 11:20:\d\d PM Coordinated .* at 12:00:00 AM Coordinated Universal Time$/,
    );
    untilNextDay();
    for (const read of [50, 40, 30, 20])
      await lower(read).then(() => untilActive(server, TableName));
    await expectError(lower(10), "LimitExceededException");
  });

  test("count one for both units, and one if only one of them falls", async () => {
    untilNextDay();
    const TableName = await made(provisioned(50));
    const counts: (number | undefined)[] = [];
    for (const [read, write] of [
      [40, 40],
      [30, 60],
      [31, 61],
      [20, 20],
      [10, 10],
    ] as const) {
      const { table } = await changed(TableName, { ProvisionedThroughput: units(read, write) });
      counts.push(table?.NumberOfDecreasesToday);
    }
    expect(counts).toEqual([1, 2, 2, 3, 4]);
    const mixed = update(server, { TableName, ProvisionedThroughput: units(9, 99) });
    await expectError(mixed, "LimitExceededException");
    const { table } = await changed(TableName, { ProvisionedThroughput: units(11, 11) });
    expect(table).toMatchObject({ ...units(11), NumberOfDecreasesToday: 4 });
  });

  test("of an index are its own, and a request is refused as a whole", async () => {
    untilNextDay();
    const TableName = await made({
      ...provisioned(50),
      ...byB({ ProvisionedThroughput: units(50) }),
    });
    for (const read of [40, 30, 20, 10]) {
      await changed(TableName, { ProvisionedThroughput: units(read) });
    }
    const both = update(server, { TableName, ProvisionedThroughput: units(5), ...raiseIndex(40) });
    await expectError(both, "LimitExceededException", /Number of decreases today: 4\./);
    const before = globalIndex(await describeTable(server, TableName), "byB");
    expect(before?.ProvisionedThroughput).toMatchObject({
      ...units(50),
      NumberOfDecreasesToday: 0,
    });
    for (const read of [40, 30, 20, 10]) await changed(TableName, raiseIndex(read));
    const fifth = update(server, { TableName, ...raiseIndex(5) });
    await expectError(fifth, "LimitExceededException", /Number of decreases today: 4\./);
  });
});

describe("switching to on-demand", () => {
  test("is done four times in 24 hours, and back at any time", async () => {
    const TableName = await made(provisioned(5));
    for (let times = 0; times < 4; times += 1) {
      await update(server, { TableName, ...onDemand });
      await untilActive(server, TableName);
      clock.advance(hourMs);
      await update(server, { TableName, ...provisioned(5) });
      await untilActive(server, TableName);
    }
    const again = () => update(server, { TableName, ...onDemand });
    await expectError(again(), "LimitExceededException", /^Subscriber limit exceeded: /);
    clock.advance(20 * hourMs - 1);
    await expectError(again(), "LimitExceededException");
    clock.advance(1);
    await again();
    expect((await untilActive(server, TableName)).BillingModeSummary?.BillingMode).toBe(
      "PAY_PER_REQUEST",
    );
  });

  test("is neither an increase nor a decrease, and nor is the way back", async () => {
    const TableName = await made(provisioned(5));
    const answer = await update(server, { TableName, ...onDemand });
    expect(answer.BillingModeSummary).toEqual({ BillingMode: "PAY_PER_REQUEST" });
    const none = { NumberOfDecreasesToday: 0 };
    expect((await untilActive(server, TableName)).ProvisionedThroughput).toEqual({
      ...units(0),
      ...none,
    });
    await update(server, { TableName, ...provisioned(1) });
    expect((await untilActive(server, TableName)).ProvisionedThroughput).toEqual({
      ...units(1),
      ...none,
    });
  });
});

describe("warm throughput", () => {
  const warm = (ReadUnitsPerSecond: number, WriteUnitsPerSecond: number) => ({
    ReadUnitsPerSecond,
    WriteUnitsPerSecond,
    Status: "ACTIVE",
  });

  test("is the most that was ever provisioned, and grows with the switch to on-demand", async () => {
    const TableName = await made(provisioned(1));
    const found = async () => (await untilActive(server, TableName)).WarmThroughput;
    expect(await found()).toEqual(warm(1, 1));
    await changed(TableName, { ProvisionedThroughput: units(3) });
    await changed(TableName, { ProvisionedThroughput: units(2, 1) });
    expect(await found()).toEqual(warm(3, 3));
    await changed(TableName, onDemand);
    expect(await found()).toEqual(warm(12_000, 4_000));
    await changed(TableName, provisioned(1));
    expect(await found()).toEqual(warm(12_000, 4_000));
  });

  test("is raised while the table stays active", async () => {
    const TableName = await made(byB());
    const WarmThroughput = { ReadUnitsPerSecond: 12_001, WriteUnitsPerSecond: 4_001 };
    const raised = await update(server, { TableName, WarmThroughput });
    expect(raised.TableStatus).toBe("ACTIVE");
    expect(raised.WarmThroughput).toEqual({ ...warm(12_000, 4_000), Status: "UPDATING" });
    const index = await update(server, {
      TableName,
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: "byB", WarmThroughput: { ReadUnitsPerSecond: 12_002 } } },
      ],
    });
    expect(globalIndex(index, "byB")).toMatchObject({
      IndexStatus: "ACTIVE",
      WarmThroughput: { ...warm(12_000, 4_000), Status: "UPDATING" },
    });
  });

  test("of a new table is no less than what it starts with", async () => {
    await validation(
      create(server, { WarmThroughput: { ReadUnitsPerSecond: 1, WriteUnitsPerSecond: 1 } }),
      `${invalid}Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial`,
    );
    await validation(
      create(server, { ...provisioned(10), WarmThroughput: { WriteUnitsPerSecond: 5 } }),
      `${invalid}Requested WriteUnitsPerSecond for WarmThroughput for table is lower than WriteCapacityUnits of ProvisionedThroughput`,
    );
    const TableName = await made({ WarmThroughput: { ReadUnitsPerSecond: 12_001 } });
    const { WarmThroughput } = await untilActive(server, TableName);
    expect(WarmThroughput).toEqual(warm(12_001, 4_000));
  });
});

describe("what is changed while the table stays active", () => {
  test.each<[string, object]>([
    ["deletion protection", { DeletionProtectionEnabled: false }],
    ["on-demand limits", { OnDemandThroughput: { MaxReadRequestUnits: 9 } }],
  ])("%s", async (_, change) => {
    const TableName = await made({});
    expect((await update(server, { TableName, ...change })).TableStatus).toBe("ACTIVE");
  });

  test("units of an index", async () => {
    const TableName = await made({
      ...provisioned(1),
      ...byB({ ProvisionedThroughput: units(1) }),
    });
    const answer = await update(server, { TableName, ...raiseIndex(2) });
    expect(answer.TableStatus).toBe("ACTIVE");
    expect(globalIndex(answer, "byB")?.IndexStatus).toBe("UPDATING");
  });
});

describe("one thing at a time", () => {
  const alone = (what: string) =>
    `${invalid}${what} modification must be the only operation in the request`;
  const protect = { DeletionProtectionEnabled: true };
  const rare = { TableClass: "STANDARD_INFREQUENT_ACCESS" };
  const encrypt = { SSESpecification: { Enabled: true } };
  const limit = { OnDemandThroughput: { MaxReadRequestUnits: 9 } };
  const heat = { WarmThroughput: { ReadUnitsPerSecond: 12_001 } };

  test.each<[string, object, string]>([
    ["protection and mode", { ...protect, ...onDemand }, alone("DeletionProtection")],
    ["protection and limits", { ...protect, ...limit }, alone("DeletionProtection")],
    ["protection and class", { ...protect, ...rare }, alone("TableClass")],
    ["protection and encryption", { ...protect, ...encrypt }, alone("Server-Side Encryption")],
    ["protection and warmth", { ...protect, ...heat }, alone("DeletionProtection")],
    [
      "warmth and mode",
      { ...heat, ...onDemand },
      `${invalid}WarmThroughput must be the only operation in the request`,
    ],
    [
      "warmth and limits",
      { ...heat, ...limit },
      `${invalid}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`,
    ],
  ])("%s", async (_, change, message) => {
    await validation(update(server, { TableName: await made({}), ...change }), message);
  });

  test("but the on-demand mode and its limits", async () => {
    const TableName = await made(provisioned(1));
    await update(server, { TableName, ...onDemand, ...limit });
    const table = await untilActive(server, TableName);
    expect(table.BillingModeSummary?.BillingMode).toBe("PAY_PER_REQUEST");
    expect(table.OnDemandThroughput).toEqual({ MaxReadRequestUnits: 9 });
  });

  test("units of the table and a new index", async () => {
    const TableName = await made(provisioned(1));
    await validation(
      update(server, {
        TableName,
        ProvisionedThroughput: units(2),
        GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "abc" } }],
      }),
      `${invalid}You cannot create or delete index while updating table IOPS`,
    );
  });
});

const guide =
  "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.";

describe("quotas", () => {
  test("DescribeLimits tells them", async () => {
    const { $metadata: _, ...limits } = await server.client.send(new DescribeLimitsCommand({}));
    expect(limits).toEqual({
      AccountMaxReadCapacityUnits: 80_000,
      AccountMaxWriteCapacityUnits: 80_000,
      TableMaxReadCapacityUnits: 40_000,
      TableMaxWriteCapacityUnits: 40_000,
    });
  });

  test("a table and each of its indexes have 40,000 units", async () => {
    const over = (change: object, message: string) =>
      expectError(create(server, change), "LimitExceededException", message);
    await over(
      provisioned(40_001),
      `The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in us-east-1. Per table maximum: 40000. ${guide}`,
    );
    await over(
      { ...provisioned(1), ...byB({ ProvisionedThroughput: units(1, 40_001) }) },
      `The requested WriteCapacityUnits for index byB, 40001, is above the per index maximum for the account in us-east-1. Per table maximum: 40000. ${guide}`,
    );
    const TableName = await made({
      ...provisioned(40_000),
      ...byB({ ProvisionedThroughput: units(200) }),
    });
    await expectError(
      update(server, { TableName, ProvisionedThroughput: units(40_000, 40_001) }),
      "LimitExceededException",
      /^The requested WriteCapacityUnits, 40001, is above the per table maximum/,
    );
    await drop(server, TableName);
  });

  test("all provisioned tables of an account have 80,000 units", async () => {
    const first = await made(provisioned(40_000, 1));
    const second = await made(provisioned(30_000, 1));
    const exceeded =
      /^This request would have caused the ReadCapacityUnits limit to be exceeded for the account in us-east-1\. Current ReadCapacityUnits reserved by the account: \d+\. Limit: 80000\. Requested: 10001/;
    await expectError(create(server, provisioned(10_001, 1)), "LimitExceededException", exceeded);
    // On-demand tables reserve nothing, and what is given back is there for others.
    await made({});
    await update(server, { TableName: first, ...onDemand });
    await untilActive(server, first);
    const third = await made(provisioned(10_001, 1));
    for (const TableName of [first, second, third]) await drop(server, TableName);
  });

  test("on-demand limits and warm throughput have 40,000 units", async () => {
    const TableName = await made(byB());
    await expectError(
      update(server, { TableName, OnDemandThroughput: { MaxReadRequestUnits: 40_001 } }),
      "LimitExceededException",
      "Subscriber limit exceeded: Requested MaxReadRequestUnits for OnDemandThroughput for table exceeds TableMaxReadCapacityUnits of the account in region us-east-1",
    );
    const updateIndex = (change: object) =>
      update(server, {
        TableName,
        GlobalSecondaryIndexUpdates: [{ Update: { IndexName: "byB", ...change } }],
      });
    await expectError(
      updateIndex({ OnDemandThroughput: { MaxWriteRequestUnits: 40_001 } }),
      "LimitExceededException",
      "Subscriber limit exceeded: Requested MaxWriteRequestUnits for OnDemandThroughput for index : byB exceeds TableMaxWriteCapacityUnits of the account in region us-east-1",
    );
    await expectError(
      updateIndex({ WarmThroughput: { ReadUnitsPerSecond: 40_001 } }),
      "LimitExceededException",
      "Subscriber limit exceeded: Requested ReadUnitsPerSecond for WarmThroughput for index byB exceeds TableMaxReadCapacityUnits of the account in region us-east-1",
    );
    await update(server, { TableName, OnDemandThroughput: { MaxReadRequestUnits: 40_000 } });
  });
});
