import { describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";
import { counted, ItemTable } from "../item-table.ts";

/** AttributeUpdates of UpdateItem. */

const server = useServer();
const table = new ItemTable(server);

type Json = Record<string, unknown>;

const S = (S: string) => ({ S });
const N = (n: number) => ({ N: String(n) });

const sample = {
  S: S("x"),
  N: N(1),
  B: { B: "eA==" },
  BOOL: { BOOL: true },
  NULL: { NULL: true },
  L: { L: [] },
  M: { M: {} },
};

async function put(attributes: Json): Promise<string> {
  const { pk } = table.freshKey();
  const request = { TableName: table.name, Item: { ...attributes, pk: S(pk) } };
  expect((await server.raw("PutItem", request)).status).toBe(200);
  return pk;
}

const update = (pk: string, AttributeUpdates: Json, more: Json = {}) =>
  server.raw("UpdateItem", {
    TableName: table.name,
    Key: { pk: S(pk) },
    AttributeUpdates,
    ...more,
  });

async function stored(pk: string): Promise<Json | undefined> {
  const { json } = await server.raw("GetItem", { TableName: table.name, Key: { pk: S(pk) } });
  if (json.Item === undefined) return undefined;
  const { pk: _, ...attributes } = json.Item;
  return attributes;
}

describe("what they do", () => {
  test.each<[string, Json, Json, Json]>([
    ["a value alone is put", { a: N(1) }, { a: { Value: S("x") } }, { a: S("x") }],
    ["PUT", {}, { a: { Action: "PUT", Value: { L: [N(1)] } } }, { a: { L: [N(1)] } }],
    ["DELETE without a value", { a: N(1), b: N(2) }, { a: { Action: "DELETE" } }, { b: N(2) }],
    ["DELETE of what is not there", { b: N(2) }, { a: { Action: "DELETE" } }, { b: N(2) }],
    [
      "DELETE of members",
      { s: { SS: ["a", "b"] } },
      { s: { Action: "DELETE", Value: { SS: ["a", "z"] } } },
      { s: { SS: ["b"] } },
    ],
    [
      "DELETE of all members",
      { s: { NS: ["1"] }, b: N(2) },
      { s: { Action: "DELETE", Value: { NS: ["1"] } } },
      { b: N(2) },
    ],
    ["ADD to a number", { n: N(1) }, { n: { Action: "ADD", Value: N(3) } }, { n: N(4) }],
    ["ADD of a number", {}, { n: { Action: "ADD", Value: N(3) } }, { n: N(3) }],
    [
      "ADD to a set",
      { s: { SS: ["a", "c"] } },
      { s: { Action: "ADD", Value: { SS: ["b", "c"] } } },
      { s: { SS: ["a", "b", "c"] } },
    ],
    [
      "ADD to a list, which expressions cannot do",
      { l: { L: [N(1), N(2)] } },
      { l: { Action: "ADD", Value: { L: [N(2), N(3)] } } },
      { l: { L: [N(1), N(2), N(2), N(3)] } },
    ],
    ["ADD of a list", {}, { l: { Action: "ADD", Value: { L: [N(1)] } } }, { l: { L: [N(1)] } }],
    [
      "several at once",
      { a: N(1), b: N(2), c: N(3) },
      { a: { Value: N(9) }, b: { Action: "DELETE" }, c: { Action: "ADD", Value: N(1) } },
      { a: N(9), c: N(4) },
    ],
    [
      "a dot in a name is part of it",
      { a: { M: { b: N(1) } } },
      { "a.b": { Value: N(2) } },
      { a: { M: { b: N(1) } }, "a.b": N(2) },
    ],
    ["reserved words need no placeholder", {}, { status: { Value: N(1) } }, { status: N(1) }],
  ])("%s", async (_title, before, updates, after) => {
    const pk = await put(before);
    const { status, text } = await update(pk, updates);
    expect(text).toBe("{}");
    expect(status).toBe(200);
    expect(await stored(pk)).toEqual(after);
  });
});

describe("what they return", () => {
  const before = { a: N(1), b: N(2) };
  const updates = { a: { Value: N(9) }, c: { Value: N(3) } };

  test.each<[string, Json | undefined]>([
    ["NONE", undefined],
    ["ALL_OLD", { ...before }],
    ["ALL_NEW", { a: N(9), b: N(2), c: N(3) }],
    ["UPDATED_OLD", { a: N(1) }],
    ["UPDATED_NEW", { a: N(9), c: N(3) }],
  ])("%s", async (ReturnValues, attributes) => {
    const pk = await put(before);
    const { json } = await update(pk, updates, { ReturnValues });
    const all = ReturnValues.startsWith("ALL") ? { pk: S(pk) } : {};
    expect(json.Attributes).toEqual(attributes && { ...attributes, ...all });
  });

  test("UPDATED_NEW of a DELETE", async () => {
    const pk = await put({ b: { NS: ["1", "2"] }, c: S("a"), d: S("gone") });
    const { json } = await update(
      pk,
      {
        b: { Action: "DELETE", Value: { NS: ["1"] } },
        c: { Value: S("a") },
        d: { Action: "DELETE" },
      },
      { ReturnValues: "UPDATED_NEW" },
    );
    expect(json).toEqual({ Attributes: { b: { NS: ["2"] }, c: S("a") } });
  });
});

describe("types that do not fit the item", () => {
  const before = { s: S("x"), n: N(1), ss: { SS: ["a"] }, ns: { NS: ["1"] }, l: { L: [] } };

  test.each<[string, Json]>([
    ["ADD to a string", { s: { Action: "ADD", Value: N(1) } }],
    ["ADD of a set to a number", { n: { Action: "ADD", Value: { NS: ["1"] } } }],
    ["ADD of a number to a set", { ns: { Action: "ADD", Value: N(1) } }],
    ["ADD of another set", { ss: { Action: "ADD", Value: { NS: ["1"] } } }],
    ["DELETE of another set", { ss: { Action: "DELETE", Value: { NS: ["1"] } } }],
    ["DELETE from a number", { n: { Action: "DELETE", Value: { NS: ["1"] } } }],
  ])("%s", async (_title, updates) => {
    const pk = await put(before);
    const { json } = await update(pk, updates);
    expect(json).toEqual({
      __type: "com.amazon.coral.validate#ValidationException",
      message: "Type mismatch for attribute to update",
    });
    expect(await stored(pk)).toEqual(before);
  });
});

describe("mistakes", () => {
  const invalid = "One or more parameter values were invalid: ";
  const withoutValue = `${invalid}Only DELETE action is allowed when no attribute value is specified`;

  const rows: [Json, string][] = [
    [{}, withoutValue],
    [{ Action: "PUT" }, withoutValue],
    [{ Action: "ADD" }, withoutValue],
    ...(["S", "N", "B", "BOOL", "NULL", "L", "M"] as const).map((type): [Json, string] => [
      { Action: "DELETE", Value: sample[type] },
      `${invalid}DELETE action with value is not supported for the type ${type}`,
    ]),
    ...(["S", "B", "BOOL", "NULL", "M"] as const).map((type): [Json, string] => [
      { Action: "ADD", Value: sample[type] },
      `${invalid}ADD action is not supported for the type ${type}`,
    ]),
    [{ Value: { N: "1x" } }, "The parameter cannot be converted to a numeric value: 1x"],
    [{ Value: { NS: [] } }, `${invalid}An number set  may not be empty`],
  ];

  test.each(rows)("%o", async (a, message) => {
    const { json } = await update("k", { a }, { TableName: "no-such-table" });
    expect(json).toEqual({
      __type: "com.amazon.coral.validate#ValidationException",
      message: counted + message,
    });
  });

  test("the update is judged before Expected", async () => {
    const { json } = await update(
      "k",
      { a: { Action: "ADD" } },
      { TableName: "no-such-table", Expected: { a: { Exists: true } } },
    );
    expect(json.message).toBe(counted + withoutValue);
  });
});
