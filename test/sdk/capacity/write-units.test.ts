import {
  type AttributeValue,
  type ConsumedCapacity,
  DeleteItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  ScanCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer } from "../harness.ts";
import { type Item, put } from "../transactions/outcomes.ts";

const server = useServer();

let table = "";

beforeAll(async () => {
  table = await createTable(server, { key: "id:S" });
});

const key: Item = { id: { S: "a" } };
/** An item of so many bytes: `id` and `a`, `v` and its value. */
const sized = (bytes: number): Item => ({ ...key, v: { S: "x".repeat(bytes - 4) } });

const total = (capacity: ConsumedCapacity | undefined) => {
  expect(capacity?.TableName).toBe(table);
  return capacity?.CapacityUnits;
};

async function putting(Item: Item, more: Partial<PutItemCommandInput> = {}) {
  const answer = await server.client.send(
    new PutItemCommand({ TableName: table, Item, ReturnConsumedCapacity: "TOTAL", ...more }),
  );
  return total(answer.ConsumedCapacity);
}

async function updating(more: Partial<UpdateItemCommandInput>, Key = key) {
  const answer = await server.client.send(
    new UpdateItemCommand({ TableName: table, Key, ReturnConsumedCapacity: "TOTAL", ...more }),
  );
  return total(answer.ConsumedCapacity);
}

async function deleting(Key = key) {
  const answer = await server.client.send(
    new DeleteItemCommand({ TableName: table, Key, ReturnConsumedCapacity: "TOTAL" }),
  );
  return total(answer.ConsumedCapacity);
}

const setV = (value: AttributeValue): Partial<UpdateItemCommandInput> => ({
  UpdateExpression: "SET v = :v",
  ExpressionAttributeValues: { ":v": value },
});

describe("a write is rounded up to kilobytes", () => {
  test.each([
    [1023, 1],
    [1024, 1],
    [1025, 2],
    [2048, 2],
    [2049, 3],
    [10 * 1024, 10],
    [10 * 1024 + 1, 11],
    [400 * 1024, 400],
  ])("an item of %i bytes: %i units", async (bytes, units) => {
    await deleting();
    expect(await putting(sized(bytes))).toBe(units);
    expect(await deleting()).toBe(units);
  });

  // The value fills an item up to exactly 1,024 bytes, so any byte more shows.
  test.each<[string, AttributeValue, number]>([
    ["an empty string", { S: "" }, 0],
    ["a string by its UTF-8 bytes", { S: "é€😀" }, 9],
    ["a binary by its raw bytes", { B: new Uint8Array(7) }, 7],
    ["a boolean", { BOOL: false }, 1],
    ["a null", { NULL: true }, 1],
    ["zero", { N: "0" }, 1],
    ["a number of two digits", { N: "12" }, 2],
    ["a negative number", { N: "-42" }, 3],
    ["a number with a fraction", { N: "1.5" }, 3],
    ["the longest number", { N: "1".repeat(38) }, 20],
    ["a power of ten", { N: "1e125" }, 2],
    ["an empty list", { L: [] }, 3],
    ["an empty map", { M: {} }, 3],
    ["a list", { L: [{ S: "ab" }, { BOOL: true }] }, 3 + 1 + 2 + 1 + 1],
    ["a map", { M: { ab: { S: "c" } } }, 3 + 1 + 2 + 1],
    ["a set of strings", { SS: ["a", "bc"] }, 3],
    ["a set of numbers", { NS: ["1", "123"] }, 2 + 3],
    ["a set of binaries", { BS: [new Uint8Array(2), new Uint8Array(3)] }, 5],
  ])("the size of %s", async (_, value, bytes) => {
    const pad = 1024 - (2 + 1) - ("w".length + bytes) - 1;
    const item = (more: number): Item => ({ ...key, w: value, v: { S: "x".repeat(pad + more) } });
    await deleting();
    expect(await putting(item(0))).toBe(1);
    expect(await putting(item(1))).toBe(2);
  });

  test("names count by their UTF-8 bytes", async () => {
    const item = (bytes: number): Item => ({
      ...key,
      é: { S: "" },
      v: { S: "x".repeat(bytes - 2 - 4) },
    });
    await deleting();
    expect(await putting(item(1024))).toBe(1);
    expect(await putting(item(1025))).toBe(2);
  });
});

describe("the larger image counts", () => {
  test.each([
    ["a small item by a large one", 100, 3000, 3],
    ["a large item by a small one", 3000, 100, 3],
    ["a large item by a larger one", 3000, 5000, 5],
    ["an item by itself", 3000, 3000, 3],
  ])("when a put replaces %s", async (_, before, after, units) => {
    await put(server, table, sized(before));
    expect(await putting(sized(after))).toBe(units);
  });

  test.each([
    ["grows an item", 100, 3000, 3],
    ["shrinks an item", 3000, 100, 3],
    ["changes an item but not its size", 2500, 2500, 3],
  ])("when an update %s", async (_, before, after, units) => {
    await put(server, table, sized(before));
    expect(await updating(setV({ S: "y".repeat(after - 4) }))).toBe(units);
  });

  test("an update that changes one byte pays for the whole item", async () => {
    await put(server, table, { ...sized(5000), flag: { BOOL: false } });
    expect(
      await updating({
        UpdateExpression: "SET flag = :t",
        ExpressionAttributeValues: { ":t": { BOOL: true } },
      }),
    ).toBe(5);
  });

  test("an update that removes most of an item", async () => {
    await put(server, table, sized(2500));
    expect(await updating({ UpdateExpression: "REMOVE v" })).toBe(3);
    expect(await updating({ UpdateExpression: "REMOVE v" })).toBe(1);
  });

  test("an update without effect pays for the item", async () => {
    await put(server, table, sized(2500));
    expect(await updating({ UpdateExpression: "REMOVE nowhere" })).toBe(3);
    expect(await updating({})).toBe(3);
    expect(await updating(setV(sized(2500).v as AttributeValue))).toBe(3);
  });
});

describe("the minimum is one unit", () => {
  test("for deleting what is not there", async () => {
    expect(await deleting({ id: { S: "nobody" } })).toBe(1);
  });

  test("for an update that makes an item of its key", async () => {
    expect(await updating({}, { id: { S: "fresh" } })).toBe(1);
  });
});

describe("what costs nothing", () => {
  test.each(["NONE", "ALL_OLD"] as const)("ReturnValues %s of a put", async (ReturnValues) => {
    await put(server, table, sized(1024));
    expect(await putting(sized(1024), { ReturnValues })).toBe(1);
  });

  test.each(["ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"] as const)(
    "ReturnValues %s of an update",
    async (ReturnValues) => {
      await put(server, table, sized(1024));
      expect(await updating({ ...setV({ S: "y".repeat(1020) }), ReturnValues })).toBe(1);
    },
  );

  test("a condition that holds", async () => {
    await put(server, table, sized(1024));
    expect(await putting(sized(1024), { ConditionExpression: "attribute_exists(id)" })).toBe(1);
  });
});

describe("the shape of the report", () => {
  const write = async (ReturnConsumedCapacity?: string) => {
    const { json } = await server.raw("PutItem", {
      TableName: table,
      Item: sized(1025),
      ...(ReturnConsumedCapacity !== undefined && { ReturnConsumedCapacity }),
    });
    return json;
  };

  test("TOTAL, INDEXES, NONE and nothing", async () => {
    await deleting();
    const sum = { TableName: table, CapacityUnits: 2 };
    expect(await write("TOTAL")).toEqual({ ConsumedCapacity: sum });
    expect(await write("INDEXES")).toEqual({
      ConsumedCapacity: { ...sum, Table: { CapacityUnits: 2 } },
    });
    expect(await write("NONE")).toEqual({});
    expect(await write()).toEqual({});
  });

  test("a failed condition has no report", async () => {
    await put(server, table, sized(100));
    const error = await expectError(
      putting(sized(100), { ConditionExpression: "attribute_not_exists(id)" }),
      "ConditionalCheckFailedException",
      "The conditional request failed",
    );
    expect(error).not.toHaveProperty("ConsumedCapacity");
  });

  test("TOTAL folds the indexes in", async () => {
    const indexed = await createTable(server, {
      key: "id:S",
      global: { byOwner: { hash: "own:S" } },
    });
    const { json } = await server.raw("PutItem", {
      TableName: indexed,
      Item: { ...key, own: { S: "o" } },
      ReturnConsumedCapacity: "TOTAL",
    });
    expect(json).toEqual({ ConsumedCapacity: { TableName: indexed, CapacityUnits: 2 } });
  });
});

describe("keys of several attributes", () => {
  const complete: Item = { a: { S: "a" }, b: { N: "1" }, c: { S: "c" } };
  const { c: _, ...incomplete } = complete;

  test.each<[string, Item | undefined, Item, number | undefined]>([
    ["all of them: an entry", undefined, complete, 1],
    ["one missing: no entry", undefined, incomplete, undefined],
    ["the last one comes: an entry", incomplete, complete, 1],
    ["one goes: the entry goes", complete, incomplete, 1],
    ["one hash attribute changes: the entry moves", complete, { ...complete, b: { N: "2" } }, 2],
    ["the sort attribute changes: the entry moves", complete, { ...complete, c: { S: "d" } }, 2],
    [
      "another spelling of a number: nothing",
      complete,
      { ...complete, b: { N: "1.0" } },
      undefined,
    ],
  ])("%s", async (_title, before, after, units) => {
    const indexed = await createTable(server, {
      key: "id:S",
      global: { many: { hash: "a:S b:N", range: "c:S" } },
    });
    if (before !== undefined) await put(server, indexed, { ...key, ...before });
    const { ConsumedCapacity } = await server.client.send(
      new PutItemCommand({
        TableName: indexed,
        Item: { ...key, ...after },
        ReturnConsumedCapacity: "INDEXES",
      }),
    );
    expect(ConsumedCapacity?.GlobalSecondaryIndexes?.many?.CapacityUnits).toBe(units);
    expect(ConsumedCapacity?.CapacityUnits).toBe(1 + (units ?? 0));
    const { Count } = await server.client.send(
      new ScanCommand({ TableName: indexed, IndexName: "many" }),
    );
    expect(Count).toBe("c" in after ? 1 : 0);
  });
});
