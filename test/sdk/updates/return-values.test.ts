import { describe, expect, test } from "vitest";
import { useServer, validation } from "../harness.ts";
import { type Change, change, ItemTable, type Plain } from "../item-table.ts";

const server = useServer();
const table = new ItemTable(server);

type Mode = "NONE" | "ALL_OLD" | "ALL_NEW" | "UPDATED_OLD" | "UPDATED_NEW";

/** What each mode returns; of ALL_OLD and ALL_NEW without the key. */
type Returned = Partial<Record<Mode, Plain | undefined>>;

async function check(before: Plain | undefined, update: Change, returned: Returned) {
  for (const [mode, attributes] of Object.entries(returned)) {
    const key = before === undefined ? table.freshKey() : await table.put(before);
    const answer = await table.update(key, { ...update, ReturnValues: mode as Mode });
    const all = mode.startsWith("ALL_") && attributes !== undefined;
    expect(answer, mode).toEqual(all ? { ...attributes, ...key } : attributes);
  }
}

describe("of an item that is there", () => {
  test.each<readonly [string, Plain, Change, Returned]>([
    [
      "SET of an attribute that is there and one that is not",
      { a: 1, b: 2 },
      change("SET a = :v, c = :v", { v: 9 }),
      {
        NONE: undefined,
        ALL_OLD: { a: 1, b: 2 },
        ALL_NEW: { a: 9, b: 2, c: 9 },
        UPDATED_OLD: { a: 1 },
        UPDATED_NEW: { a: 9, c: 9 },
      },
    ],
    [
      "SET of a member: only the fragment around it",
      { m: { x: 1, y: 2 }, b: 2 },
      change("SET m.x = :v", { v: 9 }),
      {
        ALL_OLD: { m: { x: 1, y: 2 }, b: 2 },
        ALL_NEW: { m: { x: 9, y: 2 }, b: 2 },
        UPDATED_OLD: { m: { x: 1 } },
        UPDATED_NEW: { m: { x: 9 } },
      },
    ],
    [
      "SET of several members of one map",
      { m: { x: 1, y: { z: 2, q: 3 }, w: 4 } },
      change("SET m.x = :v, m.y.z = :v", { v: 9 }),
      { UPDATED_OLD: { m: { x: 1, y: { z: 2 } } }, UPDATED_NEW: { m: { x: 9, y: { z: 9 } } } },
    ],
    [
      "SET of a new member",
      { m: { x: 1 } },
      change("SET m.y = :v", { v: 9 }),
      { UPDATED_OLD: undefined, UPDATED_NEW: { m: { y: 9 } } },
    ],
    [
      "SET of an element: a list of it alone",
      { l: [1, 2, 3] },
      change("SET l[1] = :v", { v: 9 }),
      { UPDATED_OLD: { l: [2] }, UPDATED_NEW: { l: [9] } },
    ],
    [
      "SET of two elements: both, in their order",
      { l: [1, 2, 3] },
      change("SET l[2] = :v, l[0] = :w", { v: 9, w: 7 }),
      { UPDATED_OLD: { l: [1, 3] }, UPDATED_NEW: { l: [7, 9] } },
    ],
    [
      "SET to what was there already",
      { a: 1 },
      change("SET a = :v", { v: 1 }),
      { UPDATED_OLD: { a: 1 }, UPDATED_NEW: { a: 1 } },
    ],
    [
      "REMOVE alone: nothing is new",
      { a: 1, b: 2 },
      change("REMOVE a"),
      {
        ALL_OLD: { a: 1, b: 2 },
        ALL_NEW: { b: 2 },
        UPDATED_OLD: { a: 1 },
        UPDATED_NEW: undefined,
      },
    ],
    [
      "REMOVE of what is not there",
      { a: 1 },
      change("REMOVE z"),
      { ALL_OLD: { a: 1 }, ALL_NEW: { a: 1 }, UPDATED_OLD: undefined, UPDATED_NEW: undefined },
    ],
    [
      "REMOVE beside SET",
      { a: 1, b: 2, c: 3 },
      change("REMOVE a SET b = :v", { v: 9 }),
      { UPDATED_OLD: { a: 1, b: 2 }, UPDATED_NEW: { b: 9 } },
    ],
    [
      "REMOVE of a member",
      { m: { x: 1, y: 2 } },
      change("REMOVE m.x"),
      { UPDATED_OLD: { m: { x: 1 } }, UPDATED_NEW: undefined },
    ],
    [
      "ADD to a number",
      { n: 1, a: 2 },
      change("ADD n :v", { v: 4 }),
      { UPDATED_OLD: { n: 1 }, UPDATED_NEW: { n: 5 } },
    ],
    [
      "ADD to a set: the whole set",
      { s: new Set(["a"]) },
      change("ADD s :v", { v: new Set(["b"]) }),
      { UPDATED_OLD: { s: new Set(["a"]) }, UPDATED_NEW: { s: new Set(["a", "b"]) } },
    ],
    [
      "DELETE of some members",
      { s: new Set([1, 2, 3]) },
      change("DELETE s :v", { v: new Set([1]) }),
      { UPDATED_OLD: { s: new Set([1, 2, 3]) }, UPDATED_NEW: { s: new Set([2, 3]) } },
    ],
    [
      "DELETE of the last member",
      { s: new Set([1]), a: 1 },
      change("DELETE s :v", { v: new Set([1]) }),
      { ALL_NEW: { a: 1 }, UPDATED_OLD: { s: new Set([1]) }, UPDATED_NEW: undefined },
    ],
    [
      "no update at all",
      { a: 1 },
      {},
      { NONE: undefined, ALL_OLD: { a: 1 }, ALL_NEW: { a: 1 }, UPDATED_OLD: undefined },
    ],
  ])("%s", (_title, before, update, returned) => check(before, update, returned));
});

describe("of an item that is made", () => {
  test.each<readonly [string, Change, Returned]>([
    [
      "by SET",
      change("SET a = :v", { v: 1 }),
      {
        NONE: undefined,
        ALL_OLD: undefined,
        ALL_NEW: { a: 1 },
        UPDATED_OLD: undefined,
        UPDATED_NEW: { a: 1 },
      },
    ],
    [
      "by ADD, with DELETE and REMOVE beside it",
      change("REMOVE b DELETE c :s ADD d :n, e :s", { n: 5, s: new Set(["a"]) }),
      { UPDATED_OLD: undefined, UPDATED_NEW: { d: 5, e: new Set(["a"]) } },
    ],
    ["by a bare key", {}, { ALL_OLD: undefined, ALL_NEW: {}, UPDATED_OLD: undefined }],
  ])("%s", (_title, update, returned) => check(undefined, update, returned));
});

test("an answer without attributes has no such member", async () => {
  const { pk } = await table.put({ a: 1 });
  for (const ReturnValues of ["NONE", "UPDATED_NEW"]) {
    const request = { TableName: table.name, Key: { pk: { S: pk } }, UpdateExpression: "REMOVE a" };
    const answer = await server.raw("UpdateItem", { ...request, ReturnValues });
    expect(answer.text).toBe("{}");
  }
});

test("numbers and sets come back in canonical form", async () => {
  const answer = await server.raw("UpdateItem", {
    TableName: table.name,
    Key: { pk: { S: table.freshKey().pk } },
    UpdateExpression: "SET n = :n, s = :s, ns = :ns",
    ExpressionAttributeValues: {
      ":n": { N: "+01.50E1" },
      ":s": { SS: ["b", "", "a"] },
      ":ns": { NS: ["10", "9", "-1.0"] },
    },
    ReturnValues: "UPDATED_NEW",
  });
  expect(answer.json.Attributes).toEqual({
    n: { N: "15" },
    s: { SS: ["", "a", "b"] },
    ns: { NS: ["-1", "9", "10"] },
  });
});

test("a mode that does not exist", () =>
  validation(
    table.update(table.freshKey(), { ReturnValues: "INVALID" as "NONE" }),
    "1 validation error detected: Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]",
  ));
