import { describe, expect, test } from "vitest";
import type { Item } from "../../../src/item/attribute-value.ts";
import { useServer } from "../harness.ts";
import {
  imported,
  importInput,
  inOrder,
  itemsOf,
  parameters,
  TestBucket,
} from "../imports/bucket.ts";
import { exported, recoverable } from "./exporting.ts";

const bucket = new TestBucket();
const server = useServer({ s3Folder: bucket.folder });

/** Everything that an item can be. */
const items: readonly Item[] = [
  { pk: { S: "minimal" } },
  {
    pk: { S: "texts" },
    empty: { S: "" },
    unicode: { S: "zażółć 日本語 🦑 \u2028" },
    escapes: { S: "quote\" ' backslash\\ newline\n tab\t nul\u0000 {{}} // /* '''" },
  },
  {
    pk: { S: "numbers" },
    zero: { N: "0" },
    negative: { N: "-17.5" },
    digits: { N: "12345678901234567890123456789012345678" },
    fraction: { N: "0.00000012345678901234567890123456789012345678" },
    great: { N: `9${"9".repeat(37)}${"0".repeat(88)}` },
    small: { N: `0.${"0".repeat(129)}1` },
  },
  { pk: { S: "binaries" }, bytes: { B: "AAH+/w==" }, empty: { B: "" } },
  { pk: { S: "others" }, yes: { BOOL: true }, no: { BOOL: false }, nothing: { NULL: true } },
  {
    pk: { S: "sets" },
    ss: { SS: ["", "a", "b"] },
    ns: { NS: ["-2", "1", "3.5"] },
    bs: { BS: ["", "AA==", "AQ=="] },
  },
  {
    pk: { S: "documents" },
    list: { L: [{ S: "s" }, { N: "1" }, { L: [] }, { M: {} }, { B: "AA==" }, { NULL: true }] },
    map: { M: { a: { N: "1" }, b: { M: { c: { S: "d" } } } } },
  },
  {
    pk: { S: "names" },
    Size: { S: "reserved" },
    "a.b": { S: "dotted" },
    "a b'c\"d\\e": { S: "odd" },
    constructor: { S: "hostile" },
    null: { S: "a word of Ion" },
    $ion_1_0: { S: "a marker of Ion" },
    $10: { S: "a symbol of Ion" },
    Item: { S: "a word of exports" },
    "\n": { S: "a line break" },
    ["n".repeat(255)]: { S: "long" },
  } as unknown as Item,
  JSON.parse('{"pk":{"S":"hostile"},"__proto__":{"S":"x"}}') as Item,
  {
    pk: { S: "deep" },
    deep: Array.from({ length: 30 }).reduce<object>((inner) => ({ L: [inner] }), { S: "leaf" }),
  } as unknown as Item,
  { pk: { S: "large" }, text: { S: "y".repeat(409_600 - 2 - 5 - 4) } },
];

describe.each(["DYNAMODB_JSON", "ION"] as const)("an export as %s", (ExportFormat) => {
  test("imports again with the same items", async () => {
    const table = await recoverable(server);
    for (const item of items) {
      const { status, text } = await server.raw("PutItem", { TableName: table.name, Item: item });
      expect(status, text).toBe(200);
    }
    const end = await exported(server, {
      TableArn: table.arn,
      S3Bucket: bucket.name,
      S3Prefix: `trip-${ExportFormat}`,
      ExportFormat,
    });
    expect(end).toMatchObject({ ExportStatus: "COMPLETED", ItemCount: items.length });
    const data = (end.ExportManifest ?? "").replace("manifest-summary.json", "data/");
    const again = await imported(
      server,
      importInput(bucket, data, { InputFormat: ExportFormat, InputCompressionType: "GZIP" }),
    );
    expect(again).toMatchObject({
      ImportStatus: "COMPLETED",
      ImportedItemCount: items.length,
      ErrorCount: 0,
    });
    const before = await itemsOf(server, table.name);
    expect(before).toEqual(inOrder(items));
    expect(await itemsOf(server, again.table)).toEqual(before);
  });
});

test("the root of an export is no source: its manifests are no items", async () => {
  const table = await recoverable(server);
  for (const pk of ["1", "2", "3"]) {
    await server.raw("PutItem", { TableName: table.name, Item: { pk: { S: pk } } });
  }
  const end = await exported(server, {
    TableArn: table.arn,
    S3Bucket: bucket.name,
    S3Prefix: "root",
  });
  const root = (end.ExportManifest ?? "").replace("manifest-summary.json", "");
  const gzip = await imported(
    server,
    importInput(bucket, root, {
      InputCompressionType: "GZIP",
      TableCreationParameters: parameters(),
    }),
  );
  // Two manifests and their two checksums.
  expect(gzip).toMatchObject({
    ImportStatus: "FAILED",
    ProcessedItemCount: 7,
    ImportedItemCount: 3,
    ErrorCount: 4,
  });
  const none = await imported(server, importInput(bucket, `${root}data/`));
  // Each of four files ends with its first byte.
  expect(none).toMatchObject({ ImportStatus: "FAILED", ProcessedItemCount: 4, ErrorCount: 4 });
});
