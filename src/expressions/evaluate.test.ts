import { expect, test } from "vitest";
import type { AttributeValue, Item } from "../item/attribute-value.ts";
import { compileCondition } from "./condition-resolve.ts";
import { evaluate } from "./evaluate.ts";
import { Placeholders } from "./parser.ts";
import { bytes, item, type Plain, value } from "./plain-values.test-support.ts";

const document: Item = {
  ...item({
    n: 10,
    half: 0.5,
    below: -3,
    s: "banana",
    blank: "",
    emoji: "😀é",
    b: new Uint8Array([1, 2, 255]),
    yes: true,
    wrong: false,
    nil: null,
    ss: new Set(["green", "red"]),
    ns: new Set([1, 5]),
    bs: new Set([bytes("a"), bytes("b")]),
    arr: ["a", 3, { deep: "x" }, ["in"]],
    doc: { a: 1, b: { c: "d" }, "x.y": 2 },
    hollow: {},
    "dotted.name": "dot",
    type: "banana",
  }),
  constructor: { S: "own" },
};

const values: Readonly<Record<string, Plain>> = {
  ":n10": 10,
  ":n9": 9,
  ":n11": 11,
  ":n2": 2,
  ":n0": 0,
  ":n1": 1,
  ":n3": 3,
  ":n4": 4,
  ":n5": 5,
  ":n6": 6,
  ":n7": 7,
  ":half": 0.5,
  ":minus4": -4,
  ":banana": "banana",
  ":ban": "ban",
  ":nan": "nan",
  ":apple": "apple",
  ":cherry": "cherry",
  ":e": "",
  ":a": "a",
  ":b": "b",
  ":x": "x",
  ":d": "d",
  ":red": "red",
  ":bmp": "\uffff",
  ":bin": new Uint8Array([1, 2, 255]),
  ":bin1": new Uint8Array([1]),
  ":bin12": new Uint8Array([1, 2]),
  ":bin2f": new Uint8Array([2, 255]),
  ":bin3": new Uint8Array([1, 3]),
  ":binA": bytes("a"),
  ":true": true,
  ":false": false,
  ":null": null,
  ":ssReversed": new Set(["red", "green"]),
  ":ssOther": new Set(["red"]),
  ":ns15": new Set([5, 1]),
  ":list": ["a", 3, { deep: "x" }, ["in"]],
  ":listOther": [3, "a", { deep: "x" }, ["in"]],
  ":deep": { deep: "x" },
  ":map": { b: { c: "d" }, "x.y": 2, a: 1 },
  ":mapLess": { a: 1 },
  ":S": "S",
  ":N": "N",
  ":B": "B",
  ":SS": "SS",
  ":NS": "NS",
  ":BS": "BS",
  ":BOOL": "BOOL",
  ":NULL": "NULL",
  ":L": "L",
  ":M": "M",
};

const names = {
  "#dot": "dotted.name",
  "#xy": "x.y",
  "#type": "type",
  "#constructor": "constructor",
  "#proto": "__proto__",
  "#toString": "toString",
};

function holds(text: string): boolean {
  const given: Record<string, AttributeValue> = {};
  for (const [name, plain] of Object.entries(values)) given[name] = value(plain);
  const placeholders = new Placeholders(names, given);
  return evaluate(compileCondition("ConditionExpression", text, placeholders), document);
}

function checkAll(expected: boolean, cases: readonly string[]) {
  for (const text of cases) expect(holds(text), text).toBe(expected);
}

test("equality", () => {
  checkAll(true, [
    "n = :n10",
    ":n10 = n",
    "s = :banana",
    "s = #type",
    "b = :bin",
    "yes = :true",
    "nil = :null",
    "blank = :e",
    "ss = :ssReversed",
    "ns = :ns15",
    "arr = :list",
    "doc = :map",
    "n <> :n9",
    "n <> :banana",
    "yes <> :false",
    "arr <> :listOther",
    "doc <> :mapLess",
    "ss <> :ssOther",
    ":n10 = :n10",
  ]);
  checkAll(false, [
    "n = :n9",
    "n = s",
    "s = :ban",
    "yes = :false",
    "yes = :true AND wrong = :true",
    "ss = :ssOther",
    "arr = :listOther",
    "doc = :mapLess",
    "n <> :n10",
    "ss <> :ssReversed",
    "doc <> :map",
    "nil <> :null",
  ]);
});

test("order", () => {
  checkAll(true, [
    "n > :n9",
    "n >= :n10",
    "n <= :n10",
    "n < :n11",
    "n > :n2",
    "below > :minus4",
    "below < half",
    "half < :n1",
    "s > :apple",
    "s < :cherry",
    "s > :ban",
    "s > :e",
    "emoji > :bmp",
    "b > :bin12",
    "b < :bin3",
    ":n9 < n",
  ]);
  checkAll(false, [
    "n > :n10",
    "n < :n10",
    "n < :n2",
    "n > :apple",
    "n < :apple",
    "s >= :n9",
    "yes > n",
    "yes < wrong",
    "arr < doc",
    "nil <= n",
    "ss >= ns",
    "b > :bin",
  ]);
});

test("a missing attribute equals nothing, not even another missing one", () => {
  checkAll(true, [
    "gone <> :n10",
    "gone <> lost",
    "NOT gone = :n10",
    "NOT gone < :n10",
    "gone.a <> n",
    "n <> n.a",
  ]);
  checkAll(false, [
    "gone = :n10",
    "gone = lost",
    "gone < :n10",
    "gone >= :n10",
    "gone BETWEEN :n0 AND :n10",
    "n BETWEEN gone AND :n10",
    "gone IN (:n10, lost)",
    "n IN (gone)",
    "contains(gone, :a)",
    "contains(s, gone)",
    "begins_with(gone, :a)",
    "begins_with(s, gone)",
    "attribute_type(gone, :S)",
    "size(gone) > :n0",
    "size(gone) = size(lost)",
  ]);
});

test("BETWEEN and IN", () => {
  checkAll(true, [
    "n BETWEEN :n10 AND :n11",
    "n BETWEEN :n9 AND :n10",
    "s BETWEEN :apple AND :cherry",
    "b BETWEEN :bin1 AND :bin3",
    ":n5 BETWEEN half AND n",
    "size(s) BETWEEN :n5 AND :n7",
    "n IN (:n9, :n10)",
    "s IN (:n9, #type)",
    "doc IN (:map)",
    "ss IN (:a, :ssReversed)",
    "size(ss) IN (:n2)",
  ]);
  checkAll(false, [
    "n BETWEEN :n0 AND :n9",
    "n BETWEEN :apple AND :cherry",
    "yes BETWEEN :n0 AND :n9",
    "n IN (:n9, :banana)",
    "arr IN (:listOther)",
  ]);
});

test("AND, OR and NOT", () => {
  checkAll(true, [
    "n = :n10 OR n = :n10 AND n = :n9",
    "NOT n = :n9 AND n = :n10",
    "NOT (n = :n9 OR n = :n2)",
    "NOT NOT n = :n10",
    "n between :n0 and :n11 Or s in (:a)",
    "n = :n9 OR (s = :banana AND (yes = :true OR gone = :n0))",
  ]);
  checkAll(false, [
    "(n = :n10 OR n = :n10) AND n = :n9",
    "NOT n = :n10",
    "NOT (n = :n10 OR gone = :n9)",
    "n = :n9 OR n = :n2 OR n = :n0",
  ]);
});

test("existence and type", () => {
  checkAll(true, [
    "attribute_exists(n)",
    "attribute_exists(nil)",
    "attribute_exists(doc.b.c)",
    "attribute_exists(arr[3][0])",
    "attribute_exists(doc.#xy)",
    "attribute_exists(#dot)",
    "attribute_exists(#constructor)",
    "attribute_not_exists(gone)",
    "attribute_not_exists(doc.gone)",
    "attribute_not_exists(arr[4])",
    "attribute_not_exists(arr.a)",
    "attribute_not_exists(doc[0])",
    "attribute_not_exists(n.a.b)",
    "attribute_not_exists(#proto)",
    "attribute_not_exists(#toString)",
    "attribute_not_exists(doc.#toString)",
    "attribute_not_exists(doc.#proto)",
    "attribute_type(s, :S)",
    "attribute_type(n, :N)",
    "attribute_type(b, :B)",
    "attribute_type(ss, :SS)",
    "attribute_type(ns, :NS)",
    "attribute_type(bs, :BS)",
    "attribute_type(yes, :BOOL)",
    "attribute_type(nil, :NULL)",
    "attribute_type(arr, :L)",
    "attribute_type(doc, :M)",
    "attribute_type(doc.b.c, :S)",
    "attribute_type(:S, :S)",
  ]);
  checkAll(false, [
    "attribute_exists(gone)",
    "attribute_exists(doc.x)",
    "attribute_not_exists(n)",
    "attribute_type(n, :S)",
    "attribute_type(arr[1], :S)",
  ]);
});

test("begins_with", () => {
  checkAll(true, [
    "begins_with(s, :ban)",
    "begins_with(s, :banana)",
    "begins_with(s, :e)",
    "begins_with(b, :bin12)",
    "begins_with(b, :bin)",
    "begins_with(:banana, :ban)",
    "begins_with(s, #type)",
  ]);
  checkAll(false, [
    "begins_with(s, :nan)",
    "begins_with(s, :bin1)",
    "begins_with(n, :a)",
    "begins_with(arr, :a)",
    "begins_with(b, :bin3)",
    "begins_with(:ban, s)",
    "begins_with(:bin1, b)",
  ]);
});

test("contains", () => {
  checkAll(true, [
    "contains(s, :nan)",
    "contains(s, :e)",
    "contains(b, :bin2f)",
    "contains(ss, :red)",
    "contains(ns, :n5)",
    "contains(bs, :binA)",
    "contains(arr, :a)",
    "contains(arr, :n3)",
    "contains(arr, :deep)",
    "contains(:banana, :ban)",
    "contains(ns, half) OR contains(ns, :n1)",
    "contains(ns, size(:x))",
  ]);
  checkAll(false, [
    "contains(s, :n10)",
    "contains(ss, :a)",
    "contains(ss, :ssOther)",
    "contains(ns, :n10)",
    "contains(ns, :a)",
    "contains(arr, :x)",
    "contains(doc, :a)",
    "contains(n, :n1)",
    "contains(b, :bin3)",
    "contains(bs, :a)",
    "contains(nil, :null)",
  ]);
});

test("size", () => {
  checkAll(true, [
    "size(s) = :n6",
    "size(blank) = :n0",
    "size(emoji) = :n3",
    "size(b) = :n3",
    "size(ss) = :n2",
    "size(ns) = :n2",
    "size(bs) = :n2",
    "size(arr) = :n4",
    "size(doc) = :n3",
    "size(hollow) = :n0",
    "size(:banana) = :n6",
    "size(doc.b.c) < :n2",
    "size(s) > size(ss)",
    "size(n) <> :n1",
  ]);
  checkAll(false, ["size(n) = :n1", "size(yes) >= :n0", "size(nil) = :n0", "size(s) = :a"]);
});

test("a missing item has no attributes", () => {
  expect(evaluate(conditionWithout("attribute_not_exists(n)"), undefined)).toBe(true);
  expect(evaluate(conditionWithout("attribute_exists(n)"), undefined)).toBe(false);
  expect(evaluate(conditionWithout("a <> b"), undefined)).toBe(true);
});

function conditionWithout(text: string) {
  return compileCondition("ConditionExpression", text, new Placeholders(undefined, undefined));
}
