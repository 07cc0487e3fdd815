import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { get, type Item, invalid, keyMismatch, put, remove, stored } from "./support.ts";

const server = useServer();
const tables = new Map<string, string>();

beforeAll(async () => {
  for (const key of ["pk:S", "pk:N", "pk:B", "pk:S sk:S", "pk:S sk:N", "pk:S sk:B"]) {
    tables.set(key, await createTable(server, { key }));
  }
});

const table = (key: string) => tables.get(key) ?? "";

const values: Record<string, AttributeValue> = {
  S: { S: "a" },
  N: { N: "1" },
  B: { B: Uint8Array.of(1) },
  BOOL: { BOOL: true },
  NULL: { NULL: true },
  SS: { SS: ["a"] },
  NS: { NS: ["1"] },
  BS: { BS: [Uint8Array.of(1)] },
  L: { L: [] },
  M: { M: {} },
};

const mistyped = ["S", "N", "B"].flatMap((expected) =>
  Object.keys(values)
    .filter((actual) => actual !== expected)
    .map((actual): [string, string] => [expected, actual]),
);

describe("a key of the wrong type", () => {
  test.each(mistyped)("partition key: %s expected, %s sent", async (expected, actual) => {
    const TableName = table(`pk:${expected}`);
    const pk = values[actual];
    await validation(
      put(server, { TableName, Item: { pk } }),
      `${invalid}Type mismatch for key pk expected: ${expected} actual: ${actual}`,
    );
    await validation(get(server, { TableName, Key: { pk } }), keyMismatch);
    await validation(remove(server, { TableName, Key: { pk } }), keyMismatch);
  });

  test.each(["S", "N", "B"])("sort key: %s expected, a list sent", async (expected) => {
    const TableName = table(`pk:S sk:${expected}`);
    const Key = { pk: { S: "a" }, sk: { L: [] } };
    await validation(
      put(server, { TableName, Item: Key }),
      `${invalid}Type mismatch for key sk expected: ${expected} actual: L`,
    );
    await validation(get(server, { TableName, Key }), keyMismatch);
    await validation(remove(server, { TableName, Key }), keyMismatch);
  });
});

describe("a key that is missing or has too many parts", () => {
  test.each<[string, Item, string]>([
    ["no attribute at all", {}, "pk"],
    ["another attribute only", { other: { S: "a" } }, "pk"],
    ["the sort key only", { sk: { S: "a" } }, "pk"],
    ["the partition key only", { pk: { S: "a" } }, "sk"],
    ["a name in other letters", { PK: { S: "a" }, sk: { S: "a" } }, "pk"],
  ])("PutItem, %s", async (_, item, missing) => {
    await validation(
      put(server, { TableName: table("pk:S sk:S"), Item: item }),
      `${invalid}Missing the key ${missing} in the item`,
    );
  });

  test.each<[string, string, Item]>([
    ["no attribute", "pk:S", {}],
    ["another attribute only", "pk:S", { other: { S: "a" } }],
    ["one attribute too many", "pk:S", { pk: { S: "a" }, other: { S: "a" } }],
    ["the partition key only", "pk:S sk:S", { pk: { S: "a" } }],
    ["the sort key only", "pk:S sk:S", { sk: { S: "a" } }],
    ["another attribute for the sort key", "pk:S sk:S", { pk: { S: "a" }, other: { S: "a" } }],
    ["both and one more", "pk:S sk:S", { pk: { S: "a" }, sk: { S: "a" }, other: { S: "a" } }],
    ["a name in other letters", "pk:S", { Pk: { S: "a" } }],
  ])("GetItem and DeleteItem, %s", async (_, key, Key) => {
    await validation(get(server, { TableName: table(key), Key }), keyMismatch);
    await validation(remove(server, { TableName: table(key), Key }), keyMismatch);
  });
});

const empty = (kind: string, name: string) =>
  `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`;

describe("an empty key", () => {
  const nothing = new Uint8Array();
  test.each<[string, Item, string]>([
    ["pk:S", { pk: { S: "" } }, empty("string", "pk")],
    ["pk:B", { pk: { B: nothing } }, empty("binary", "pk")],
    ["pk:S sk:S", { pk: { S: "" }, sk: { S: "a" } }, empty("string", "pk")],
    ["pk:S sk:S", { pk: { S: "a" }, sk: { S: "" } }, empty("string", "sk")],
    ["pk:S sk:B", { pk: { S: "a" }, sk: { B: nothing } }, empty("binary", "sk")],
  ])("in the table %s: %j", async (key, Key, message) => {
    const TableName = table(key);
    await validation(put(server, { TableName, Item: Key }), message);
    await validation(get(server, { TableName, Key }), message);
    await validation(remove(server, { TableName, Key }), message);
  });
});

describe("binary keys", () => {
  test("are compared byte by byte", async () => {
    const TableName = table("pk:S sk:B");
    const pk = { S: "bytes" };
    const keys = [[0], [0, 0], [1], [255]].map((bytes) => ({ B: Uint8Array.from(bytes) }));
    for (const [place, sk] of keys.entries()) {
      await put(server, { TableName, Item: { pk, sk, v: { N: `${place}` } } });
    }
    for (const [place, sk] of keys.entries()) {
      expect((await stored(server, TableName, { pk, sk }))?.v).toEqual({ N: `${place}` });
    }
  });
});

test("a path may not lead into a key attribute", async () => {
  const request = { TableName: table("pk:S"), Key: { pk: { S: "a" } } };
  const message =
    "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk";
  await validation(get(server, { ...request, ProjectionExpression: "pk.a" }), message);
  await validation(get(server, { ...request, ProjectionExpression: "pk[0]" }), message);
});
