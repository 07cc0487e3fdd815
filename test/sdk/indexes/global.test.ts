import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { B, column, type Item, N, putAll, query, S, scan } from "../reading.ts";

const server = useServer();

let TableName: string;

beforeAll(async () => {
  TableName = await createTable(server, {
    key: "id:S",
    global: {
      all: { hash: "team:S", range: "score:N" },
      keys: { hash: "team:S", range: "score:N", projection: { ProjectionType: "KEYS_ONLY" } },
      some: {
        hash: "team:S",
        projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["name", "score"] },
      },
      byCode: { hash: "code:B" },
      byScore: { hash: "score:N", range: "id:S" },
    },
  });
});

/** Every test has a team of its own. */
let team: AttributeValue.SMember;
let serial = 0;
beforeEach(() => {
  serial += 1;
  team = S(`team ${serial}`);
});

const idOf = (name: string): AttributeValue => S(`${team.S}/${name}`);
const put = (Item: Item) => server.client.send(new PutItemCommand({ TableName, Item }));
const update = (name: string, UpdateExpression: string, value?: AttributeValue) =>
  server.client.send(
    new UpdateItemCommand({
      TableName,
      Key: { id: idOf(name) },
      UpdateExpression,
      ...(value !== undefined && { ExpressionAttributeValues: { ":v": value } }),
    }),
  );

async function members(IndexName: string, of: AttributeValue = team): Promise<Item[]> {
  const { Items } = await query(server, {
    TableName,
    IndexName,
    KeyConditionExpression: "team = :t",
    ExpressionAttributeValues: { ":t": of },
  });
  return Items ?? [];
}

describe("what an index holds", () => {
  const item = (): Item => ({
    id: idOf("x"),
    team,
    score: N(7),
    name: S("Ann"),
    fit: { M: { shoe: N(38) } },
  });

  test("ALL: the whole item", async () => {
    await put(item());
    expect(await members("all")).toEqual([item()]);
  });

  test("KEYS_ONLY: the keys of index and table", async () => {
    await put(item());
    expect(await members("keys")).toEqual([{ id: idOf("x"), team, score: N(7) }]);
  });

  test("INCLUDE: the keys and what is named", async () => {
    await put(item());
    expect(await members("some")).toEqual([{ id: idOf("x"), team, score: N(7), name: S("Ann") }]);
  });

  test("INCLUDE: what is named but missing stays missing", async () => {
    await put({ id: idOf("x"), team });
    expect(await members("some")).toEqual([{ id: idOf("x"), team }]);
  });

  test("a change of what it does not hold leaves it alone, another shows", async () => {
    await put(item());
    await update("x", "SET fit.shoe = :v", N(39));
    await update("x", "SET fullName = :v", S("Ann A."));
    expect(await members("keys")).toEqual([{ id: idOf("x"), team, score: N(7) }]);
    expect((await members("all"))[0]).toMatchObject({
      fit: { M: { shoe: N(39) } },
      fullName: S("Ann A."),
    });
  });
});

describe("sparse", () => {
  test("items without the hash or the range key are not in the index", async () => {
    await putAll(server, TableName, [
      { id: idOf("both"), team, score: N(1) },
      { id: idOf("no score"), team },
      { id: idOf("no team"), score: N(1) },
    ]);
    expect(column(await members("all"), "id")).toEqual([idOf("both").S]);
    // Without a range key the hash key alone decides.
    expect(column(await members("some"), "id").toSorted()).toEqual([
      idOf("both").S,
      idOf("no score").S,
    ]);
  });

  test("an item enters when its last key attribute is set, and leaves when one is removed", async () => {
    await put({ id: idOf("x"), team });
    expect(await members("all")).toEqual([]);
    await update("x", "SET score = :v", N(3));
    expect(await members("all")).toEqual([{ id: idOf("x"), team, score: N(3) }]);
    await update("x", "REMOVE team");
    expect(await members("all")).toEqual([]);
    expect(await members("some")).toEqual([]);
  });

  test("a put that lacks the key takes the item out", async () => {
    await put({ id: idOf("x"), team, score: N(3) });
    await put({ id: idOf("x"), score: N(3) });
    expect(await members("all")).toEqual([]);
    expect(await members("some")).toEqual([]);
  });

  test("a deleted item is in no index", async () => {
    await put({ id: idOf("x"), team, score: N(3) });
    await server.client.send(new DeleteItemCommand({ TableName, Key: { id: idOf("x") } }));
    expect(await members("all")).toEqual([]);
    expect(await members("keys")).toEqual([]);
  });
});

describe("keys", () => {
  test("need not be unique", async () => {
    const names = Array.from({ length: 40 }, (_, n) => `m${n}`);
    await putAll(
      server,
      TableName,
      names.map((name) => ({ id: idOf(name), team, score: N(5) })),
    );
    const found = column(await members("all"), "id");
    expect(found.toSorted()).toEqual(names.map((name) => idOf(name).S).toSorted());
  });

  test("order within the hash key, whatever the table's keys", async () => {
    await putAll(
      server,
      TableName,
      [5, -5, 0.5, 100, 20].map((n, at) => ({ id: idOf(String(9 - at)), team, score: N(n) })),
    );
    expect(column(await members("all"), "score")).toEqual(["-5", "0.5", "5", "20", "100"]);
  });

  test("move the entry when they change", async () => {
    const other = S(`${team.S}, moved`);
    await putAll(server, TableName, [
      { id: idOf("x"), team, score: N(1) },
      { id: idOf("y"), team, score: N(2) },
    ]);
    await update("x", "SET score = :v", N(3));
    expect(column(await members("all"), "id")).toEqual([idOf("y").S, idOf("x").S]);
    await update("x", "SET team = :v", other);
    expect(column(await members("all"), "id")).toEqual([idOf("y").S]);
    expect(column(await members("all", other), "id")).toEqual([idOf("x").S]);
    await put({ id: idOf("x"), team, score: N(0) });
    expect(column(await members("all"), "id")).toEqual([idOf("x").S, idOf("y").S]);
    expect(await members("all", other)).toEqual([]);
  });

  test("that are equal numbers are one key", async () => {
    await put({ id: idOf("x"), team, score: N("1.50") });
    await put({ id: idOf("x"), team, score: N("15e-1") });
    expect(column(await members("all"), "score")).toEqual(["1.5"]);
  });

  test("may be binary, and may be the table's", async () => {
    await put({ id: idOf("x"), code: B(0, serial), score: N(`${serial}.125`) });
    const byCode = await query(server, {
      TableName,
      IndexName: "byCode",
      KeyConditionExpression: "code = :c",
      ExpressionAttributeValues: { ":c": B(0, serial) },
    });
    expect(column(byCode.Items, "id")).toEqual([idOf("x").S]);
    const byScore = await query(server, {
      TableName,
      IndexName: "byScore",
      KeyConditionExpression: "score = :s AND id = :i",
      ExpressionAttributeValues: { ":s": N(`${serial}.125`), ":i": idOf("x") },
    });
    expect(byScore.Count).toBe(1);
  });
});

describe("reads that a global index refuses", () => {
  const base = () => ({
    TableName,
    KeyConditionExpression: "team = :t",
    ExpressionAttributeValues: { ":t": team },
  });
  const parameter = "One or more parameter values were invalid: ";

  test("consistent ones", async () => {
    await validation(
      query(server, { ...base(), IndexName: "all", ConsistentRead: true }),
      "Consistent reads are not supported on global secondary indexes",
    );
    await validation(
      scan(server, { TableName, IndexName: "all", ConsistentRead: true }),
      "Consistent reads are not supported on global secondary indexes",
    );
    const plain = await query(server, { ...base(), IndexName: "all", ConsistentRead: false });
    expect(plain.Count).toBe(0);
  });

  test.each([
    ["keys", "#n", "[name]"],
    ["keys", "#n, fit", "[name, fit]"],
    ["keys", "#n, fit.shoe", "[name, fit]"],
    ["some", "#n, score, extra, id", "[extra]"],
    ["some", "zz, #n, aa", "[zz, aa]"],
  ])("index %s, attributes %s", async (IndexName, ProjectionExpression, missing) => {
    const more = { IndexName, ProjectionExpression, ExpressionAttributeNames: { "#n": "name" } };
    const message = `${parameter}Global secondary index ${IndexName} does not project ${missing}`;
    await validation(query(server, { ...base(), ...more }), message);
    await validation(scan(server, { TableName, ...more }), message);
  });

  test("all attributes, unless it holds them", async () => {
    await validation(
      query(server, { ...base(), IndexName: "some", Select: "ALL_ATTRIBUTES" }),
      `${parameter}Select type ALL_ATTRIBUTES is not supported for global secondary index some because its projection type is not ALL`,
    );
    const all = await query(server, { ...base(), IndexName: "all", Select: "ALL_ATTRIBUTES" });
    expect(all.Items).toEqual([]);
  });

  test("an empty value for its key", async () => {
    const empty = (kind: string, index: string, key: string) =>
      `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${kind} value. IndexName: ${index}, IndexKey: ${key}`;
    await validation(
      query(server, { ...base(), IndexName: "all", ExpressionAttributeValues: { ":t": S("") } }),
      empty("string", "all", "team"),
    );
    await validation(
      query(server, {
        TableName,
        IndexName: "byCode",
        KeyConditionExpression: "code = :c",
        ExpressionAttributeValues: { ":c": B() },
      }),
      empty("binary", "byCode", "code"),
    );
  });

  test("a filter on keys of the index comes before Select", async () => {
    await validation(
      query(server, {
        ...base(),
        IndexName: "keys",
        Select: "ALL_ATTRIBUTES",
        FilterExpression: "score = :t",
      }),
      "Filter Expression can only contain non-primary key attributes: Primary key attribute: score",
    );
  });
});

describe("writes that an index refuses", () => {
  const mismatch = (key: string, expected: string, actual: string, index: string) =>
    `One or more parameter values were invalid: Type mismatch for Index Key ${key} Expected: ${expected} Actual: ${actual} IndexName: ${index}`;
  const empty = (kind: string, index: string, key: string) =>
    `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${kind} value. IndexName: ${index}, IndexKey: ${key}`;

  test.each<[string, AttributeValue, string]>([
    ["code", S("x"), mismatch("code", "B", "S", "byCode")],
    ["code", { NULL: true }, mismatch("code", "B", "NULL", "byCode")],
    ["code", { L: [] }, mismatch("code", "B", "L", "byCode")],
    ["code", B(), empty("binary", "byCode", "code")],
  ])("%s of %j", async (name, value, message) => {
    await validation(put({ id: idOf("x"), [name]: value }), message);
    await validation(
      server.client.send(
        new BatchWriteItemCommand({
          RequestItems: {
            [TableName]: [{ PutRequest: { Item: { id: idOf("x"), [name]: value } } }],
          },
        }),
      ),
      message,
    );
    const got = await server.client.send(new GetItemCommand({ TableName, Key: { id: idOf("x") } }));
    expect(got.Item).toBeUndefined();
  });

  test("by an update, and the item stays as it was", async () => {
    await put({ id: idOf("x"), team, score: N(1) });
    await expect(update("x", "SET score = :v", S("one"))).rejects.toMatchObject({
      name: "ValidationException",
    });
    await expect(update("x", "SET team = :v", S(""))).rejects.toMatchObject({
      name: "ValidationException",
    });
    expect(await members("all")).toEqual([{ id: idOf("x"), team, score: N(1) }]);
  });
});
