import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { B, column, N, putAll, query, S } from "../reading.ts";

const server = useServer();

const ascending = {
  S: [
    "!",
    "0",
    "10",
    "9",
    "A",
    "B",
    "Za",
    "a",
    "aa",
    "ab",
    "b",
    "z",
    "é",
    "ÿ",
    "Ā",
    "ﬀ",
    "😀",
    "😁",
  ],
  N: [
    "-100000000000000000000000000000000000000000000000000",
    "-99.5",
    "-10",
    "-9.99",
    "-1",
    "-0.001",
    "-0.0009",
    "0",
    "0.00000000000000000000000000000000000000001",
    "0.5",
    "1",
    "1.0000000000000000000000000000000000001",
    "2",
    "9",
    "10",
    "99",
    "100",
    "12345678901234567890123456789012345678",
    "100000000000000000000000000000000000000000000000000",
  ],
  B: [
    "00",
    "0000",
    "000000000000000000",
    "0001",
    "00ff",
    "01",
    "7f",
    "7f00",
    "80",
    "8000000000000000",
    "800000000000000000",
    "80000000000000ff",
    "fe",
    "ff",
    "ff00",
    "ffffffffffffffff",
    "ffffffffffffffff00",
    "ffffffffffffffffff",
  ],
};
type KeyType = keyof typeof ascending;

/** The hexadecimal text of bytes orders as the bytes do; the other lists are written in order. */
const value = {
  S,
  N,
  B: (hex: string): AttributeValue => B(...Buffer.from(hex, "hex")),
};

const tables: Partial<Record<KeyType, string>> = {};

beforeAll(async () => {
  for (const type of ["S", "N", "B"] as const) {
    const table = await createTable(server, { key: `pk:S sk:${type}` });
    tables[type] = table;
    const shuffled = ascending[type].toSorted((a, b) => a.length - b.length || (a < b ? 1 : -1));
    const items = shuffled.flatMap((text) =>
      ["here", "hero", "her"].map((pk) => ({ pk: S(pk), sk: value[type](text) })),
    );
    await putAll(server, table, items);
  }
});

async function sortKeys(
  type: KeyType,
  condition: string,
  values: Record<string, string>,
  ScanIndexForward?: boolean,
) {
  const given = Object.entries(values).map(([name, text]) => [name, value[type](text)] as const);
  const { Items, Count, ScannedCount } = await query(server, {
    TableName: tables[type],
    KeyConditionExpression: condition === "" ? "pk = :pk" : `pk = :pk AND ${condition}`,
    ExpressionAttributeValues: { ":pk": S("here"), ...Object.fromEntries(given) },
    ScanIndexForward,
  });
  expect(Count).toBe(Items?.length);
  expect(ScannedCount).toBe(Count);
  expect(new Set(column(Items, "pk")).size).toBeLessThanOrEqual(1);
  return column(Items, "sk");
}

test("the lists of this file are in order, each by its own measure", () => {
  const utf8 = ascending.S.map((text) => Buffer.from(text));
  expect(utf8).toEqual(utf8.toSorted(Buffer.compare));
  expect(ascending.B).toEqual(ascending.B.toSorted());
});

describe.each(["S", "N", "B"] as const)("sort key of type %s", (type) => {
  const all = ascending[type];

  test("a partition comes in ascending order unless asked otherwise", async () => {
    expect(await sortKeys(type, "", {})).toEqual(all);
    expect(await sortKeys(type, "", {}, true)).toEqual(all);
  });

  test("ScanIndexForward false turns the order round", async () => {
    expect(await sortKeys(type, "", {}, false)).toEqual(all.toReversed());
  });

  const first = all[0] as string;
  const middle = all[7] as string;
  const later = all[12] as string;
  const last = all.at(-1) as string;
  const from = (text: string) => all.indexOf(text);

  test.each([first, middle, later, last])("sk = %s finds the one", async (text) => {
    expect(await sortKeys(type, "sk = :v", { ":v": text })).toEqual([text]);
  });

  const comparisons = [
    ["<", (at: number) => all.slice(0, at)],
    ["<=", (at: number) => all.slice(0, at + 1)],
    [">", (at: number) => all.slice(at + 1)],
    [">=", (at: number) => all.slice(at)],
  ] as const;
  describe.each(comparisons)("sk %s", (operator, expected) => {
    test.each([first, middle, later, last])("%s", async (text) => {
      const found = await sortKeys(type, `sk ${operator} :v`, { ":v": text });
      expect(found).toEqual(expected(from(text)));
    });

    test("in descending order", async () => {
      const found = await sortKeys(type, `sk ${operator} :v`, { ":v": middle }, false);
      expect(found).toEqual(expected(from(middle)).toReversed());
    });
  });

  test.each([
    [first, last],
    [middle, later],
    [middle, middle],
    [first, first],
    [last, last],
  ])("sk BETWEEN %s AND %s holds both ends", async (low, high) => {
    const found = await sortKeys(type, "sk BETWEEN :low AND :high", { ":low": low, ":high": high });
    expect(found).toEqual(all.slice(from(low), from(high) + 1));
  });
});

describe("begins_with", () => {
  test.each(["!", "a", "aa", "Z", "é", "😀", "zz", "abcdefghijkl"])("S %s", async (prefix) => {
    const expected = ascending.S.filter((text) => text.startsWith(prefix));
    expect(await sortKeys("S", "begins_with(sk, :v)", { ":v": prefix })).toEqual(expected);
  });

  test.each([
    "00",
    "0000",
    "000000000000000000",
    "7f",
    "80",
    "8000000000000000",
    "ff",
    "ffff",
    "ffffffffffffffff",
    "ffffffffffffffffff",
    "ffffffffffffffffffff",
  ])("B %s", async (prefix) => {
    const expected = ascending.B.filter((hex) => hex.startsWith(prefix));
    expect(await sortKeys("B", "begins_with(sk, :v)", { ":v": prefix })).toEqual(expected);
    const reversed = await sortKeys("B", "begins_with(sk, :v)", { ":v": prefix }, false);
    expect(reversed).toEqual(expected.toReversed());
  });
});

test.each([
  [":v = sk", ["9"]],
  [":v < sk", ["A", "B"]],
  [":v <= sk", ["9", "A", "B"]],
  [":v > sk", ["!", "0", "10"]],
  [":v >= sk", ["!", "0", "10", "9"]],
])("the value may stand on the left: %s", async (condition, expected) => {
  const found = await sortKeys("S", condition, { ":v": "9" });
  expect(found.filter((text) => text !== undefined && text <= "B")).toEqual(expected);
});

test("clauses may stand in any order, in parentheses, and with aliases", async () => {
  const { Items } = await query(server, {
    TableName: tables.N,
    KeyConditionExpression: "(#s > :low) AND (#p = :pk)",
    ExpressionAttributeNames: { "#s": "sk", "#p": "pk" },
    ExpressionAttributeValues: { ":pk": S("here"), ":low": N("1e2") },
  });
  expect(column(Items, "sk")).toEqual(ascending.N.slice(-2));
});

test.each(["1", "1.0", "01", "1e0", "10E-1", "+1"])("the number %s is one key", async (text) => {
  expect(await sortKeys("N", "sk = :v", { ":v": text })).toEqual(["1"]);
});

test("keys of the greatest sizes are told apart", async () => {
  const TableName = await createTable(server, { key: "pk:S sk:S" });
  const pk = S("p".repeat(2048));
  const base = "s".repeat(1023);
  const items = ["a", "b", "c"].map((end) => ({ pk, sk: S(base + end) }));
  await putAll(server, TableName, [...items, { pk: S(`${"p".repeat(2047)}q`), sk: S(`${base}b`) }]);
  const { Items } = await query(server, {
    TableName,
    KeyConditionExpression: "pk = :p AND sk > :s",
    ExpressionAttributeValues: { ":p": pk, ":s": S(`${base}a`) },
  });
  expect(Items).toEqual(items.slice(1));
});

test.each(["S", "N", "B"] as const)("partition keys of type %s", async (type) => {
  const TableName = await createTable(server, { key: `pk:${type} sk:N` });
  const keys = ascending[type];
  await putAll(
    server,
    TableName,
    keys.map((text, at) => ({ pk: value[type](text), sk: N(at) })),
  );
  for (const [at, text] of keys.entries()) {
    const { Items } = await query(server, {
      TableName,
      KeyConditionExpression: "pk = :p",
      ExpressionAttributeValues: { ":p": value[type](text) },
    });
    expect(column(Items, "sk")).toEqual([String(at)]);
  }
});

test("attribute names that mean something to JavaScript are keys like others", async () => {
  const TableName = await createTable(server, { key: "__proto__:S constructor:N" });
  const rows = [2, 1, 3].map((n) => `{"__proto__":{"S":"p"},"constructor":{"N":"${n}"}}`);
  for (const row of rows) {
    const put = await server.raw("PutItem", `{"TableName":"${TableName}","Item":${row}}`);
    expect(put.status).toBe(200);
  }
  const body = {
    TableName,
    KeyConditionExpression: "#p = :p AND #c > :c",
    ExpressionAttributeNames: { "#p": "__proto__", "#c": "constructor" },
    ExpressionAttributeValues: { ":p": { S: "p" }, ":c": { N: "1" } },
    Limit: 1,
  };
  const page = await server.raw("Query", body);
  expect(page.text).toContain(`"LastEvaluatedKey":{"__proto__":{"S":"p"},"constructor":{"N":"2"}}`);
  const key = /"LastEvaluatedKey":(\{.*?\}\})/.exec(page.text)?.[1];
  const next = await server.raw(
    "Query",
    JSON.stringify(body).replace(/}$/, `,"ExclusiveStartKey":${key}}`),
  );
  expect(next.text).toContain(`"Items":[${rows[2]}]`);
});
