import {
  BatchWriteItemCommand,
  ScanCommand,
  type TransactWriteItem,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { cancelled, get, type Item, put, transact } from "./outcomes.ts";

const server = useServer();
const older = useServer({ dialect: "2026-05" });

let table = "";

beforeEach(async () => {
  table = await createTable(server, { key: "id:S" });
});

const id = (text: string): Item => ({ id: { S: text } });
const puts = (count: number, TableName = table): TransactWriteItem[] =>
  Array.from({ length: count }, (_, i) => ({ Put: { TableName, Item: id(`k${i}`) } }));

async function count(TableName: string): Promise<number | undefined> {
  const { Count } = await server.client.send(
    new ScanCommand({ TableName, Select: "COUNT", ConsistentRead: true }),
  );
  return Count;
}

describe("a hundred actions", () => {
  test.each([99, 100])("%i are carried out", async (size) => {
    await transact(server, puts(size));
    expect(await count(table)).toBe(size);
  });

  test("101 are too many", async () => {
    await validation(
      transact(server, puts(101)),
      "1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: Member must have length less than or equal to 100",
    );
    await validation(
      transact(older, puts(101, "absent")),
      /^1 validation error detected: Value '\[.+\]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100$/s,
    );
    expect(await count(table)).toBe(0);
  });

  test("the last of a hundred can cancel them all", async () => {
    const actions = puts(99);
    actions.push({
      ConditionCheck: {
        TableName: table,
        Key: id("nobody"),
        ConditionExpression: "attribute_exists(id)",
      },
    });
    const codes = [...Array.from({ length: 99 }, () => "None"), "ConditionalCheckFailed"];
    await cancelled(transact(server, actions), ...codes);
    expect(await count(table)).toBe(0);
  });
});

describe("four megabytes", () => {
  const large = (size: number, bytes: number): TransactWriteItem[] =>
    Array.from({ length: size }, (_, i) => ({
      Put: { TableName: table, Item: { ...id(`k${i}`), pad: { S: "x".repeat(bytes) } } },
    }));

  test("3.5 MB of puts are written", async () => {
    await transact(server, large(10, 350_000));
    expect(await get(server, table, id("k9"))).toMatchObject({ pad: { S: "x".repeat(350_000) } });
  });

  test("4.2 MB of puts are refused", async () => {
    await validation(transact(server, large(12, 350_000)), /size cannot exceed/);
    expect(await count(table)).toBe(0);
  });

  test("5 MB of small puts are refused", async () => {
    await validation(transact(server, large(50, 100_000)), /size cannot exceed/);
    expect(await count(table)).toBe(0);
  });

  test("the values of updates count", async () => {
    const updates = Array.from({ length: 50 }, (_, i) => ({
      Update: {
        TableName: table,
        Key: id(`k${i}`),
        UpdateExpression: "SET filler = :v",
        ExpressionAttributeValues: { ":v": { S: "x".repeat(100_000) } },
      },
    }));
    await validation(transact(server, updates), /size cannot exceed/);
    expect(await count(table)).toBe(0);
  });

  test("deleting 5 MB of items is a small request", async () => {
    const pad = { S: "x".repeat(100_000) };
    for (const from of [0, 25]) {
      const requests = Array.from({ length: 25 }, (_, i) => ({
        PutRequest: { Item: { ...id(`k${from + i}`), pad } },
      }));
      await server.client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
    }
    await transact(
      server,
      Array.from({ length: 50 }, (_, i) => ({ Delete: { TableName: table, Key: id(`k${i}`) } })),
    );
    expect(await count(table)).toBe(0);
  });
});

describe("the size of an item", () => {
  const sized = (bytes: number): Item => ({ ...id("a"), v: { S: "x".repeat(bytes - 4) } });

  test.each([409_599, 409_600])("a put of %i bytes is taken", async (bytes) => {
    await transact(server, [{ Put: { TableName: table, Item: sized(bytes) } }]);
    expect(await get(server, table, id("a"))).toEqual(sized(bytes));
  });

  test("a put of 409,601 bytes fails the request", async () => {
    await validation(
      transact(server, [
        { Put: { TableName: table, Item: id("beside") } },
        { Put: { TableName: table, Item: sized(409_601) } },
      ]),
      "Item size has exceeded the maximum allowed size",
    );
    expect(await count(table)).toBe(0);
  });

  const updating = (bytes: number): TransactWriteItem => ({
    Update: {
      TableName: table,
      Key: id("a"),
      UpdateExpression: "SET v = :v",
      ExpressionAttributeValues: { ":v": { S: "x".repeat(bytes) } },
    },
  });

  // An update is charged 3 bytes, 19 for the clause, the name and the value.
  test("an update whose statement weighs 409,600 bytes is taken", async () => {
    await transact(server, [updating(409_600 - 3 - 19 - 1)]);
    expect(await count(table)).toBe(1);
  });

  test("an update whose statement weighs a byte more fails the request", async () => {
    await validation(
      transact(server, [updating(409_600 - 3 - 19)]),
      "Item size to update has exceeded the maximum allowed size",
    );
    expect(await count(table)).toBe(0);
  });

  test("an update that grows the item to exactly 409,600 bytes is taken, one more cancels", async () => {
    const base: Item = { ...id("a"), first: { S: "x".repeat(200_000) } };
    const rest = 409_600 - (2 + 1 + 5 + 200_000) - 1;
    await put(server, table, base);
    const [reason] = await cancelled(transact(server, [updating(rest + 1)]), "ValidationError");
    expect(reason?.Message).toBe("Item size to update has exceeded the maximum allowed size");
    expect(await get(server, table, id("a"))).toEqual(base);
    await transact(server, [updating(rest)]);
    expect(await get(server, table, id("a"))).toEqual({ ...base, v: { S: "x".repeat(rest) } });
  });
});
