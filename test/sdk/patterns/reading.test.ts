import { PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { batchGet, batchWrite } from "../../../src/patterns/batch.ts";
import {
  allOf,
  anyOf,
  between,
  type Condition,
  containing,
  equalTo,
  expressionsOf,
  inRange,
  not,
  notEqualTo,
  oneOf,
  present,
} from "../../../src/patterns/conditions.ts";
import { AdjacencyList } from "../../../src/patterns/edges.ts";
import { UpdateBuilder } from "../../../src/patterns/expression.ts";
import {
  type GatherSource,
  gatherItems,
  gatherPage,
  gatherUnordered,
} from "../../../src/patterns/gather.ts";
import { indexKeys, updateIndexKeys } from "../../../src/patterns/index-keys.ts";
import { compositeKey } from "../../../src/patterns/key.ts";
import { ksuidBounds, ksuidMaker } from "../../../src/patterns/ksuid.ts";
import { allItems, listPage } from "../../../src/patterns/pages.ts";
import { isExpired, notExpired, ttlSeconds } from "../../../src/patterns/ttl.ts";
import { ulidBounds, ulidMaker } from "../../../src/patterns/ulid.ts";
import { type Attributes, compareKeyValues, pickAttributes } from "../../../src/patterns/values.ts";
import { createTable, useServer } from "../harness.ts";
import { sendersOf } from "./support.ts";

const server = useServer();
const senders = () => sendersOf(server.documents);
const keyNames = ["pk", "sk"];

let table = "";
beforeAll(async () => {
  table = await createTable(server, {
    key: "pk:S sk:S",
    global: { gsi1: { hash: "gsi1pk:S", range: "gsi1sk:S" } },
  });
});

const putAll = (items: readonly Attributes[]) =>
  batchWrite(
    senders().batchWrite,
    items.map((put) => ({ table, put })),
    { keyNames },
  );
const queried = (expressions: object, more: object = {}) =>
  senders().query({ TableName: table, ...expressions, ...more });

describe("batches", () => {
  test("write and read hundreds of items, each in the place of its key", async () => {
    const items = Array.from({ length: 230 }, (_, n) => ({ pk: `B#${n}`, sk: "@", n }));
    await putAll([...items, { pk: "B#0", sk: "@", n: 1_000 }]);
    const keys = items.map(({ pk, sk }) => ({ table, key: { pk, sk } })).toReversed();
    const found = await batchGet(
      senders().batchGet,
      [...keys, { table, key: { pk: "none", sk: "@" } }],
      {
        consistent: true,
        projection: ["n"],
      },
    );
    expect(found).toHaveLength(231);
    expect(found[0]).toEqual({ pk: "B#229", sk: "@", n: 229 });
    expect(found[229]).toEqual({ pk: "B#0", sk: "@", n: 1_000 });
    expect(found[230]).toBeUndefined();
    const deletes = items.map(({ pk, sk }) => ({ table, delete: { pk, sk } }));
    await batchWrite(senders().batchWrite, deletes, { keyNames });
    const none = await batchGet(senders().batchGet, keys, { consistent: true });
    expect(none.every((item) => item === undefined)).toBe(true);
  });

  test("go on after sixteen megabytes, which is all that an answer holds", async () => {
    const items = Array.from({ length: 50 }, (_, n) => ({
      pk: `L#${n}`,
      sk: "@",
      n,
      text: "x".repeat(350_000),
    }));
    await putAll(items);
    let calls = 0;
    const { batchGet: send } = senders();
    const counted: typeof send = (input) => {
      calls += 1;
      return send(input);
    };
    const keys = items.map(({ pk, sk }) => ({ table, key: { pk, sk } }));
    const found = await batchGet(counted, keys, { base: 1 });
    expect(calls).toBeGreaterThan(1);
    expect(found.map((item) => item?.n)).toEqual(items.map(({ n }) => n));
  });
});

describe("ranges of composite keys", () => {
  const key = compositeKey("O#{status}#{at|day}#{id|pad:3}");
  const days = ["2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01"];
  const orders = ["open", "opened", "shut"].flatMap((status) =>
    days.flatMap((day) => [1, 2, 10].map((id) => ({ status, at: `${day}T10:00:00Z`, id }))),
  );
  beforeAll(() => putAll(orders.map((order) => ({ pk: "RANGES", sk: key.of(order), ...order }))));
  const found = async (range: Parameters<typeof inRange>[1]) => {
    const keyCondition = allOf(equalTo("pk", "RANGES"), inRange("sk", range));
    const items = await allItems(queried(expressionsOf({ keyCondition })));
    return items.map(({ sk }) => sk);
  };
  const expected = (is: (order: (typeof orders)[number]) => boolean) =>
    orders
      .filter(is)
      .map((order) => key.of(order))
      .toSorted();

  test.each([
    ["between", ["2026-02-01", "2026-02-28"]],
    ["at-least", ["2026-02-28"]],
    ["at-most", ["2026-02-01"]],
  ] as const)(
    "%s find what they should, and nothing of a longer word",
    async (operator, bounds) => {
      const [from, to] = operator === "at-most" ? ["", bounds[0]] : [bounds[0], bounds[1] ?? "9"];
      expect(await found(key.range({ status: "open" }, operator, ...bounds))).toEqual(
        expected(
          ({ status, at }) => status === "open" && at.slice(0, 10) >= from && at.slice(0, 10) <= to,
        ),
      );
    },
  );

  test("of the last part are exact, and a prefix finds what begins with it", async () => {
    const known = { status: "open", at: "2026-02-01" };
    expect(await found(key.range(known, "between", 2, 10))).toEqual(
      expected(({ status, at, id }) => status === "open" && at.startsWith("2026-02-01") && id >= 2),
    );
    const prefix = {
      kind: "begins",
      text: key.prefix({ status: "open" }),
      isLoose: false,
    } as const;
    expect(await found(prefix)).toEqual(expected(({ status }) => status === "open"));
  });
});

describe("shards that are gathered", () => {
  const partition = compositeKey("V#{poll}#{shard:5}");
  const votes = Array.from({ length: 137 }, (_, n) => ({
    n,
    at: new Date(1_700_000_000_000 + ((n * 7_919) % 500) * 1_000).toISOString(),
    text: "y".repeat(20_000),
  }));
  const compare = (a: Attributes, b: Attributes): number =>
    compareKeyValues(a.gsi1sk as string, b.gsi1sk as string);
  const keyOf = (item: Attributes) => pickAttributes(item, ["pk", "sk", "gsi1pk", "gsi1sk"]);

  beforeAll(() =>
    putAll(
      votes.map((vote) => ({
        pk: `VOTE#${vote.n}`,
        sk: "@",
        gsi1pk: partition.of({ poll: "p" }),
        gsi1sk: `${vote.at}#${String(vote.n).padStart(3, "0")}`,
        ...vote,
      })),
    ),
  );

  const sources = (more: object = {}): readonly GatherSource<Attributes>[] =>
    partition.all({ poll: "p" }).map((name) => ({
      name,
      send: queried(expressionsOf({ keyCondition: equalTo("gsi1pk", name) }), {
        IndexName: "gsi1",
        ...more,
      }),
    }));
  const expected = votes
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.n - b.n))
    .map(({ n }) => n);

  test("are one list in order, forwards and backwards", async () => {
    const forwards: unknown[] = [];
    for await (const { n } of gatherItems(sources(), { compare })) forwards.push(n);
    expect(forwards).toEqual(expected);
    const backwards: unknown[] = [];
    const turned = (a: Attributes, b: Attributes): number => compare(b, a);
    const all = gatherItems(sources({ ScanIndexForward: false }), { compare: turned, pageSize: 7 });
    for await (const { n } of all) backwards.push(n);
    expect(backwards).toEqual(expected.toReversed());
  });

  test("are found by a parallel scan", async () => {
    const segments = [0, 1, 2, 3].map((Segment) => ({
      name: String(Segment),
      send: (page: object) => {
        const scan = { TableName: table, IndexName: "gsi1", Segment, TotalSegments: 4, ...page };
        return server.documents.send(new ScanCommand(scan));
      },
    }));
    const found = new Set<unknown>();
    for await (const { pk } of gatherUnordered<Attributes>(segments, { pageSize: 9 }))
      found.add(pk);
    for (const { n } of votes) expect(found).toContain(`VOTE#${n}`);
  });

  test("are paged through with a token, also with a filter", async () => {
    const filter = {
      FilterExpression: "n < :most",
      KeyConditionExpression: "gsi1pk = :pk",
    };
    const filtered = partition.all({ poll: "p" }).map((name) => ({
      name,
      send: queried(
        { ...filter, ExpressionAttributeValues: { ":pk": name, ":most": 50 } },
        { IndexName: "gsi1" },
      ),
    }));
    for (const [list, wanted] of [
      [sources(), expected],
      [filtered, expected.filter((n) => n < 50)],
    ] as const) {
      const found: unknown[] = [];
      let token: string | undefined;
      do {
        const page = await gatherPage(list, {
          compare,
          keyOf,
          limit: 10,
          scope: "votes of p",
          token,
        });
        found.push(...page.items.map(({ n }) => n));
        token = page.token;
      } while (token !== undefined);
      expect(found).toEqual(wanted);
    }
  });
});

describe("a list in pages", () => {
  const items = Array.from({ length: 23 }, (_, n) => ({
    pk: "LIST",
    sk: String(n).padStart(3, "0"),
    n,
  }));
  beforeAll(() => putAll(items));

  test("is read to its end with tokens, filtered or not, and stays in its partition", async () => {
    const query = queried({
      KeyConditionExpression: "pk = :pk",
      FilterExpression: "n <> :n",
      ExpressionAttributeValues: { ":pk": "LIST", ":n": 7 },
    });
    const options = { limit: 5, scope: "LIST", fixed: { pk: "LIST" } };
    for (const more of [
      {},
      { keyOf: (item: Attributes) => pickAttributes(item, keyNames), pageSize: 8 },
    ]) {
      const found: unknown[] = [];
      let token: string | undefined;
      do {
        const page = await listPage<Attributes>(query, { ...options, ...more, token });
        expect(page.items.length).toBeLessThanOrEqual(5);
        found.push(...page.items.map(({ n }) => n));
        token = page.token;
      } while (token !== undefined);
      expect(found).toEqual(items.map(({ n }) => n).filter((n) => n !== 7));
    }
  });
});

describe("a sparse index", () => {
  const open = {
    attributes: { gsi1pk: () => "OPEN", gsi1sk: compositeKey("{dueAt}") },
    only: ({ status }: { status?: string; dueAt?: string }) => status === "open",
  };
  const inIndex = async () => {
    const items = await allItems(
      queried(
        { KeyConditionExpression: "gsi1pk = :o", ExpressionAttributeValues: { ":o": "OPEN" } },
        { IndexName: "gsi1" },
      ),
    );
    return items.map(({ pk }) => pk);
  };

  test("holds items while they belong in it", async () => {
    const task = { status: "open", dueAt: "2026-11-16" };
    const key = { pk: "TASK#1", sk: "@" };
    await putAll([
      { ...key, ...task, ...indexKeys([open], task) },
      { pk: "TASK#2", sk: "@", status: "done", ...indexKeys([open], { status: "done" }) },
    ]);
    expect(await inIndex()).toEqual(["TASK#1"]);
    const change = (after: { status: string; dueAt?: string }) => {
      const update = new UpdateBuilder().set("status", after.status);
      return senders().update(table, key, updateIndexKeys(update, [open], after));
    };
    const { Attributes: done } = await change({ ...task, status: "done" });
    expect(done).toEqual({ ...key, ...task, status: "done" });
    expect(await inIndex()).toEqual([]);
    await change(task);
    expect(await inIndex()).toEqual(["TASK#1"]);
  });
});

describe("a graph", () => {
  const graph = new AdjacencyList({
    names: { partition: "pk", sort: "sk", inversePartition: "gsi1pk", inverseSort: "gsi1sk" },
  });
  const user = (id: string) => ({ kind: "USER", id });
  const follows = (from: string, to: string) => ({
    from: user(from),
    label: "FOLLOWS",
    to: user(to),
  });

  test("is read from both ends", async () => {
    await putAll([
      graph.node(user("ada")),
      graph.edge(follows("ada", "bob")),
      graph.edge(follows("ada", "cy#1")),
      graph.edge(follows("bob", "cy#1")),
      graph.edge({ from: user("ada"), label: "FOLLOWS_TAG", to: { kind: "TAG", id: "x" } }),
    ]);
    const leaving = await allItems(
      queried(expressionsOf({ keyCondition: graph.leaving(user("ada"), "FOLLOWS") })),
    );
    expect(leaving.map((item) => graph.edgeOf(item)?.to.id)).toEqual(["bob", "cy#1"]);
    const arriving = await allItems(
      queried(expressionsOf({ keyCondition: graph.arriving(user("cy#1"), "FOLLOWS", "USER") }), {
        IndexName: "gsi1",
      }),
    );
    expect(arriving.map((item) => graph.edgeOf(item)?.from.id)).toEqual(["ada", "bob"]);
    const all = await allItems(
      queried(expressionsOf({ keyCondition: graph.leaving(user("ada")) })),
    );
    expect(all.map((item) => graph.nodeOf(item)?.id)).toEqual([
      "ada",
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("ids and times", () => {
  test("ids of a span of time are found by their bounds", async () => {
    let now = 1_700_000_000_000;
    const time = () => now;
    const makers = { ULID: ulidMaker({ time }), KSUID: ksuidMaker({ time }) };
    const items: Attributes[] = [];
    for (let n = 0; n < 20; n += 1) {
      for (const [pk, make] of Object.entries(makers)) items.push({ pk, sk: make(), n });
      if (n % 2 === 1) now += 1_000;
    }
    await putAll(items);
    for (const [pk, bounds] of [
      ["ULID", ulidBounds],
      ["KSUID", ksuidBounds],
    ] as const) {
      const { from, to } = bounds(1_700_000_003_000, 1_700_000_005_000);
      const found = await allItems(
        queried({
          KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
          ExpressionAttributeValues: { ":pk": pk, ":from": from, ":to": to },
        }),
      );
      expect(found.map(({ n }) => n)).toEqual([6, 7, 8, 9, 10, 11]);
    }
  });

  test("what has expired is left out by a filter as by a look", async () => {
    const now = 1_700_000_000_500;
    const items = [-1, 0, 1, undefined].map((offset, n) => ({
      pk: "TTL",
      sk: String(n),
      ...(offset !== undefined && { ttl: ttlSeconds(now) + offset }),
    }));
    await putAll(items);
    const condition = { keyCondition: equalTo("pk", "TTL"), filter: notExpired("ttl", now) };
    const found = await allItems(queried(expressionsOf(condition)));
    expect(found.map(({ sk }) => sk)).toEqual(["2", "3"]);
    expect(items.filter((item) => !isExpired(item, "ttl", now)).map(({ sk }) => sk)).toEqual([
      "2",
      "3",
    ]);
  });
});

test("conditions mean what they say, with all kinds of names", async () => {
  const name = "strange.name-#:[0]";
  await server.documents.send(
    new PutCommand({
      TableName: table,
      Item: { pk: "C", sk: "@", [name]: 5, tags: new Set(["a"]), list: [{ b: 1 }] },
    }),
  );
  const counted = async (filter: Condition | undefined) => {
    const query = queried(expressionsOf({ keyCondition: equalTo("pk", "C"), filter }));
    return (await allItems(query)).length;
  };
  expect(await counted(between(name, 5, 6))).toBe(1);
  expect(await counted(notEqualTo(name, 5))).toBe(0);
  expect(await counted(oneOf(name, [1, 5]))).toBe(1);
  expect(await counted(containing("tags", "a"))).toBe(1);
  expect(await counted(present(["list", 0, "b"]))).toBe(1);
  expect(await counted(not(present(["list", 1])))).toBe(1);
  expect(await counted(not(anyOf(equalTo(name, 5), present("x")) ?? present("y")))).toBe(0);
  // Without brackets this would be found.
  expect(await counted(allOf(equalTo(name, 4), anyOf(present("x"), present("tags"))))).toBe(0);
});
