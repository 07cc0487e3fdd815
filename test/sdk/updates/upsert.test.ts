import { describe, expect, test } from "vitest";
import { expectError, useServer } from "../harness.ts";
import { type Change, change, ItemTable, type Plain } from "../item-table.ts";

/** Whether an update makes an item that is not there. */

const server = useServer();
const table = new ItemTable(server);

describe("an item is made", () => {
  test.each<readonly [string, Change, Plain]>([
    ["by a bare key", {}, {}],
    ["by empty AttributeUpdates", { AttributeUpdates: {} } as Change, {}],
    ["by SET", change("SET a = :v", { v: 1 }), { a: 1 }],
    ["by ADD of a number", change("ADD a :v", { v: 1 }), { a: 1 }],
    ["by ADD of a set", change("ADD a :v", { v: new Set(["x"]) }), { a: new Set(["x"]) }],
    [
      "by SET beside REMOVE and DELETE",
      change("REMOVE b DELETE c :s SET a = :v", { v: 1, s: new Set(["x"]) }),
      { a: 1 },
    ],
    [
      "if its absence is the condition",
      { ...change("SET a = :v", { v: 1 }), ConditionExpression: "attribute_not_exists(pk)" },
      { a: 1 },
    ],
  ])("%s", async (_title, update, attributes) => {
    const key = table.freshKey();
    await table.update(key, update);
    expect(await table.get(key)).toEqual({ ...key, ...attributes });
  });
});

describe("no item is made by what only takes away", () => {
  test.each<readonly [string, Change]>([
    ["REMOVE", change("REMOVE a")],
    ["DELETE", change("DELETE a :s", { s: new Set(["x"]) })],
    ["DELETE of AttributeUpdates", { AttributeUpdates: { a: { Action: "DELETE" } } } as Change],
  ])("%s", async (_title, update) => {
    const key = table.freshKey();
    await table.update(key, update);
    expect(await table.get(key)).toBeUndefined();
  });
});

test("a bare key leaves an item that is there as it is", async () => {
  const key = await table.put({ a: 1 });
  await table.update(key, {});
  expect(await table.get(key)).toEqual({ ...key, a: 1 });
});

test("nothing is made if the condition fails", async () => {
  const key = table.freshKey();
  const update = {
    ...change("SET a = :v", { v: 1 }),
    ConditionExpression: "attribute_exists(pk)",
  };
  await expectError(
    table.update(key, update),
    "ConditionalCheckFailedException",
    "The conditional request failed",
  );
  expect(await table.get(key)).toBeUndefined();
});

test("many at once on one item: each adds to what the others made", async () => {
  const key = table.freshKey();
  await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      table.update(
        key,
        at % 2 === 0
          ? change("ADD n :one", { one: 1 })
          : change("SET n = if_not_exists(n, :zero) + :one", { zero: 0, one: 1 }),
      ),
    ),
  );
  expect(await table.get(key)).toEqual({ ...key, n: 40 });
});

test("only one of many wins a race to be the first", async () => {
  const key = table.freshKey();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      table.update(key, {
        ...change("SET winner = :at", { at }),
        ConditionExpression: "attribute_not_exists(winner)",
      }),
    ),
  );
  const winners = outcomes.flatMap(({ status }, at) => (status === "fulfilled" ? [at] : []));
  expect(winners).toHaveLength(1);
  expect(await table.get(key)).toEqual({ ...key, winner: winners[0] });
});
