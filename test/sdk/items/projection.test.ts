import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { get, put } from "./support.ts";

const server = useServer();
let TableName: string;
const Key = { pk: { S: "item" } };
const Item = {
  ...Key,
  name: { S: "n" },
  n: { N: "1" },
  list: { L: [{ S: "zero" }, { S: "one" }, { M: { x: { N: "2" }, y: { N: "3" } } }] },
  map: { M: { a: { S: "A" }, b: { M: { c: { S: "C" }, d: { S: "D" } } } } },
  "a.b": { S: "dotted" },
};

beforeAll(async () => {
  TableName = await createTable(server, { key: "pk:S" });
  await put(server, { TableName, Item });
});

const projected = async (ProjectionExpression: string, names?: Record<string, string>) =>
  (
    await get(server, {
      TableName,
      Key,
      ProjectionExpression,
      ...(names !== undefined && { ExpressionAttributeNames: names }),
    })
  ).Item;

describe("ProjectionExpression", () => {
  test.each<[string, Record<string, string> | undefined, object]>([
    ["n", undefined, { n: Item.n }],
    ["pk, n", undefined, { ...Key, n: Item.n }],
    ["#n", { "#n": "name" }, { name: Item.name }],
    ["absent", undefined, {}],
    ["n, absent", undefined, { n: Item.n }],
    ["#dotted", { "#dotted": "a.b" }, { "a.b": Item["a.b"] }],
    ["#m.a", { "#m": "map" }, { map: { M: { a: { S: "A" } } } }],
    ["#m.b.c", { "#m": "map" }, { map: { M: { b: { M: { c: { S: "C" } } } } } }],
    [
      "#m.a, #m.b.d",
      { "#m": "map" },
      { map: { M: { a: { S: "A" }, b: { M: { d: { S: "D" } } } } } },
    ],
    ["#m.absent", { "#m": "map" }, {}],
    ["#l[0]", { "#l": "list" }, { list: { L: [{ S: "zero" }] } }],
    ["#l[1], #l[0]", { "#l": "list" }, { list: { L: [{ S: "zero" }, { S: "one" }] } }],
    ["#l[2].x", { "#l": "list" }, { list: { L: [{ M: { x: { N: "2" } } }] } }],
    [
      "#l[2].x, #l[2].y",
      { "#l": "list" },
      { list: { L: [{ M: { x: { N: "2" }, y: { N: "3" } } }] } },
    ],
    ["#l[9]", { "#l": "list" }, {}],
    ["n.a", undefined, {}],
    ["n[0]", undefined, {}],
  ])("%s with %j", async (expression, names, expected) => {
    expect(await projected(expression, names)).toEqual(expected);
  });

  test("of an item that does not exist is no item", async () => {
    const request = { TableName, Key: { pk: { S: "absent" } }, ProjectionExpression: "n" };
    expect((await get(server, request)).Item).toBeUndefined();
  });

  test.each<[string, string]>([
    ["", "The expression can not be empty;"],
    ["!!!", 'Syntax error; token: "!", near: "!!"'],
    ["name", "Attribute name is a reserved keyword; reserved keyword: name"],
    [
      "#undef",
      "An expression attribute name used in the document path is not defined; attribute name: #undef",
    ],
    ["n, n", overlap("[n]", "[n]")],
    ["x, x.b", overlap("[x]", "[x, b]")],
    ["x.b, x", overlap("[x, b]", "[x]")],
    ["l, l[0]", overlap("[l]", "[l, [0]]")],
    ["x, x.b.c", overlap("[x]", "[x, b, c]")],
  ])("%j is refused", async (expression, message) => {
    await validation(projected(expression), `Invalid ProjectionExpression: ${message}`);
  });

  test("names that are not used are refused", async () => {
    await validation(
      projected("n", { "#a": "a" }),
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}",
    );
  });

  test("an empty map of names is refused", async () => {
    await validation(projected("n", {}), "ExpressionAttributeNames must not be empty");
  });

  test("names without expression are refused", async () => {
    await validation(
      get(server, { TableName, Key, ExpressionAttributeNames: { "#a": "a" } }),
      "ExpressionAttributeNames can only be specified when using expressions",
    );
  });
});

function overlap(one: string, two: string): string {
  return `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`;
}

describe("AttributesToGet", () => {
  test.each<[string[], object]>([
    [["n"], { n: Item.n }],
    [["name", "pk"], { ...Key, name: Item.name }],
    [["absent"], {}],
    [["n", "absent"], { n: Item.n }],
    [["a.b"], { "a.b": Item["a.b"] }],
    [["map"], { map: Item.map }],
  ])("%j", async (AttributesToGet, expected) => {
    expect((await get(server, { TableName, Key, AttributesToGet })).Item).toEqual(expected);
  });

  test("names an attribute once only", async () => {
    await validation(
      get(server, { TableName, Key, AttributesToGet: ["n", "pk", "n"] }),
      "One or more parameter values were invalid: Duplicate value in attribute name: n",
    );
  });

  test("does not go together with ProjectionExpression", async () => {
    await validation(
      get(server, { TableName, Key, AttributesToGet: ["n"], ProjectionExpression: "n" }),
      "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}",
    );
  });
});
