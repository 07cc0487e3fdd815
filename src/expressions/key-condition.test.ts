import { expect, test } from "vitest";
import type { AttributeValue } from "../item/attribute-value.ts";
import { compileCondition } from "./condition-resolve.ts";
import {
  bindKeyCondition,
  checkFilterKeys,
  checkKeyPaths,
  type KeyConditionSchema,
} from "./key-condition.ts";
import { compileKeyCondition } from "./key-condition-parser.ts";
import { Placeholders } from "./parser.ts";
import { bytes, messageOf, type Plain, value } from "./plain-values.test-support.ts";

const values: Readonly<Record<string, Plain>> = {
  ":s": "x",
  ":t": "y",
  ":n": 1,
  ":m": 5,
  ":b": bytes("x"),
  ":bool": true,
  ":false": false,
  ":empty": "",
  ":noBytes": bytes(""),
  ":2048": "h".repeat(2048),
  ":2049": "h".repeat(2049),
  ":1024": "r".repeat(1024),
  ":1025": "r".repeat(1025),
  ":600": "r".repeat(600),
};
const placeholders = () => {
  const given: Record<string, AttributeValue> = {};
  for (const [name, plain] of Object.entries(values)) given[name] = value(plain);
  return new Placeholders({ "#pk": "pk" }, given);
};
const compile = (text: string) => compileKeyCondition(text, placeholders());

test("what a key condition may not say, whatever the table", () => {
  const invalid = "Invalid KeyConditionExpression: ";
  const nested = "KeyConditionExpressions cannot contain nested operations";
  const several =
    "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition";
  const nestedAttribute =
    "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes";
  const noName = "Invalid condition in KeyConditionExpression: No key attribute specified";
  const operator = (name: string) => `Invalid operator used in KeyConditionExpression: ${name}`;
  const notFirst = (name: string) =>
    `Invalid condition in KeyConditionExpression: ${name} operator must have the key attribute as its first operand`;
  const type = (name: string, type: string) =>
    `${invalid}Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`;
  const cases: readonly (readonly [string, string])[] = [
    ["", `${invalid}The expression can not be empty;`],
    ["pk =", `${invalid}Syntax error; token: "<EOF>", near: "="`],
    ["((pk = :s))", `${invalid}The expression has redundant parentheses;`],
    [
      "attribute_type(a, :s) AND b = b",
      `${invalid}Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}`,
    ],
    ["a > b and size(b) > c or a > c", operator("OR")],
    ["a in (b, size(c), d)", operator("IN")],
    ["attribute_exists(a)", operator("attribute_exists")],
    ["attribute_not_exists(a)", operator("attribute_not_exists")],
    ["contains(a.d, b)", operator("contains")],
    ["not a > b", operator("NOT")],
    ["a <> b", operator("<>")],
    ["pk = :s AND sk <> :s", operator("<>")],
    [":s between size(b) and size(a) and b > :t", notFirst("BETWEEN")],
    ["begins_with(:s, b) and a > :t", notFirst("begins_with")],
    ["size(b) > a AND a.b > b AND b > c", nested],
    ["a > size(b.d)", nested],
    ["a between size(b) and size(a)", nested],
    ["b > a.b", several],
    ["b between c[1] and d", several],
    ["a between b and size(c)", several],
    ["begins_with(a, b)", several],
    ["b.d > a AND c.d > e.f", nestedAttribute],
    ["a.d > c", nestedAttribute],
    ["b[0] > :n", nestedAttribute],
    [":n > :m AND a < :n", noName],
    [":n > b AND :n < :m", noName],
    [
      "b > :n AND b < :n and c = :n and d = :n",
      `${invalid}KeyConditionExpressions must only contain one condition per key`,
    ],
    [
      "(a > :n and b > :n) and (b > :n and c > :n)",
      `${invalid}KeyConditionExpressions must only contain one condition per key`,
    ],
    ["pk = :s AND begins_with(sk, :n)", type("begins_with", "N")],
    ["pk = :s AND begins_with(sk, :bool)", type("begins_with", "BOOL")],
    ["pk = :s AND sk < :bool", type("<", "BOOL")],
    ["pk = :s AND :bool >= sk", type(">=", "BOOL")],
    ["pk = :s AND sk BETWEEN :false AND :bool", type("BETWEEN", "BOOL")],
    [
      "a between :n and :s",
      `${invalid}The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:x}`,
    ],
    [
      "a between :t and :s",
      `${invalid}The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:y}, upper bound operand: AttributeValue: {S:x}`,
    ],
  ];
  for (const [text, message] of cases)
    expect(
      messageOf(() => compile(text)),
      text,
    ).toBe(message);
});

const S = (name: string) => ({ name, type: "S" as const });
const N = (name: string) => ({ name, type: "N" as const });
const hashOnly = { hash: [S("pk")], range: [] };
const table = { hash: [S("pk")], range: [N("sk")] };
const texts = { hash: [S("pk")], range: [S("sk")] };
const binaries = { hash: [{ name: "pk", type: "B" as const }], range: [] };
const wide = { hash: [S("h1"), N("h2")], range: [S("a"), S("b"), S("c"), S("d")] };

const x = { S: "x" };
const one = { N: "1" };

test("what a key condition asks for", () => {
  const cases: readonly (readonly [string, KeyConditionSchema, object])[] = [
    ["pk = :s", hashOnly, { hashValues: [x], equalRange: [] }],
    [":s = #pk", hashOnly, { hashValues: [x], equalRange: [] }],
    ["pk = :s", table, { hashValues: [x], equalRange: [] }],
    ["pk = :s AND sk = :n", table, { hashValues: [x], equalRange: [one] }],
    ["(sk = :n) AND (pk = :s)", table, { hashValues: [x], equalRange: [one] }],
    ["(pk = :s AND (sk < :n))", table, bound({ op: "<", value: one })],
    ["pk = :s AND sk <= :n", table, bound({ op: "<=", value: one })],
    ["pk = :s AND sk > :n", table, bound({ op: ">", value: one })],
    ["pk = :s AND sk >= :n", table, bound({ op: ">=", value: one })],
    ["pk = :s AND :n < sk", table, bound({ op: ">", value: one })],
    ["pk = :s AND :n <= sk", table, bound({ op: ">=", value: one })],
    ["pk = :s AND :n > sk", table, bound({ op: "<", value: one })],
    ["pk = :s AND :n >= sk", table, bound({ op: "<=", value: one })],
    [
      "pk = :s AND sk BETWEEN :n AND :m",
      table,
      bound({ op: "between", low: one, high: { N: "5" } }),
    ],
    ["pk = :s AND begins_with(sk, :t)", texts, bound({ op: "begins_with", value: { S: "y" } })],
    ["h2 = :n AND h1 = :s", wide, { hashValues: [x, one], equalRange: [] }],
    [
      "c > :t AND b = :s AND a = :s AND h2 = :n AND h1 = :s",
      wide,
      { hashValues: [x, one], equalRange: [x, x], last: { op: ">", value: { S: "y" } } },
    ],
    [
      "h1 = :s AND h2 = :n AND a = :s AND b = :s AND c = :s AND d = :t",
      wide,
      { hashValues: [x, one], equalRange: [x, x, x, { S: "y" }] },
    ],
  ];
  for (const [text, schema, expected] of cases) {
    expect(bindKeyCondition(compile(text), schema), text).toEqual(expected);
  }
});

function bound(last: object) {
  return { hashValues: [x], equalRange: [], last };
}

test("key conditions that do not fit the keys", () => {
  const missed = (name: string) => `Query condition missed key schema element: ${name}`;
  const unsupported = "Query key condition not supported";
  const type =
    "One or more parameter values were invalid: Condition parameter type does not match schema type";
  const count = (conditions: number, keys: number) =>
    `The number of query conditions (${conditions}) exceeds the number of key attributes defined in the schema (${keys})`;
  const empty = (kind: string, name: string) =>
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`;
  const hashSize =
    "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes";
  const rangeSize =
    "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes";
  const gap = (without: string, present: string) =>
    `RANGE key attributes ${without} must have equality conditions specified in the query because a condition is present on key attribute ${present}`;
  const hashes = (without: string) =>
    `HASH key attributes ${without} must have equality conditions specified in the query`;
  const h = "h1 = :s AND h2 = :n";
  const cases: readonly (readonly [string, KeyConditionSchema, string | undefined])[] = [
    ["sk = :n", table, missed("pk")],
    ["z = :s", hashOnly, missed("pk")],
    ["pk = :s AND z = :s", hashOnly, unsupported],
    ["pk = :s AND z = :s", table, missed("sk")],
    ["sk = :n AND z = :s", table, missed("pk")],
    ["pk = :s AND sk > :n AND extra = :n", table, count(3, 2)],
    ["pk > :s", table, unsupported],
    ["begins_with(pk, :s)", table, unsupported],
    ["pk > :n", table, type],
    ["pk = :n", table, type],
    ["pk = :s AND sk = :bool", table, type],
    ["pk = :s AND sk = :s", table, type],
    ["pk = :s AND begins_with(sk, :s)", table, type],
    ["pk = :s AND sk BETWEEN :s AND :t", table, type],
    ["pk = :n AND sk = :s", table, type],
    ["pk = :empty", table, empty("string", "pk")],
    ["pk = :s AND sk > :empty", texts, empty("string", "sk")],
    ["pk = :s AND begins_with(sk, :empty)", texts, empty("string", "sk")],
    ["pk = :s AND sk BETWEEN :empty AND :s", texts, empty("string", "sk")],
    ["pk = :noBytes", binaries, empty("binary", "pk")],
    ["pk = :2048", table, undefined],
    ["pk = :2049", table, hashSize],
    ["pk = :s AND sk = :1024", texts, undefined],
    ["pk = :s AND sk = :1025", texts, rangeSize],
    ["pk = :s AND sk > :1025", texts, rangeSize],
    ["pk = :s AND sk BETWEEN :1024 AND :1025", texts, rangeSize],
    ["h1 = :s", wide, hashes("h2")],
    ["h2 = :n", wide, hashes("h1")],
    ["a = :s", wide, hashes("h1, h2")],
    ["h1 = :s AND h2 > :n", wide, hashes("h2")],
    ["h1 = :n AND h2 = :n", wide, type],
    [`${h} AND a = :s AND c = :s`, wide, gap("b", "c")],
    [`${h} AND a = :s AND b > :s AND c = :s`, wide, gap("b", "c")],
    [`${h} AND b = :s`, wide, gap("a", "b")],
    [`${h} AND d = :s`, wide, gap("a, b, c", "d")],
    [`${h} AND z = :s`, wide, missed("a")],
    [`${h} AND a = :s AND z = :s`, wide, missed("b")],
    [`${h} AND a = :600 AND b = :600`, wide, rangeSize],
  ];
  for (const [text, schema, message] of cases) {
    expect(
      messageOf(() => bindKeyCondition(compile(text), schema)),
      text,
    ).toBe(message);
  }
});

test("empty values in the key of an index say which", () => {
  const message = (kind: string, name: string) =>
    `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${kind} value. IndexName: i, IndexKey: ${name}`;
  const cases = [
    ["pk = :empty", texts, message("string", "pk")],
    ["pk = :s AND sk BETWEEN :empty AND :s", texts, message("string", "sk")],
    ["pk = :noBytes", binaries, message("binary", "pk")],
  ] as const;
  for (const [text, schema, expected] of cases) {
    expect(messageOf(() => bindKeyCondition(compile(text), schema, { index: "i" }))).toBe(expected);
  }
});

test("filters and paths that touch the keys", () => {
  const condition = (text: string) => compileCondition("FilterExpression", text, placeholders());
  const message = (name: string) =>
    `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`;
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["a = :s", undefined],
    ["a.pk = :s", undefined],
    ["a = :s AND pk = :s", message("pk")],
    ["sk = :s OR pk = :s", message("pk")],
    ["NOT size(sk) > :n", message("sk")],
    ["attribute_exists(sk.a)", message("sk")],
    ["a IN (:s, sk)", message("sk")],
    ["a BETWEEN sk AND b", message("sk")],
    ["contains(a, sk)", message("sk")],
    ["begins_with(a, sk)", message("sk")],
  ];
  for (const [text, expected] of cases) {
    expect(
      messageOf(() => checkFilterKeys(condition(text), table)),
      text,
    ).toBe(expected);
  }
  expect(messageOf(() => checkFilterKeys(condition("pk = :s"), table, "QueryFilter"))).toBe(
    "QueryFilter can only contain non-primary key attributes: Primary key attribute: pk",
  );
  const path = (...steps: [string, ...(string | number)[]]) => ({ kind: "path" as const, steps });
  expect(() => checkKeyPaths([path("pk"), path("a", "pk")], table, "Key")).not.toThrow();
  for (const owner of ["Key", "IndexKey"] as const) {
    expect(messageOf(() => checkKeyPaths([path("sk", 0), path("pk", "a")], table, owner))).toBe(
      `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${owner}: pk`,
    );
  }
});
