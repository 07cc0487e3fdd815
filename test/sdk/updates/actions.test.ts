import { describe, expect, test } from "vitest";
import { useServer } from "../harness.ts";
import { change, ItemTable, type Plain } from "../item-table.ts";

const server = useServer();
const table = new ItemTable(server);

type Row = readonly [
  title: string,
  before: Plain,
  expression: string,
  values: Plain | undefined,
  after: Plain,
];

const check = async (...[, before, expression, values, after]: Row) => {
  expect(await table.updated(before, change(expression, values))).toEqual(after);
};

describe("SET", () => {
  test.each<Row>([
    ["a new attribute", { a: 1 }, "SET b = :v", { v: 2 }, { a: 1, b: 2 }],
    ["an attribute anew, with another type", { a: 1 }, "SET a = :v", { v: "x" }, { a: "x" }],
    ["several attributes", {}, "SET a = :v, b = :w", { v: 1, w: 2 }, { a: 1, b: 2 }],
    [
      "a copy",
      { a: [1, { b: 2 }] },
      "SET c = a",
      undefined,
      { a: [1, { b: 2 }], c: [1, { b: 2 }] },
    ],
    ["a copy of an attribute to itself", { a: 1 }, "SET a = a", undefined, { a: 1 }],
    [
      "a part of a document",
      { a: { b: [7, 8] } },
      "SET c = a.b[1]",
      undefined,
      { a: { b: [7, 8] }, c: 8 },
    ],
    ["two attributes swapped", { a: 1, b: 2 }, "SET a = b, b = a", undefined, { a: 2, b: 1 }],
    ["the keyword in any case", { a: 1 }, "sEt a = :v", { v: 2 }, { a: 2 }],
    ["without blanks", { a: 1 }, "SET a=:v,b=:v", { v: 2 }, { a: 2, b: 2 }],
    ["with all kinds of blanks", { a: 1 }, "\n SET\ta\r\n= :v ", { v: 2 }, { a: 2 }],
    [
      "an empty string, list and map",
      {},
      "SET s = :s, l = :l, m = :m",
      { s: "", l: [], m: {} },
      { s: "", l: [], m: {} },
    ],
    ["null and false", {}, "SET n = :n, f = :f", { n: null, f: false }, { n: null, f: false }],
    [
      "the same value at two places",
      {},
      "SET a = :v, b = :v",
      { v: { c: [1] } },
      { a: { c: [1] }, b: { c: [1] } },
    ],
    ["a sum of attributes", { a: 2, b: 3 }, "SET c = a + b", undefined, { a: 2, b: 3, c: 5 }],
    ["a difference of a constant and an attribute", { a: 2 }, "SET a = :v - a", { v: 7 }, { a: 5 }],
    ["a sum in parentheses", { a: 2 }, "SET a = (a + :v)", { v: 3 }, { a: 5 }],
    ["operands in parentheses", { a: 2 }, "SET a = (a) - (:v)", { v: 3 }, { a: -1 }],
    [
      "a part of a document plus a constant",
      { m: { n: [4] } },
      "SET m.n[0] = m.n[0] + :v",
      { v: 1 },
      { m: { n: [5] } },
    ],
  ])("%s", check);
});

describe("if_not_exists and list_append", () => {
  test.each<Row>([
    ["the value where there is none", {}, "SET a = if_not_exists(a, :v)", { v: 1 }, { a: 1 }],
    [
      "the attribute where there is one",
      { a: 5 },
      "SET a = if_not_exists(a, :v)",
      { v: 1 },
      { a: 5 },
    ],
    ["null is there", { a: null }, "SET a = if_not_exists(a, :v)", { v: 1 }, { a: null }],
    ["another attribute", { b: 5 }, "SET a = if_not_exists(b, :v)", { v: 1 }, { a: 5, b: 5 }],
    [
      "another attribute otherwise",
      { b: 5 },
      "SET a = if_not_exists(a, b)",
      undefined,
      { a: 5, b: 5 },
    ],
    [
      "nested calls",
      { c: 3 },
      "SET a = if_not_exists(a, if_not_exists(b, c))",
      undefined,
      { a: 3, c: 3 },
    ],
    [
      "a nested path",
      { m: { x: 1 } },
      "SET a = if_not_exists(m.y, :v)",
      { v: 9 },
      { m: { x: 1 }, a: 9 },
    ],
    [
      "a path into a scalar is not there",
      { m: 1 },
      "SET a = if_not_exists(m.y, :v)",
      { v: 9 },
      { m: 1, a: 9 },
    ],
    [
      "plus a constant",
      {},
      "SET a = if_not_exists(a, :zero) + :one",
      { zero: 0, one: 1 },
      { a: 1 },
    ],
    [
      "minus a constant",
      { a: 5 },
      "SET a = if_not_exists(a, :zero) - :one",
      { zero: 0, one: 1 },
      { a: 4 },
    ],
    [
      "on the right of a plus",
      { a: 5 },
      "SET a = :one + if_not_exists(a, :zero)",
      { zero: 0, one: 1 },
      { a: 6 },
    ],
    ["elements behind", { l: [1] }, "SET l = list_append(l, :v)", { v: [2, 3] }, { l: [1, 2, 3] }],
    ["elements before", { l: [1] }, "SET l = list_append(:v, l)", { v: [2, 3] }, { l: [2, 3, 1] }],
    [
      "two constants",
      {},
      "SET l = list_append(:v, :w)",
      { v: ["a"], w: [["b"]] },
      { l: ["a", ["b"]] },
    ],
    [
      "a list to itself",
      { l: [1, 2] },
      "SET l = list_append(l, l)",
      undefined,
      { l: [1, 2, 1, 2] },
    ],
    ["an empty list", { l: [1] }, "SET l = list_append(l, :v)", { v: [] }, { l: [1] }],
    [
      "to a list that is not there yet",
      {},
      "SET l = list_append(if_not_exists(l, :e), :v)",
      { e: [], v: [1] },
      { l: [1] },
    ],
    [
      "to a nested list",
      { m: { l: [1] } },
      "SET m.l = list_append(m.l, :v)",
      { v: [2] },
      { m: { l: [1, 2] } },
    ],
  ])("%s", check);
});

describe("REMOVE", () => {
  test.each<Row>([
    ["an attribute", { a: 1, b: 2 }, "REMOVE a", undefined, { b: 2 }],
    ["several attributes", { a: 1, b: 2, c: 3 }, "REMOVE a, c", undefined, { b: 2 }],
    ["an attribute that is not there", { a: 1 }, "REMOVE b", undefined, { a: 1 }],
    ["a member of a map", { m: { x: 1, y: 2 } }, "REMOVE m.x", undefined, { m: { y: 2 } }],
    ["the last member leaves an empty map", { m: { x: 1 } }, "REMOVE m.x", undefined, { m: {} }],
    ["a member that is not there", { m: { x: 1 } }, "REMOVE m.y", undefined, { m: { x: 1 } }],
    ["an element", { l: [1, 2, 3] }, "REMOVE l[1]", undefined, { l: [1, 3] }],
    ["the last element leaves an empty list", { l: [1] }, "REMOVE l[0]", undefined, { l: [] }],
    ["an element beyond the end", { l: [1, 2] }, "REMOVE l[2]", undefined, { l: [1, 2] }],
    [
      "several elements by their old positions",
      { l: [0, 1, 2, 3] },
      "REMOVE l[0], l[2]",
      undefined,
      { l: [1, 3] },
    ],
    [
      "an attribute that the same update reads",
      { a: 1 },
      "REMOVE a SET b = a",
      undefined,
      { b: 1 },
    ],
  ])("%s", check);
});

describe("ADD", () => {
  test.each<Row>([
    ["to a number", { n: 5 }, "ADD n :v", { v: 3 }, { n: 8 }],
    ["a negative number", { n: 5 }, "ADD n :v", { v: -8 }, { n: -3 }],
    ["a number where there is none", {}, "ADD n :v", { v: 3 }, { n: 3 }],
    [
      "to a string set",
      { s: new Set(["b"]) },
      "ADD s :v",
      { v: new Set(["c", "a"]) },
      { s: new Set(["a", "b", "c"]) },
    ],
    [
      "members that are there already",
      { s: new Set([1, 2]) },
      "ADD s :v",
      { v: new Set([2, 3]) },
      { s: new Set([1, 2, 3]) },
    ],
    ["a set where there is none", {}, "ADD s :v", { v: new Set(["x"]) }, { s: new Set(["x"]) }],
    ["to a number in a map", { m: { n: 1 } }, "ADD m.n :v", { v: 1 }, { m: { n: 2 } }],
    ["a new number in a map", { m: {} }, "ADD m.n :v", { v: 1 }, { m: { n: 1 } }],
    ["to an element of a list", { l: [1, 2] }, "ADD l[1] :v", { v: 5 }, { l: [1, 7] }],
    ["several", { a: 1 }, "ADD a :v, b :v", { v: 1 }, { a: 2, b: 1 }],
    [
      "the empty string to a set",
      { s: new Set(["a"]) },
      "ADD s :v",
      { v: new Set([""]) },
      { s: new Set(["", "a"]) },
    ],
  ])("%s", check);
});

describe("DELETE", () => {
  test.each<Row>([
    [
      "members",
      { s: new Set(["a", "b", "c"]) },
      "DELETE s :v",
      { v: new Set(["a", "c"]) },
      { s: new Set(["b"]) },
    ],
    [
      "members that are not there",
      { s: new Set([1]) },
      "DELETE s :v",
      { v: new Set([2]) },
      { s: new Set([1]) },
    ],
    [
      "the last member, and with it the attribute",
      { s: new Set([1]), a: 1 },
      "DELETE s :v",
      { v: new Set([1, 2]) },
      { a: 1 },
    ],
    ["from an attribute that is not there", { a: 1 }, "DELETE s :v", { v: new Set([1]) }, { a: 1 }],
    [
      "from a set in a map",
      { m: { s: new Set(["x", "y"]) } },
      "DELETE m.s :v",
      { v: new Set(["x"]) },
      { m: { s: new Set(["y"]) } },
    ],
    [
      "the last member in a map",
      { m: { s: new Set(["x"]) } },
      "DELETE m.s :v",
      { v: new Set(["x"]) },
      { m: {} },
    ],
  ])("%s", check);
});

describe("several sections", () => {
  test.each<Row>([
    [
      "in any order",
      { a: 1, n: 1, s: new Set([1, 2]), r: 0 },
      "DELETE s :one ADD n :v REMOVE r SET a = :v",
      { one: new Set([1]), v: 5 },
      { a: 5, n: 6, s: new Set([2]) },
    ],
    ["read the item as it was", { a: 1, b: 10 }, "ADD a :v SET b = a", { v: 5 }, { a: 6, b: 1 }],
    [
      "change members of one map",
      { m: { x: 1, y: 2, z: { w: 3 } } },
      "SET m.a = :v, m.z.q = :v REMOVE m.x ADD m.y :v",
      { v: 9 },
      { m: { a: 9, y: 11, z: { w: 3, q: 9 } } },
    ],
  ])("%s", check);
});
