import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import {
  B,
  column,
  type Item,
  itemsOf,
  N,
  putAll,
  query,
  queryPages,
  S,
  scanPages,
} from "../reading.ts";

const server = useServer();

let TableName: string;

/** Two hash attributes and four range attributes of all types, in an order that is not the item's. */
const parts = {
  n: ["-10", "-9.5", "0", "2", "10"],
  s: ["A", "a", "é", "😀"],
  b: ["00", "0000", "00ff", "ff"],
};

const bytes = (hex: string): AttributeValue => B(...Buffer.from(hex, "hex"));

const items: Item[] = [];
for (const [i, n] of parts.n.entries()) {
  for (const [j, s] of parts.s.entries()) {
    for (const [k, b] of parts.b.entries()) {
      items.push({
        id: S(`${i}${j}${k}`),
        area: S("eu"),
        year: N(2026),
        n: N(n),
        s: S(s),
        b: bytes(b),
        t: S(`t${(i * j + k) % 3}`),
      });
    }
  }
}

beforeAll(async () => {
  TableName = await createTable(server, {
    key: "id:S",
    global: {
      wide: { hash: "area:S year:N", range: "n:N s:S b:B t:S" },
      keys: {
        hash: "area:S year:N",
        range: "s:S n:N",
        projection: { ProjectionType: "KEYS_ONLY" },
      },
      most: { hash: "h1:S h2:N h3:B h4:S", range: "r1:N r2:S r3:B r4:S" },
    },
  });
  const shuffled = items.toSorted((one, two) => hashOf(one) - hashOf(two));
  const strangers = items.slice(0, 5).flatMap((item) => [
    { ...item, id: S(`${item.id?.S}-us`), area: S("us") },
    { ...item, id: S(`${item.id?.S}-old`), year: N(2025) },
  ]);
  await putAll(server, TableName, [...shuffled, ...strangers]);
});

const hashOf = ({ id }: Item): number => (Number(id?.S) * 7919) % 1009;

const values: Item = {
  ":r": S("eu"),
  ":y": N(2026),
  ":n": N(0),
  ":n1": N("-9.50"),
  ":n2": N(2),
  ":s": S("a"),
  ":s2": S("é"),
  ":b": bytes("00"),
  ":b2": bytes("00ff"),
  ":t": S("t"),
  ":t0": S("t0"),
};

function request(condition: string, more: Partial<QueryCommandInput> = {}): QueryCommandInput {
  const KeyConditionExpression = condition.replace("R", "area = :r").replace("Y", "#y = :y");
  const used = KeyConditionExpression.match(/:\w+/g) ?? [];
  return {
    TableName,
    IndexName: "wide",
    KeyConditionExpression,
    ExpressionAttributeNames: { "#y": "year" },
    ExpressionAttributeValues: Object.fromEntries(used.map((name) => [name, values[name]])) as Item,
    ...more,
  };
}

const ids = async (condition: string, more: Partial<QueryCommandInput> = {}) =>
  column(itemsOf(await queryPages(server, request(condition, more))), "id");

/** The items are made in the order of n, s and b, which leaves nothing for t to decide. */
const expected = (matches: (n: number, s: number, b: number) => boolean): string[] =>
  items
    .map(({ id }) => id?.S ?? "")
    .filter((id) => {
      const [n = 0, s = 0, b = 0] = Array.from(id, Number);
      return matches(n, s, b);
    });

describe("conditions on a prefix of the range attributes", () => {
  test.each<[string, (n: number, s: number, b: number) => boolean]>([
    ["R AND Y", () => true],
    ["R AND Y AND n = :n", (n) => n === 2],
    ["R AND Y AND n < :n", (n) => n < 2],
    ["R AND Y AND n <= :n", (n) => n <= 2],
    ["R AND Y AND n > :n", (n) => n > 2],
    ["R AND Y AND n >= :n", (n) => n >= 2],
    ["R AND Y AND n BETWEEN :n1 AND :n2", (n) => n >= 1 && n <= 3],
    ["R AND Y AND n = :n AND s = :s", (n, s) => n === 2 && s === 1],
    ["R AND Y AND n = :n AND s < :s", (n, s) => n === 2 && s < 1],
    ["R AND Y AND n = :n AND s > :s", (n, s) => n === 2 && s > 1],
    ["R AND Y AND n = :n AND begins_with(s, :s)", (n, s) => n === 2 && s === 1],
    ["R AND Y AND n = :n AND s BETWEEN :s AND :s2", (n, s) => n === 2 && s >= 1 && s <= 2],
    ["R AND Y AND n = :n AND s = :s AND b = :b", (n, s, b) => n === 2 && s === 1 && b === 0],
    ["R AND Y AND n = :n AND s = :s AND b > :b", (n, s, b) => n === 2 && s === 1 && b > 0],
    [
      "R AND Y AND n = :n AND s = :s AND begins_with(b, :b)",
      (n, s, b) => n === 2 && s === 1 && b < 3,
    ],
    ["R AND Y AND n = :n AND s = :s AND b < :b2", (n, s, b) => n === 2 && s === 1 && b < 2],
    [
      "R AND Y AND n = :n AND s = :s AND b = :b AND begins_with(t, :t)",
      (n, s, b) => n === 2 && s === 1 && b === 0,
    ],
    [
      "R AND Y AND n = :n AND s = :s AND b = :b AND t > :t0",
      (n, s, b) => n === 2 && s === 1 && b === 0,
    ],
    ["R AND Y AND n = :n AND s = :s AND b = :b AND t = :t0", () => false],
  ])("%s", async (condition, matches) => {
    const found = expected(matches);
    expect(await ids(condition)).toEqual(found);
    expect(await ids(condition, { ScanIndexForward: false })).toEqual(found.toReversed());
  });

  test.each([
    "n = :n AND Y AND R",
    "s = :s AND n = :n AND Y AND R",
    "(s = :s) AND (R AND (Y AND n = :n))",
    ":n = n AND R AND s = :s AND :y = #y",
  ])("clauses in any order: %s", async (condition) => {
    const withS = condition.includes(":s");
    expect(await ids(condition)).toEqual(expected((n, s) => n === 2 && (!withS || s === 1)));
  });

  test("an order of its own in every index", async () => {
    const found = await ids("R AND Y AND s = :s", { IndexName: "keys", Limit: 7 });
    const order = parts.n.flatMap((_, n) => parts.b.map((_b, b) => `${n}1${b}`));
    // Entries that are equal in all index keys come in no order that is promised.
    expect(found.map((id) => id?.slice(0, 2))).toEqual(order.map((id) => id.slice(0, 2)));
    expect(found.toSorted()).toEqual(order);
  });
});

describe("pages", () => {
  test.each([1, 7, 16, 80])("of %i, both ways", async (Limit) => {
    for (const [condition, matches] of [
      ["R AND Y", () => true],
      ["R AND Y AND n = :n AND s > :s", (n: number, s: number) => n === 2 && s > 1],
    ] as const) {
      if (Limit === 1 && condition === "R AND Y") continue;
      const found = expected(matches);
      expect(await ids(condition, { Limit })).toEqual(found);
      expect(await ids(condition, { Limit, ScanIndexForward: false })).toEqual(found.toReversed());
    }
  });

  test("their key holds the table's key and every attribute of the index's", async () => {
    const { Items, LastEvaluatedKey } = await query(server, request("R AND Y", { Limit: 3 }));
    const { id, area, year, n, s, b, t } = Items?.at(-1) ?? {};
    expect(LastEvaluatedKey).toEqual({ id, area, year, n, s, b, t });
  });

  test("a start key that no entry has", async () => {
    const start = {
      id: S("x"),
      area: S("eu"),
      year: N(2026),
      n: N(0),
      s: S("b"),
      b: bytes("01"),
      t: S(""),
    };
    const found = await query(
      server,
      request("R AND Y AND n = :n", { ExclusiveStartKey: { ...start, t: S("t") } }),
    );
    expect(column(found.Items, "id")).toEqual(expected((n, s) => n === 2 && s >= 2));
    const back = await query(
      server,
      request("R AND Y AND n = :n", {
        ExclusiveStartKey: { ...start, t: S("t") },
        ScanIndexForward: false,
      }),
    );
    expect(column(back.Items, "id")).toEqual(expected((n, s) => n === 2 && s < 2).toReversed());
  });

  test("of a scan", async () => {
    const all = itemsOf(await scanPages(server, { TableName, IndexName: "wide", Limit: 13 }));
    expect(all.length).toBe(items.length + 10);
    const inEu = all.filter(({ area, year }) => area?.S === "eu" && year?.N === "2026");
    expect(column(inEu, "id")).toEqual(expected(() => true));
  });
});

test("KEYS_ONLY holds every key of index and table", async () => {
  const { Items } = await query(server, request("R AND Y", { IndexName: "keys", Limit: 1 }));
  expect(Object.keys(Items?.[0] ?? {}).toSorted()).toEqual(["area", "id", "n", "s", "year"]);
});

test("filters may name what the index has no key of, and the table's key", async () => {
  const found = await query(
    server,
    request("R AND Y AND s = :s", {
      IndexName: "keys",
      FilterExpression: "begins_with(id, :i)",
      ExpressionAttributeValues: { ":r": S("eu"), ":y": N(2026), ":s": S("a"), ":i": S("3") },
    }),
  );
  expect(found).toMatchObject({ Count: 4, ScannedCount: 20 });
});

describe("four and four attributes", () => {
  const full: Item = {
    id: S("full"),
    h1: S("a"),
    h2: N(1),
    h3: B(0),
    h4: S("d"),
    r1: N(-1),
    r2: S("r"),
    r3: B(255),
    r4: S("z"),
  };
  const names = ["h1", "h2", "h3", "h4", "r1", "r2", "r3", "r4"];
  const ask = (count: number, item: Item = full) => {
    const used = names.slice(0, count);
    return query(server, {
      TableName,
      IndexName: "most",
      KeyConditionExpression: used.map((name) => `${name} = :${name}`).join(" AND "),
      ExpressionAttributeValues: Object.fromEntries(
        used.map((name) => [`:${name}`, item[name]]),
      ) as Item,
    });
  };

  test("are asked for together", async () => {
    await putAll(server, TableName, [full]);
    for (const count of [4, 5, 6, 7, 8]) expect((await ask(count)).Items).toEqual([full]);
    expect((await ask(4, { ...full, h4: S("e") })).Count).toBe(0);
    // The parts are told apart: ("ab", "c") is not ("a", "bc").
    expect((await ask(4, { ...full, h1: S("ad"), h4: S("d") })).Count).toBe(0);
  });

  test.each(names)("without %s an item is not in the index", async (name) => {
    const { [name]: _, ...rest } = full;
    const item = { ...rest, id: S(`without ${name}`), mark: S(name) };
    await putAll(server, TableName, [item]);
    const found = itemsOf(await scanPages(server, { TableName, IndexName: "most" }));
    expect(column(found, "mark")).not.toContain(name);
  });

  test("an item enters, moves and leaves with its parts", async () => {
    const { r3, ...partial }: Item = { ...full, id: S("mover"), h1: S("move") };
    await server.client.send(new PutItemCommand({ TableName, Item: partial }));
    expect((await ask(4, partial)).Count).toBe(0);
    const update = (UpdateExpression: string, value?: AttributeValue) =>
      server.client.send(
        new UpdateItemCommand({
          TableName,
          Key: { id: S("mover") },
          UpdateExpression,
          ...(value !== undefined && { ExpressionAttributeValues: { ":v": value } }),
        }),
      );
    await update("SET r3 = :v", r3);
    expect((await ask(8, { ...partial, r3: B(255) })).Count).toBe(1);
    await update("SET r2 = :v", S("q"));
    expect((await ask(6, partial)).Count).toBe(0);
    expect((await ask(6, { ...partial, r2: S("q") })).Count).toBe(1);
    await update("SET h2 = :v", N(2));
    expect((await ask(4, partial)).Count).toBe(0);
    expect((await ask(4, { ...partial, h2: N("2.0") })).Count).toBe(1);
    await update("REMOVE h4");
    expect((await ask(4, { ...partial, h2: N(2) })).Count).toBe(0);
    await update("SET h4 = :v", S("d"));
    expect((await ask(4, { ...partial, h2: N(2) })).Count).toBe(1);
    await server.client.send(new DeleteItemCommand({ TableName, Key: { id: S("mover") } }));
    expect((await ask(4, { ...partial, h2: N(2) })).Count).toBe(0);
  });
});
