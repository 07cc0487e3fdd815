import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { get, type Item, invalid, itemOfBytes, put, remove, stored } from "./support.ts";

const server = useServer();
let TableName: string;
const tables = new Map<string, string>();

beforeAll(async () => {
  TableName = await createTable(server, { key: "pk:S" });
  for (const type of ["S", "B"]) {
    tables.set(type, await createTable(server, { key: `pk:${type} sk:${type}` }));
  }
});

const tooLarge = "Item size has exceeded the maximum allowed size";
const limit = 409_600;

describe("an item may have 409,600 bytes", () => {
  test.each([limit - 1, limit])("%i are stored", async (bytes) => {
    const Item = itemOfBytes(bytes);
    await put(server, { TableName, Item });
    expect(await stored(server, TableName, { pk: Item.pk as { S: string } })).toEqual(Item);
  });

  test("409,601 are refused, and what was stored stays", async () => {
    const pk = { S: "s" };
    await put(server, { TableName, Item: { pk, v: { S: "small" } } });
    await validation(put(server, { TableName, Item: itemOfBytes(limit + 1, "s") }), tooLarge);
    expect(await stored(server, TableName, { pk })).toEqual({ pk, v: { S: "small" } });
  });

  /** The bytes of attribute `a` beside a key of three bytes, name not counted. */
  const sized: readonly (readonly [string, Item, number])[] = [
    ["a string's UTF-8 bytes", { a: { S: "é€😀" } }, 1 + 2 + 3 + 4],
    ["a binary's raw bytes", { a: { B: new Uint8Array(5) } }, 1 + 5],
    ["a name's UTF-8 bytes", { "é€": { S: "" } }, 5],
    ["a boolean", { a: { BOOL: true } }, 2],
    ["a null", { a: { NULL: true } }, 2],
    ["zero", { a: { N: "0" } }, 1 + 1],
    ["one digit", { a: { N: "1" } }, 1 + 2],
    ["three digits", { a: { N: "123" } }, 1 + 3],
    ["a negative number", { a: { N: "-42" } }, 1 + 3],
    ["trailing zeros that cost nothing", { a: { N: "1E125" } }, 1 + 2],
    ["a fraction", { a: { N: "3.14159" } }, 1 + 5],
    ["38 digits", { a: { N: "1".repeat(38) } }, 1 + 20],
    ["a string set", { a: { SS: ["abc", "de"] } }, 1 + 5],
    ["a number set", { a: { NS: ["1", "123"] } }, 1 + 2 + 3],
    ["a binary set", { a: { BS: [new Uint8Array(3)] } }, 1 + 3],
    ["an empty list", { a: { L: [] } }, 1 + 3],
    ["an empty map", { a: { M: {} } }, 1 + 3],
    ["a list", { a: { L: [{ S: "ab" }, { BOOL: false }] } }, 1 + 3 + (1 + 2) + (1 + 1)],
    ["a map", { a: { M: { key: { S: "ab" } } } }, 1 + 3 + (1 + 3 + 2)],
    ["a list in a map", { a: { M: { k: { L: [{ N: "1" }] } } } }, 1 + 3 + (1 + 1 + (3 + (1 + 2)))],
  ];

  test.each(sized)("%s", async (_, attributes, bytes) => {
    const pad = limit - bytes - "pk".length - "k".length - "v".length;
    const item = (padding: number) => ({
      pk: { S: "k" },
      ...attributes,
      v: { S: "x".repeat(padding) },
    });
    await put(server, { TableName, Item: item(pad) });
    await validation(put(server, { TableName, Item: item(pad + 1) }), tooLarge);
  });
});

const hashTooLarge = `${invalid}Size of hashkey has exceeded the maximum size limit of2048 bytes`;
const rangeTooLarge = `${invalid}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`;

describe.each(["S", "B"] as const)("keys of type %s", (type) => {
  const value = (bytes: number) =>
    type === "S" ? { S: "k".repeat(bytes) } : { B: new Uint8Array(bytes).fill(7) };
  const table = () => tables.get(type) ?? "";

  test.each([
    [1, 1],
    [2_047, 1_023],
    [2_048, 1_024],
  ])("a partition key of %i and a sort key of %i bytes", async (hash, range) => {
    const Key = { pk: value(hash), sk: value(range) };
    const Item = { ...Key, v: { N: `${hash}` } };
    await put(server, { TableName: table(), Item });
    expect(await stored(server, table(), Key)).toEqual(Item);
    await remove(server, { TableName: table(), Key });
    expect(await stored(server, table(), Key)).toBeUndefined();
  });

  test.each([
    ["a partition key of 2,049 bytes", 2_049, 1, hashTooLarge],
    ["a sort key of 1,025 bytes", 1, 1_025, rangeTooLarge],
  ])("%s is refused", async (_, hash, range, message) => {
    const Key = { pk: value(hash), sk: value(range) };
    await validation(put(server, { TableName: table(), Item: Key }), message);
    await validation(get(server, { TableName: table(), Key }), message);
    await validation(remove(server, { TableName: table(), Key }), message);
  });

  test("long keys that differ in their last byte are different keys", async () => {
    const change = (text: string) =>
      type === "S" ? { S: text } : { B: Uint8Array.from(Buffer.from(text)) };
    const sk = value(1_024);
    const one = { pk: change(`${"k".repeat(2_047)}1`), sk };
    const two = { pk: change(`${"k".repeat(2_047)}2`), sk };
    await put(server, { TableName: table(), Item: one });
    expect(await stored(server, table(), two)).toBeUndefined();
    const three = { pk: one.pk, sk: change(`${"s".repeat(1_023)}1`) };
    const four = { pk: one.pk, sk: change(`${"s".repeat(1_023)}2`) };
    await put(server, { TableName: table(), Item: three });
    expect(await stored(server, table(), four)).toBeUndefined();
    expect(await stored(server, table(), three)).toEqual(three);
  });
});

test("key sizes are bytes, not characters", async () => {
  const table = tables.get("S") ?? "";
  const fits = { pk: { S: "é".repeat(1_024) }, sk: { S: "é".repeat(512) } };
  await put(server, { TableName: table, Item: fits });
  await validation(
    put(server, { TableName: table, Item: { ...fits, pk: { S: "é".repeat(1_025) } } }),
    hashTooLarge,
  );
  await validation(
    put(server, { TableName: table, Item: { ...fits, sk: { S: "é".repeat(513) } } }),
    rangeTooLarge,
  );
});
