import {
  type AttributeValue,
  BatchWriteItemCommand,
  type BatchWriteItemCommandInput,
  QueryCommand,
  ScanCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { get, type Item, put } from "../transactions/outcomes.ts";

const server = useServer();

async function batchWrite(
  RequestItems: Record<string, WriteRequest[]>,
  more: Partial<BatchWriteItemCommandInput> = {},
) {
  const answer = await server.client.send(new BatchWriteItemCommand({ RequestItems, ...more }));
  expect(answer.UnprocessedItems).toEqual({});
  return answer;
}

const id = (text: string): Item => ({ id: { S: text } });
const putting = (Item: Item): WriteRequest => ({ PutRequest: { Item } });
const deleting = (Key: Item): WriteRequest => ({ DeleteRequest: { Key } });

async function all(TableName: string, IndexName?: string): Promise<Item[]> {
  const { Items = [] } = await server.client.send(
    new ScanCommand({ TableName, IndexName, ConsistentRead: IndexName === undefined }),
  );
  return Items.sort((a, b) => (`${a.id?.S}` < `${b.id?.S}` ? -1 : 1));
}

describe("puts and deletes", () => {
  test("put new items", async () => {
    const table = await createTable(server, { key: "id:S" });
    await batchWrite({ [table]: [putting({ ...id("a"), v: { N: "1" } }), putting(id("b"))] });
    expect(await all(table)).toEqual([{ ...id("a"), v: { N: "1" } }, id("b")]);
  });

  test("replace whole items", async () => {
    const table = await createTable(server, { key: "id:S" });
    await put(server, table, { ...id("a"), old: { S: "gone" } });
    await batchWrite({ [table]: [putting({ ...id("a"), fresh: { S: "here" } })] });
    expect(await all(table)).toEqual([{ ...id("a"), fresh: { S: "here" } }]);
  });

  test("delete items, and items that are not there", async () => {
    const table = await createTable(server, { key: "id:S" });
    await put(server, table, id("a"), id("b"), id("c"));
    await batchWrite({ [table]: [deleting(id("a")), deleting(id("nobody")), deleting(id("c"))] });
    expect(await all(table)).toEqual([id("b")]);
  });

  test("go together in one batch", async () => {
    const table = await createTable(server, { key: "id:S" });
    await put(server, table, id("a"));
    await batchWrite({ [table]: [deleting(id("a")), putting(id("b"))] });
    expect(await all(table)).toEqual([id("b")]);
    await batchWrite({ [table]: [putting(id("a")), deleting(id("b"))] });
    expect(await all(table)).toEqual([id("a")]);
  });

  test("reach several tables", async () => {
    const one = await createTable(server, { key: "id:S" });
    const two = await createTable(server, { key: "pk:N sk:B" });
    const three = await createTable(server, { key: "id:S" });
    const sk: AttributeValue = { B: new Uint8Array([1, 2]) };
    await put(server, three, id("old"));
    await batchWrite({
      [one]: [putting(id("same"))],
      [two]: [putting({ pk: { N: "1" }, sk, v: { S: "x" } })],
      [three]: [putting(id("same")), deleting(id("old"))],
    });
    expect(await all(one)).toEqual([id("same")]);
    expect(await get(server, two, { pk: { N: "1" }, sk })).toEqual({
      pk: { N: "1" },
      sk,
      v: { S: "x" },
    });
    expect(await all(three)).toEqual([id("same")]);
  });

  test("touch items that share one part of their key", async () => {
    const table = await createTable(server, { key: "pk:S sk:S" });
    const at = (pk: string, sk: string): Item => ({ pk: { S: pk }, sk: { S: sk } });
    await batchWrite({
      [table]: [putting(at("p", "1")), putting(at("p", "2")), putting(at("q", "1"))],
    });
    expect(await all(table)).toHaveLength(3);
  });

  test("keep every type of value", async () => {
    const table = await createTable(server, { key: "id:S" });
    const item: Item = {
      ...id("all"),
      s: { S: "" },
      n: { N: "-1.5" },
      b: { B: new Uint8Array([0, 255]) },
      t: { BOOL: false },
      z: { NULL: true },
      ss: { SS: ["", "a"] },
      ns: { NS: ["-1", "2"] },
      l: { L: [{ M: {} }, { L: [] }] },
      m: { M: { x: { S: "y" } } },
    };
    await batchWrite({ [table]: [putting(item)] });
    expect(await get(server, table, id("all"))).toEqual(item);
  });

  test("maintain indexes", async () => {
    const table = await createTable(server, {
      key: "id:S",
      global: { byOwner: { hash: "owner:S" } },
    });
    await put(server, table, { ...id("a"), owner: { S: "o" } }, { ...id("b"), owner: { S: "o" } });
    await batchWrite({
      [table]: [
        deleting(id("a")),
        putting({ ...id("b"), owner: { S: "p" } }),
        putting({ ...id("c"), owner: { S: "o" } }),
        putting(id("d")),
      ],
    });
    const owned = async (owner: string) => {
      const { Items } = await server.client.send(
        new QueryCommand({
          TableName: table,
          IndexName: "byOwner",
          KeyConditionExpression: "#o = :o",
          ExpressionAttributeNames: { "#o": "owner" },
          ExpressionAttributeValues: { ":o": { S: owner } },
        }),
      );
      return Items?.map((item) => item.id?.S);
    };
    expect(await owned("o")).toEqual(["c"]);
    expect(await owned("p")).toEqual(["b"]);
  });

  test("answer on the wire with nothing but unprocessed items", async () => {
    const table = await createTable(server, { key: "id:S" });
    const { json } = await server.raw("BatchWriteItem", {
      RequestItems: { [table]: [{ PutRequest: { Item: id("a") } }] },
    });
    expect(json).toEqual({ UnprocessedItems: {} });
  });
});

describe("twenty-five requests", () => {
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, i) => putting(id(`k${from + i}`)));

  test.each([24, 25])("%i in one table", async (count) => {
    const table = await createTable(server, { key: "id:S" });
    await batchWrite({ [table]: many(count) });
    expect(await all(table)).toHaveLength(count);
  });

  test("over two tables", async () => {
    const one = await createTable(server, { key: "id:S" });
    const two = await createTable(server, { key: "id:S" });
    await batchWrite({ [one]: many(24), [two]: many(1) });
    expect(await all(one)).toHaveLength(24);
    expect(await all(two)).toHaveLength(1);
  });

  test("and one in one table, and nothing is written", async () => {
    const table = await createTable(server, { key: "id:S" });
    await validation(
      batchWrite({ [table]: many(26) }),
      `1 validation error detected: Value at 'RequestItems.${table}.member' failed to satisfy constraint: Member must have length less than or equal to 25`,
    );
    expect(await all(table)).toEqual([]);
  });

  test("and one over two tables, and nothing is written", async () => {
    const one = await createTable(server, { key: "id:S" });
    const two = await createTable(server, { key: "id:S" });
    await validation(batchWrite({ [one]: many(25), [two]: many(1) }), /./);
    expect(await all(one)).toEqual([]);
    expect(await all(two)).toEqual([]);
  });

  test("of the largest items", async () => {
    const table = await createTable(server, { key: "id:S" });
    const pad = { S: "x".repeat(409_600 - "id".length - "k0".length - "pad".length) };
    const large = Array.from({ length: 25 }, (_, i) =>
      putting({ ...id(`${i}`.padStart(2, "k")), pad }),
    );
    await batchWrite({ [table]: large });
    const { Count } = await server.client.send(
      new QueryCommand({
        TableName: table,
        Select: "COUNT",
        KeyConditionExpression: "id = :id",
        ExpressionAttributeValues: { ":id": { S: "24" } },
      }),
    );
    expect(Count).toBe(1);
  });
});
