import { gzipSync } from "node:zlib";
import {
  DeleteTableCommand,
  DescribeTableCommand,
  GetItemCommand,
  ImportTableCommand,
  ListTablesCommand,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, useServer, validation } from "../harness.ts";
import {
  countOf,
  endOfImport,
  imported,
  importInput,
  inOrder,
  itemsOf,
  lines,
  parameters,
  TestBucket,
} from "./bucket.ts";

const bucket = new TestBucket();
const server = useServer({ s3Folder: bucket.folder });
const failureText =
  "Some of the items failed validation checks and were not imported. " +
  "Please check CloudWatch error logs for more details.";

const item = (pk: string, more: object = {}) => ({ pk: { S: pk }, ...more });

describe("an import", () => {
  test("makes a table of the items of all objects under a prefix", async () => {
    const prefix = bucket.source({
      "a.json": lines(item("1"), item("2")),
      "deep/er/b": lines(item("3", { n: { N: "1.50" } })),
      empty: "",
      blank: "\n   \n\n",
    });
    const source = importInput(bucket, prefix);
    const end = await imported(server, source);
    expect(end).toMatchObject({
      ImportStatus: "COMPLETED",
      ErrorCount: 0,
      ProcessedItemCount: 3,
      ImportedItemCount: 3,
      InputCompressionType: "NONE",
      TableCreationParameters: source.TableCreationParameters,
    });
    expect(end.FailureCode).toBeUndefined();
    expect(await itemsOf(server, end.table)).toEqual(
      inOrder([item("1"), item("2"), item("3", { n: { N: "1.5" } })]),
    );
  });

  test("tells at once what it will be, and the rest when it has ended", async () => {
    const prefix = bucket.source({ "a.json": lines(item("1")) });
    const input = importInput(bucket, prefix, { ClientToken: freshName("token") });
    const { ImportTableDescription: first = {} } = await server.client.send(
      new ImportTableCommand(input),
    );
    const name = input.TableCreationParameters?.TableName;
    expect(first).toMatchObject({
      ImportStatus: "IN_PROGRESS",
      ClientToken: input.ClientToken,
      ErrorCount: 0,
      ProcessedItemCount: 0,
      ImportedItemCount: 0,
      InputFormat: "DYNAMODB_JSON",
      S3BucketSource: { S3Bucket: bucket.name, S3KeyPrefix: prefix },
    });
    expect(first.S3BucketSource?.S3BucketOwner).toMatch(/^[0-9]{12}$/);
    expect(first.TableArn).toMatch(new RegExp(`:table/${name}$`));
    expect(first.ImportArn).toMatch(/\/import\/[0-9]{14}-[0-9a-f]{8}$/);
    expect(first.ImportArn?.startsWith(`${first.TableArn}/import/`)).toBe(true);
    expect(first.CloudWatchLogGroupArn).toMatch(/:log-group:\/aws-dynamodb\/imports:\*$/);
    expect(first.StartTime).toBeInstanceOf(Date);
    for (const absent of ["EndTime", "ProcessedSizeBytes", "FailureCode", "FailureMessage"]) {
      expect(first).not.toHaveProperty(absent);
    }
    const last = await endOfImport(server, first.ImportArn);
    expect(last).toMatchObject({
      ImportArn: first.ImportArn,
      TableId: first.TableId,
      StartTime: first.StartTime,
      ProcessedSizeBytes: lines(item("1")).length,
    });
    expect(last.EndTime?.getTime()).toBeGreaterThanOrEqual(last.StartTime?.getTime() ?? Infinity);
    const { Table } = await server.client.send(new DescribeTableCommand({ TableName: name }));
    expect(Table).toMatchObject({ TableStatus: "ACTIVE", TableId: first.TableId });
  });

  test("counts uncompressed bytes, whatever the compression", async () => {
    const text = lines(item("1"), item("2", { text: { S: "x".repeat(1000) } }));
    const plain = await imported(server, importInput(bucket, bucket.source({ a: text })));
    const zipped = await imported(
      server,
      importInput(bucket, bucket.source({ a: gzipSync(text) }), { InputCompressionType: "GZIP" }),
    );
    expect(plain.ProcessedSizeBytes).toBe(Buffer.byteLength(text));
    expect(zipped.ProcessedSizeBytes).toBe(plain.ProcessedSizeBytes);
    expect(await itemsOf(server, zipped.table)).toEqual(await itemsOf(server, plain.table));
  });

  test("takes several items on one line", async () => {
    const one = JSON.stringify({ Item: item("1") });
    const two = JSON.stringify({ Item: item("2") });
    const end = await imported(server, importInput(bucket, bucket.source({ a: `${one}${two}` })));
    expect(end).toMatchObject({ ImportStatus: "COMPLETED", ImportedItemCount: 2 });
  });

  test("fills indexes, which can be queried at once", async () => {
    const prefix = bucket.source({
      a: lines(
        { pk: { S: "1" }, g: { N: "7" }, a: { S: "kept" }, b: { S: "left" } },
        { pk: { S: "2" }, a: { S: "in no index" } },
      ),
    });
    const end = await imported(
      server,
      importInput(bucket, prefix, {
        TableCreationParameters: parameters({
          AttributeDefinitions: [
            { AttributeName: "pk", AttributeType: "S" },
            { AttributeName: "g", AttributeType: "N" },
          ],
          GlobalSecondaryIndexes: [
            {
              IndexName: "by-g",
              KeySchema: [{ AttributeName: "g", KeyType: "HASH" }],
              Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["a"] },
            },
          ],
        }),
      }),
    );
    expect(end.ImportStatus).toBe("COMPLETED");
    const found = await server.client.send(
      new QueryCommand({
        TableName: end.table,
        IndexName: "by-g",
        KeyConditionExpression: "g = :g",
        ExpressionAttributeValues: { ":g": { N: "7" } },
      }),
    );
    expect(found.Items).toEqual([{ pk: { S: "1" }, g: { N: "7" }, a: { S: "kept" } }]);
    const { Table } = await server.client.send(new DescribeTableCommand({ TableName: end.table }));
    expect(Table?.GlobalSecondaryIndexes).toMatchObject([
      { IndexName: "by-g", IndexStatus: "ACTIVE" },
    ]);
  });

  test("counts writes, not items: the same key again overwrites", async () => {
    const prefix = bucket.source({
      a: lines(item("1", { v: { N: "1" } }), item("2"), item("1", { v: { N: "2" } })),
    });
    const end = await imported(server, importInput(bucket, prefix));
    expect(end).toMatchObject({
      ImportStatus: "COMPLETED",
      ProcessedItemCount: 3,
      ImportedItemCount: 3,
      ErrorCount: 0,
    });
    expect(await countOf(server, end.table)).toBe(2);
  });

  test("of a prefix without objects makes an empty table", async () => {
    const end = await imported(server, importInput(bucket, "nothing/here"));
    expect(end).toMatchObject({
      ImportStatus: "COMPLETED",
      ProcessedItemCount: 0,
      ImportedItemCount: 0,
      ErrorCount: 0,
      ProcessedSizeBytes: 0,
    });
    expect(await itemsOf(server, end.table)).toEqual([]);
  });

  test("takes the prefix as characters, not as a folder; one object's key is one, too", async () => {
    const prefix = bucket.source({
      "data/1.json": lines(item("1")),
      "data2/x.json": lines(item("2")),
      "data.bak": lines(item("3")),
    });
    const raw = await imported(server, importInput(bucket, `${prefix}data`));
    expect(raw.ImportedItemCount).toBe(3);
    const single = await imported(server, importInput(bucket, `${prefix}data/1.json`));
    expect(single.ImportedItemCount).toBe(1);
  });

  test("takes items of 400 KB", async () => {
    const large = item("large", { text: { S: "y".repeat(409_600 - 2 - 5 - 4) } });
    const end = await imported(server, importInput(bucket, bucket.source({ a: lines(large) })));
    expect(end.ImportStatus).toBe("COMPLETED");
    expect(await itemsOf(server, end.table)).toEqual(inOrder([large]));
  });
});

describe("what is wrong with the source", () => {
  test("an item that is not valid is left out, the others are imported", async () => {
    const good = Array.from({ length: 9 }, (_, i) => item(`good ${i}`));
    const prefix = bucket.source({
      a: lines(...good.slice(0, 4), { x: { S: "1" } }, ...good.slice(4)),
    });
    const end = await imported(server, importInput(bucket, prefix));
    expect(end).toMatchObject({
      ImportStatus: "FAILED",
      FailureCode: "ItemValidationError",
      FailureMessage: failureText,
      ProcessedItemCount: 10,
      ImportedItemCount: 9,
      ErrorCount: 1,
    });
    expect(await itemsOf(server, end.table)).toEqual(inOrder(good));
  });

  test("what cannot be read ends its object, the others are imported", async () => {
    const prefix = bucket.source({
      a: `${lines(item("1"), item("2"))}garbage\n${lines(item("3"))}`,
      b: lines(item("4")),
    });
    const end = await imported(server, importInput(bucket, prefix));
    expect(end).toMatchObject({
      ImportStatus: "FAILED",
      FailureCode: "ItemValidationError",
      ProcessedItemCount: 4,
      ImportedItemCount: 3,
      ErrorCount: 1,
    });
    expect(await itemsOf(server, end.table)).toEqual(inOrder([item("1"), item("2"), item("4")]));
  });

  test.each([
    ["no Item member", '{"NotAnItem": {"pk": {"S": "x"}}}'],
    ["a missing key", '{"Item": {"a": {"S": "x"}}}'],
    ["a key of the wrong type", '{"Item": {"pk": {"N": "1"}}}'],
    ["an empty key", '{"Item": {"pk": {"S": ""}}}'],
    ["not JSON at all", '{"Item": '],
    ["an empty attribute name", '{"Item": {"pk": {"S": "x"}, "": {"S": "v"}}}'],
    ["a number that is none", '{"Item": {"pk": {"S": "x"}, "n": {"N": "1x"}}}'],
    [
      "an item that is too large",
      JSON.stringify({ Item: item("x", { t: { S: "y".repeat(409_600) } }) }),
    ],
  ])("%s is an error", async (_what, line) => {
    const prefix = bucket.source({ good: lines(item("good")), bad: `${line}\n` });
    const end = await imported(server, importInput(bucket, prefix));
    expect(end).toMatchObject({
      ImportStatus: "FAILED",
      FailureCode: "ItemValidationError",
      ProcessedItemCount: 2,
      ImportedItemCount: 1,
      ErrorCount: 1,
    });
    expect(await countOf(server, end.table)).toBe(1);
  });

  test("a bucket that is not there fails the import, and there is no table", async () => {
    const end = await imported(
      server,
      importInput(bucket, "", { S3BucketSource: { S3Bucket: "no-such-bucket" } }),
    );
    expect(end).toMatchObject({
      ImportStatus: "FAILED",
      FailureCode: "S3NoSuchBucket",
      ProcessedItemCount: 0,
      ImportedItemCount: 0,
      ErrorCount: 0,
    });
    expect(end.FailureMessage).toMatch(
      /^The specified bucket does not exist \(Service: Amazon S3; /,
    );
    await expectError(
      server.client.send(new DescribeTableCommand({ TableName: end.table })),
      "ResourceNotFoundException",
    );
    const { TableNames } = await server.client.send(new ListTablesCommand({}));
    expect(TableNames).not.toContain(end.table);
  });

  test("a bucket of another account is not given away", async () => {
    const source = { S3Bucket: bucket.name, S3BucketOwner: "999999999999" };
    const end = await imported(server, importInput(bucket, "", { S3BucketSource: source }));
    expect(end).toMatchObject({ ImportStatus: "FAILED", FailureCode: "S3AccessDenied" });
  });

  test("a file that is not compressed as was said is an error", async () => {
    const prefix = bucket.source({ a: lines(item("1")) });
    for (const InputCompressionType of ["GZIP", "ZSTD"] as const) {
      const end = await imported(server, importInput(bucket, prefix, { InputCompressionType }));
      expect(end).toMatchObject({
        ImportStatus: "FAILED",
        FailureCode: "ItemValidationError",
        ProcessedItemCount: 1,
        ImportedItemCount: 0,
        ErrorCount: 1,
      });
    }
  });

  test("a compressed file that is cut off gives what is in it, and an error", async () => {
    const text = lines(...Array.from({ length: 500 }, (_, i) => item(`key ${i} ${Math.sin(i)}`)));
    const whole = gzipSync(text);
    const prefix = bucket.source({ a: whole.subarray(0, whole.length - 200) });
    const end = await imported(
      server,
      importInput(bucket, prefix, { InputCompressionType: "GZIP" }),
    );
    expect(end).toMatchObject({ ImportStatus: "FAILED", ErrorCount: 1 });
    expect(end.ImportedItemCount).toBeGreaterThan(100);
    expect(end.ImportedItemCount).toBeLessThan(500);
  });
});

describe("requests", () => {
  test("a table that exists is refused", async () => {
    const TableName = await createTable(server, { key: "pk:S" });
    await expectError(
      server.client.send(
        new ImportTableCommand(
          importInput(bucket, "x", { TableCreationParameters: parameters({ TableName }) }),
        ),
      ),
      "ResourceInUseException",
      `Table already exists: ${TableName}`,
    );
  });

  test("a token stands for one import, whatever else the request says", async () => {
    // So many that the import is still under way when the other requests come.
    const prefix = bucket.source({
      a: lines(...Array.from({ length: 10_000 }, (_, i) => item(`key ${i}`))),
    });
    const input = importInput(bucket, prefix, { ClientToken: freshName("token") });
    const answers = await Promise.all(
      [{}, {}, { InputCompressionType: "GZIP" as const }].map((more) =>
        server.client.send(new ImportTableCommand({ ...input, ...more })),
      ),
    );
    const arns = answers.map(({ ImportTableDescription }) => ImportTableDescription?.ImportArn);
    expect(new Set(arns).size).toBe(1);
    await endOfImport(server, arns[0]);
    await expectError(
      server.client.send(new ImportTableCommand(input)),
      "ResourceInUseException",
      /^Table already exists: /,
    );
    await expectError(
      server.client.send(
        new ImportTableCommand({ ...input, TableCreationParameters: parameters() }),
      ),
      "ImportConflictException",
      "Import conflict: Duplicate request detected with conflicting parameters",
    );
  });

  test("a token goes on standing for its import when the table is gone", async () => {
    const prefix = bucket.source({ a: lines(item("1")) });
    const input = importInput(bucket, prefix, { ClientToken: freshName("token") });
    const first = await imported(server, input);
    await server.client.send(new DeleteTableCommand({ TableName: first.table }));
    const { ImportTableDescription } = await server.client.send(new ImportTableCommand(input));
    expect(ImportTableDescription?.ImportArn).toBe(first.ImportArn);
    await expectError(
      server.client.send(new DescribeTableCommand({ TableName: first.table })),
      "ResourceNotFoundException",
    );
  });

  test("of several imports for one name one gets it", async () => {
    const prefix = bucket.source({ a: lines(item("1")) });
    const input = importInput(bucket, prefix);
    // Who comes when the table of another is there already is refused at once, and others when their turn comes.
    const codes = await Promise.all(
      [1, 2, 3].map(async () => {
        const command = new ImportTableCommand({ ...input, ClientToken: freshName("token") });
        try {
          const { ImportTableDescription } = await server.client.send(command);
          const end = await endOfImport(server, ImportTableDescription?.ImportArn);
          return end.FailureCode ?? end.ImportStatus;
        } catch (error) {
          expect(error).toMatchObject({ name: "ResourceInUseException" });
          return "TableAlreadyExists";
        }
      }),
    );
    expect(codes.toSorted()).toEqual(["COMPLETED", "TableAlreadyExists", "TableAlreadyExists"]);
  });

  test("what a table may be is checked as for any other", async () => {
    const attempt = (more: object) =>
      server.client.send(
        new ImportTableCommand(
          importInput(bucket, "x", { TableCreationParameters: parameters(more) }),
        ),
      );
    await validation(
      attempt({ BillingMode: "PROVISIONED" }),
      "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must " +
        "both be specified when BillingMode is PROVISIONED",
    );
    await validation(
      attempt({ AttributeDefinitions: [{ AttributeName: "other", AttributeType: "S" }] }),
      /AttributeDefinitions|KeySchema/,
    );
    await validation(attempt({ TableName: "not a table name!" }), /tableName/);
  });

  test.each([
    [
      { InputFormat: "XML" },
      /at 'inputFormat' failed to satisfy constraint: Member must satisfy enum value set: \[/,
    ],
    [
      { InputCompressionType: "BZIP2" },
      /^1 validation error detected: Value 'BZIP2' at 'inputCompressionType' failed to satisfy constraint: Member must satisfy enum value set: \[ZSTD, NONE, GZIP\]$/,
    ],
    [{ S3BucketSource: { S3Bucket: "-nope!" } }, /s3BucketSource\.s3Bucket/],
    [{ S3BucketSource: { S3Bucket: "x".repeat(256) } }, /s3BucketSource\.s3Bucket/],
    [{ S3BucketSource: { S3Bucket: ".." } }, /s3BucketSource\.s3Bucket/],
    [{ S3BucketSource: { S3Bucket: "bucket", S3KeyPrefix: "p".repeat(1025) } }, /s3KeyPrefix/],
    [{ S3BucketSource: { S3Bucket: "bucket", S3BucketOwner: "me" } }, /s3BucketOwner/],
    [{ ClientToken: "has$dollar" }, /clientToken/],
    [
      { InputFormat: "CSV", InputFormatOptions: { Csv: { Delimiter: ";;" } } },
      /^2 validation errors detected: .*inputFormatOptions\.csv\.delimiter/,
    ],
    [
      { InputFormatOptions: { Csv: { Delimiter: "," } } },
      "Invalid Request: Unsupported InputFormatOptions for the given input format: DYNAMODB_JSON.",
    ],
  ])("%j is refused", async (more, message) => {
    const input = { ...importInput(bucket, "x"), ...more } as ReturnType<typeof importInput>;
    await validation(server.client.send(new ImportTableCommand(input)), message);
  });

  test("a request without a token is refused, which the SDK never sends", async () => {
    const { status, json } = await server.raw("ImportTable", importInput(bucket, "x"));
    expect(status).toBe(400);
    expect(json.message).toMatch(/clientToken/);
  });

  test("the new table has nothing that reminds of the import", async () => {
    const end = await imported(server, importInput(bucket, bucket.source({ a: lines(item("1")) })));
    const plain = await createTable(server, { key: "pk:S" });
    const keysOf = async (TableName: string) =>
      Object.keys((await server.client.send(new DescribeTableCommand({ TableName }))).Table ?? {});
    expect((await keysOf(end.table)).toSorted()).toEqual((await keysOf(plain)).toSorted());
    const { Item } = await server.client.send(
      new GetItemCommand({ TableName: end.table, Key: { pk: { S: "1" } }, ConsistentRead: true }),
    );
    expect(Item).toEqual(item("1"));
  });
});
