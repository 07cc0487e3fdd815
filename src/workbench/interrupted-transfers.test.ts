import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { folderForTests } from "../../test/folder-for-tests.ts";
import { plain } from "../api/response-json.ts";
import { dataRange } from "../engine/layout.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Store } from "../storage/store.ts";
import type { ObjectStore, ObjectWriter } from "../transfers/object-store.ts";
import { FolderObjects } from "./folder-objects.ts";
import { type Workbench, workbenchOn } from "./workbench.ts";

const folder = folderForTests("transfers");
const caller = { account: "000000000000", region: "us-east-1" };
const items = 3_000;
mkdirSync(join(folder, "bucket", "source"), { recursive: true });
const line = (i: number, v: number): string =>
  `{"Item":{"pk":{"S":"key ${i}"},"v":{"N":"${v}"},"t":{"S":"${"x".repeat(300)}"}}}\n`;
for (const part of [0, 1, 2]) {
  const numbers = Array.from({ length: items / 3 }, (_, i) => part * (items / 3) + i);
  writeFileSync(
    join(folder, "bucket", "source", `${part}.json`),
    numbers.map((i) => line(i, 0)).join(""),
  );
}

/** What was open when a process was killed, which the system would close. */
const left: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of left) await close();
});

/** Stops at the so-manieth piece that is read or written, as a process does that is killed. */
class Halting implements ObjectStore {
  readonly #objects = new FolderObjects(folder);
  #left: number;
  readonly reached: Promise<void>;
  #reach = (): void => {};

  constructor(pieces: number) {
    this.#left = pieces;
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
  }

  #step(): Promise<void> {
    this.#left -= 1;
    if (this.#left > 0) return Promise.resolve();
    this.#reach();
    return new Promise(() => {});
  }

  readonly hasBucket = (bucket: string) => this.#objects.hasBucket(bucket);
  readonly refusal = (key: string) => this.#objects.refusal(key);
  readonly list = (bucket: string, prefix: string) => this.#objects.list(bucket, prefix);
  readonly log = (stream: string, lines: readonly string[]) => this.#objects.log(stream, lines);

  async *read(...place: Parameters<ObjectStore["read"]>): AsyncGenerator<Uint8Array> {
    const pieces = this.#objects.read(...place);
    left.push(async () => void (await pieces[Symbol.asyncIterator]().return?.()));
    for await (const piece of pieces) {
      await this.#step();
      yield piece;
    }
  }

  async write(...place: Parameters<ObjectStore["write"]>): Promise<ObjectWriter> {
    const writer = await this.#objects.write(...place);
    let isOpen = true;
    left.push(async () => (isOpen ? writer.abandon() : undefined));
    return {
      write: async (text) => {
        await this.#step();
        return writer.write(text);
      },
      finish: () => {
        isOpen = false;
        return writer.finish();
      },
      abandon: () => writer.abandon(),
    };
  }
}

const ask = async (bench: Workbench, operation: string, body: object) =>
  plain<Record<string, Record<string, unknown>>>(await bench.execute(operation, body, caller));

async function all(bench: Workbench, table: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let ExclusiveStartKey: unknown;
  do {
    const page = (await ask(bench, "Scan", {
      TableName: table,
      ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
    })) as unknown as {
      Items: { pk: { S: string }; v: { N: string } }[];
      LastEvaluatedKey?: unknown;
    };
    for (const { pk, v } of page.Items) found.set(pk.S, v.N);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return found;
}

const importing = (TableName: string) => ({
  ClientToken: TableName,
  S3BucketSource: { S3Bucket: "bucket", S3KeyPrefix: "source/" },
  InputFormat: "DYNAMODB_JSON",
  TableCreationParameters: {
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "v", AttributeType: "N" },
    ],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    GlobalSecondaryIndexes: [
      {
        IndexName: "by-v",
        KeySchema: [{ AttributeName: "v", KeyType: "HASH" }],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ],
  },
});

/** A process that imports, up to the so-manieth piece. */
async function interruptedImport(store: Store, table: string, pieces: number): Promise<string> {
  const objects = new Halting(pieces);
  const bench = await workbenchOn(store, { objects });
  const { ImportTableDescription } = await ask(bench, "ImportTable", importing(table));
  await objects.reached;
  return ImportTableDescription?.ImportArn as string;
}

const describeImport = async (bench: Workbench, ImportArn: string) =>
  (await ask(bench, "DescribeImport", { ImportArn })).ImportTableDescription;

test("nobody can use a table while it is imported, nor delete or change it", async () => {
  const store = openMemoryStore();
  await interruptedImport(store, "Half", 3);
  // Nobody takes the import up in a process without objects until it is opened: so the store is looked at.
  const bench = await workbenchOn(store, { objects: new Halting(1) });
  const { Table } = await ask(bench, "DescribeTable", { TableName: "Half" });
  expect(Table?.TableStatus).toBe("CREATING");
  const refused = (operation: string, body: object) =>
    ask(bench, operation, { TableName: "Half", ...body }).then(
      () => "done",
      ({ name }: Error) => name,
    );
  expect(await refused("Scan", {})).toBe("ResourceNotFoundException");
  expect(await refused("PutItem", { Item: { pk: { S: "x" } } })).toBe("ResourceNotFoundException");
  expect(await refused("DeleteTable", {})).toBe("ResourceInUseException");
  expect(await refused("UpdateTable", { DeletionProtectionEnabled: true })).toBe(
    "ResourceInUseException",
  );
});

test.each([1, 2, 4, 5])(
  "an import that was interrupted at piece %i is done again",
  async (pieces) => {
    const store = openMemoryStore();
    const arn = await interruptedImport(store, "Again", pieces);
    const bench = await workbenchOn(store, { objects: new FolderObjects(folder) });
    await bench.idle();
    expect(await describeImport(bench, arn)).toMatchObject({
      ImportStatus: "COMPLETED",
      ProcessedItemCount: items,
      ImportedItemCount: items,
      ErrorCount: 0,
    });
    const found = await all(bench, "Again");
    expect(found.size).toBe(items);
    expect(await bench.verify()).toMatchObject({ problems: [], items });
  },
);

test("what an import had written of a source that is gone since does not stay", async () => {
  const store = openMemoryStore();
  const first = join(folder, "bucket", "source", "!first.json");
  writeFileSync(first, line(-1, 0));
  const arn = await interruptedImport(store, "Changed", 4);
  rmSync(first);
  const bench = await workbenchOn(store, { objects: new FolderObjects(folder) });
  await bench.idle();
  expect(await describeImport(bench, arn)).toMatchObject({ ImportedItemCount: items });
  const found = await all(bench, "Changed");
  expect(found.size).toBe(items);
  expect(found.has("key -1")).toBe(false);
});

test("without a folder an import that was interrupted fails, and its table goes", async () => {
  const store = openMemoryStore();
  const arn = await interruptedImport(store, "Gone", 4);
  const bench = await workbenchOn(store);
  await bench.idle();
  expect(await describeImport(bench, arn)).toMatchObject({
    ImportStatus: "FAILED",
    FailureCode: "KeywrightNoS3Folder",
    ImportedItemCount: 0,
  });
  expect(await bench.tables()).toEqual([]);
  expect(await bench.verify()).toMatchObject({ problems: [], tables: 0, items: 0 });
  const range = { start: dataRange(1).start, end: dataRange(1_000).end };
  const rest = await store.scan(range, { limit: 1, bytesMax: 1 });
  expect(rest.entries, "nothing is left of its items").toEqual([]);
  await ask(bench, "CreateTable", {
    TableName: "Gone",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
  });
  expect((await all(bench, "Gone")).size).toBe(0);
});

test("the orderly end of a process does not wait for its imports, and the next goes on", async () => {
  const store = openMemoryStore();
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  class Slow extends FolderObjects {
    override async *read(...place: Parameters<ObjectStore["read"]>): AsyncGenerator<Uint8Array> {
      for await (const piece of super.read(...place)) {
        await gate;
        yield piece;
      }
    }
  }
  const first = await workbenchOn(keptOpen(store), { objects: new Slow(folder) });
  const { ImportTableDescription } = await ask(first, "ImportTable", importing("Stopped"));
  const closing = first.close();
  release();
  await closing;
  const second = await workbenchOn(store, { objects: new FolderObjects(folder) });
  const arn = ImportTableDescription?.ImportArn as string;
  await second.idle();
  expect(await describeImport(second, arn)).toMatchObject({
    ImportStatus: "COMPLETED",
    ImportedItemCount: items,
  });
});

/** The same store, which another process opens again. */
const keptOpen = (store: Store): Store => ({
  get: (keys) => store.get(keys),
  scan: (range, options) => store.scan(range, options),
  commit: (keys, decide, shared) => store.commit(keys, decide, shared),
  totals: (counter) => store.totals(counter),
  dropTotals: (counter) => store.dropTotals(counter),
  clear: (range) => store.clear(range),
  horizon: () => store.horizon(),
  close: async () => {},
});

/** A table with all items, whose past is kept. */
async function source(bench: Workbench): Promise<string> {
  await ask(bench, "ImportTable", importing("Source"));
  await bench.idle();
  await ask(bench, "UpdateContinuousBackups", {
    TableName: "Source",
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  const { Table } = await ask(bench, "DescribeTable", { TableName: "Source" });
  return Table?.TableArn as string;
}

const describeExport = async (bench: Workbench, ExportArn: string) =>
  (await ask(bench, "DescribeExport", { ExportArn })).ExportDescription;

test.each([1, 2, 5, 6])(
  "an export that was interrupted at piece %i is done again",
  async (pieces) => {
    const store = openMemoryStore();
    const made = await workbenchOn(keptOpen(store), { objects: new FolderObjects(folder) });
    const TableArn = await source(made);
    await made.close();
    const objects = new Halting(pieces);
    const first = await workbenchOn(store, { objects });
    const S3Prefix = `interrupted-${pieces}`;
    const { ExportDescription } = await ask(first, "ExportTableToPointInTime", {
      TableArn,
      S3Bucket: "bucket",
      S3Prefix,
    });
    await objects.reached;
    const root = join(folder, "bucket", S3Prefix, "AWSDynamoDB");
    const [id = ""] = readdirSync(root);
    expect(readdirSync(join(root, id))).not.toContain("manifest-summary.json");
    // The table goes on; the export is of the moment when it was asked for.
    await ask(first, "PutItem", {
      TableName: "Source",
      Item: { pk: { S: "key 7" }, v: { N: "1" } },
    });
    await ask(first, "DeleteItem", { TableName: "Source", Key: { pk: { S: "key 8" } } });

    const second = await workbenchOn(store, { objects: new FolderObjects(folder) });
    await second.idle();
    const end = await describeExport(second, ExportDescription?.ExportArn as string);
    expect(end).toMatchObject({ ExportStatus: "COMPLETED", ItemCount: items });
    const data = join(root, id, "data");
    const files = readdirSync(data);
    expect(files.filter((name) => name.endsWith(".json.gz"))).toHaveLength(4);
    const lines = files
      .filter((name) => name.endsWith(".json.gz"))
      .flatMap((name) =>
        gunzipSync(readFileSync(join(data, name)))
          .toString()
          .split("\n"),
      )
      .filter((text) => text !== "");
    expect(lines.length).toBe(items);
    expect(lines.every((text) => text.includes('"v":{"N":"0"}'))).toBe(true);
    const now = await all(second, "Source");
    expect(now.size).toBe(items - 1);
    expect(now.get("key 7")).toBe("1");
    expect(await second.verify()).toMatchObject({ problems: [] });
  },
);

test("without a folder an export that was interrupted fails, and the table's past is let go", async () => {
  const store = openMemoryStore();
  const made = await workbenchOn(keptOpen(store), { objects: new FolderObjects(folder) });
  const TableArn = await source(made);
  await made.close();
  const objects = new Halting(3);
  const first = await workbenchOn(store, { objects });
  const { ExportDescription } = await ask(first, "ExportTableToPointInTime", {
    TableArn,
    S3Bucket: "bucket",
    S3Prefix: "lost",
  });
  await objects.reached;
  const second = await workbenchOn(store);
  await second.idle();
  expect(await describeExport(second, ExportDescription?.ExportArn as string)).toMatchObject({
    ExportStatus: "FAILED",
    FailureCode: "KeywrightNoS3Folder",
  });
  await ask(second, "UpdateContinuousBackups", {
    TableName: "Source",
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
  });
  await second.idle();
  expect((await all(second, "Source")).size).toBe(items);
});

test("a table that is deleted while it is exported fails the export", async () => {
  const store = openMemoryStore();
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  class Slow extends FolderObjects {
    override async write(...place: Parameters<ObjectStore["write"]>): Promise<ObjectWriter> {
      begin();
      await gate;
      return super.write(...place);
    }
  }
  const bench = await workbenchOn(store, { objects: new Slow(folder) });
  const TableArn = await source(bench);
  const { ExportDescription } = await ask(bench, "ExportTableToPointInTime", {
    TableArn,
    S3Bucket: "bucket",
    S3Prefix: "deleted",
  });
  await begun;
  await ask(bench, "DeleteTable", { TableName: "Source" });
  release();
  await bench.idle();
  expect(await describeExport(bench, ExportDescription?.ExportArn as string)).toMatchObject({
    ExportStatus: "FAILED",
    FailureCode: "KeywrightTableGone",
  });
});
