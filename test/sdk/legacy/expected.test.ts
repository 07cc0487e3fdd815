import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";
import { counted, ItemTable } from "../item-table.ts";

/** Expected and ConditionalOperator of PutItem, UpdateItem and DeleteItem. */

const server = useServer();
const table = new ItemTable(server);

type Expectation = Record<string, unknown>;
type Expected = Record<string, Expectation>;

const S = (S: string): AttributeValue => ({ S });
const N = (n: number): AttributeValue => ({ N: String(n) });

const attributes: Record<string, AttributeValue> = {
  s: S("hello"),
  n: N(10),
  nil: { NULL: true },
  l: { L: [N(1), S("x")] },
  ss: { SS: ["a", "b"] },
  m: { M: { k: N(1) } },
};

/** True if the write was done. */
async function met(pk: string, Expected: Expected, more: Expectation = {}): Promise<boolean> {
  const request = { TableName: table.name, Key: { pk: S(pk) }, Expected, ...more };
  const { status, json } = await server.raw("UpdateItem", request);
  if (status === 200) return true;
  expect(json).toEqual({
    __type: "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
    message: "The conditional request failed",
  });
  return false;
}

async function item(): Promise<string> {
  const { pk } = table.freshKey();
  const Item = { ...attributes, pk: S(pk) };
  expect((await server.raw("PutItem", { TableName: table.name, Item })).status).toBe(200);
  return pk;
}

const is = (ComparisonOperator: string, ...AttributeValueList: AttributeValue[]) => ({
  ComparisonOperator,
  ...(AttributeValueList.length > 0 && { AttributeValueList }),
});

describe("one expectation is met", () => {
  test.each<[string, Expectation]>([
    ["s", { Value: S("hello") }],
    ["s", { Value: S("hello"), Exists: true }],
    ["gone", { Exists: false }],
    ["s", { Value: S("hello"), ComparisonOperator: "EQ" }],
    ["m", { Value: { M: { k: N(1) } } }],
    ["ss", { Value: { SS: ["b", "a"] } }],
    ["n", is("EQ", N(10))],
    ["n", is("NE", N(11))],
    ["n", is("NE", S("10"))],
    ["n", is("LT", N(11))],
    ["n", is("LE", N(10))],
    ["n", is("GT", N(9))],
    ["n", is("GE", N(10))],
    ["n", is("BETWEEN", N(10), N(12))],
    ["n", is("IN", N(1), N(10))],
    ["s", is("BEGINS_WITH", S("hel"))],
    ["s", is("CONTAINS", S("ell"))],
    ["ss", is("CONTAINS", S("a"))],
    ["l", is("CONTAINS", N(1))],
    ["s", is("NOT_CONTAINS", S("dog"))],
    ["gone", is("NULL")],
    ["nil", is("NOT_NULL")],
    ["s", is("NOT_NULL")],
  ])("%s %o", async (name, expectation) => {
    expect(await met(await item(), { [name]: expectation })).toBe(true);
  });
});

describe("one expectation is not met", () => {
  test.each<[string, Expectation]>([
    ["s", { Value: S("Hello") }],
    ["s", { Value: { B: "aGVsbG8=" } }],
    ["s", { Exists: false }],
    ["nil", { Exists: false }],
    ["gone", { Value: S("x") }],
    ["n", is("EQ", S("10"))],
    ["n", is("NE", N(10))],
    ["n", is("LT", N(10))],
    ["n", is("GT", S("1"))],
    ["gone", is("LT", N(1))],
    ["gone", is("GE", N(1))],
    ["n", is("BETWEEN", N(1), N(9))],
    ["n", is("BETWEEN", S("1"), S("9"))],
    ["n", is("IN", N(1), N(2))],
    ["s", is("BEGINS_WITH", S("ell"))],
    ["n", is("BEGINS_WITH", S("1"))],
    ["s", is("CONTAINS", S("dog"))],
    ["ss", is("NOT_CONTAINS", S("a"))],
    ["nil", is("NULL")],
    ["gone", is("NOT_NULL")],
    ["m.k", { Value: N(1) }],
  ])("%s %o", async (name, expectation) => {
    expect(await met(await item(), { [name]: expectation })).toBe(false);
  });
});

describe("several expectations", () => {
  const yes = { s: is("EQ", S("hello")), n: is("GT", N(1)) };
  const mixed = { s: is("EQ", S("hello")), n: is("LT", N(1)) };
  const no = { s: is("EQ", S("bye")), n: is("LT", N(1)) };

  test.each([
    ["all, if nothing is said", undefined, true, false, false],
    ["all, with AND", "AND", true, false, false],
    ["one of them, with OR", "OR", true, true, false],
  ])("%s", async (_title, operator, ofYes, ofMixed, ofNo) => {
    const more = operator === undefined ? {} : { ConditionalOperator: operator };
    const pk = await item();
    expect(await met(pk, yes, more)).toBe(ofYes);
    expect(await met(pk, mixed, more)).toBe(ofMixed);
    expect(await met(pk, no, more)).toBe(ofNo);
  });
});

test("an item that is not there has no attributes", async () => {
  expect(await met("nobody", { pk: { Value: S("nobody") } })).toBe(false);
  expect(await met("nobody", { pk: { Exists: false } })).toBe(true);
});

describe("on the other writes", () => {
  test("PutItem and DeleteItem", async () => {
    const pk = await item();
    const Key = { pk: S(pk) };
    const send = async (operation: string, Expected: Expected) =>
      (await server.raw(operation, { TableName: table.name, Key, Item: Key, Expected })).status;
    expect(await send("PutItem", { n: is("EQ", N(11)) })).toBe(400);
    expect(await send("DeleteItem", { n: is("EQ", N(11)) })).toBe(400);
    expect(await table.get({ pk })).toHaveProperty("n", 10);
    expect(await send("PutItem", { n: is("EQ", N(10)) })).toBe(200);
    expect(await table.get({ pk })).toEqual({ pk });
    expect(await send("DeleteItem", { n: is("NULL") })).toBe(200);
    expect(await table.get({ pk })).toBeUndefined();
  });
});

describe("mistakes", () => {
  const invalid = "One or more parameter values were invalid: ";
  const rows: [expectation: Expectation, message: string][] = [
    [{}, `${invalid}Value must be provided when Exists is null for Attribute: a`],
    [{ Exists: true }, `${invalid}Value must be provided when Exists is true for Attribute: a`],
    [
      { Exists: false, Value: S("x") },
      `${invalid}Value cannot be used when Exists is false for Attribute: a`,
    ],
    [
      { ComparisonOperator: "EQ" },
      `${invalid}Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a`,
    ],
    [
      { Exists: true, ComparisonOperator: "LT" },
      `${invalid}Exists and ComparisonOperator cannot be used together for Attribute: a`,
    ],
    [
      { AttributeValueList: [S("x")] },
      `${invalid}AttributeValueList can only be used with a ComparisonOperator for Attribute: a`,
    ],
    [
      { Exists: true, AttributeValueList: [S("x")] },
      `${invalid}AttributeValueList can only be used with a ComparisonOperator for Attribute: a`,
    ],
    [
      { Value: S("x"), AttributeValueList: [S("x")], ComparisonOperator: "EQ" },
      `${invalid}Value and AttributeValueList cannot be used together for Attribute: a`,
    ],
    [
      { ComparisonOperator: "EQ", AttributeValueList: [] },
      `${invalid}Invalid number of argument(s) for the EQ ComparisonOperator`,
    ],
    [
      is("EQ", S("x"), S("y")),
      `${invalid}Invalid number of argument(s) for the EQ ComparisonOperator`,
    ],
    [is("NULL", S("x")), `${invalid}Invalid number of argument(s) for the NULL ComparisonOperator`],
    [
      { Value: S("x"), ComparisonOperator: "NOT_NULL" },
      `${invalid}Invalid number of argument(s) for the NOT_NULL ComparisonOperator`,
    ],
    [
      { ComparisonOperator: "IN", AttributeValueList: [] },
      `${invalid}Invalid number of argument(s) for the IN ComparisonOperator`,
    ],
    [
      { Value: S("x"), ComparisonOperator: "BETWEEN" },
      `${invalid}Invalid number of argument(s) for the BETWEEN ComparisonOperator`,
    ],
    [
      is("IN", S("x"), N(1)),
      `${invalid}AttributeValues inside AttributeValueList must be of same type`,
    ],
    [
      is("BETWEEN", S("y"), S("x")),
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound",
    ],
    [
      is("LT", { BOOL: true }),
      `${invalid}ComparisonOperator LT is not valid for BOOL AttributeValue type`,
    ],
    [
      is("BEGINS_WITH", N(1)),
      `${invalid}ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type`,
    ],
    [
      is("CONTAINS", { SS: ["x"] }),
      `${invalid}ComparisonOperator CONTAINS is not valid for SS AttributeValue type`,
    ],
    [is("EQ", { N: "abc" }), "The parameter cannot be converted to a numeric value: abc"],
    [{ Value: { SS: [] } }, `${invalid}An string set  may not be empty`],
  ];

  const Key = { pk: S("k") };

  test.each(rows)("%o", async (a, message) => {
    const request = { TableName: "no-such-table", Expected: { a } };
    for (const operation of ["PutItem", "UpdateItem", "DeleteItem"]) {
      const rest = operation === "PutItem" ? { Item: Key } : { Key };
      const { json } = await server.raw(operation, { ...request, ...rest });
      expect(json, operation).toEqual({
        __type: "com.amazon.coral.validate#ValidationException",
        message: counted + message,
      });
    }
  });

  test.each([
    [undefined, "ConditionalOperator cannot be used without Filter or Expected"],
    [{}, "ConditionalOperator cannot be used without Filter or Expected"],
    [
      { a: is("NULL") },
      "ConditionalOperator can only be used when Filter or Expected has two or more elements",
    ],
  ])("ConditionalOperator beside %o", async (Expected, message) => {
    const { json } = await server.raw("DeleteItem", {
      TableName: "no-such-table",
      Key,
      ...(Expected !== undefined && { Expected }),
      ConditionalOperator: "OR",
    });
    expect(json.message).toBe(counted + message);
  });

  test("a ConditionalOperator that does not exist", async () => {
    const { json } = await server.raw("UpdateItem", {
      TableName: "no-such-table",
      Key,
      Expected: { a: is("NULL"), b: is("NULL") },
      ConditionalOperator: "XOR",
    });
    expect(json.message).toBe(
      `${counted}Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]`,
    );
  });
});
