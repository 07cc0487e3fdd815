import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { ImportTableCommandInput } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { useServer } from "../harness.ts";
import { imported, importInput, inOrder, itemsOf, parameters, TestBucket } from "./bucket.ts";

const bucket = new TestBucket();
const server = useServer({ s3Folder: bucket.folder });

const keyed = parameters({
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "N" },
  ],
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
});

async function importing(
  text: string | Uint8Array,
  more: Partial<ImportTableCommandInput>,
  table = parameters(),
) {
  const prefix = bucket.source({ a: text });
  const TableCreationParameters = { ...table, TableName: parameters().TableName };
  const end = await imported(
    server,
    importInput(bucket, prefix, { ...more, TableCreationParameters }),
  );
  return { ...end, items: await itemsOf(server, end.table) };
}

test("Ion as the service writes it", async () => {
  const line = (isbn: string) =>
    `$ion_1_0 {Item:{Authors:$dynamodb_SS::["Author1","Author2"],pk:"${isbn}",Id:103.,` +
    "InPublication:false,PageCount:6d2,Price:2d3,Cover:{{AAE=}},Parts:[1.5,null],More:{a:{b:true}}," +
    "Numbers:$dynamodb_NS::[2.,1.],Blobs:$dynamodb_BS::[{{AAE=}}]}}\n";
  const end = await importing(line("1") + line("2"), { InputFormat: "ION" });
  expect(end).toMatchObject({ ImportStatus: "COMPLETED", ImportedItemCount: 2 });
  const item = (pk: string) => ({
    Authors: { SS: ["Author1", "Author2"] },
    pk: { S: pk },
    Id: { N: "103" },
    InPublication: { BOOL: false },
    PageCount: { N: "600" },
    Price: { N: "2000" },
    Cover: { B: "AAE=" },
    Parts: { L: [{ N: "1.5" }, { NULL: true }] },
    More: { M: { a: { M: { b: { BOOL: true } } } } },
    Numbers: { NS: ["1", "2"] },
    Blobs: { BS: ["AAE="] },
  });
  expect(end.items).toEqual(inOrder([item("1"), item("2")]));
});

test("Ion as a list of records", async () => {
  const text =
    '$ion_1_0\n[\n  {\n    Item:{\n      pk:"1"\n    }\n  },\n  { Item:{ pk:"2" } }\n]\n';
  const end = await importing(text, { InputFormat: "ION" });
  expect(end).toMatchObject({ ImportStatus: "COMPLETED", ImportedItemCount: 2 });
});

test("Ion that makes no sense ends its object", async () => {
  const end = await importing(
    '$ion_1_0 {Item:{pk:"1"}}\n$ion_1_0 {Item:{pk:2020-01-01}}\n{Item:{pk:"3"}}',
    {
      InputFormat: "ION",
    },
  );
  expect(end).toMatchObject({ ImportStatus: "FAILED", ImportedItemCount: 1, ErrorCount: 1 });
});

test("CSV: the first line names the columns, keys have their types, the others are texts", async () => {
  const text =
    'pk,sk,name,amount\nA,1,"Women\'s ""Length"", Dress",99.50\nA,2.0,,\nB,3,"two\nlines",x\n';
  const end = await importing(text, { InputFormat: "CSV" }, keyed);
  expect(end).toMatchObject({ ImportStatus: "COMPLETED", ImportedItemCount: 3, ErrorCount: 0 });
  expect(end.InputFormatOptions).toBeUndefined();
  expect(end.items).toEqual(
    inOrder([
      {
        pk: { S: "A" },
        sk: { N: "1" },
        name: { S: 'Women\'s "Length", Dress' },
        amount: { S: "99.50" },
      },
      { pk: { S: "A" }, sk: { N: "2" } },
      { pk: { S: "B" }, sk: { N: "3" }, name: { S: "two\nlines" }, amount: { S: "x" } },
    ]),
  );
});

test("CSV with names of its own takes the first line as an item", async () => {
  const options = { Csv: { Delimiter: ";", HeaderList: ["pk", "sk", "name"] } };
  const end = await importing(
    "A;1;one\nB;2;two, too\n",
    { InputFormat: "CSV", InputFormatOptions: options },
    keyed,
  );
  expect(end).toMatchObject({
    ImportStatus: "COMPLETED",
    ImportedItemCount: 2,
    InputFormatOptions: options,
  });
  expect(end.items).toEqual(
    inOrder([
      { pk: { S: "A" }, sk: { N: "1" }, name: { S: "one" } },
      { pk: { S: "B" }, sk: { N: "2" }, name: { S: "two, too" } },
    ]),
  );
});

test("CSV without the key column, or with a number that is none, is an error", async () => {
  const missing = await importing("title,artist\nThe Dark Side of the Moon,Pink Floyd\n", {
    InputFormat: "CSV",
  });
  expect(missing).toMatchObject({
    ImportStatus: "FAILED",
    ErrorCount: 1,
    ProcessedItemCount: 1,
    ImportedItemCount: 0,
  });
  const number = await importing("pk,sk\nA,one\nA,2\n", { InputFormat: "CSV" }, keyed);
  expect(number).toMatchObject({ ImportStatus: "FAILED", ErrorCount: 1, ImportedItemCount: 1 });
});

test("CSV with quotes that are not escaped is an error", async () => {
  const end = await importing('pk,value\n"123",Women\'s Full "Length" Dress\n', {
    InputFormat: "CSV",
  });
  expect(end).toMatchObject({ ImportStatus: "FAILED", ErrorCount: 1, ImportedItemCount: 0 });
});

test("Zstandard, as its own tool writes it", async () => {
  const bytes = readFileSync(new URL("fixtures/items.json.zst", import.meta.url));
  const end = await importing(bytes, { InputCompressionType: "ZSTD" });
  expect(end).toMatchObject({ ImportStatus: "COMPLETED", ImportedItemCount: 300, ErrorCount: 0 });
  const expected = Array.from({ length: 300 }, (_, i) => ({
    pk: { S: `zstd ${i}` },
    n: { N: String(i) },
    t: { S: `${"text ".repeat(i % 7)}\u00e4\u20ac\u{1f600}` },
  }));
  expect(end.items).toEqual(inOrder(expected));
  const twice = await importing(Buffer.concat([bytes, bytes]), { InputCompressionType: "ZSTD" });
  expect(twice).toMatchObject({ ImportStatus: "COMPLETED", ImportedItemCount: 600 });
});

test("Zstandard that is cut off or damaged is an error", async () => {
  const bytes = readFileSync(new URL("fixtures/items.json.zst", import.meta.url));
  const cut = await importing(bytes.subarray(0, bytes.length - 100), {
    InputCompressionType: "ZSTD",
  });
  expect(cut).toMatchObject({ ImportStatus: "FAILED", ErrorCount: 1 });
});

test("several gzip members are one text", async () => {
  const one = gzipSync('{"Item":{"pk":{"S":"1"}}}\n');
  const two = gzipSync('{"Item":{"pk":{"S":"2"}}}\n');
  const end = await importing(Buffer.concat([one, two]), { InputCompressionType: "GZIP" });
  expect(end).toMatchObject({ ImportStatus: "COMPLETED", ImportedItemCount: 2 });
});
