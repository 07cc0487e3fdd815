import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type KeysAndAttributes,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";

const server = useServer();
const older = useServer({ dialect: "2026-05" });

const keys = (count: number, from = 0): Record<string, AttributeValue>[] =>
  Array.from({ length: count }, (_, i) => ({ id: { S: `k${from + i}` } }));

const batchGet = (RequestItems: Record<string, KeysAndAttributes>, on = server) =>
  on.client.send(new BatchGetItemCommand({ RequestItems }));

describe("a hundred keys", () => {
  test("are allowed in one table", async () => {
    const table = await createTable(server, { key: "id:S" });
    const answer = await batchGet({ [table]: { Keys: keys(100) } });
    expect(answer.Responses).toEqual({ [table]: [] });
  });

  test("are allowed over several tables", async () => {
    const one = await createTable(server, { key: "id:S" });
    const two = await createTable(server, { key: "id:S" });
    const answer = await batchGet({ [one]: { Keys: keys(99) }, [two]: { Keys: keys(1) } });
    expect(answer.Responses).toEqual({ [one]: [], [two]: [] });
  });

  test("and one are too many in one table, in either dialect", async () => {
    const text = (table: string) =>
      `1 validation error detected: Value at 'RequestItems.${table}.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100`;
    await validation(batchGet({ absent: { Keys: keys(101) } }), text("absent"));
    await validation(batchGet({ absent: { Keys: keys(101) } }, older), text("absent"));
  });

  test("and one are too many over two tables", async () => {
    const one = await createTable(server, { key: "id:S" });
    const two = await createTable(server, { key: "id:S" });
    const request = { [one]: { Keys: keys(100) }, [two]: { Keys: keys(1) } };
    await validation(batchGet(request), /./);
    await validation(
      batchGet({ absent: { Keys: keys(100) }, missing: { Keys: keys(1) } }, older),
      "Too many items requested for the BatchGetItem call",
    );
  });
});

describe("an answer of more than 16 MB", () => {
  const itemBytes = 400 * 1024;
  const count = 50;
  let table = "";
  let other = "";

  beforeAll(async () => {
    table = await createTable(server, { key: "id:S" });
    other = await createTable(server, { key: "id:S" });
    const pad = { S: "x".repeat(itemBytes - 10) };
    for (let from = 0; from < count; from += 25) {
      await server.client.send(
        new BatchWriteItemCommand({
          RequestItems: {
            [table]: keys(25, from).map((key) => ({ PutRequest: { Item: { ...key, pad } } })),
          },
        }),
      );
    }
    await server.client.send(
      new BatchWriteItemCommand({
        RequestItems: { [other]: keys(3).map((Item) => ({ PutRequest: { Item } })) },
      }),
    );
  });

  test("leaves keys unprocessed, with what the request said about their table", async () => {
    const block: KeysAndAttributes = {
      Keys: keys(count),
      ConsistentRead: true,
      ProjectionExpression: "#i",
      ExpressionAttributeNames: { "#i": "id" },
    };
    const answer = await batchGet({ [table]: block });
    const left = answer.UnprocessedKeys?.[table];
    const { Keys: leftKeys = [], ...settings } = left ?? {};
    const { Keys: _, ...asked } = block;
    expect(settings).toEqual(asked);
    expect(leftKeys.length).toBeGreaterThan(0);
    const found = answer.Responses?.[table] ?? [];
    expect(found.length).toBeGreaterThan(0);
    expect(found.length * itemBytes).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect([...found, ...leftKeys].map((key) => key.id?.S).sort()).toEqual(
      keys(count)
        .map((key) => key.id?.S)
        .sort(),
    );
  });

  test("charges only for the keys it processed", async () => {
    const answer = await server.client.send(
      new BatchGetItemCommand({
        RequestItems: { [table]: { Keys: keys(count), ProjectionExpression: "id" } },
        ReturnConsumedCapacity: "TOTAL",
      }),
    );
    const found = answer.Responses?.[table]?.length ?? 0;
    expect(found).toBeLessThan(count);
    expect(answer.ConsumedCapacity).toEqual([{ TableName: table, CapacityUnits: found * 50 }]);
  });

  test("is read to the end by asking again for what was left", async () => {
    const seen: string[] = [];
    let rounds = 0;
    let next: Record<string, KeysAndAttributes> = {
      [table]: { Keys: keys(count), ProjectionExpression: "id" },
      [other]: { Keys: keys(4), ConsistentRead: true },
    };
    while (Object.keys(next).length > 0) {
      const answer = await batchGet(next);
      for (const name of [table, other]) {
        for (const item of answer.Responses?.[name] ?? []) seen.push(`${name} ${item.id?.S}`);
      }
      next = answer.UnprocessedKeys ?? {};
      rounds += 1;
      expect(rounds).toBeLessThan(60);
    }
    expect(rounds).toBeGreaterThan(1);
    expect(seen.sort()).toEqual(
      [
        ...keys(count).map((key) => `${table} ${key.id?.S}`),
        ...keys(3).map((key) => `${other} ${key.id?.S}`),
      ].sort(),
    );
  });
});
