import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeExportCommand,
  ExportTableToPointInTimeCommand,
  ListExportsCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, useServer, validation } from "../harness.ts";
import { inOrder, TestBucket } from "../imports/bucket.ts";
import {
  endOfExport,
  exported,
  filesBelow,
  readExport,
  recoverable,
  startExport,
  tableOf,
} from "./exporting.ts";

const bucket = new TestBucket();
const server = useServer({ s3Folder: bucket.folder });

const put = (TableName: string, Item: Record<string, object>) =>
  server.client.send(new PutItemCommand({ TableName, Item: Item as never }));

const itemsIn = (lines: readonly string[]) =>
  inOrder(lines.map((line) => (JSON.parse(line) as { Item: object }).Item));

async function filled() {
  const table = await recoverable(server);
  const items = Array.from({ length: 10 }, (_, i) => ({
    pk: { S: `item ${i}` },
    n: { N: `${i}` },
  }));
  for (const item of items) await put(table.name, item);
  return { ...table, items };
}

describe("a full export", () => {
  test("writes files and manifests as the service does", async () => {
    const { arn, items, name } = await filled();
    const end = await exported(server, { TableArn: arn, S3Bucket: bucket.name, S3Prefix: "a/b" });
    expect(end).toMatchObject({ ExportStatus: "COMPLETED", ItemCount: 10, S3Prefix: "a/b" });
    const id = end.ExportArn?.split("/").at(-1) ?? "";
    expect(id).toMatch(/^[0-9]{14}-[0-9a-f]{8}$/);
    expect(end.ExportManifest).toBe(`a/b/AWSDynamoDB/${id}/manifest-summary.json`);
    const { summary, files, lines } = readExport(bucket, end);
    expect(itemsIn(lines)).toEqual(inOrder(items));
    expect(summary).toEqual({
      version: "2020-06-30",
      exportArn: end.ExportArn,
      startTime: end.StartTime?.toISOString(),
      endTime: expect.stringMatching(/^[0-9-]{10}T[0-9:.]{12}Z$/),
      tableArn: arn,
      tableId: (await tableOf(server, name)).TableId,
      exportTime: end.ExportTime?.toISOString(),
      s3Bucket: bucket.name,
      s3Prefix: "a/b",
      s3SseAlgorithm: "AES256",
      s3SseKmsKeyId: null,
      manifestFilesS3Key: `a/b/AWSDynamoDB/${id}/manifest-files.json`,
      billedSizeBytes: expect.any(Number),
      itemCount: 10,
      outputFormat: "DYNAMODB_JSON",
      exportType: "FULL_EXPORT",
    });
    // A new on-demand table has four partitions, and each has a file.
    expect(files).toHaveLength(4);
    const data = files.map(({ dataFileS3Key }) => dataFileS3Key.split("/").at(-1) ?? "");
    for (const file of data) expect(file).toMatch(/^[a-z0-9]{26}\.json\.gz$/);
    expect(filesBelow(bucket, `a/b/AWSDynamoDB/${id}`)).toEqual(
      [
        "_started",
        ...data.map((file) => `data/${file}`),
        "manifest-files.json",
        "manifest-files.md5",
        "manifest-summary.json",
        "manifest-summary.md5",
      ].toSorted(),
    );
  });

  test("tells at once what it will be, and the rest when it has ended", async () => {
    const { arn, name } = await filled();
    const first = await startExport(server, { TableArn: arn, S3Bucket: bucket.name });
    expect(first).toMatchObject({
      ExportStatus: "IN_PROGRESS",
      ExportFormat: "DYNAMODB_JSON",
      S3SseAlgorithm: "AES256",
      S3Bucket: bucket.name,
      TableArn: arn,
      TableId: (await tableOf(server, name)).TableId,
    });
    expect(first.ExportTime).toEqual(first.StartTime);
    expect(first.ClientToken).toBeDefined();
    for (const absent of [
      "EndTime",
      "ItemCount",
      "BilledSizeBytes",
      "ExportManifest",
      "ExportType",
    ]) {
      expect(first).not.toHaveProperty(absent);
    }
    const end = await endOfExport(server, first.ExportArn);
    expect(end.ExportManifest).toMatch(/^AWSDynamoDB\//);
    expect(end.EndTime?.getTime()).toBeGreaterThanOrEqual(end.StartTime?.getTime() ?? Infinity);
  });

  test("of an empty table has empty files", async () => {
    const { arn } = await recoverable(server);
    const end = await exported(server, { TableArn: arn, S3Bucket: bucket.name });
    expect(end).toMatchObject({ ExportStatus: "COMPLETED", ItemCount: 0, BilledSizeBytes: 0 });
    expect(readExport(bucket, end).lines).toEqual([]);
  });

  test("joins the prefix with a slash, unless it has one", async () => {
    const { arn } = await recoverable(server);
    const end = await exported(server, { TableArn: arn, S3Bucket: bucket.name, S3Prefix: "foo/" });
    expect(end.ExportManifest).toMatch(/^foo\/AWSDynamoDB\//);
    expect(end.S3Prefix).toBe("foo/");
  });

  test("has the items of the moment, whatever is written meanwhile", async () => {
    const { arn, name, items } = await filled();
    const { ExportArn } = await startExport(server, { TableArn: arn, S3Bucket: bucket.name });
    await put(name, { pk: { S: "item 3" }, n: { N: "-1" } });
    await put(name, { pk: { S: "later" } });
    await server.client.send(
      new DeleteItemCommand({ TableName: name, Key: { pk: { S: "item 4" } } }),
    );
    const end = await endOfExport(server, ExportArn);
    expect(itemsIn(readExport(bucket, end).lines)).toEqual(inOrder(items));
  });

  test("as Ion", async () => {
    const { arn } = await filled();
    const end = await exported(server, {
      TableArn: arn,
      S3Bucket: bucket.name,
      ExportFormat: "ION",
    });
    expect(end).toMatchObject({ ExportStatus: "COMPLETED", ExportFormat: "ION" });
    const { summary, files, lines } = readExport(bucket, end);
    expect(summary.outputFormat).toBe("ION");
    for (const { dataFileS3Key } of files) expect(dataFileS3Key).toMatch(/\.ion\.gz$/);
    expect(lines.toSorted()).toEqual(
      Array.from({ length: 10 }, (_, i) => `$ion_1_0 {Item:{pk:"item ${i}",n:${i}.}}`).toSorted(),
    );
  });

  test("of some items, and parts of them", async () => {
    const { arn } = await filled();
    const filter = {
      FilterExpression: "#n >= :n",
      ProjectionExpression: "#n",
      ExpressionAttributeNames: { "#n": "n" },
      ExpressionAttributeValues: { ":n": { N: "8" } },
    };
    const end = await exported(server, {
      TableArn: arn,
      S3Bucket: bucket.name,
      FilterSpecification: filter,
    });
    expect(end).toMatchObject({ ItemCount: 2, FilterSpecification: filter });
    expect(itemsIn(readExport(bucket, end).lines)).toEqual([{ n: { N: "8" } }, { n: { N: "9" } }]);
  });

  test("of one partition and a stretch of its sort keys", async () => {
    const table = await recoverable(server, { key: "pk:S sk:N" });
    for (const pk of ["a", "b"]) {
      for (let sk = 0; sk < 4; sk += 1) {
        await put(table.name, { pk: { S: pk }, sk: { N: `${sk}` }, even: { BOOL: sk % 2 === 0 } });
      }
    }
    const end = await exported(server, {
      TableArn: table.arn,
      S3Bucket: bucket.name,
      FilterSpecification: {
        KeyConditionExpression: "pk = :a AND sk > :one",
        FilterExpression: "even = :yes",
        ExpressionAttributeValues: {
          ":a": { S: "a" },
          ":one": { N: "1" },
          ":yes": { BOOL: true },
        },
      },
    });
    expect(itemsIn(readExport(bucket, end).lines)).toEqual([
      { even: { BOOL: true }, pk: { S: "a" }, sk: { N: "2" } },
    ]);
  });

  test("needs a bucket that is there, and one's own", async () => {
    const { arn } = await recoverable(server);
    const missing = await exported(server, { TableArn: arn, S3Bucket: "no-such-bucket" });
    expect(missing).toMatchObject({ ExportStatus: "FAILED", FailureCode: "S3NoSuchBucket" });
    expect(missing.FailureMessage).toMatch(
      /^The specified bucket does not exist \(Service: Amazon S3; /,
    );
    expect(missing).not.toHaveProperty("ExportManifest");
    const foreign = await exported(server, {
      TableArn: arn,
      S3Bucket: bucket.name,
      S3BucketOwner: "999999999999",
    });
    expect(foreign).toMatchObject({ ExportStatus: "FAILED", FailureCode: "S3AccessDenied" });
  });
});

describe("requests", () => {
  test("a table without point-in-time recovery is refused", async () => {
    const name = await createTable(server, { key: "pk:S" });
    const TableArn = (await tableOf(server, name)).TableArn;
    await expectError(
      startExport(server, { TableArn, S3Bucket: "no-such-bucket" }),
      "PointInTimeRecoveryUnavailableException",
      `Point in time recovery is not enabled for table '${name}'`,
    );
    const { ExportSummaries } = await server.client.send(new ListExportsCommand({ TableArn }));
    expect(ExportSummaries).toEqual([]);
  });

  test("a table that is not there, not here, not mine or no table is refused", async () => {
    const { arn, name } = await recoverable(server);
    const attempt = (TableArn: string) => startExport(server, { TableArn, S3Bucket: bucket.name });
    const missing = arn.replace(name, "no-such-table");
    await expectError(attempt(missing), "TableNotFoundException", `Table not found: ${missing}`);
    const elsewhere = arn.replace("us-east-1", "eu-west-1");
    await expectError(
      attempt(elsewhere),
      "TableNotFoundException",
      `Table not found: ${elsewhere}`,
    );
    await expectError(
      attempt(arn.replace(/:[0-9]{12}:/, ":999999999999:")),
      "AccessDeniedException",
      "Access is denied",
    );
    await validation(
      attempt(name),
      "One or more parameter values were invalid: tableArn is not a valid ARN",
    );
    await validation(attempt(`${arn}/index/by-x`), "Invalid Request: Table ARN is invalid.");
  });

  test.each([
    [
      { ExportFormat: "CSV" },
      /^1 validation error detected: Value 'CSV' at 'exportFormat' failed to satisfy constraint: Member must satisfy enum value set: \[ION, DYNAMODB_JSON\]$/,
    ],
    [{ ExportType: "PARTIAL" }, /at 'exportType' failed to satisfy constraint/],
    [{ S3SseAlgorithm: "aws:kms" }, /at 's3SseAlgorithm' failed to satisfy constraint/],
    [{ S3Bucket: "arn:aws:s3:::bucket" }, /at 's3Bucket' failed to satisfy constraint/],
    [{ S3BucketOwner: "not-an-account" }, /at 's3BucketOwner' failed to satisfy constraint/],
    [
      { S3SseKmsKeyId: "alias/aws/s3" },
      "Invalid Request: KMS Key Id is not supported for this encryption type",
    ],
    [
      { S3SseAlgorithm: "AES256", S3SseKmsKeyId: "alias/aws/s3" },
      "Invalid Request: KMS Key Id is not supported for this encryption type",
    ],
    [
      { ExportType: "INCREMENTAL_EXPORT" },
      "Invalid Request: Incremental Export Specification expected when export type is set as Incremental Export",
    ],
    [
      { ExportType: "INCREMENTAL_EXPORT", IncrementalExportSpecification: {} },
      "Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification",
    ],
    [
      { IncrementalExportSpecification: { ExportViewType: "NEW_IMAGE" } },
      "Invalid Request: Export Type expected to be Incremental Export when incremental export specification is provided",
    ],
    [
      { ExportType: "FULL_EXPORT", IncrementalExportSpecification: {} },
      "Invalid Request: When Export Type is Full Export , Incremental Export Specification should not be provided",
    ],
    [
      {
        ExportType: "INCREMENTAL_EXPORT",
        IncrementalExportSpecification: { ExportViewType: "NEW_IMAGES" },
      },
      /at 'incrementalExportSpecification\.exportViewType' failed to satisfy constraint/,
    ],
    [
      { FilterSpecification: {} },
      "Invalid Request: Invalid FilterSpecification: The specification can not be empty",
    ],
    [{ FilterSpecification: { FilterExpression: "a = " } }, /Syntax error/],
  ])("%j is refused", async (more, message) => {
    const { arn } = await recoverable(server);
    const input = { TableArn: arn, S3Bucket: bucket.name, ...more } as never;
    await validation(server.client.send(new ExportTableToPointInTimeCommand(input)), message);
  });

  test("times that are not kept are refused", async () => {
    const { arn } = await recoverable(server);
    const at = (milliseconds: number) =>
      startExport(server, {
        TableArn: arn,
        S3Bucket: bucket.name,
        ExportTime: new Date(Date.now() + milliseconds),
      });
    for (const wrong of [3_600_000, 5_000, -7 * 86_400_000]) {
      await expectError(at(wrong), "InvalidExportTimeException", "Export Time is invalid");
    }
  });

  test("a token stands for one export, and for nothing else", async () => {
    const { arn } = await recoverable(server);
    const other = await recoverable(server);
    const input = { TableArn: arn, S3Bucket: bucket.name, ClientToken: freshName("token") };
    const first = await startExport(server, input);
    expect((await startExport(server, input)).ExportArn).toBe(first.ExportArn);
    const end = await endOfExport(server, first.ExportArn);
    const again = await startExport(server, input);
    expect(again).toMatchObject({ ExportArn: first.ExportArn, ExportStatus: "COMPLETED" });
    expect(end.ClientToken).toBe(input.ClientToken);
    for (const more of [
      { S3Prefix: "x" },
      { ExportFormat: "ION" as const },
      { TableArn: other.arn },
    ]) {
      await expectError(
        startExport(server, { ...input, ...more }),
        "ExportConflictException",
        "Export conflict: Duplicate request detected with conflicting parameters",
      );
    }
  });

  test("without a token two requests are two exports", async () => {
    const { arn } = await recoverable(server);
    const input = { TableArn: arn, S3Bucket: bucket.name };
    const arns = new Set<string>();
    for (const _ of [1, 2]) {
      const { json } = await server.raw("ExportTableToPointInTime", input);
      arns.add(json.ExportDescription.ExportArn);
      expect(json.ExportDescription.DestinationType).toBe("S3");
      expect(json.ExportDescription).not.toHaveProperty("ClientToken");
    }
    expect(arns.size).toBe(2);
  });
});

describe("what is told of exports", () => {
  test("ARNs of no export are refused, each in its way", async () => {
    const { arn } = await recoverable(server);
    const end = await exported(server, { TableArn: arn, S3Bucket: bucket.name });
    const describe_ = (ExportArn: string) =>
      server.client.send(new DescribeExportCommand({ ExportArn }));
    const own = end.ExportArn ?? "";
    const tampered = own.replace(/.{8}$/, "0badf00d");
    await expectError(
      describe_(tampered),
      "ExportNotFoundException",
      `Export not found: Export not found: ${tampered}`,
    );
    await expectError(
      describe_(own.replace("us-east-1", "eu-west-1")),
      "ExportNotFoundException",
      "Export not found: Invalid export arn",
    );
    await expectError(
      describe_(own.replace(/:[0-9]{12}:/, ":999999999999:")),
      "AccessDeniedException",
      "Access is denied",
    );
    await validation(describe_(arn), "Invalid Export ARN");
    await validation(describe_(own.replace("/export/", "/import/")), "Invalid Export ARN");
    await validation(describe_("x".repeat(40)), "Invalid Export ARN");
  });

  test("a summary has three members; pages hold ten exports, the latest first", async () => {
    const { arn } = await recoverable(server);
    const all: (string | undefined)[] = [];
    for (let count = 0; count < 11; count += 1) {
      all.push((await exported(server, { TableArn: arn, S3Bucket: bucket.name })).ExportArn);
    }
    const page = await server.client.send(new ListExportsCommand({ TableArn: arn }));
    expect(page.ExportSummaries?.map(({ ExportArn }) => ExportArn)).toEqual(
      all.toReversed().slice(0, 10),
    );
    expect(page.ExportSummaries?.[0]).toEqual({
      ExportArn: all.at(-1),
      ExportStatus: "COMPLETED",
      ExportType: "FULL_EXPORT",
    });
    const rest = await server.client.send(
      new ListExportsCommand({ TableArn: arn, NextToken: page.NextToken, MaxResults: 5 }),
    );
    expect(rest.ExportSummaries?.map(({ ExportArn }) => ExportArn)).toEqual([all[0]]);
    expect(rest.NextToken).toBeUndefined();
    const list = (input: object) => server.client.send(new ListExportsCommand(input));
    await validation(list({ MaxResults: 26 }), /maxResults/);
    await validation(
      list({ NextToken: "nonsense" }),
      "Invalid Request: Provided nextToken is invalid: nonsense",
    );
  });

  test("an export outlives its table, of whose exports it is no longer one", async () => {
    const { arn, name } = await filled();
    const end = await exported(server, { TableArn: arn, S3Bucket: bucket.name });
    await server.client.send(new DeleteTableCommand({ TableName: name }));
    const { ExportDescription } = await server.client.send(
      new DescribeExportCommand({ ExportArn: end.ExportArn }),
    );
    expect(ExportDescription).toEqual(end);
    const listed = await server.client.send(new ListExportsCommand({ TableArn: arn }));
    expect(listed.ExportSummaries).toEqual([]);
    expect(readExport(bucket, end).lines).toHaveLength(10);
  });
});

describe("the folder that stands for Amazon S3", () => {
  test("is not left by any name", async () => {
    const { arn } = await recoverable(server);
    for (const S3Prefix of ["..", "a/../../b", "/etc", "a//b", "a/./b", "a\\..\\b", "a\u0000b"]) {
      await validation(
        startExport(server, { TableArn: arn, S3Bucket: bucket.name, S3Prefix }),
        /^Invalid Request: Keywright keeps buckets in a folder, where this S3Prefix cannot be: /,
      );
    }
    for (const S3Bucket of ["..", ".", "a/b", "../x"]) {
      await validation(startExport(server, { TableArn: arn, S3Bucket }), /s3Bucket/);
    }
  });

  test("follows no links", async () => {
    const { arn } = await filled();
    const outside = join(bucket.folder, "..", freshName("outside"));
    mkdirSync(outside);
    symlinkSync(outside, join(bucket.folder, "linked-bucket"));
    symlinkSync(outside, bucket.path("linked"));
    const toBucket = await exported(server, { TableArn: arn, S3Bucket: "linked-bucket" });
    expect(toBucket).toMatchObject({ ExportStatus: "FAILED", FailureCode: "S3NoSuchBucket" });
    const toFolder = await exported(server, {
      TableArn: arn,
      S3Bucket: bucket.name,
      S3Prefix: "linked",
    });
    expect(toFolder).toMatchObject({ ExportStatus: "FAILED" });
    expect(toFolder.FailureMessage).toMatch(/linked is not a folder/);
    expect(readdirSync(outside)).toEqual([]);
  });
});
