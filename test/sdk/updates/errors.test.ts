import { describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";
import { counted, ItemTable } from "../item-table.ts";

/** What is wrong with an update expression by itself, though there is no such table either. */

const server = useServer();
const table = new ItemTable(server);

type Values = Record<string, unknown>;
interface Parameters {
  readonly values?: Values | undefined;
  readonly names?: Record<string, string> | undefined;
}

const Key = { pk: { S: "k" } };

function send(
  operation: string,
  UpdateExpression: string,
  { values, names }: Parameters,
  TableName = "no-such-table",
) {
  const update = {
    TableName,
    Key,
    UpdateExpression,
    ...(values !== undefined && { ExpressionAttributeValues: values }),
    ...(names !== undefined && { ExpressionAttributeNames: names }),
  };
  const request = operation === "UpdateItem" ? update : { TransactItems: [{ Update: update }] };
  return server.raw(operation, request);
}

const syntax = (token: string, near: string) => `Syntax error; token: "${token}", near: "${near}"`;
const reserved = (word: string) =>
  `Attribute name is a reserved keyword; reserved keyword: ${word}`;
const once = (section: string) =>
  `The "${section}" section can only be used once in an update expression;`;
const noName = (name: string) =>
  `An expression attribute name used in the document path is not defined; attribute name: ${name}`;
const noValue = (value: string) =>
  `An expression attribute value used in expression is not defined; attribute value: ${value}`;
const overlap = (one: string, two: string) =>
  `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`;
const conflict = (one: string, two: string) =>
  `Two document paths conflict with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`;
const count = (name: string, operands: number) =>
  `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands}`;
const type = (operator: string, operand: string) =>
  `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${operand}`;

const v = { ":v": { N: "1" } };
const text = { ":v": { S: "x" } };

type Row = [expression: string, reason: string, parameters?: Parameters];

const rows: Row[] = [
  ["", "The expression can not be empty;"],

  ["INVALID SYNTAX HERE", syntax("INVALID", "INVALID SYNTAX")],
  ["SET a", syntax("<EOF>", "a")],
  ["SET a = b c = d", syntax("c", "b c =")],
  ["SET a = b / c", syntax("/", "b / c")],
  ["SET a = b + c + d", syntax("+", "c + d")],
  ["SET a = 1", syntax("1", "= 1")],
  ["SET :v = a", syntax(":v", "SET :v =")],
  ["SET a[:v] = b", syntax(":v", "[:v]")],
  ["SET a = b AND c = d", syntax("AND", "b AND c")],
  ["SET a = if_not_exists(b, :v + :v)", syntax("+", ":v + :v"), { values: v }],
  ["SET _a = :v", syntax("_", "SET _a"), { values: v }],
  ["SET if_not_exists(a, b) = c", syntax("(", "if_not_exists(a")],
  ["REMOVE a = b", syntax("=", "a = b")],
  ["REMOVE a b", syntax("b", "a b")],
  ["ADD a b", syntax("b", "a b")],
  ["ADD a = :v", syntax("=", "a = :v"), { values: v }],
  ["DELETE a", syntax("<EOF>", "a")],

  ["SET status = :v", reserved("status"), { values: v }],
  ["SET a.Name = :v", reserved("Name"), { values: v }],
  ["REMOVE Absolute", reserved("Absolute")],
  ["SET a = timestamp", reserved("timestamp")],

  ["SET a = f(b)", "Invalid function name; function: f"],
  ["SET a = IF_NOT_EXISTS(a, b)", "Invalid function name; function: IF_NOT_EXISTS"],
  [
    "SET a = list_append(list_append(b, c), d)",
    "The function is not allowed to be used this way in an expression; function: list_append",
  ],

  ["SET a = b SET c = d", once("SET")],
  ["REMOVE a SET b = c REMOVE d", once("REMOVE")],
  ["ADD a :v ADD b :v", once("ADD"), { values: v }],
  ["DELETE a :v SET b = c DELETE d :v", once("DELETE"), { values: v }],

  ["SET #a = b", noName("#a")],
  ["REMOVE a.#b", noName("#b")],
  ["SET a = b, c = if_not_exists(#d, e)", noName("#d")],
  ["SET a = :v", noValue(":v")],
  ["SET a = b - :w", noValue(":w"), { values: v }],
  ["ADD a :w", noValue(":w"), { values: v }],

  ["SET a = b, a = c", overlap("[a]", "[a]")],
  ["SET a = b REMOVE a", overlap("[a]", "[a]")],
  ["SET a.b = c, a = d", overlap("[a, b]", "[a]")],
  ["REMOVE a[1], a[1].b", overlap("[a, [1]]", "[a, [1], b]")],
  ["SET #x = b, #y = c", overlap("[a]", "[a]"), { names: { "#x": "a", "#y": "a" } }],
  ["SET a.b = c, a[1] = d", conflict("[a, b]", "[a, [1]]")],
  ["REMOVE a.b.c, a.b[2]", conflict("[a, b, c]", "[a, b, [2]]")],

  ["SET a = if_not_exists(b)", count("if_not_exists", 1)],
  ["SET a = list_append(b, c, d)", count("list_append", 3)],
  [
    "SET a = if_not_exists(:v, b)",
    "Operator or function requires a document path; operator or function: if_not_exists",
    { values: v },
  ],
  ["SET a = list_append(b, :v)", type("list_append", "N"), { values: v }],
  ["SET a = b + :v", type("+", "S"), { values: text }],
  ["SET a = :v - b", type("-", "S"), { values: text }],
  ["SET a = b + :v", type("+", "L"), { values: { ":v": { L: [] } } }],
  ["SET a = b - :v", type("-", "NS"), { values: { ":v": { NS: ["1"] } } }],
];

describe.each([
  ["UpdateItem", counted],
  ["TransactWriteItems", ""],
])("%s", (operation, prefix) => {
  test.each(rows)("%s: %s", async (expression, reason, parameters = {}) => {
    const { status, json } = await send(operation, expression, parameters);
    expect(json).toEqual({
      __type: "com.amazon.coral.validate#ValidationException",
      message: `${prefix}Invalid UpdateExpression: ${reason}`,
    });
    expect(status).toBe(400);
  });

  test.each([
    ["ADD", "STRING", { S: "x" }],
    ["ADD", "BINARY", { B: "eA==" }],
    ["ADD", "BOOLEAN", { BOOL: true }],
    ["ADD", "NULL", { NULL: true }],
    ["ADD", "LIST", { L: [] }],
    ["ADD", "MAP", { M: {} }],
    ["DELETE", "STRING", { S: "x" }],
    ["DELETE", "NUMBER", { N: "1" }],
    ["DELETE", "LIST", { L: [] }],
  ])("%s of a %s", async (section, name, value) => {
    const { json } = await send(operation, `${section} a :v`, { values: { ":v": value } });
    expect(json.message).toMatch(
      new RegExp(
        `^${prefix}Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ${section}, operand type: ${name}`,
      ),
    );
  });

  test("4,096 bytes of text", async () => {
    const expression = (bytes: number) => "REMOVE a".padEnd(bytes, " ");
    expect((await send(operation, expression(4_095), {}, table.name)).status).toBe(200);
    expect((await send(operation, expression(4_096), {}, table.name)).status).toBe(200);
    const { json } = await send(operation, expression(4_097), {}, table.name);
    expect(json.message).toBe(
      `${prefix}Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;`,
    );
  });

  test("300 operators", async () => {
    const sums = (length: number) =>
      `SET ${Array.from({ length }, (_, at) => `a${at}=:v+:v`).join(",")}`;
    expect((await send(operation, sums(300), { values: v }, table.name)).status).toBe(200);
    const { json } = await send(operation, sums(301), { values: v }, table.name);
    expect(json.message).toMatch(/The expression contains too many operators/);
  });
});

describe("which of two mistakes is reported", () => {
  test.each<[string, string, Parameters?]>([
    ["SET status = = b", syntax("=", "= = b")],
    ["SET status = b SET c = f(d)", reserved("status")],
    ["SET a = f(d) SET b = #c", "Invalid function name; function: f"],
    ["SET a = #c SET b = d", once("SET")],
    ["SET a = :w, a = #c", noName("#c"), { values: v }],
    ["SET a = :w, a = b", noValue(":w"), { values: v }],
    ["SET a.b = c, a[0] = d, a = e", overlap("[a, b]", "[a]")],
    ["SET a = list_append(:v, b), a = c", overlap("[a]", "[a]"), { values: v }],
    ["SET a = :v + b, c = if_not_exists(d)", type("+", "S"), { values: text }],
  ])("%s", async (expression, reason, parameters = {}) => {
    const { json } = await send("UpdateItem", expression, parameters);
    expect(json.message).toBe(`${counted}Invalid UpdateExpression: ${reason}`);
  });

  test("the update before the condition, and both before unused names", async () => {
    const request = {
      TableName: "no-such-table",
      Key,
      UpdateExpression: "SET a = = b",
      ConditionExpression: "c = = d",
      ExpressionAttributeNames: { "#unused": "x" },
    };
    const message = async (more: object) =>
      (await server.raw("UpdateItem", { ...request, ...more })).json.message;
    expect(await message({})).toBe(`${counted}Invalid UpdateExpression: ${syntax("=", "= = b")}`);
    expect(await message({ UpdateExpression: "REMOVE a" })).toBe(
      `${counted}Invalid ConditionExpression: ${syntax("=", "= = d")}`,
    );
    expect(
      await message({ UpdateExpression: "REMOVE a", ConditionExpression: "attribute_exists(c)" }),
    ).toBe(
      `${counted}Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}`,
    );
  });
});
