import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderForTests } from "../../test/folder-for-tests.ts";
import { plain } from "../api/response-json.ts";
import { ManualClock } from "../base/clock.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import { workbenchOn } from "./workbench.ts";

const caller = { account: "000000000000", region: "us-east-1" };
const items = 3_000;
const folder = folderForTests("steps");
mkdirSync(join(folder, "bucket", "source"), { recursive: true });
writeFileSync(
  join(folder, "bucket", "source", "items.json"),
  Array.from(
    { length: items },
    (_, i) => `{"Item":{"pk":{"S":"key ${i}"},"v":{"N":"${i}"},"t":{"S":"${"x".repeat(300)}"}}}\n`,
  ).join(""),
);

/** A store is told when it may forget: else a job takes as much memory as the table is large. */
test("every long job tells the store after its steps, and requests do not", async () => {
  let steps = 0;
  const stepDone = (): void => {
    steps += 1;
  };
  const store = Object.assign(openMemoryStore(), { stepDone });
  const clock = new ManualClock();
  const bench = await workbenchOn(store, { clock, pitrLag: 0, s3Folder: folder, ttlDelay: false });
  const ask = async (operation: string, body: object) =>
    plain<Record<string, Record<string, string>>>(await bench.execute(operation, body, caller));
  const stepsOf = async (operation: string, body: object) => {
    steps = 0;
    const answer = await ask(operation, body);
    await bench.idle();
    return { answer, steps };
  };

  const table = {
    TableName: "Things",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
  };
  const source = { S3Bucket: "bucket", S3KeyPrefix: "source/" };
  const imported = await stepsOf("ImportTable", {
    ClientToken: "token",
    S3BucketSource: source,
    InputFormat: "DYNAMODB_JSON",
    TableCreationParameters: table,
  });
  expect(imported.steps).toBeGreaterThan(5);

  steps = 0;
  const loaded = await bench.load(
    {
      create: { ...table, TableName: "Loaded" },
      bucket: "bucket",
      prefix: "source/",
      format: "DYNAMODB_JSON",
      compression: "NONE",
    },
    caller,
  );
  expect(loaded.imported).toBe(items);
  expect(steps).toBeGreaterThan(5);

  const recovery = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } };
  await ask("UpdateContinuousBackups", { TableName: "Things", ...recovery });
  clock.advance(60_000);
  const { Table } = await ask("DescribeTable", { TableName: "Things" });
  const exporting = { TableArn: Table?.TableArn, S3Bucket: "bucket" };
  expect((await stepsOf("ExportTableToPointInTime", exporting)).steps).toBeGreaterThan(5);

  const made = await stepsOf("CreateBackup", { TableName: "Things", BackupName: "one" });
  expect(made.steps).toBeGreaterThan(5);
  const fromBackup = {
    BackupArn: made.answer.BackupDetails?.BackupArn,
    TargetTableName: "FromBackup",
  };
  expect((await stepsOf("RestoreTableFromBackup", fromBackup)).steps).toBeGreaterThan(5);
  const toMoment = {
    SourceTableName: "Things",
    TargetTableName: "ToMoment",
    UseLatestRestorableTime: true,
  };
  expect((await stepsOf("RestoreTableToPointInTime", toMoment)).steps).toBeGreaterThan(5);

  const index = {
    TableName: "Things",
    AttributeDefinitions: [{ AttributeName: "v", AttributeType: "N" }],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: "byV",
          KeySchema: [{ AttributeName: "v", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      },
    ],
  };
  expect((await stepsOf("UpdateTable", index)).steps).toBeGreaterThan(5);
  const expiry = {
    TableName: "Things",
    TimeToLiveSpecification: { AttributeName: "v", Enabled: true },
  };
  expect((await stepsOf("UpdateTimeToLive", expiry)).steps).toBeGreaterThan(5);

  steps = 0;
  expect((await bench.verify()).problems).toEqual([]);
  expect(steps).toBeGreaterThan(5);

  steps = 0;
  bench.stepDone();
  expect(steps).toBe(1);

  steps = 0;
  const Key = { pk: { S: "key 1" } };
  await ask("PutItem", { TableName: "Things", Item: Key });
  await ask("GetItem", { TableName: "Things", Key });
  await ask("Query", {
    TableName: "Things",
    KeyConditionExpression: "pk = :p",
    ExpressionAttributeValues: { ":p": Key.pk },
  });
  await ask("Scan", { TableName: "Things" });
  expect(steps).toBe(0);
  await bench.close();
});
