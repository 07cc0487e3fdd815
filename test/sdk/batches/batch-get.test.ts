import {
  type AttributeValue,
  BatchGetItemCommand,
  type KeysAndAttributes,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { put } from "../transactions/outcomes.ts";

const server = useServer();

type Item = Record<string, AttributeValue>;

let hashed = "";
let ranged = "";
let numbered = "";

beforeAll(async () => {
  hashed = await createTable(server, { key: "id:S" });
  ranged = await createTable(server, { key: "pk:S sk:N" });
  numbered = await createTable(server, { key: "n:N" });
  await put(
    server,
    hashed,
    {
      id: { S: "a" },
      city: { S: "Oslo" },
      size: { N: "1" },
      address: { M: { zip: { S: "0150" } } },
    },
    { id: { S: "b" }, city: { S: "Bergen" }, tags: { L: [{ S: "x" }, { S: "y" }, { S: "z" }] } },
    { id: { S: "c" } },
  );
  await put(
    server,
    ranged,
    { pk: { S: "p" }, sk: { N: "1" }, v: { S: "one" } },
    { pk: { S: "p" }, sk: { N: "2" }, v: { S: "two" } },
    { pk: { S: "q" }, sk: { N: "1" }, v: { S: "other" } },
  );
  await put(server, numbered, { n: { N: "1" }, v: { S: "one" } }, { n: { N: "100" } });
});

async function batchGet(RequestItems: Record<string, KeysAndAttributes>) {
  const answer = await server.client.send(new BatchGetItemCommand({ RequestItems }));
  expect(answer.UnprocessedKeys).toEqual({});
  return answer.Responses ?? {};
}

/** The order of a batch's items is not promised. */
function unordered(items: Item[] | undefined): string[] {
  return (items ?? []).map((item) => JSON.stringify(Object.entries(item).sort())).sort();
}

const id = (text: string): Item => ({ id: { S: text } });
const ps = (pk: string, sk: string): Item => ({ pk: { S: pk }, sk: { N: sk } });

describe("what a batch of keys finds", () => {
  test("items of one table", async () => {
    const found = await batchGet({ [ranged]: { Keys: [ps("p", "1"), ps("q", "1")] } });
    expect(unordered(found[ranged])).toEqual(
      unordered([
        { ...ps("p", "1"), v: { S: "one" } },
        { ...ps("q", "1"), v: { S: "other" } },
      ]),
    );
  });

  test("items of three tables", async () => {
    const found = await batchGet({
      [hashed]: { Keys: [id("c")], ConsistentRead: true },
      [ranged]: { Keys: [ps("p", "2")] },
      [numbered]: { Keys: [{ n: { N: "100" } }] },
    });
    expect(found).toEqual({
      [hashed]: [id("c")],
      [ranged]: [{ ...ps("p", "2"), v: { S: "two" } }],
      [numbered]: [{ n: { N: "100" } }],
    });
  });

  test("keys without an item leave no trace", async () => {
    const found = await batchGet({ [hashed]: { Keys: [id("c"), id("nobody"), id("nothing")] } });
    expect(found).toEqual({ [hashed]: [id("c")] });
  });

  test("a table in which nothing is found has an empty list", async () => {
    const found = await batchGet({
      [hashed]: { Keys: [id("nobody")] },
      [ranged]: { Keys: [ps("p", "1")] },
    });
    expect(found[hashed]).toEqual([]);
    expect(found[ranged]).toHaveLength(1);
  });

  test("a key in another spelling of its number", async () => {
    const found = await batchGet({ [numbered]: { Keys: [{ n: { N: "1.0E2" } }] } });
    expect(found[numbered]).toEqual([{ n: { N: "100" } }]);
  });

  test("the same key in two tables", async () => {
    const twin = await createTable(server, { key: "id:S" });
    await put(server, twin, { ...id("c"), twin: { BOOL: true } });
    const found = await batchGet({ [hashed]: { Keys: [id("c")] }, [twin]: { Keys: [id("c")] } });
    expect(found).toEqual({ [hashed]: [id("c")], [twin]: [{ ...id("c"), twin: { BOOL: true } }] });
  });

  test("a write that was just acknowledged, read consistently", async () => {
    for (let round = 1; round <= 5; round += 1) {
      await put(server, hashed, { ...id("fresh"), round: { N: `${round}` } });
      const found = await batchGet({ [hashed]: { Keys: [id("fresh")], ConsistentRead: true } });
      expect(found[hashed]).toEqual([{ ...id("fresh"), round: { N: `${round}` } }]);
    }
  });

  test("a table named by its ARN is answered under the ARN", async () => {
    const described = await server.raw("DescribeTable", { TableName: hashed });
    const arn = described.json.Table.TableArn as string;
    const found = await batchGet({ [arn]: { Keys: [id("c")] } });
    expect(found).toEqual({ [arn]: [id("c")] });
  });
});

describe("what a batch returns of its items", () => {
  test("each table has its own projection", async () => {
    const found = await batchGet({
      [hashed]: {
        Keys: [id("a")],
        ProjectionExpression: "#c, address.zip",
        ExpressionAttributeNames: { "#c": "city" },
      },
      [ranged]: { Keys: [ps("p", "1")], ProjectionExpression: "sk" },
      [numbered]: { Keys: [{ n: { N: "1" } }] },
    });
    expect(found).toEqual({
      [hashed]: [{ city: { S: "Oslo" }, address: { M: { zip: { S: "0150" } } } }],
      [ranged]: [{ sk: { N: "1" } }],
      [numbered]: [{ n: { N: "1" }, v: { S: "one" } }],
    });
  });

  test("the same placeholder may mean different things per table", async () => {
    const found = await batchGet({
      [hashed]: {
        Keys: [id("a")],
        ProjectionExpression: "#x",
        ExpressionAttributeNames: { "#x": "size" },
      },
      [ranged]: {
        Keys: [ps("p", "1")],
        ProjectionExpression: "#x",
        ExpressionAttributeNames: { "#x": "v" },
      },
    });
    expect(found).toEqual({ [hashed]: [{ size: { N: "1" } }], [ranged]: [{ v: { S: "one" } }] });
  });

  test("an item without any projected attribute is an empty item", async () => {
    const found = await batchGet({
      [hashed]: { Keys: [id("b"), id("c"), id("nobody")], ProjectionExpression: "city" },
    });
    expect(unordered(found[hashed])).toEqual(unordered([{ city: { S: "Bergen" } }, {}]));
  });

  test("list elements are compacted in ascending order", async () => {
    const found = await batchGet({
      [hashed]: { Keys: [id("b")], ProjectionExpression: "tags[2], tags[0]" },
    });
    expect(found[hashed]).toEqual([{ tags: { L: [{ S: "x" }, { S: "z" }] } }]);
  });

  test("AttributesToGet picks top-level attributes", async () => {
    const found = await batchGet({
      [hashed]: { Keys: [id("a"), id("c")], AttributesToGet: ["city", "size"] },
    });
    expect(unordered(found[hashed])).toEqual(
      unordered([{ city: { S: "Oslo" }, size: { N: "1" } }, {}]),
    );
  });

  test("the answer on the wire has no capacity unless asked for", async () => {
    const { json } = await server.raw("BatchGetItem", {
      RequestItems: { [hashed]: { Keys: [id("c")] } },
    });
    expect(json).toEqual({ Responses: { [hashed]: [id("c")] }, UnprocessedKeys: {} });
  });
});

describe("capacity, per table", () => {
  const kilobytes = (n: number): AttributeValue => ({ S: "x".repeat(n * 1024) });

  async function units(
    RequestItems: Record<string, KeysAndAttributes>,
    ReturnConsumedCapacity: "TOTAL" | "INDEXES" = "TOTAL",
  ) {
    const answer = await server.client.send(
      new BatchGetItemCommand({ RequestItems, ReturnConsumedCapacity }),
    );
    return Object.fromEntries((answer.ConsumedCapacity ?? []).map((one) => [one.TableName, one]));
  }

  test("every key pays half a unit or more, found or not", async () => {
    const spent = await units({
      [hashed]: { Keys: [id("a"), id("c"), id("nobody")] },
      [numbered]: { Keys: [{ n: { N: "77" } }] },
    });
    expect(spent).toEqual({
      [hashed]: { TableName: hashed, CapacityUnits: 1.5 },
      [numbered]: { TableName: numbered, CapacityUnits: 0.5 },
    });
  });

  test("a consistent read pays twice, in its own table only", async () => {
    const spent = await units({
      [hashed]: { Keys: [id("a"), id("nobody")], ConsistentRead: true },
      [numbered]: { Keys: [{ n: { N: "1" } }], ConsistentRead: false },
    });
    expect(spent[hashed]?.CapacityUnits).toBe(2);
    expect(spent[numbered]?.CapacityUnits).toBe(0.5);
  });

  test("each item is rounded up by itself", async () => {
    await put(
      server,
      ranged,
      { ...ps("big", "1"), v: kilobytes(4) },
      { ...ps("big", "2"), v: kilobytes(5) },
    );
    const Keys = [ps("big", "1"), ps("big", "2"), ps("p", "1")];
    const eventual = await units({ [ranged]: { Keys } });
    const consistent = await units({ [ranged]: { Keys, ConsistentRead: true } });
    expect(eventual[ranged]?.CapacityUnits).toBe(2.5);
    expect(consistent[ranged]?.CapacityUnits).toBe(5);
  });

  test.each([
    { bytes: 4096, half: 0.5 },
    { bytes: 4097, half: 1 },
  ])("an item of $bytes bytes costs $half", async ({ bytes, half }) => {
    const Key = id(`edge${bytes}`);
    const size = 2 + `edge${bytes}`.length + 1;
    await put(server, hashed, { ...Key, v: { S: "x".repeat(bytes - size) } });
    const spent = await units({ [hashed]: { Keys: [Key] } });
    expect(spent[hashed]?.CapacityUnits).toBe(half);
  });

  test("a projection makes nothing cheaper", async () => {
    await put(server, ranged, { ...ps("wide", "1"), v: kilobytes(9) });
    const spent = await units({
      [ranged]: { Keys: [ps("wide", "1")], ProjectionExpression: "sk", ConsistentRead: true },
    });
    expect(spent[ranged]?.CapacityUnits).toBe(3);
  });

  test("INDEXES adds the table's part", async () => {
    const spent = await units({ [hashed]: { Keys: [id("a"), id("b")] } }, "INDEXES");
    expect(spent).toEqual({
      [hashed]: { TableName: hashed, CapacityUnits: 1, Table: { CapacityUnits: 1 } },
    });
  });

  test("NONE reports nothing", async () => {
    const { json } = await server.raw("BatchGetItem", {
      RequestItems: { [hashed]: { Keys: [id("a")] } },
      ReturnConsumedCapacity: "NONE",
    });
    expect(json).not.toHaveProperty("ConsumedCapacity");
  });
});
