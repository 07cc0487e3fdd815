import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  DescribeImportCommand,
  ImportTableCommand,
  type ImportTableCommandInput,
  type ImportTableDescription,
  ScanCommand,
  type TableCreationParameters,
} from "@aws-sdk/client-dynamodb";
import { afterAll } from "vitest";
import type { Item } from "../../../src/item/attribute-value.ts";
import { freshName, type TestServer } from "../harness.ts";

let serial = 0;

/** A folder that stands for Amazon S3, with a bucket in it, for the tests of one file. */
export class TestBucket {
  readonly folder = mkdtempSync(join(tmpdir(), "keywright-s3-"));
  readonly name = "test-bucket";

  constructor() {
    mkdirSync(join(this.folder, this.name));
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  path(key: string): string {
    return join(this.folder, this.name, key);
  }

  put(key: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(key)), { recursive: true });
    writeFileSync(this.path(key), content);
  }

  read(key: string): Buffer {
    return readFileSync(this.path(key));
  }

  /** Objects under a prefix that no other test has; answers the prefix. */
  source(objects: Record<string, string | Uint8Array>): string {
    serial += 1;
    const prefix = `source-${serial}/`;
    for (const [name, content] of Object.entries(objects)) this.put(prefix + name, content);
    return prefix;
  }
}

export const lines = (...items: readonly object[]): string =>
  items.map((item) => `${JSON.stringify({ Item: item })}\n`).join("");

export const parameters = (
  more: Partial<TableCreationParameters> = {},
): TableCreationParameters => ({
  TableName: freshName("imported"),
  AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
  BillingMode: "PAY_PER_REQUEST",
  ...more,
});

export function importInput(
  bucket: TestBucket,
  prefix: string,
  more: Partial<ImportTableCommandInput> = {},
): ImportTableCommandInput {
  return {
    S3BucketSource: { S3Bucket: bucket.name, S3KeyPrefix: prefix },
    InputFormat: "DYNAMODB_JSON",
    TableCreationParameters: parameters(),
    ...more,
  };
}

/** Imports and waits for the end. */
export async function imported(
  server: TestServer,
  input: ImportTableCommandInput,
): Promise<ImportTableDescription & { readonly table: string }> {
  const started = await server.client.send(new ImportTableCommand(input));
  const description = await endOfImport(server, started.ImportTableDescription?.ImportArn);
  return { ...description, table: input.TableCreationParameters?.TableName ?? "" };
}

export async function endOfImport(
  server: TestServer,
  ImportArn: string | undefined,
): Promise<ImportTableDescription> {
  for (;;) {
    const answer = await server.client.send(new DescribeImportCommand({ ImportArn }));
    const description = answer.ImportTableDescription ?? {};
    if (description.ImportStatus !== "IN_PROGRESS") return description;
    await server.running.workbench.idle();
  }
}

/** All items of a table as they are on the wire, in the order of their text. */
export async function itemsOf(server: TestServer, table: string): Promise<Item[]> {
  const items: Item[] = [];
  let start: unknown;
  do {
    const { json } = await server.raw("Scan", { TableName: table, ExclusiveStartKey: start });
    items.push(...json.Items);
    start = json.LastEvaluatedKey;
  } while (start !== undefined);
  return items.map(sorted).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Attributes have no order. */
function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, sorted(one)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) as T;
}

export const inOrder = (items: readonly object[]): Item[] =>
  items
    .map((item) => sorted(item) as Item)
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

export const countOf = async (server: TestServer, TableName: string): Promise<number | undefined> =>
  (await server.client.send(new ScanCommand({ TableName, Select: "COUNT" }))).Count;
