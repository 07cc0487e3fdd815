import {
  DeleteTableCommand,
  DescribeImportCommand,
  ImportTableCommand,
  ListImportsCommand,
} from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { clientFor, expectError, useServer, validation } from "../harness.ts";
import { endOfImport, imported, importInput, lines, parameters, TestBucket } from "./bucket.ts";

const bucket = new TestBucket();
const server = useServer({ s3Folder: bucket.folder });

const small = () => importInput(bucket, bucket.source({ a: lines({ pk: { S: "1" } }) }));

async function allImports(more: { TableArn?: string; PageSize?: number } = {}) {
  const pages: string[][] = [];
  let NextToken: string | undefined;
  do {
    const page = await server.client.send(
      new ListImportsCommand({ ...more, ...(NextToken !== undefined && { NextToken }) }),
    );
    pages.push((page.ImportSummaryList ?? []).map(({ ImportArn }) => ImportArn ?? ""));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return pages;
}

test("a summary tells less than a description", async () => {
  const end = await imported(server, small());
  const { ImportSummaryList } = await server.client.send(
    new ListImportsCommand({ TableArn: end.TableArn }),
  );
  expect(ImportSummaryList).toEqual([
    {
      ImportArn: end.ImportArn,
      ImportStatus: "COMPLETED",
      TableArn: end.TableArn,
      S3BucketSource: end.S3BucketSource,
      CloudWatchLogGroupArn: end.CloudWatchLogGroupArn,
      InputFormat: "DYNAMODB_JSON",
      StartTime: end.StartTime,
      EndTime: end.EndTime,
    },
  ]);
});

test("a running import is listed, and one whose table is gone", async () => {
  const { ImportTableDescription: first } = await server.client.send(
    new ImportTableCommand(small()),
  );
  const list = () => allImports({ TableArn: first?.TableArn ?? "" });
  expect(await list()).toEqual([[first?.ImportArn]]);
  await endOfImport(server, first?.ImportArn);
  const TableName = first?.TableCreationParameters?.TableName;
  await server.client.send(new DeleteTableCommand({ TableName }));
  expect(await list()).toEqual([[first?.ImportArn]]);
  const { ImportTableDescription: last } = await server.client.send(
    new DescribeImportCommand({ ImportArn: first?.ImportArn }),
  );
  expect(last).toMatchObject({ ImportStatus: "COMPLETED", TableId: first?.TableId });
});

test("pages hold ten imports unless another number is asked for, the latest first", async () => {
  const mine: string[] = [];
  for (let count = 0; count < 11; count += 1) {
    const { ImportArn } = await imported(server, importInput(bucket, "none"));
    mine.push(ImportArn ?? "");
  }
  const [first = []] = await allImports();
  expect(first).toHaveLength(10);
  expect(first[0]).toBe(mine.at(-1));
  const ids = (await allImports({ PageSize: 3 })).flat().map((arn) => arn.split("/").at(-1) ?? "");
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted().reverse());
  expect(ids.length).toBeGreaterThanOrEqual(11);
});

test("pages have bounds, and tokens a form", async () => {
  const list = (input: object) => server.client.send(new ListImportsCommand(input));
  await validation(list({ PageSize: 26 }), /pageSize/);
  await validation(list({ PageSize: 0 }), /pageSize/);
  const token = "0".repeat(112);
  await validation(
    list({ NextToken: token }),
    `Invalid Request: Provided nextToken is invalid: ${token}`,
  );
  await validation(list({ NextToken: "nonsense" }), /nextToken/);
});

test("an ARN of no import is refused, each in its way", async () => {
  const end = await imported(server, small());
  const describe = (ImportArn: string) =>
    server.client.send(new DescribeImportCommand({ ImportArn }));
  const arn = end.ImportArn ?? "";
  await expectError(describe(arn.replace(/.{8}$/, "0badf00d")), "ImportNotFoundException");
  await expectError(describe(arn.replace("us-east-1", "eu-west-1")), "ImportNotFoundException");
  await expectError(
    describe(arn.replace(/:[0-9]{12}:/, ":999999999999:")),
    "AccessDeniedException",
    "Access is denied",
  );
  await validation(describe(end.TableArn ?? ""), "Invalid Import ARN");
  await validation(describe(arn.replace("/import/", "/export/")), "Invalid Import ARN");
  await validation(describe(arn.replace(/table\/[^/]+/, "table/x")), "Invalid Import ARN");
  await validation(describe("foo"), /importArn/);
});

test("imports of another account are not seen", async () => {
  const end = await imported(server, small());
  const other = clientFor(server.running.url, "AKIDOTHER");
  const { ImportSummaryList } = await other.send(new ListImportsCommand({}));
  expect(ImportSummaryList).toEqual([]);
  await expectError(
    other.send(new DescribeImportCommand({ ImportArn: end.ImportArn })),
    "AccessDeniedException",
  );
  other.destroy();
});

test("a table of a failed import is listed as failed", async () => {
  const end = await imported(
    server,
    importInput(bucket, "", {
      S3BucketSource: { S3Bucket: "no-such-bucket" },
      TableCreationParameters: parameters(),
    }),
  );
  const { ImportSummaryList } = await server.client.send(
    new ListImportsCommand({ TableArn: end.TableArn }),
  );
  expect(ImportSummaryList).toMatchObject([{ ImportStatus: "FAILED" }]);
});
