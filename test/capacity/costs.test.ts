import { expect, test } from "vitest";
import {
  type EntryChange,
  indexWriteUnits,
  readUnits,
  tableWriteUnits,
} from "../../src/capacity/metering.ts";
import { openWorkbench } from "../../src/workbench/workbench.ts";

// What guides to DynamoDB say about costs, as figures.

test("a filter expression costs the same as no filter", async () => {
  const workbench = await openWorkbench();
  const call = (operation: string, body: object) =>
    workbench.execute(operation, body, { account: "a", region: "r" });
  await call("CreateTable", {
    TableName: "Users",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: "PK", AttributeType: "S" },
      { AttributeName: "SK", AttributeType: "S" },
    ],
    KeySchema: [
      { AttributeName: "PK", KeyType: "HASH" },
      { AttributeName: "SK", KeyType: "RANGE" },
    ],
  });
  for (let i = 0; i < 40; i += 1) {
    const status = i % 10 === 0 ? "active" : "former";
    await call("PutItem", {
      TableName: "Users",
      Item: {
        PK: { S: "ORG#acme" },
        SK: { S: `STATUS#${status}#USER#${i}` },
        status: { S: status },
        notes: { S: "x".repeat(2_000) },
      },
    });
  }
  const query = async (more: object, key = "PK = :p") => {
    const answer = await call("Query", {
      TableName: "Users",
      KeyConditionExpression: key,
      ReturnConsumedCapacity: "TOTAL",
      ...more,
    });
    const { Count, ConsumedCapacity } = answer as {
      Count: number;
      ConsumedCapacity: { CapacityUnits: number };
    };
    return { found: Count, units: ConsumedCapacity.CapacityUnits };
  };
  const p = { ":p": { S: "ORG#acme" } };
  const all = await query({ ExpressionAttributeValues: p });
  const filtered = await query({
    FilterExpression: "#s = :a",
    ExpressionAttributeNames: { "#s": "status" },
    ExpressionAttributeValues: { ...p, ":a": { S: "active" } },
  });
  const byKey = await query(
    { ExpressionAttributeValues: { ...p, ":a": { S: "STATUS#active" } } },
    "PK = :p AND begins_with(SK, :a)",
  );
  expect([all.found, filtered.found, byKey.found]).toEqual([40, 4, 4]);
  expect(filtered.units).toBe(all.units);
  expect(byKey.units).toBeLessThan(all.units / 5);
  await workbench.close();
});

test("a counter of 0.1 KB apart from its item of 10 KB makes a count ten times cheaper", () => {
  const whole = tableWriteUnits(10 * 1_024, 10 * 1_024);
  const apart = tableWriteUnits(100, 100);
  expect([whole, apart]).toEqual([10, 1]);
});

test("with three indexes a write costs from once to seven times as much, as the change decides", () => {
  const entry = { size: 300 };
  const cost = (changes: readonly EntryChange[]): number =>
    tableWriteUnits(500, 500) + changes.reduce((sum, change) => sum + indexWriteUnits(change), 0);
  const inserted = { before: undefined, after: entry, sameKey: false };
  const changed = { before: entry, after: { size: 310 }, sameKey: true };
  const moved = { before: entry, after: entry, sameKey: false };
  expect(cost([])).toBe(1);
  expect(cost([changed])).toBe(2);
  expect(cost([inserted, inserted, inserted])).toBe(4);
  expect(cost([moved, moved, moved])).toBe(7);
});

test("reads round up to 4 KB, writes to 1 KB, and strong reads cost twice as much", () => {
  expect(readUnits(20 * 1_024, true)).toBe(5);
  expect(readUnits(20 * 1_024, false)).toBe(2.5);
  expect(tableWriteUnits(undefined, 10 * 1_024)).toBe(10);
});
