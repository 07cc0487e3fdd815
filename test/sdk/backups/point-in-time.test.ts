import {
  BatchWriteItemCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  RestoreTableToPointInTimeCommand,
  type RestoreTableToPointInTimeCommandInput,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, validation } from "../harness.ts";
import { day, hour, minute, second, shown, useBackups } from "./support.ts";

const server = useBackups();

const update = (TableName: string, enabled: boolean, days?: number) =>
  server.client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: enabled,
        ...(days !== undefined && { RecoveryPeriodInDays: days }),
      },
    }),
  );

async function described(TableName: string) {
  const { ContinuousBackupsDescription: found } = await server.client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  return found;
}

const begin = (input: Partial<RestoreTableToPointInTimeCommandInput>) =>
  server.client.send(
    new RestoreTableToPointInTimeCommand({ TargetTableName: freshName("r"), ...input }),
  );

const now = () => new Date(server.clock.now());
const ago = (milliseconds: number) => new Date(server.clock.now() - milliseconds);

describe("DescribeContinuousBackups and UpdateContinuousBackups", () => {
  test("a new table has backups, but no recovery", async () => {
    const table = await createTable(server, { key: "pk:S" });
    expect(await described(table)).toEqual({
      ContinuousBackupsStatus: "ENABLED",
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "DISABLED" },
    });
  });

  test("from when it is enabled on, the past is kept for 35 days", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const enabledAt = now();
    const enabled = {
      ContinuousBackupsStatus: "ENABLED",
      PointInTimeRecoveryDescription: {
        PointInTimeRecoveryStatus: "ENABLED",
        RecoveryPeriodInDays: 35,
        EarliestRestorableDateTime: enabledAt,
        LatestRestorableDateTime: enabledAt,
      },
    };
    expect((await update(table, true)).ContinuousBackupsDescription).toEqual(enabled);
    expect(await described(table)).toEqual(enabled);
    await server.elapse(3 * minute);
    expect(await described(table)).toEqual(enabled);
    await server.elapse(hour);
    expect((await described(table))?.PointInTimeRecoveryDescription).toMatchObject({
      EarliestRestorableDateTime: enabledAt,
      LatestRestorableDateTime: ago(5 * minute),
    });
    await server.elapse(40 * day);
    expect((await described(table))?.PointInTimeRecoveryDescription).toMatchObject({
      EarliestRestorableDateTime: ago(35 * day),
      LatestRestorableDateTime: ago(5 * minute),
    });
  });

  test("to disable it forgets all", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await update(table, true, 7);
    const { ContinuousBackupsDescription: answer } = await update(table, false);
    expect(answer).toEqual({
      ContinuousBackupsStatus: "ENABLED",
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "DISABLED" },
    });
    await server.elapse(hour);
    await update(table, true);
    expect((await described(table))?.PointInTimeRecoveryDescription).toMatchObject({
      RecoveryPeriodInDays: 35,
      EarliestRestorableDateTime: now(),
    });
  });

  test("the number of days can be changed, and what fewer days let go does not come back", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await update(table, true);
    await server.elapse(10 * day);
    await update(table, true, 2);
    const earliest = ago(2 * day);
    expect((await described(table))?.PointInTimeRecoveryDescription).toMatchObject({
      RecoveryPeriodInDays: 2,
      EarliestRestorableDateTime: earliest,
    });
    await update(table, true, 20);
    expect((await described(table))?.PointInTimeRecoveryDescription).toMatchObject({
      RecoveryPeriodInDays: 20,
      EarliestRestorableDateTime: earliest,
    });
  });

  test("to enable it again changes nothing", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await update(table, true);
    const before = await described(table);
    await server.elapse(minute);
    await update(table, true);
    expect(await described(table)).toEqual(before);
  });

  test("what is refused", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await validation(update(table, true, 36), /Member must have value less than or equal to 35/);
    await validation(update(table, true, 0), /Member must have value greater than or equal to 1/);
    await validation(
      update(table, false, 7),
      "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.",
    );
    const missing = freshName();
    for (const ask of [() => update(missing, true), () => described(missing)]) {
      await expectError(ask(), "TableNotFoundException", `Table not found: ${missing}`);
    }
  });

  test("a table's ARN is as good as its name", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const { TableArn = "" } = await server.describe(table);
    await update(TableArn, true);
    expect((await described(TableArn))?.PointInTimeRecoveryDescription).toMatchObject({
      PointInTimeRecoveryStatus: "ENABLED",
    });
  });
});

describe("RestoreTableToPointInTime", () => {
  test("brings back what was there at each of several seconds", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.put(table, { pk: "old", v: 0 });
    await server.enable(table);
    const moments: { readonly at: Date; readonly items: readonly string[] }[] = [];
    for (let i = 1; i <= 4; i += 1) {
      await server.elapse(second);
      await server.put(table, { pk: "often", v: i });
      await server.put(table, { pk: `once-${i}` });
      if (i === 3) await server.remove(table, { pk: "old" });
      moments.push({ at: now(), items: await server.items(table) });
    }
    await server.elapse(6 * minute);
    for (const { at, items } of moments) {
      expect(await server.items(await server.restoreTo(table, at))).toEqual(items);
    }
  });

  test("what was changed in a second is part of it only from the next one on", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table);
    await server.elapse(10 * second);
    const at = now();
    await server.elapse(1);
    await server.put(table, { pk: "a" });
    await server.elapse(hour);
    expect(await server.items(await server.restoreTo(table, at))).toEqual([]);
    const next = new Date(at.getTime() + second);
    expect(await server.items(await server.restoreTo(table, next))).toEqual([shown({ pk: "a" })]);
  });

  test("the latest moment is five minutes ago", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table);
    await server.put(table, { pk: "long ago" });
    await server.elapse(6 * minute);
    await server.put(table, { pk: "just now" });
    expect(await server.items(await server.restoreTo(table))).toEqual([shown({ pk: "long ago" })]);
  });

  test("right after it is enabled it brings back that very moment", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.put(table, { pk: "before" });
    await server.enable(table);
    await server.elapse(8 * second);
    await server.put(table, { pk: "after" });
    expect(await server.items(await server.restoreTo(table))).toEqual([shown({ pk: "before" })]);
  });

  test("answers a table that is being made, of which the source is told", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table);
    await server.elapse(hour);
    const { TableArn = "" } = await server.describe(table);
    const { TableDescription: made } = await begin({
      SourceTableArn: TableArn,
      RestoreDateTime: ago(10 * minute),
    });
    expect(made).toMatchObject({
      TableStatus: "CREATING",
      RestoreSummary: {
        SourceTableArn: TableArn,
        RestoreDateTime: ago(10 * minute),
        RestoreInProgress: true,
      },
    });
    expect(made?.RestoreSummary?.SourceBackupArn).toBeUndefined();
    await server.running.workbench.idle();
    const restored = await server.describe(made?.TableName ?? "");
    expect([restored.TableStatus, restored.RestoreSummary]).toEqual(["ACTIVE", undefined]);
  });

  test("batches, updates, transactions and expiry are part of the past", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.client.send(
      new UpdateTimeToLiveCommand({
        TableName: table,
        TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      }),
    );
    await server.enable(table);
    const moments: { readonly at: Date; readonly items: readonly string[] }[] = [];
    const note = async () => {
      moments.push({ at: now(), items: await server.items(table) });
      await server.elapse(second);
    };
    const soon = Math.floor(server.clock.now() / 1_000) + 3_600;
    await server.client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [table]: ["a", "b", "c"].map((pk) => ({
            PutRequest: { Item: { pk: { S: pk }, n: { N: "1" }, ttl: { N: `${soon}` } } },
          })),
        },
      }),
    );
    await note();
    await server.documents.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk: "a" },
        UpdateExpression: "ADD n :one REMOVE #t",
        ExpressionAttributeNames: { "#t": "ttl" },
        ExpressionAttributeValues: { ":one": 1 },
      }),
    );
    await note();
    await server.documents.send(
      new TransactWriteCommand({
        TransactItems: [
          { Delete: { TableName: table, Key: { pk: "b" } } },
          { Put: { TableName: table, Item: { pk: "d", n: 5 } } },
        ],
      }),
    );
    await note();
    await server.elapse(2 * hour);
    await note();
    expect(moments.map(({ items }) => items.length)).toEqual([3, 3, 3, 2]);
    await server.elapse(hour);
    for (const { at, items } of moments) {
      expect(await server.items(await server.restoreTo(table, at))).toEqual(items);
    }
  });

  test("indexes are those of the table now, with the items of then", async () => {
    const table = await createTable(server, { key: "pk:S sk:N", local: { byL: { range: "l:S" } } });
    await server.enable(table);
    await server.put(table, { pk: "a", sk: 1, g: "x", l: "1" });
    await server.put(table, { pk: "b", sk: 1, g: "y" });
    await server.elapse(minute);
    const at = now();
    await server.elapse(1);
    await server.client.send(
      new UpdateTableCommand({
        TableName: table,
        AttributeDefinitions: [{ AttributeName: "g", AttributeType: "S" }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: "byG",
              KeySchema: [{ AttributeName: "g", KeyType: "HASH" }],
              Projection: { ProjectionType: "ALL" },
            },
          },
        ],
      }),
    );
    await server.running.workbench.idle();
    await server.put(table, { pk: "a", sk: 1, g: "changed", l: "2" });
    await server.remove(table, { pk: "b", sk: 1 });
    await server.elapse(hour);
    const restored = await server.restoreTo(table, at);
    const then = [shown({ g: "x", l: "1", pk: "a", sk: 1 }), shown({ g: "y", pk: "b", sk: 1 })];
    expect(await server.items(restored)).toEqual(then);
    expect(await server.items(restored, "byG")).toEqual(then);
    expect(await server.items(restored, "byL")).toEqual(then.slice(0, 1));
    const without = await server.restoreTo(table, at, { GlobalSecondaryIndexOverride: [] });
    expect((await server.describe(without)).GlobalSecondaryIndexes).toBeUndefined();
    expect((await server.running.workbench.verify()).problems).toEqual([]);
  });

  test("several restores of one table at a time, while it goes on", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table);
    const moments: { readonly at: Date; readonly items: readonly string[] }[] = [];
    for (let i = 0; i < 5; i += 1) {
      for (let j = 0; j < 6; j += 1) await server.put(table, { pk: `${j}`, v: `${i}` });
      await server.put(table, { pk: `only ${i}` });
      moments.push({ at: now(), items: await server.items(table) });
      await server.elapse(second);
    }
    await server.elapse(hour);
    const names = moments.map(() => freshName("many"));
    await Promise.all([
      ...moments.map(({ at }, i) =>
        begin({
          SourceTableName: table,
          TargetTableName: names[i] ?? "",
          RestoreDateTime: at,
        }),
      ),
      ...Array.from({ length: 20 }, (_, j) => server.put(table, { pk: `${j}`, v: "later" })),
    ]);
    await server.running.workbench.idle();
    for (const [i, { items }] of moments.entries()) {
      expect(await server.items(names[i] ?? "")).toEqual(items);
    }
  });

  test("the table can be deleted while it is restored from", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table);
    for (let i = 0; i < 30; i += 1) await server.put(table, { pk: `${i}` });
    await server.elapse(minute);
    const at = now();
    await server.elapse(hour);
    await server.remove(table, { pk: "7" });
    const TargetTableName = freshName("saved");
    await begin({ SourceTableName: table, TargetTableName, RestoreDateTime: at });
    await server.client.send(new DeleteTableCommand({ TableName: table }));
    await server.running.workbench.idle();
    expect(await server.items(TargetTableName)).toHaveLength(30);
    expect((await server.running.workbench.verify()).problems).toEqual([]);
  });
});

describe("what a restore to a point in time refuses", () => {
  test("a table without recovery, before anything else of it", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const message = `Point in time recovery is not enabled for table '${table}'`;
    for (const more of [
      { UseLatestRestorableTime: true, TargetTableName: table },
      { RestoreDateTime: new Date(0) },
    ]) {
      await expectError(
        begin({ SourceTableName: table, ...more }),
        "PointInTimeRecoveryUnavailableException",
        message,
      );
    }
  });

  test("both times, or none", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table);
    await validation(
      begin({ SourceTableName: table, UseLatestRestorableTime: true, RestoreDateTime: now() }),
      /^Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request\. Pleas/,
    );
    for (const more of [{}, { UseLatestRestorableTime: false }]) {
      await validation(
        begin({ SourceTableName: table, ...more }),
        "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both",
      );
    }
  });

  test("both names of a source, or none, or a wrong one", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const { TableArn = "" } = await server.describe(table);
    const UseLatestRestorableTime = true;
    await validation(
      begin({ SourceTableName: table, SourceTableArn: TableArn, UseLatestRestorableTime }),
      /Must provide exactly one of: sourceTableArn, sourceTableName/,
    );
    await validation(begin({ UseLatestRestorableTime }), /The parameter 'TableName' is required/);
    await validation(
      begin({ SourceTableArn: "not an arn", UseLatestRestorableTime }),
      /ARNs must start with 'arn:'/,
    );
    await validation(
      begin({ SourceTableArn: `${TableArn}/index/x`, UseLatestRestorableTime }),
      /sourceTableArn is not a valid ARN/,
    );
    await validation(
      begin({
        SourceTableArn: TableArn.replace(/:\d{12}:/, ":999999999999:"),
        UseLatestRestorableTime,
      }),
      /This action is only supported by accounts that match the resource owner.s account/,
    );
    const missing = freshName();
    await expectError(
      begin({ SourceTableName: missing, TargetTableName: table, UseLatestRestorableTime }),
      "TableNotFoundException",
      `Table not found: ${missing}`,
    );
  });

  test("a moment outside of what is kept, before a name that is taken", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table);
    await server.elapse(hour);
    for (const at of [
      ago(2 * hour),
      ago(4 * minute),
      new Date(server.clock.now() + hour),
      new Date(0),
    ]) {
      await expectError(
        begin({ SourceTableName: table, TargetTableName: table, RestoreDateTime: at }),
        "InvalidRestoreTimeException",
        new RegExp(
          `^RestoreDateTime '${at.toISOString().slice(0, -5)}Z' must be within EarliestRestorableDateTime '[^']*Z' and LatestRestor`,
        ),
      );
    }
  });

  test("a name that is taken, also its own", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table);
    await expectError(
      begin({ SourceTableName: table, TargetTableName: table, UseLatestRestorableTime: true }),
      "TableAlreadyExistsException",
      `Table already exists: ${table}`,
    );
  });

  test("what has become too old", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table, 1);
    await server.put(table, { pk: "a", v: 1 });
    await server.elapse(minute);
    const at = now();
    await server.put(table, { pk: "a", v: 2 });
    await server.elapse(day);
    await server.put(table, { pk: "a", v: 3 });
    await server.elapse(hour);
    await expectError(
      begin({ SourceTableName: table, RestoreDateTime: at }),
      "InvalidRestoreTimeException",
    );
    const kept = await server.restoreTo(table, ago(2 * hour));
    expect(await server.items(kept)).toEqual([shown({ pk: "a", v: 2 })]);
  });

  test("what was before it was enabled again", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table);
    await server.elapse(hour);
    const at = ago(30 * minute);
    await update(table, false);
    await update(table, true);
    await server.elapse(hour);
    await expectError(
      begin({ SourceTableName: table, RestoreDateTime: at }),
      "InvalidRestoreTimeException",
    );
  });

  test("warm throughput for an index", async () => {
    const table = await createTable(server, { key: "pk:S", global: { byG: { hash: "g:S" } } });
    await server.enable(table);
    await validation(
      begin({
        SourceTableName: table,
        UseLatestRestorableTime: true,
        GlobalSecondaryIndexOverride: [
          {
            IndexName: "byG",
            KeySchema: [{ AttributeName: "g", KeyType: "HASH" }],
            Projection: { ProjectionType: "ALL" },
            WarmThroughput: { ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 5_000 },
          },
        ],
      }),
      /WarmThroughput/,
    );
  });
});
