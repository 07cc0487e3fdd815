import {
  type AttributeValue,
  BatchWriteItemCommand,
  type Condition,
  GetItemCommand,
  PutItemCommand,
  type QueryCommandInput,
  UpdateTableCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { B, column, type Item, N, putAll, query, S, scan } from "../reading.ts";

const server = useServer();

let TableName: string;

beforeAll(async () => {
  TableName = await createTable(server, {
    key: "id:S",
    global: {
      one: { hash: "h:S", range: "a:S b:S c:S d:S" },
      two: { hash: "h:S g:N", range: "a:S b:S" },
    },
  });
});

const values: Item = { ":s": S("x"), ":t": S("y"), ":n": N(1), ":bool": { BOOL: true } };

function ask(IndexName: string, condition: string, more: Partial<QueryCommandInput> = {}) {
  const used = condition.match(/:\w+/g) ?? [];
  return query(server, {
    TableName,
    IndexName,
    KeyConditionExpression: condition,
    ExpressionAttributeValues: Object.fromEntries(used.map((name) => [name, values[name]])) as Item,
    ...more,
  });
}

const gap = (without: string, present: string) =>
  `RANGE key attributes ${without} must have equality conditions specified in the query because a condition is present on key attribute ${present}`;
const schemaType =
  "One or more parameter values were invalid: Condition parameter type does not match schema type";

describe("conditions", () => {
  test.each([
    ["h = :s AND a = :s AND c = :s", gap("b", "c")],
    ["h = :s AND a = :s AND c > :s", gap("b", "c")],
    ["h = :s AND b = :s", gap("a", "b")],
    ["b = :s AND h = :s", gap("a", "b")],
    ["h = :s AND b > :s", gap("a", "b")],
    ["h = :s AND a = :s AND b > :s AND c = :s", gap("b", "c")],
    ["c = :s AND b > :s AND a = :s AND h = :s", gap("b", "c")],
    ["h = :s AND a > :s AND b > :s", gap("a", "b")],
    ["h = :s AND begins_with(a, :s) AND b = :s", gap("a", "b")],
    ["h = :s AND a BETWEEN :s AND :t AND b = :s", gap("a", "b")],
    ["h = :n", schemaType],
    ["h = :s AND a = :n", schemaType],
    ["h = :s AND a = :s AND b > :n", schemaType],
    ["h = :s AND a = :bool", schemaType],
  ])("%s", async (condition, message) => {
    await validation(ask("one", condition), message);
  });

  test("more than there are keys", async () => {
    await validation(
      ask("two", "h = :s AND g = :n AND a = :s AND b = :s AND z = :s"),
      "The number of query conditions (5) exceeds the number of key attributes defined in the schema (4)",
    );
  });

  test.each([
    "h = :s",
    "g = :n",
    "h = :s AND a = :s",
    "h = :s AND g > :n",
    "h = :s AND g BETWEEN :n AND :n",
    "begins_with(h, :s) AND g = :n",
  ])("every hash attribute by equality: %s", async (condition) => {
    await validation(ask("two", condition), /HASH.*equality/);
  });

  test("a range condition on the only hash attribute", async () => {
    await expectError(ask("one", "h > :s"), "ValidationException");
  });

  test("filters name no key attribute of the index", async () => {
    const primary = (name: string) =>
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`;
    for (const name of ["h", "a", "b", "c", "d"]) {
      await validation(
        ask("one", "h = :s", {
          FilterExpression: "#k = :s",
          ExpressionAttributeNames: { "#k": name },
        }),
        primary(name),
      );
    }
  });

  test("no consistent reads", async () => {
    await validation(
      ask("one", "h = :s", { ConsistentRead: true }),
      "Consistent reads are not supported on global secondary indexes",
    );
  });

  test("a start key with all parts and no other", async () => {
    const full = { id: S("i"), h: S("x"), a: S("1"), b: S("1"), c: S("1"), d: S("1") };
    const { c: _, ...without } = full;
    const invalid = "The provided starting key is invalid";
    await validation(ask("one", "h = :s", { ExclusiveStartKey: without }), invalid);
    await validation(ask("one", "h = :s", { ExclusiveStartKey: { ...full, z: S("") } }), invalid);
    await validation(
      ask("one", "h = :s", { ExclusiveStartKey: { ...without, z: S("") } }),
      invalid,
    );
    await validation(
      ask("one", "h = :t", { ExclusiveStartKey: full }),
      /^The provided starting key is outside query boundaries based on provided condition/,
    );
    expect((await ask("one", "h = :s", { ExclusiveStartKey: full })).Count).toBe(0);
  });
});

describe("legacy KeyConditions", () => {
  const is = (
    ComparisonOperator: "EQ" | "GT" | "BEGINS_WITH",
    value: AttributeValue,
  ): Condition => ({
    ComparisonOperator,
    AttributeValueList: [value],
  });

  test("may have more than two conditions", async () => {
    const table = await createTable(server, {
      key: "id:S",
      global: { index: { hash: "h:S g:N", range: "a:S b:N" } },
    });
    await putAll(
      server,
      table,
      [1, 2, 3].map((n) => ({ id: S(`i${n}`), h: S("h"), g: N(1), a: S("a"), b: N(n) })),
    );
    const found = await query(server, {
      TableName: table,
      IndexName: "index",
      KeyConditions: {
        b: is("GT", N(1)),
        a: is("EQ", S("a")),
        g: is("EQ", N(1)),
        h: is("EQ", S("h")),
      },
    });
    expect(column(found.Items, "id")).toEqual(["i2", "i3"]);
  });

  test("obey the same rules", async () => {
    const conditions = { h: is("EQ", S("x")), b: is("EQ", S("x")) };
    await validation(
      query(server, { TableName, IndexName: "one", KeyConditions: conditions }),
      gap("a", "b"),
    );
  });
});

describe("writes", () => {
  const item: Item = { id: S("w"), h: S("x"), g: N(1), a: S("a"), b: S("b") };
  const put = (more: Item) =>
    server.client.send(new PutItemCommand({ TableName, Item: { ...item, ...more } }));
  const mismatch = (name: string, expected: string, actual: string) =>
    `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${expected} Actual: ${actual} IndexName: `;
  const empty = (index: string, name: string) =>
    `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index}, IndexKey: ${name}`;

  test.each<[string, AttributeValue, string]>([
    ["g", S("1"), `${mismatch("g", "N", "S")}two`],
    ["c", N(1), `${mismatch("c", "S", "N")}one`],
    ["d", { L: [] }, `${mismatch("d", "S", "L")}one`],
    ["c", S(""), empty("one", "c")],
    ["d", S(""), empty("one", "d")],
  ])("a part %s of %j is refused, and nothing is written", async (name, value, message) => {
    await validation(put({ [name]: value }), message);
    await validation(
      server.client.send(
        new BatchWriteItemCommand({
          RequestItems: {
            [TableName]: [
              { PutRequest: { Item: { id: S("w2") } } },
              { PutRequest: { Item: { ...item, [name]: value } } },
            ],
          },
        }),
      ),
      message,
    );
    for (const id of ["w", "w2"]) {
      const got = await server.client.send(new GetItemCommand({ TableName, Key: { id: S(id) } }));
      expect(got.Item).toBeUndefined();
    }
  });
});

describe("an index added to a table that has items", () => {
  test("holds those that have all its attributes", async () => {
    const table = await createTable(server, { key: "id:S" });
    const rows: Item[] = [];
    for (let n = 0; n < 120; n += 1) {
      const row: Item = { id: S(`i${String(n).padStart(3, "0")}`), team: S(`t${n % 2}`) };
      if (n % 3 !== 0) row.score = N(n % 10);
      if (n % 5 !== 0) row.mark = B(n);
      // Items whose value has another type than the key are passed by.
      if (n % 20 === 1) row.score = S("high");
      rows.push(row);
    }
    await putAll(server, table, rows);
    await server.client.send(
      new UpdateTableCommand({
        TableName: table,
        AttributeDefinitions: [
          { AttributeName: "team", AttributeType: "S" },
          { AttributeName: "score", AttributeType: "N" },
          { AttributeName: "mark", AttributeType: "B" },
        ],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: "ranked",
              KeySchema: [
                { AttributeName: "team", KeyType: "HASH" },
                { AttributeName: "score", KeyType: "RANGE" },
                { AttributeName: "mark", KeyType: "RANGE" },
              ],
              Projection: { ProjectionType: "KEYS_ONLY" },
            },
          },
        ],
      }),
    );
    await waitUntilTableExists(
      { client: server.client, maxWaitTime: 20, minDelay: 1 },
      { TableName: table },
    );
    const expected = rows.filter(({ score, mark }) => score?.N !== undefined && mark !== undefined);
    const team = await query(server, {
      TableName: table,
      IndexName: "ranked",
      KeyConditionExpression: "team = :t AND score >= :s",
      ExpressionAttributeValues: { ":t": S("t1"), ":s": N(3) },
    });
    const ranked = expected
      .filter((row) => row.team?.S === "t1" && Number(row.score?.N) >= 3)
      .toSorted(
        (one, two) =>
          Number(one.score?.N) - Number(two.score?.N) ||
          Buffer.compare(one.mark?.B as Uint8Array, two.mark?.B as Uint8Array),
      );
    expect(column(team.Items, "id")).toEqual(column(ranked, "id"));
    const all = await scan(server, { TableName: table, IndexName: "ranked", Select: "COUNT" });
    expect(all.Count).toBe(expected.length);
  });

  test("must have all its attributes declared in the same request", async () => {
    const table = await createTable(server, { key: "id:S" });
    const request = server.client.send(
      new UpdateTableCommand({
        TableName: table,
        AttributeDefinitions: [{ AttributeName: "team", AttributeType: "S" }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: "ranked",
              KeySchema: [
                { AttributeName: "team", KeyType: "HASH" },
                { AttributeName: "id", KeyType: "RANGE" },
              ],
              Projection: { ProjectionType: "ALL" },
            },
          },
        ],
      }),
    );
    await expectError(request, "ValidationException");
  });
});
