import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer } from "../harness.ts";
import { type Plain, placeholders } from "../item-table.ts";

/** Which conditions hold for one item. A bare key as the update leaves the item as it is. */

const server = useServer();
let TableName = "";
const Key = { pk: "item" };
const bytes = (text: string) => Buffer.from(text);

const item = {
  ...Key,
  s: "hello",
  blank: "",
  emoji: "a😀",
  n: 5,
  big: 10,
  same: 5,
  b: bytes("hello"),
  yes: true,
  off: false,
  nil: null,
  l: [1, "two", [3], { four: 4 }, new Set([5])],
  bare: [],
  m: { x: 1, y: { z: "deep" } },
  ss: new Set(["a", "b"]),
  ns: new Set([1, 2, 3]),
  bs: new Set([bytes("x"), bytes("y")]),
};

beforeAll(async () => {
  TableName = await createTable(server, { key: "pk:S" });
  await server.documents.send(new PutCommand({ TableName, Item: item }));
});

type Row = [condition: string, values?: Plain | undefined, names?: Record<string, string>];

async function evaluate(...[ConditionExpression, values, names]: Row): Promise<void> {
  const request = { TableName, Key, ConditionExpression, ...placeholders(values, names) };
  await server.documents.send(new UpdateCommand(request));
}

const holds = evaluate;
async function fails(...row: Row): Promise<void> {
  await expectError(
    evaluate(...row),
    "ConditionalCheckFailedException",
    "The conditional request failed",
  );
}

describe("equality holds", () => {
  test.each<Row>([
    ["s = :v", { v: "hello" }],
    [":v = s", { v: "hello" }],
    ["n = same"],
    ["n = :v", { v: 5.0 }],
    ["b = :v", { v: bytes("hello") }],
    ["yes = :v", { v: true }],
    ["nil = :v", { v: null }],
    ["blank = :v", { v: "" }],
    ["bare = :v", { v: [] }],
    ["l = :v", { v: [1, "two", [3], { four: 4 }, new Set([5])] }],
    ["m = :v", { v: { y: { z: "deep" }, x: 1 } }],
    ["ss = :v", { v: new Set(["b", "a"]) }],
    ["ns = :v", { v: new Set([3, 1, 2]) }],
    ["bs = :v", { v: new Set([bytes("y"), bytes("x")]) }],
    ["m.y.z = :v", { v: "deep" }],
    ["l[2][0] = :v", { v: 3 }],
    ["l[3].four = :v", { v: 4 }],
    [":v = :v", { v: 1 }],
    ["s <> :v", { v: "Hello" }],
    ["s <> :v", { v: 5 }],
    ["n <> big"],
    ["l <> :v", { v: ["two", 1, [3], { four: 4 }, new Set([5])] }],
    ["m <> :v", { v: { x: 1 } }],
    ["ss <> :v", { v: new Set(["a"]) }],
    ["ss <> :v", { v: ["a", "b"] }],
    ["gone <> :v", { v: 1 }],
    ["gone <> lost"],
    ["m.gone <> :v", { v: 1 }],
  ])("%s with %o", holds);
});

describe("equality fails", () => {
  test.each<Row>([
    ["s = :v", { v: "HELLO" }],
    ["s = :v", { v: bytes("hello") }],
    ["n = :v", { v: "5" }],
    ["yes = :v", { v: "true" }],
    ["off = :v", { v: null }],
    ["l = :v", { v: [1, "two", [3], { four: 4 }] }],
    ["m = :v", { v: { x: 1, y: { z: "deeper" } } }],
    ["ss = :v", { v: new Set(["a", "b", "c"]) }],
    ["ns = :v", { v: [1, 2, 3] }],
    ["gone = :v", { v: 1 }],
    ["gone = lost"],
    ["l[9] = :v", { v: 1 }],
    ["s.x = :v", { v: 1 }],
    ["s <> :v", { v: "hello" }],
    ["ss <> :v", { v: new Set(["b", "a"]) }],
    ["m <> :v", { v: { y: { z: "deep" }, x: 1 } }],
  ])("%s with %o", fails);
});

describe("order holds", () => {
  test.each<Row>([
    ["n < :v", { v: 6 }],
    ["n < big"],
    ["n <= :v", { v: 5 }],
    ["n > :v", { v: -5 }],
    ["n >= same"],
    [":v > n", { v: 5.1 }],
    ["s < :v", { v: "hello!" }],
    ["s > :v", { v: "Zebra" }],
    ["b >= :v", { v: bytes("hella") }],
    ["emoji > :v", { v: "a\uffff" }],
    ["n BETWEEN :lo AND :hi", { lo: 5, hi: 5 }],
    ["n BETWEEN :lo AND big", { lo: 1 }],
    ["s between :lo and :hi", { lo: "a", hi: "i" }],
    [":v BETWEEN n AND big", { v: 7 }],
    ["n IN (:a, :b)", { a: 1, b: 5 }],
    ["n IN (big, same)"],
    ["m in (:a)", { a: { x: 1, y: { z: "deep" } } }],
    ["ss IN (:a, :b)", { a: "a", b: new Set(["b", "a"]) }],
    [":v IN (s, n)", { v: "hello" }],
  ])("%s with %o", holds);
});

describe("order fails", () => {
  test.each<Row>([
    ["n < :v", { v: 5 }],
    ["n > big"],
    ["n < :v", { v: "6" }],
    ["n > :v", { v: "" }],
    ["s > :v", { v: 1 }],
    ["l > :v", { v: 1 }],
    [":v < yes", { v: "a" }],
    ["gone < :v", { v: 1 }],
    ["gone >= :v", { v: 1 }],
    ["gone <= lost"],
    [":v >= gone", { v: "x" }],
    ["n BETWEEN :lo AND :hi", { lo: 6, hi: 9 }],
    ["n BETWEEN :lo AND :hi", { lo: "1", hi: "9" }],
    ["n BETWEEN big AND :hi", { hi: 1 }],
    ["n BETWEEN :lo AND gone", { lo: 1 }],
    ["n BETWEEN s AND l"],
    ["gone BETWEEN :lo AND :hi", { lo: 1, hi: 9 }],
    ["n IN (:a, :b)", { a: "5", b: 6 }],
    ["gone IN (:a)", { a: 1 }],
    ["gone IN (lost, :a)", { a: 1 }],
  ])("%s with %o", fails);
});

describe("functions hold", () => {
  test.each<Row>([
    ["attribute_exists(s)"],
    ["attribute_exists(nil)"],
    ["attribute_exists (m.y.z)"],
    ["attribute_exists(l[4])"],
    ["attribute_exists(#p)", undefined, { p: "pk" }],
    ["attribute_not_exists(gone)"],
    ["attribute_not_exists(m.gone)"],
    ["attribute_not_exists(l[5])"],
    ["attribute_not_exists(s.x)"],
    ["attribute_not_exists(m[0])"],
    ["attribute_type(nil, :t)", { t: "NULL" }],
    ["attribute_type(l[4], :t)", { t: "NS" }],
    ["attribute_type(:v, :t)", { v: 1, t: "N" }],
    ["begins_with(s, :v)", { v: "hel" }],
    ["begins_with(s, :v)", { v: "" }],
    ["begins_with(s, s2) OR begins_with(s, :v)", { v: "hello" }],
    ["begins_with(b, :v)", { v: bytes("he") }],
    ["begins_with(:v, s)", { v: "hello world" }],
    ["contains(s, :v)", { v: "ell" }],
    ["contains(b, :v)", { v: bytes("ell") }],
    ["contains(ss, :v)", { v: "a" }],
    ["contains(ns, :v)", { v: 2.0 }],
    ["contains(bs, :v)", { v: bytes("y") }],
    ["contains(l, :v)", { v: "two" }],
    ["contains(l, :v)", { v: [3] }],
    ["contains(l, :v)", { v: { four: 4 } }],
    ["contains(l, :v)", { v: new Set([5]) }],
    ["contains(:v, s)", { v: "say hello" }],
    ["contains(:v, n)", { v: [1, 5] }],
    ["NOT contains(gone, :v)", { v: "a" }],
  ])("%s with %o", holds);
});

describe("functions fail", () => {
  test.each<Row>([
    ["attribute_exists(gone)"],
    ["attribute_exists(m.gone)"],
    ["attribute_not_exists(off)"],
    ["attribute_not_exists(blank)"],
    ["attribute_type(s, :t)", { t: "N" }],
    ["attribute_type(gone, :t)", { t: "S" }],
    ["begins_with(s, :v)", { v: "Hel" }],
    ["begins_with(s, :v)", { v: bytes("hel") }],
    ["begins_with(n, :v)", { v: "5" }],
    ["begins_with(l, :v)", { v: "1" }],
    ["begins_with(gone, :v)", { v: "x" }],
    ["begins_with(s, n)"],
    ["contains(s, :v)", { v: 1 }],
    ["contains(ss, :v)", { v: 1 }],
    ["contains(ns, :v)", { v: "1" }],
    ["contains(ss, :v)", { v: new Set(["a"]) }],
    ["contains(l, :v)", { v: 3 }],
    ["contains(m, :v)", { v: "x" }],
    ["contains(n, :v)", { v: 5 }],
    ["contains(gone, :v)", { v: "a" }],
  ])("%s with %o", fails);
});

describe("every type is found by its name", () => {
  test.each([
    ["s", "S"],
    ["n", "N"],
    ["b", "B"],
    ["yes", "BOOL"],
    ["nil", "NULL"],
    ["l", "L"],
    ["m", "M"],
    ["ss", "SS"],
    ["ns", "NS"],
    ["bs", "BS"],
  ])("%s is of type %s", async (name, type) => {
    await holds(`attribute_type(${name}, :t)`, { t: type });
    await fails(`attribute_type(${name}, :t)`, { t: type === "S" ? "N" : "S" });
  });
});

describe("size", () => {
  test.each([
    ["s", 5],
    ["blank", 0],
    ["emoji", 3],
    ["b", 5],
    ["l", 5],
    ["bare", 0],
    ["m", 2],
    ["ss", 2],
    ["ns", 3],
    ["bs", 2],
    ["m.y", 1],
    ["l[2]", 1],
  ])("of %s is %i", async (path, size) => {
    await holds(`size(${path}) = :v`, { v: size });
    await fails(`size(${path}) <> :v`, { v: size });
  });

  test.each<Row>([
    ["size(:v) = n", { v: "12345" }],
    ["size(s) = n"],
    ["size(s) < big"],
    ["size(s) BETWEEN :lo AND :hi", { lo: 5, hi: 6 }],
    ["size(s) IN (:a, size(b))", { a: 9 }],
    ["n = size(s)"],
    ["NOT size(n) = :v", { v: 1 }],
  ])("%s with %o holds", holds);

  test.each<Row>([
    ["size(n) = :v", { v: 1 }],
    ["size(yes) = :v", { v: 1 }],
    ["size(nil) >= :v", { v: 0 }],
    ["size(gone) >= :v", { v: 0 }],
    ["size(s) = :v", { v: "5" }],
  ])("%s with %o fails", fails);
});

describe("AND, OR and NOT", () => {
  const yes = "attribute_exists(pk)";
  const no = "attribute_exists(gone)";

  test.each([
    [`${yes} AND ${yes}`],
    [`${yes} OR ${no}`],
    [`${no} OR ${yes}`],
    [`NOT ${no}`],
    [`NOT NOT ${yes}`],
    [`${yes} OR ${no} AND ${no}`],
    [`${no} AND ${no} OR ${yes}`],
    [`NOT ${no} AND ${yes}`],
    [`NOT ${no} OR ${no}`],
    [`NOT (${yes} AND ${no})`],
    [`(${yes}) AND (NOT ${no})`],
    [`(${yes} OR ${no}) AND (${no} OR ${yes})`],
    [`((${yes}) OR (${no}))`],
    [`${yes} aNd noT ${no} oR ${no}`],
    ["n BETWEEN same AND big AND attribute_exists(pk)"],
    ["NOT n = big AND NOT n > big"],
    ["(n) = (same)"],
    ["(size(s)) = n"],
    ["attribute_exists((s))"],
  ])("%s", holds);

  test.each([
    [`${yes} AND ${no}`],
    [`${no} OR ${no}`],
    [`NOT ${yes}`],
    [`(${yes} OR ${no}) AND ${no}`],
    [`NOT ${yes} AND ${no}`],
    [`NOT (${yes} OR ${no})`],
    ["NOT n = same OR n = big"],
  ])("not %s", fails);
});

test("the item is as it was", async () => {
  const { documents } = server;
  const answer = await documents.send(
    new UpdateCommand({ TableName, Key, ReturnValues: "ALL_NEW" }),
  );
  expect(Object.keys(answer.Attributes ?? {}).sort()).toEqual(Object.keys(item).sort());
});
