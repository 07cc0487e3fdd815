import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  UpdateContinuousBackupsCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { ManualClock } from "../../../src/index.ts";
import { createTable, expectError, useServer } from "../harness.ts";
import { inOrder, TestBucket } from "../imports/bucket.ts";
import {
  enableRecovery,
  exported,
  readExport,
  recoverable,
  startExport,
  tableOf,
} from "./exporting.ts";

const bucket = new TestBucket();
const clock = new ManualClock();
const server = useServer({ s3Folder: bucket.folder, clock });
const minute = 60_000;

const put = (TableName: string, pk: string, v: number) =>
  server.client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, v: { N: `${v}` } } }));
const remove = (TableName: string, pk: string) =>
  server.client.send(new DeleteItemCommand({ TableName, Key: { pk: { S: pk } } }));
const item = (pk: string, v: number) => ({ pk: { S: pk }, v: { N: `${v}` } });
const now = () => new Date(clock.now());

describe("a full export of an earlier moment", () => {
  test("has the items of then", async () => {
    const { arn, name } = await recoverable(server);
    clock.advance(minute);
    await put(name, "kept", 1);
    await put(name, "changed", 1);
    await put(name, "deleted", 1);
    const then = now();
    clock.advance(minute);
    await put(name, "changed", 2);
    await put(name, "new", 2);
    await remove(name, "deleted");
    clock.advance(10 * minute);
    const at = async (ExportTime?: Date) => {
      const end = await exported(server, {
        TableArn: arn,
        S3Bucket: bucket.name,
        ...(ExportTime !== undefined && { ExportTime }),
      });
      expect(end.ExportStatus).toBe("COMPLETED");
      if (ExportTime !== undefined) expect(end.ExportTime).toEqual(ExportTime);
      return inOrder(readExport(bucket, end).lines.map((line) => JSON.parse(line).Item));
    };
    expect(await at(then)).toEqual(
      inOrder([item("kept", 1), item("changed", 1), item("deleted", 1)]),
    );
    expect(await at()).toEqual(inOrder([item("kept", 1), item("changed", 2), item("new", 2)]));
  });

  test("reaches back as far as recovery was enabled, and not to the last minutes", async () => {
    const name = await createTable(server, { key: "pk:S" });
    clock.advance(10 * minute);
    await enableRecovery(server, name);
    const enabled = clock.now();
    clock.advance(20 * minute);
    const TableArn = (await tableOf(server, name)).TableArn;
    const at = (milliseconds: number) =>
      startExport(server, {
        TableArn,
        S3Bucket: bucket.name,
        ExportTime: new Date(milliseconds),
      });
    const notKept = "Point in Time Recovery is not available for specified export time";
    await expectError(at(enabled - minute), "InvalidExportTimeException", notKept);
    await expectError(at(clock.now() - minute), "InvalidExportTimeException", notKept);
    await expectError(
      at(enabled - 20 * minute),
      "InvalidExportTimeException",
      "Export Time is invalid",
    );
    expect((await at(enabled + minute)).ExportStatus).toBe("IN_PROGRESS");
  });
});

describe("an incremental export", () => {
  let table: { readonly name: string; readonly arn: string };
  let from: Date;
  let to: Date;
  let changedAt: number;

  beforeAll(async () => {
    table = await recoverable(server);
    await put(table.name, "kept", 1);
    await put(table.name, "changed", 1);
    await put(table.name, "deleted", 1);
    clock.advance(minute);
    from = now();
    await put(table.name, "inserted", 1);
    clock.advance(5 * minute);
    await put(table.name, "changed", 2);
    await put(table.name, "passing", 1);
    clock.advance(5 * minute);
    changedAt = clock.now();
    await put(table.name, "changed", 3);
    await remove(table.name, "deleted");
    await remove(table.name, "passing");
    clock.advance(10 * minute);
    to = now();
    await put(table.name, "late", 1);
    await put(table.name, "changed", 4);
    clock.advance(10 * minute);
  });

  const changes = async (more: object = {}, period: object = {}) => {
    const end = await exported(server, {
      TableArn: table.arn,
      S3Bucket: bucket.name,
      S3Prefix: "changes",
      ExportType: "INCREMENTAL_EXPORT",
      IncrementalExportSpecification: { ExportFromTime: from, ExportToTime: to, ...period },
      ...more,
    });
    expect(end.ExportStatus, end.FailureMessage).toBe("COMPLETED");
    return { end, ...readExport(bucket, end) };
  };

  test("tells what was changed from one moment to before another, each item once", async () => {
    const { end, summary, files, lines } = await changes();
    expect(end).toMatchObject({
      ExportType: "INCREMENTAL_EXPORT",
      ItemCount: 3,
      IncrementalExportSpecification: {
        ExportFromTime: from,
        ExportToTime: to,
        ExportViewType: "NEW_AND_OLD_IMAGES",
      },
    });
    expect(end).not.toHaveProperty("ExportTime");
    const at = (milliseconds: number) => ({
      WriteTimestampMicros: { N: `${milliseconds * 1_000}` },
    });
    expect(inOrder(lines.map((line) => JSON.parse(line)))).toEqual(
      inOrder([
        {
          Metadata: at(from.getTime()),
          Keys: { pk: { S: "inserted" } },
          NewImage: item("inserted", 1),
        },
        {
          Metadata: at(changedAt),
          Keys: { pk: { S: "changed" } },
          OldImage: item("changed", 1),
          NewImage: item("changed", 3),
        },
        {
          Metadata: at(changedAt),
          Keys: { pk: { S: "deleted" } },
          OldImage: item("deleted", 1),
        },
      ]),
    );
    expect(summary).toMatchObject({
      version: "2023-08-01",
      exportFromTime: from.toISOString(),
      exportToTime: to.toISOString(),
      outputView: "NEW_AND_OLD_IMAGES",
      exportType: "INCREMENTAL_EXPORT",
      itemCount: 3,
    });
    expect(summary).not.toHaveProperty("exportTime");
    // Data of incremental exports is in one folder for all of them.
    for (const { dataFileS3Key } of files)
      expect(dataFileS3Key).toMatch(/^changes\/AWSDynamoDB\/data\//);
  });

  test("can leave out what there was before", async () => {
    const { lines } = await changes({}, { ExportViewType: "NEW_IMAGE" });
    const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(found.some((one) => "OldImage" in one)).toBe(false);
    const deleted = found.find((one) => JSON.stringify(one.Keys).includes("deleted"));
    expect(Object.keys(deleted ?? {}).toSorted()).toEqual(["Keys", "Metadata"]);
  });

  test("as Ion", async () => {
    const { lines } = await changes({ ExportFormat: "ION" });
    expect(lines.find((line) => line.includes('"inserted"'))).toBe(
      `$ion_1_0 {Record:{Keys:{pk:"inserted"},Metadata:{WriteTimestampMicros:${String(
        from.getTime() * 1_000,
      ).replace(/(0+)$/, (zeros) => `d${zeros.length}`)}},NewImage:{pk:"inserted",v:1.}}}`,
    );
  });

  test("goes up to now unless something else is said", async () => {
    const { end } = await changes({}, { ExportToTime: undefined });
    expect(end.ItemCount).toBe(4);
    expect(end.IncrementalExportSpecification?.ExportToTime).toEqual(now());
  });

  test("has bounds", async () => {
    const attempt = (ExportFromTime: Date, ExportToTime: Date) =>
      startExport(server, {
        TableArn: table.arn,
        S3Bucket: bucket.name,
        ExportType: "INCREMENTAL_EXPORT",
        IncrementalExportSpecification: { ExportFromTime, ExportToTime },
      });
    const shifted = (date: Date, milliseconds: number) => new Date(date.getTime() + milliseconds);
    const early = shifted(from, -60 * minute);
    const refused = (request: Promise<unknown>, message: string | RegExp) =>
      expectError(request, "InvalidExportTimeException", message);
    await refused(
      attempt(early, to),
      `Incremental export period from time cannot be less than the table creation time : ${early
        .toISOString()
        .replace(".000Z", "Z")}`,
    );
    const late = shifted(now(), minute);
    await refused(
      attempt(from, late),
      `Incremental export period to time cannot be greater than the current time : ${late
        .toISOString()
        .replace(".000Z", "Z")}`,
    );
    await refused(
      attempt(from, shifted(from, 14 * minute)),
      "Difference between export period from time and export period to time is less than 15 minutes",
    );
    await refused(attempt(to, from), /^Incremental export period/);
    clock.advance(25 * 60 * minute);
    await refused(attempt(from, shifted(from, 24 * 60 * minute + 1000)), /24 hours/);
    expect((await attempt(from, shifted(from, 24 * 60 * minute))).ExportStatus).toBe("IN_PROGRESS");
  });

  test("needs recovery for the whole of it", async () => {
    const name = await createTable(server, { key: "pk:S" });
    const TableArn = (await tableOf(server, name)).TableArn;
    const created = now();
    clock.advance(30 * minute);
    const attempt = () =>
      startExport(server, {
        TableArn,
        S3Bucket: bucket.name,
        ExportType: "INCREMENTAL_EXPORT",
        IncrementalExportSpecification: { ExportFromTime: created },
      });
    await expectError(attempt(), "PointInTimeRecoveryUnavailableException");
    await server.client.send(
      new UpdateContinuousBackupsCommand({
        TableName: name,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    );
    await expectError(attempt(), "InvalidExportTimeException");
  });
});

test("many changes of many items are told right", async () => {
  const { arn, name } = await recoverable(server);
  const write = (values: readonly (readonly [string, number])[]) =>
    server.client.send(
      new BatchWriteItemCommand({
        RequestItems: { [name]: values.map(([pk, v]) => ({ PutRequest: { Item: item(pk, v) } })) },
      }),
    );
  const keys = Array.from({ length: 100 }, (_, i) => `key ${i}`);
  for (let at = 0; at < 100; at += 25) await write(keys.slice(at, at + 25).map((pk) => [pk, 0]));
  clock.advance(minute);
  const from = now();
  for (let round = 1; round <= 5; round += 1) {
    clock.advance(minute);
    for (let at = 0; at < 50; at += 25)
      await write(keys.slice(at, at + 25).map((pk) => [pk, round]));
  }
  clock.advance(20 * minute);
  const end = await exported(server, {
    TableArn: arn,
    S3Bucket: bucket.name,
    ExportType: "INCREMENTAL_EXPORT",
    IncrementalExportSpecification: { ExportFromTime: from },
  });
  const { lines } = readExport(bucket, end);
  const found = lines.map((line) => JSON.parse(line));
  expect(found).toHaveLength(50);
  for (const { Keys, OldImage, NewImage, Metadata } of found) {
    expect(OldImage).toEqual(item(Keys.pk.S, 0));
    expect(NewImage).toEqual(item(Keys.pk.S, 5));
    expect(Metadata.WriteTimestampMicros.N).toBe(`${(from.getTime() + 5 * minute) * 1_000}`);
  }
});
