import type { AttributeValue, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { B, N, query, S } from "../reading.ts";

const server = useServer();

let texts: string;
let numbers: string;
let hashOnly: string;

beforeAll(async () => {
  texts = await createTable(server, {
    key: "pk:S sk:S",
    global: { byA: { hash: "a:S" }, byAB: { hash: "a:S", range: "b:N" } },
    local: { byC: { range: "c:N" } },
  });
  numbers = await createTable(server, { key: "pk:S sk:N" });
  hashOnly = await createTable(server, { key: "pk:S" });
});

const values: Record<string, AttributeValue> = {
  ":s": S("x"),
  ":t": S("y"),
  ":n": N(1),
  ":m": N(2),
  ":b": B(1),
  ":bool": { BOOL: true },
  ":null": { NULL: true },
  ":list": { L: [] },
  ":empty": S(""),
  ":none": B(),
  ":long": S("x".repeat(1025)),
  ":longer": S("x".repeat(2049)),
};

function ask(
  TableName: string | undefined,
  KeyConditionExpression: string,
  more: Partial<QueryCommandInput> = {},
): Promise<unknown> {
  const used = KeyConditionExpression.match(/:\w+/g) ?? [];
  const given = used.flatMap((name) => (name in values ? [[name, values[name]]] : []));
  return query(server, {
    TableName,
    KeyConditionExpression,
    ...(given.length > 0 && { ExpressionAttributeValues: Object.fromEntries(given) }),
    ...more,
  });
}

const parameter = "One or more parameter values were invalid: ";
const schemaType = `${parameter}Condition parameter type does not match schema type`;
const unsupported = "Query key condition not supported";
const missed = (name: string) => `Query condition missed key schema element: ${name}`;
const operandType = (operator: string, type: string) =>
  `Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`;

describe("what no table would allow; the table does not even exist", () => {
  test.each([
    ["", "Invalid KeyConditionExpression: The expression can not be empty;"],
    ["pk =", 'Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "="'],
    ["pk = = :s", 'Invalid KeyConditionExpression: Syntax error; token: "=", near: "= = :s"'],
    ["((pk = :s))", "Invalid KeyConditionExpression: The expression has redundant parentheses;"],
    [
      "pk = :nothing",
      "Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; attribute value: :nothing",
    ],
    [
      "#pk = :s",
      "Invalid KeyConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #pk",
    ],
    [
      "status = :s",
      "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: status",
    ],
    ["pk = :s OR sk = :s", "Invalid operator used in KeyConditionExpression: OR"],
    ["NOT pk = :s", "Invalid operator used in KeyConditionExpression: NOT"],
    ["pk IN (:s, :t)", "Invalid operator used in KeyConditionExpression: IN"],
    ["pk <> :s", "Invalid operator used in KeyConditionExpression: <>"],
    ["pk = :s AND sk <> :s", "Invalid operator used in KeyConditionExpression: <>"],
    ["attribute_exists(pk)", "Invalid operator used in KeyConditionExpression: attribute_exists"],
    ["contains(pk, :s)", "Invalid operator used in KeyConditionExpression: contains"],
    [
      "pk = :s AND begins_with(:s, sk)",
      "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand",
    ],
    [
      "pk = :s AND :t BETWEEN :s AND sk",
      "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand",
    ],
    [
      "pk = sk",
      "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
    ],
    [":s = :t", "Invalid condition in KeyConditionExpression: No key attribute specified"],
    [
      "pk = :s AND sk > :s AND sk < :t",
      "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key",
    ],
    [
      "pk = :s AND pk = :s",
      "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key",
    ],
    [
      "pk = :s AND sk BETWEEN :n AND :s",
      "Invalid KeyConditionExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:x}",
    ],
    [
      "pk = :s AND sk BETWEEN :t AND :s",
      "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:y}, upper bound operand: AttributeValue: {S:x}",
    ],
    [
      "pk = :s AND sk BETWEEN :m AND :n",
      "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}",
    ],
    ["pk = :s AND begins_with(sk, :n)", operandType("begins_with", "N")],
    ["pk = :s AND begins_with(sk, :bool)", operandType("begins_with", "BOOL")],
    ["pk = :s AND sk < :bool", operandType("<", "BOOL")],
    ["pk = :s AND sk <= :null", operandType("<=", "NULL")],
    ["pk = :s AND :bool >= sk", operandType(">=", "BOOL")],
    ["pk = :s AND sk > :list", operandType(">", "L")],
    ["pk = :s AND sk BETWEEN :bool AND :bool", operandType("BETWEEN", "BOOL")],
    ["sk < :bool AND pk = :nothing", operandType("<", "BOOL")],
  ])("%s", async (condition, message) => {
    await validation(ask("no-such-table", condition), message);
  });

  test.each(["pk.a = :s", "pk[0] = :s", "pk = :s AND sk.a > :s"])(
    "nested: %s",
    async (condition) => {
      await validation(
        ask("no-such-table", condition),
        /KeyConditionExpressions cannot have conditions on nested attributes$/,
      );
    },
  );

  test("a function as an operand", async () => {
    await validation(
      ask("no-such-table", "size(pk) = :n"),
      /KeyConditionExpressions cannot contain nested operations$/,
    );
  });

  test("an expression of 4096 bytes passes, one of 4097 does not", async () => {
    const padded = (length: number) => `pk = :s${" ".repeat(length - 7)}`;
    await expectError(ask("no-such-table", padded(4096)), "ResourceNotFoundException");
    await validation(
      ask("no-such-table", padded(4097)),
      /^Invalid KeyConditionExpression: Expression size has exceeded the maximum allowed size;/,
    );
  });
});

test("a good condition finds that the table is missing", async () => {
  await expectError(
    ask("no-such-table", "pk = :s AND sk = :n AND z = :s"),
    "ResourceNotFoundException",
    "Requested resource not found",
  );
});

describe("what this table does not allow", () => {
  test.each([
    ["sk = :s", missed("pk")],
    ["z = :s", missed("pk")],
    ["sk = :s AND z = :s", missed("pk")],
    ["pk = :s AND z = :s", missed("sk")],
    ["pk > :s", unsupported],
    ["pk < :s AND sk = :s", unsupported],
    ["begins_with(pk, :s)", unsupported],
    ["pk BETWEEN :s AND :t", unsupported],
    ["pk = :n", schemaType],
    ["pk > :n", schemaType],
    ["pk = :bool", schemaType],
    ["pk = :list", schemaType],
    ["pk = :s AND sk = :n", schemaType],
    ["pk = :s AND sk = :b", schemaType],
    ["pk = :s AND sk = :bool", schemaType],
    ["pk = :s AND sk > :n", schemaType],
    ["pk = :s AND sk BETWEEN :n AND :m", schemaType],
    ["pk = :s AND begins_with(sk, :b)", schemaType],
    [
      "pk = :s AND sk = :s AND z = :s",
      "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)",
    ],
    [
      "pk = :empty",
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
    ],
    [
      "pk = :s AND sk = :empty",
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk",
    ],
    [
      "pk = :longer",
      `${parameter}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
    ],
    [
      "pk = :s AND sk = :long",
      `${parameter}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
    ],
  ])("%s", async (condition, message) => {
    await validation(ask(texts, condition), message);
  });

  test.each([
    ["pk = :s AND begins_with(sk, :s)", schemaType],
    ["pk = :s AND sk > :s", schemaType],
    ["pk = :s AND sk = :list", schemaType],
  ])("number sort key: %s", async (condition, message) => {
    await validation(ask(numbers, condition), message);
  });

  test.each([
    ["pk = :s AND sk = :s", unsupported],
    ["y = :s AND z = :s", unsupported],
    ["z = :s", missed("pk")],
  ])("no sort key: %s", async (condition, message) => {
    await validation(ask(hashOnly, condition), message);
  });

  test.each([
    ["byA", "pk = :s", missed("a")],
    ["byA", "a = :s AND pk = :s", unsupported],
    ["byA", "a = :n", schemaType],
    ["byAB", "a = :s AND sk = :s", missed("b")],
    ["byAB", "b = :n", missed("a")],
    ["byAB", "a = :s AND b = :s", schemaType],
    ["byAB", "a > :s", unsupported],
    ["byC", "pk = :s AND sk = :s", missed("c")],
    ["byC", "c = :n", missed("pk")],
    ["byC", "pk = :s AND c = :s", schemaType],
  ])("index %s: %s", async (IndexName, condition, message) => {
    await validation(ask(texts, condition, { IndexName }), message);
  });
});

describe("the order of checks", () => {
  test.each<[string, string, Partial<QueryCommandInput>, string]>([
    [
      "both kinds of parameters before an empty expression",
      "",
      { KeyConditions: {} },
      "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}",
    ],
    [
      "the map of names before the expressions",
      "",
      { ExpressionAttributeNames: {} },
      "ExpressionAttributeNames must not be empty",
    ],
    [
      "the map of values before the expressions",
      "",
      { ExpressionAttributeValues: {} },
      "ExpressionAttributeValues must not be empty",
    ],
    [
      "a bad name of a placeholder",
      "",
      { ExpressionAttributeNames: { pk: "a" } },
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "pk"',
    ],
    [
      "a bad name of a value",
      "",
      { ExpressionAttributeValues: { pk: S("a") } },
      'ExpressionAttributeValues contains invalid key: Syntax error; key: "pk"',
    ],
    [
      "the key condition before the filter",
      "pk =",
      { FilterExpression: "", ProjectionExpression: "" },
      'Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "="',
    ],
    [
      "the filter before the projection",
      "pk = :s",
      { FilterExpression: "", ProjectionExpression: "" },
      "Invalid FilterExpression: The expression can not be empty;",
    ],
    [
      "the projection before unused placeholders",
      "pk = :s",
      { ProjectionExpression: "", ExpressionAttributeNames: { "#u": "u" } },
      "Invalid ProjectionExpression: The expression can not be empty;",
    ],
    [
      "what a key condition may not say after the filter's syntax",
      "attribute_exists(pk)",
      { FilterExpression: "a =" },
      'Invalid FilterExpression: Syntax error; token: "<EOF>", near: "="',
    ],
  ])("%s", async (_, condition, more, message) => {
    await validation(ask("no-such-table", condition, more), message);
  });

  test("placeholders that no expression uses", async () => {
    await validation(
      ask("no-such-table", "pk = :s", { ExpressionAttributeNames: { "#u": "u" } }),
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#u}",
    );
    await validation(
      ask("no-such-table", "pk = :s", { ExpressionAttributeValues: { ":s": S("x"), ":u": N(1) } }),
      "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}",
    );
  });

  test("the index before the key condition", async () => {
    await validation(
      ask(texts, "z = :n", { IndexName: "nothing" }),
      "The table does not have the specified index: nothing",
    );
  });

  test("the key condition before the filter's attributes", async () => {
    await validation(ask(texts, "z = :s", { FilterExpression: "pk = :s" }), missed("pk"));
  });
});

test("a request without a condition", async () => {
  const text =
    "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.";
  const answer = await server.raw("Query", { TableName: "no-such-table" });
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual({
    __type: "com.amazon.coral.validate#ValidationException",
    message: text,
  });
});
