import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { B, column, type Item, itemsOf, N, putAll, query, queryPages, S } from "../reading.ts";

const server = useServer();

let TableName: string;
const count = 12;

beforeAll(async () => {
  TableName = await createTable(server, {
    key: "pk:S sk:N",
    global: {
      byGroup: { hash: "group:S" },
      byRank: { hash: "group:S", range: "rank:N" },
      bySk: { hash: "sk:N", range: "pk:S" },
    },
    local: { byName: { range: "name:S" } },
  });
  const items: Item[] = [];
  for (let n = 0; n < count; n += 1) {
    items.push({
      pk: S("p"),
      sk: N(n),
      group: S("g"),
      // Three ranks and two names, so that pages end within ties.
      rank: N(n % 3),
      name: S(n % 2 === 0 ? "even" : "odd"),
    });
  }
  const strangers = [0, 5, 11].map((n) => ({
    pk: S("other"),
    sk: N(n),
    group: S("h"),
    rank: N(1),
  }));
  await putAll(server, TableName, [...items, ...strangers]);
});

const sources: Record<string, Pick<QueryCommandInput, "IndexName" | "KeyConditionExpression">> = {
  table: { KeyConditionExpression: "pk = :v" },
  "local index": { IndexName: "byName", KeyConditionExpression: "pk = :v" },
  "global index without sort key": { IndexName: "byGroup", KeyConditionExpression: "#g = :v" },
  "global index with sort key": { IndexName: "byRank", KeyConditionExpression: "#g = :v" },
};

function request(source: string): QueryCommandInput {
  const { IndexName, KeyConditionExpression = "" } = sources[source] ?? {};
  const global = KeyConditionExpression.startsWith("#g");
  return {
    TableName,
    IndexName,
    KeyConditionExpression,
    ...(global && { ExpressionAttributeNames: { "#g": "group" } }),
    ExpressionAttributeValues: { ":v": S(global ? "g" : "p") },
  };
}

describe.each(Object.keys(sources))("%s", (source) => {
  test.each([1, 2, 5, 6, 12, 13, 100])("pages of %i give every item once", async (Limit) => {
    const whole = await query(server, request(source));
    expect(whole.Count).toBe(count);
    expect(whole.LastEvaluatedKey).toBeUndefined();
    for (const ScanIndexForward of [true, false]) {
      const all = await queryPages(server, { ...request(source), Limit, ScanIndexForward });
      for (const page of all) expect(page.Count).toBeLessThanOrEqual(Limit);
      for (const page of all.slice(0, -1)) expect(page.Count).toBe(Limit);
      const found = itemsOf(all);
      expect(found).toEqual(ScanIndexForward ? whole.Items : whole.Items?.toReversed());
      // The service may or may not see that nothing is left after a page that is just full.
      expect(all.length - Math.ceil(count / Limit)).toBeLessThanOrEqual(1);
    }
  });
});

test.each([
  ["table", ["pk", "sk"]],
  ["local index", ["name", "pk", "sk"]],
  ["global index without sort key", ["group", "pk", "sk"]],
  ["global index with sort key", ["group", "pk", "rank", "sk"]],
])("LastEvaluatedKey in the %s holds %j of the last item", async (source, names) => {
  const { Items, LastEvaluatedKey } = await query(server, { ...request(source), Limit: 4 });
  const last = Items?.at(-1);
  expect(LastEvaluatedKey).toEqual(Object.fromEntries(names.map((name) => [name, last?.[name]])));
});

test("an index on the table's own keys names them once", async () => {
  const { LastEvaluatedKey } = await query(server, {
    TableName,
    IndexName: "bySk",
    KeyConditionExpression: "sk = :v",
    ExpressionAttributeValues: { ":v": N(5) },
    Limit: 1,
  });
  expect(LastEvaluatedKey).toEqual({ pk: S("other"), sk: N(5) });
});

test.each([
  ["sk > :a", [6, 7, 8, 9, 10, 11]],
  ["sk >= :a", [5, 6, 7, 8, 9, 10, 11]],
  ["sk < :a", [0, 1, 2, 3, 4]],
  ["sk <= :a", [0, 1, 2, 3, 4, 5]],
  ["sk BETWEEN :a AND :b", [5, 6, 7, 8, 9]],
])("pages within %s, both ways", async (condition, expected) => {
  for (const ScanIndexForward of [true, false]) {
    const all = await queryPages(server, {
      TableName,
      KeyConditionExpression: `pk = :p AND ${condition}`,
      ExpressionAttributeValues: {
        ":p": S("p"),
        ":a": N(5),
        ...(condition.includes(":b") && { ":b": N(9) }),
      },
      ScanIndexForward,
      Limit: 2,
    });
    const numbers = expected.map(String);
    expect(column(itemsOf(all), "sk")).toEqual(ScanIndexForward ? numbers : numbers.toReversed());
  }
});

describe("a start key that no item has", () => {
  test.each([
    [-3, true, [0, 1, 2]],
    [3.5, true, [4, 5, 6]],
    [10.99, true, [11]],
    [11, true, []],
    [80, true, []],
    [80, false, [11, 10, 9]],
    [3.5, false, [3, 2, 1]],
    [0.5, false, [0]],
    [0, false, []],
    [-3, false, []],
  ])("starts beside %d, forward %s", async (sk, ScanIndexForward, expected) => {
    const { Items } = await query(server, {
      ...request("table"),
      ExclusiveStartKey: { pk: S("p"), sk: N(sk) },
      ScanIndexForward,
      Limit: 3,
    });
    expect(column(Items, "sk")).toEqual(expected.map(String));
  });

  test("in an index without ties", async () => {
    const ranked = await createTable(server, {
      key: "id:S",
      global: { byRank: { hash: "group:S", range: "rank:B" } },
    });
    const items = [1, 2, 3].map((n) => ({ id: S(`i${n}`), group: S("g"), rank: B(n, 0xff) }));
    await putAll(server, ranked, items);
    const { Items } = await query(server, {
      TableName: ranked,
      IndexName: "byRank",
      KeyConditionExpression: "#g = :g AND #r > :r",
      ExpressionAttributeNames: { "#g": "group", "#r": "rank" },
      ExpressionAttributeValues: { ":g": S("g"), ":r": B(0) },
      ExclusiveStartKey: { id: S("none"), group: S("g"), rank: B(1, 0xff, 0) },
    });
    expect(Items).toEqual(items.slice(1));
  });
});

test("paging survives the deletion of the item that the page ended on", async () => {
  const table = await createTable(server, { key: "pk:S sk:N" });
  await putAll(
    server,
    table,
    [1, 2, 3, 4].map((n) => ({ pk: S("p"), sk: N(n) })),
  );
  const input = {
    TableName: table,
    KeyConditionExpression: "pk = :p",
    ExpressionAttributeValues: { ":p": S("p") },
    Limit: 2,
  };
  const { LastEvaluatedKey } = await query(server, input);
  await server.raw("DeleteItem", { TableName: table, Key: LastEvaluatedKey });
  const next = await query(server, { ...input, ExclusiveStartKey: LastEvaluatedKey });
  expect(column(next.Items, "sk")).toEqual(["3", "4"]);
});

test("Limit counts items before the filter, and a page may come empty with a key", async () => {
  const input: QueryCommandInput = {
    TableName,
    KeyConditionExpression: "pk = :p",
    FilterExpression: "#r = :r",
    ExpressionAttributeNames: { "#r": "rank" },
    ExpressionAttributeValues: { ":p": S("p"), ":r": N(2) },
    Limit: 2,
  };
  const first = await query(server, input);
  expect(first).toMatchObject({ Count: 0, ScannedCount: 2, Items: [] });
  expect(first.LastEvaluatedKey).toEqual({ pk: S("p"), sk: N(1) });
  const all = await queryPages(server, input);
  expect(column(itemsOf(all), "sk")).toEqual(["2", "5", "8", "11"]);
  expect(all.reduce((sum, page) => sum + (page.ScannedCount ?? 0), 0)).toBe(count);
});

test("a start key that the filter lets not pass is as good as another", async () => {
  const { Items } = await query(server, {
    TableName,
    KeyConditionExpression: "pk = :p",
    FilterExpression: "#r = :r",
    ExpressionAttributeNames: { "#r": "rank" },
    ExpressionAttributeValues: { ":p": S("p"), ":r": N(2) },
    ExclusiveStartKey: { pk: S("p"), sk: N(6) },
  });
  expect(column(Items, "sk")).toEqual(["8", "11"]);
});
