import { expect, test } from "vitest";
import type { Item } from "../item/attribute-value.ts";
import { compileAttributeUpdates, type LegacyUpdate } from "./legacy-update.ts";
import { Placeholders } from "./parser.ts";
import { bytes, item, messageOf, type Plain, value } from "./plain-values.test-support.ts";
import type { Update } from "./tree.ts";
import { applyUpdate } from "./update-apply.ts";
import { compileUpdate } from "./update-resolve.ts";

type PlainItem = Readonly<Record<string, Plain>>;

const key = item({ pk: "k" });

/** The item before, the update, the item after or the error, and the values. */
type Case = readonly [PlainItem | undefined, string, PlainItem | undefined | Failure, PlainItem?];

interface Failure {
  readonly error: string;
}

const invalidPath = {
  error: "The document path provided in the update expression is invalid for update",
};
const missing = {
  error: "The provided expression refers to an attribute that does not exist in the item",
};
const wrongType = { error: "An operand in the update expression has an incorrect data type" };
const overflow = {
  error: "Number overflow. Attempting to store a number with magnitude larger than supported range",
};
const underflow = {
  error:
    "Number underflow. Attempting to store a number with magnitude smaller than supported range",
};
const tooDeep = {
  error:
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
};

function check(cases: readonly Case[]) {
  for (const [before, text, after, plainValues = {}] of cases) {
    const update = compileUpdate(text, new Placeholders({ "#1": "1" }, item(plainValues)));
    checkUpdate(update, before, after, text);
  }
}

function checkUpdate(
  update: Update,
  before: PlainItem | undefined,
  after: Case[2],
  label: string,
): void {
  const old = before === undefined ? undefined : item({ pk: "k", ...before });
  const copy = structuredClone(old);
  if (after !== undefined && typeof after.error === "string") {
    expect(
      messageOf(() => applyUpdate(update, old, key)),
      label,
    ).toBe(after.error);
  } else {
    const expected = after === undefined ? undefined : item({ pk: "k", ...(after as PlainItem) });
    expect(applyUpdate(update, old, key).item, label).toEqual(expected);
  }
  expect(old, `${label} changed its input`).toEqual(copy);
}

test("SET of attributes", () => {
  check([
    [undefined, "SET a = :v", { a: 1 }, { ":v": 1 }],
    [{}, "SET a = :v", { a: 1 }, { ":v": 1 }],
    [{ a: "x", b: 2 }, "SET a = :v", { a: 1, b: 2 }, { ":v": 1 }],
    [{ a: 1 }, "SET b = a", { a: 1, b: 1 }],
    [{ a: 1, b: 2 }, "SET a = b, b = a", { a: 2, b: 1 }],
    [{ a: 1 }, "SET a = a", { a: 1 }],
    [undefined, "SET a = pk", { a: "k" }],
    [{}, "SET a = b", missing],
    [undefined, "SET a = b", missing],
    [{}, "SET x = :v, y = x", missing, { ":v": 1 }],
    [
      { a: { b: { c: [1, { d: 5 }] } } },
      "SET z = a.b.c[1].d",
      { a: { b: { c: [1, { d: 5 }] } }, z: 5 },
    ],
    [{ a: { b: 1 } }, "SET z = a.c", missing],
    [{ a: { b: 1 } }, "SET z = a[0]", missing],
    [{ a: [1] }, "SET z = a[1]", missing],
    [{ a: [1] }, "SET z = a.b", missing],
    [{ a: "s" }, "SET z = a.b", missing],
    [{ a: 1 }, "REMOVE a SET b = a", { b: 1 }],
    [{ b: 1 }, "SET c = b REMOVE b", { c: 1 }],
    [
      {},
      "SET a = :v",
      { a: { deep: [null, true, new Set(["x"])] } },
      { ":v": { deep: [null, true, new Set(["x"])] } },
    ],
  ]);
});

test("SET inside maps and lists", () => {
  check([
    [{ a: { b: 3, c: 4 }, d: 5 }, "SET a.c = :v", { a: { b: 3, c: 7 }, d: 5 }, { ":v": 7 }],
    [{ a: {} }, "SET a.c = :v", { a: { c: 7 } }, { ":v": 7 }],
    [{ a: ["one", "two", "three"] }, "SET a[1] = :v", { a: ["one", "x", "three"] }, { ":v": "x" }],
    [{ a: { c: { one: 1 } } }, "SET a.c = :v", { a: { c: 7 } }, { ":v": 7 }],
    [
      { a: { b: 3, c: ["hi", { x: { y: [3, 5, 7] } }] } },
      "SET a.c[1].x.y[1] = :v, a.z = a.c[1].x.y[1]",
      { a: { b: 3, c: ["hi", { x: { y: [3, 9, 7] } }], z: 5 } },
      { ":v": 9 },
    ],
    [
      { a: { x: 3, y: 4, c: { y: 3 } }, b: { x: 1, y: 2 } },
      "SET a.b = :v, a.c.d = :w, b.x = :x REMOVE a.x, b.y",
      { a: { y: 4, b: 10, c: { y: 3, d: "dog" } }, b: { x: 17 } },
      { ":v": 10, ":w": "dog", ":x": 17 },
    ],
    [{ a: [] }, "SET a[0] = :v", { a: [1] }, { ":v": 1 }],
    [{ a: [1, 2, 3] }, "SET a[5] = :v", { a: [1, 2, 3, 4] }, { ":v": 4 }],
    [{ a: [1] }, "SET a[2147483647] = :v", { a: [1, 4] }, { ":v": 4 }],
    [
      { a: ["x"] },
      "SET a[84] = :a, a[37] = :b, a[17] = :c, a[50] = :d",
      { a: ["x", "c", "b", "d", "a"] },
      { ":a": "a", ":b": "b", ":c": "c", ":d": "d" },
    ],
    [{ a: [1, 2] }, "SET a[1] = :v, a[2] = a[1]", { a: [1, 9, 2] }, { ":v": 9 }],
    [{ a: [[1], [2]] }, "SET a[0][0] = :v, a[1][7] = :v", { a: [[9], [2, 9]] }, { ":v": 9 }],
    [
      { b: { a: 1, b: 2, c: 3 }, c: [1, 3] },
      "set b.c=((c[1])+(b.a)),b.a = pk,c[1] = pk, c[4] = b.a - b.b, c[2] = b.c add c[8] :b, c[6] :a",
      { b: { a: "k", b: 2, c: 4 }, c: [1, "k", 3, -1, 2, new Set(["a"])] },
      { ":a": 2, ":b": new Set(["a"]) },
    ],
    [{ a: "s" }, "SET a.b = :v", invalidPath, { ":v": 1 }],
    [{ a: "s" }, "SET a[0] = :v", invalidPath, { ":v": 1 }],
    [{ a: ["x"] }, "SET a.b = :v", invalidPath, { ":v": 1 }],
    [{ a: ["x"] }, "SET a.#1 = :v", invalidPath, { ":v": 1 }],
    [{ a: { "1": 1 } }, "SET a[1] = :v", invalidPath, { ":v": 1 }],
    [{}, "SET a.b = :v", invalidPath, { ":v": 1 }],
    [{}, "SET a[0] = :v", invalidPath, { ":v": 1 }],
    [undefined, "SET a.b = :v", invalidPath, { ":v": 1 }],
    [undefined, "SET a[1] = pk", invalidPath],
    [{ a: {} }, "SET a.b.c = :v", invalidPath, { ":v": 1 }],
    [{ a: [1] }, "SET a[1].b = :v", invalidPath, { ":v": 1 }],
    [{ a: [1] }, "SET a[5][0] = :v", invalidPath, { ":v": 1 }],
    // Operands are read before targets are looked at.
    [{}, "SET a.b = c", missing],
    [{}, "SET a.b = :v, c = d", missing, { ":v": 1 }],
  ]);
});

test("if_not_exists, list_append and arithmetic", () => {
  check([
    [{}, "SET a = if_not_exists(a, :v)", { a: 2 }, { ":v": 2 }],
    [undefined, "SET a = if_not_exists(a, :v)", { a: 2 }, { ":v": 2 }],
    [{ a: 1 }, "SET a = if_not_exists(a, :v)", { a: 1 }, { ":v": 2 }],
    [{ a: 1 }, "SET b = if_not_exists(a, :v)", { a: 1, b: 1 }, { ":v": 2 }],
    [{ a: null }, "SET a = if_not_exists(a, :v)", { a: null }, { ":v": 2 }],
    [{ c: 3 }, "SET a = if_not_exists(a, c)", { c: 3, a: 3 }],
    [{}, "SET a = if_not_exists(a, c)", missing],
    [{}, "SET a = if_not_exists(b, if_not_exists(c, :v))", { a: 2 }, { ":v": 2 }],
    [{ m: { x: 1 } }, "SET a = if_not_exists(m.y, m.x)", { m: { x: 1 }, a: 1 }],
    [{}, "SET a = if_not_exists(m.y, :v)", { a: 2 }, { ":v": 2 }],
    [{}, "SET a = if_not_exists(a, :z) + :v", { a: 2 }, { ":v": 2, ":z": 0 }],
    [{ a: 5 }, "SET a = if_not_exists(a, :z) - :v", { a: 3 }, { ":v": 2, ":z": 0 }],
    [{ a: 2 }, "SET a = a + :v", { a: 5 }, { ":v": 3 }],
    [{ a: 2 }, "SET a = :v - a", { a: 1 }, { ":v": 3 }],
    [{ a: 2 }, "SET b = :v - :v", { a: 2, b: 0 }, { ":v": 3 }],
    [{ a: 2, b: 3 }, "SET a = a + b, b = a - b", { a: 5, b: -1 }],
    [{ m: { n: 10 } }, "SET m.n = m.n + :v", { m: { n: 15 } }, { ":v": 5 }],
    [{}, "SET a = a + :v", missing, { ":v": 1 }],
    [{ a: "s" }, "SET a = a + :v", wrongType, { ":v": 1 }],
    [{ a: new Set([1]) }, "SET a = :v - a", wrongType, { ":v": 1 }],
    [{ a: "s" }, "SET a = a + b", wrongType],
    [{}, "SET a = if_not_exists(a, :s) + :v", wrongType, { ":v": 1, ":s": "s" }],
    [{ a: [1] }, "SET a = list_append(a, :v)", { a: [1, 2] }, { ":v": [2] }],
    [{ a: [1] }, "SET a = list_append(:v, a)", { a: [2, 1] }, { ":v": [2] }],
    [{ a: [] }, "SET a = list_append(a, a)", { a: [] }],
    [{ a: [[1]], b: [2] }, "SET c = list_append(a, b)", { a: [[1]], b: [2], c: [[1], 2] }],
    [{}, "SET a = list_append(if_not_exists(a, :e), :v)", { a: [2] }, { ":e": [], ":v": [2] }],
    [{}, "SET a = list_append(a, :v)", missing, { ":v": [2] }],
    [undefined, "SET a = list_append(:v, a)", missing, { ":v": [2] }],
    [{ a: "s" }, "SET a = list_append(a, :v)", wrongType, { ":v": [2] }],
    [{ a: new Set([1]) }, "SET a = list_append(:v, a)", wrongType, { ":v": [2] }],
    [{ d: new Set([1]) }, "SET e = list_append(d, if_not_exists(f, :v))", wrongType, { ":v": [] }],
  ]);
});

test("ADD", () => {
  check([
    [undefined, "ADD a :v", { a: 5 }, { ":v": 5 }],
    [{}, "ADD a :v", { a: 5 }, { ":v": 5 }],
    [{ a: 1 }, "ADD a :v", { a: 6 }, { ":v": 5 }],
    [{ a: 1 }, "ADD a :v", { a: -0.5 }, { ":v": -1.5 }],
    [{ m: { n: 1 } }, "ADD m.n :v", { m: { n: 3 } }, { ":v": 2 }],
    [{ m: {} }, "ADD m.n :v", { m: { n: 2 } }, { ":v": 2 }],
    [{ l: [1] }, "ADD l[0] :v", { l: [3] }, { ":v": 2 }],
    [{ l: [1] }, "ADD l[9] :v", { l: [1, 2] }, { ":v": 2 }],
    [undefined, "ADD a :v", { a: new Set(["a", "b"]) }, { ":v": new Set(["a", "b"]) }],
    [
      { a: new Set(["b", "d"]) },
      "ADD a :v",
      { a: new Set(["a", "b", "c", "d"]) },
      { ":v": new Set(["a", "b", "c"]) },
    ],
    [{ a: new Set(["a"]) }, "ADD a :v", { a: new Set(["", "a"]) }, { ":v": new Set([""]) }],
    [
      { a: new Set([2, 10]) },
      "ADD a :v",
      { a: new Set([-3, 2, 9, 10, 100]) },
      { ":v": new Set([-3, 9, 10, 100]) },
    ],
    [
      { a: new Set([bytes("a"), bytes("c")]) },
      "ADD a :v",
      { a: new Set([bytes("a"), bytes("b"), bytes("c")]) },
      { ":v": new Set([bytes("b"), bytes("c")]) },
    ],
    [
      { a: new Set(["\ue000"]) },
      "ADD a :v",
      { a: new Set(["\ue000", "😀"]) },
      { ":v": new Set(["😀"]) },
    ],
    [{ a: "s" }, "ADD a :v", wrongType, { ":v": 1 }],
    [{ a: 1 }, "ADD a :v", wrongType, { ":v": new Set([1]) }],
    [{ a: new Set([1]) }, "ADD a :v", wrongType, { ":v": 1 }],
    [{ a: new Set([1]) }, "ADD a :v", wrongType, { ":v": new Set(["a"]) }],
    [{ a: [1] }, "ADD a :v", wrongType, { ":v": new Set([1]) }],
    [{ a: { b: new Set(["1"]) } }, "ADD a :v", wrongType, { ":v": new Set([1]) }],
    [{}, "ADD a.b :v", invalidPath, { ":v": 1 }],
    [undefined, "ADD a.b :v", invalidPath, { ":v": 1 }],
    [{ a: "s" }, "ADD a[0] :v", invalidPath, { ":v": 1 }],
  ]);
});

test("DELETE", () => {
  check([
    [
      { a: new Set(["a", "b", "c"]) },
      "DELETE a :v",
      { a: new Set(["a", "c"]) },
      { ":v": new Set(["b", "x"]) },
    ],
    [{ a: new Set([1, 2]) }, "DELETE a :v", { a: new Set([1, 2]) }, { ":v": new Set([3]) }],
    [
      { a: new Set([bytes("a"), bytes("b")]) },
      "DELETE a :v",
      { a: new Set([bytes("b")]) },
      { ":v": new Set([bytes("a")]) },
    ],
    [{ a: new Set([1, 2]), b: 1 }, "DELETE a :v", { b: 1 }, { ":v": new Set([1, 2]) }],
    [{ a: new Set([""]) }, "DELETE a :v", {}, { ":v": new Set([""]) }],
    [{ b: 1 }, "DELETE a :v", { b: 1 }, { ":v": new Set([1]) }],
    [{ m: { s: new Set([1]) } }, "DELETE m.s :v", { m: {} }, { ":v": new Set([1]) }],
    [{ l: [0, new Set([1]), 2] }, "DELETE l[1] :v", { l: [0, 2] }, { ":v": new Set([1]) }],
    [{ l: [0] }, "DELETE l[4] :v", { l: [0] }, { ":v": new Set([1]) }],
    [{ a: 1 }, "DELETE a :v", wrongType, { ":v": new Set([1]) }],
    [{ a: new Set(["1"]) }, "DELETE a :v", wrongType, { ":v": new Set([1]) }],
    [{ a: [1] }, "DELETE a :v", wrongType, { ":v": new Set([1]) }],
    [{}, "DELETE a.b :v", invalidPath, { ":v": new Set([1]) }],
    [{ a: "s" }, "DELETE a[1] :v", invalidPath, { ":v": new Set([1]) }],
  ]);
});

test("REMOVE", () => {
  check([
    [{ a: 1, b: 2 }, "REMOVE a", { b: 2 }],
    [{ a: 1, b: 2 }, "REMOVE a, b, c", {}],
    [{ b: 2 }, "REMOVE a", { b: 2 }],
    [{ a: { b: 1, c: 2 } }, "REMOVE a.b", { a: { c: 2 } }],
    [{ a: { b: 1 } }, "REMOVE a.b", { a: {} }],
    [{ a: { b: 1 } }, "REMOVE a.c", { a: { b: 1 } }],
    [{ a: [1] }, "REMOVE a[0]", { a: [] }],
    [{ a: [1, 2, 3] }, "REMOVE a[1]", { a: [1, 3] }],
    [{ a: [1, 2, 3] }, "REMOVE a[0], a[1]", { a: [3] }],
    [{ a: [1, 2, 3] }, "REMOVE a[2], a[0], a[7]", { a: [2] }],
    [{ a: [1, 2, 3] }, "REMOVE a[17]", { a: [1, 2, 3] }],
    [{ a: [2, 3, 4, 5, 6, 7] }, "REMOVE a[1] SET a[3] = :v", { a: [2, 4, 17, 6, 7] }, { ":v": 17 }],
    [{ a: [2, 3, 4, 5, 6, 7] }, "SET a[3] = :v REMOVE a[1]", { a: [2, 4, 17, 6, 7] }, { ":v": 17 }],
    [{ a: [1, 2] }, "REMOVE a[0] SET a[9] = :v", { a: [2, 3] }, { ":v": 3 }],
    [
      { a: { b: 3, c: ["hi", { x: { y: [3, 5, 7] }, q: 2 }] } },
      "REMOVE a.c[1].x.y[1], a.c[1].q",
      { a: { b: 3, c: ["hi", { x: { y: [3, 7] } }] } },
    ],
    [{ a: [{ b: 1 }, { b: 2 }] }, "REMOVE a[0], a[1].b", { a: [{}] }],
    [{ a: "s" }, "REMOVE a.b", invalidPath],
    [{ a: "s" }, "REMOVE a[0]", invalidPath],
    [{ a: ["s"] }, "REMOVE a.b", invalidPath],
    [{ a: { b: 1 } }, "REMOVE a[0]", invalidPath],
    [{}, "REMOVE a.b", invalidPath],
    [{}, "REMOVE a[0]", invalidPath],
    [{}, "REMOVE a.b SET c = :v", invalidPath, { ":v": 1 }],
  ]);
});

test("an update that only takes away makes no item", () => {
  check([
    [undefined, "REMOVE a", undefined],
    [undefined, "REMOVE a.b, c[0]", undefined],
    [undefined, "DELETE a :v", undefined, { ":v": new Set([1]) }],
    [undefined, "REMOVE a DELETE b.c :v", undefined, { ":v": new Set([1]) }],
    [undefined, "REMOVE a SET b = :v", { b: 1 }, { ":v": 1 }],
    [undefined, "DELETE a :s ADD b :v", { b: 1 }, { ":v": 1, ":s": new Set([1]) }],
    [{}, "REMOVE a", {}],
  ]);
  checkUpdate({ kind: "update", actions: [] }, undefined, {}, "a bare key");
  checkUpdate({ kind: "update", actions: [], legacy: true }, undefined, {}, "no AttributeUpdates");
});

test("limits of numbers and nesting", () => {
  const huge = { N: `${"9".repeat(38)}${"0".repeat(88)}` };
  const tiny = { N: `0.${"0".repeat(129)}1` };
  const small = { N: `0.${"0".repeat(129)}11` };
  const digits = { N: "9".repeat(38) };
  const cases: readonly (readonly [string, Item, Failure | Item])[] = [
    ["ADD a :v", { a: huge, v: huge }, overflow],
    ["SET a = a + :v", { a: huge, v: huge }, overflow],
    ["SET a = a - :v", { a: huge, v: { N: "1" } }, overflow],
    ["SET a = a + :v", { a: digits, v: { N: "0.1" } }, overflow],
    ["SET a = a + :v", { a: { N: "0.1" }, v: { N: "0.2" } }, { a: { N: "0.3" } }],
    ["SET a = a - :v", { a: tiny, v: tiny }, { a: { N: "0" } }],
    ["SET a = a - :v", { a: small, v: tiny }, underflow],
    ["SET a = a - :v", { a: { N: `0.${"0".repeat(129)}2` }, v: tiny }, { a: tiny }],
    ["ADD a :v", { a: digits, v: { N: "1" } }, { a: { N: `1${"0".repeat(38)}` } }],
  ];
  for (const [text, { a, v }, after] of cases) {
    const update = compileUpdate(text, new Placeholders(undefined, { ":v": v ?? { N: "0" } }));
    const before: Item = { ...key, a: a ?? { N: "0" } };
    if ("error" in after && typeof after.error === "string") {
      expect(
        messageOf(() => applyUpdate(update, before, key)),
        text,
      ).toBe(after.error);
    } else {
      expect(applyUpdate(update, before, key).item, text).toEqual({ ...key, ...after });
    }
  }
});

test("a value that moves down a path may not end up too deep", () => {
  const wrapped = (levels: number): Plain => {
    let plain: Plain = "leaf";
    for (let level = 0; level < levels; level++) plain = { m: plain };
    return plain;
  };
  check([
    [{ d: {} }, "SET d.x = :v", { d: { x: wrapped(30) } }, { ":v": wrapped(30) }],
    [{ d: {} }, "SET d.x = :v", tooDeep, { ":v": wrapped(31) }],
    [{ d: [] }, "SET d[0] = :v", tooDeep, { ":v": wrapped(31) }],
    [{ a: wrapped(31), d: {} }, "SET d.x = a", tooDeep],
    [{ a: wrapped(31) }, "SET d = a", { a: wrapped(31), d: wrapped(31) }],
    [{ a: wrapped(31) }, "SET d = a.m", { a: wrapped(31), d: wrapped(30) }],
  ]);
});

test("AttributeUpdates", () => {
  const mismatch = { error: "Type mismatch for attribute to update" };
  const add = (plain: Plain): LegacyUpdate => ({ Action: "ADD", Value: value(plain) });
  const take = (plain: Plain): LegacyUpdate => ({ Action: "DELETE", Value: value(plain) });
  const cases: readonly (readonly [
    PlainItem | undefined,
    Readonly<Record<string, LegacyUpdate>>,
    Case[2],
  ])[] = [
    [{ a: 1, b: 2 }, { a: { Value: value("x") } }, { a: "x", b: 2 }],
    [{ a: 1 }, { a: { Action: "PUT", Value: value("x") } }, { a: "x" }],
    [undefined, { "a.b": { Value: value("x") } }, { "a.b": "x" }],
    [{ a: 1, b: 2 }, { a: { Action: "DELETE" } }, { b: 2 }],
    [{ a: 1 }, { b: { Action: "DELETE" } }, { a: 1 }],
    [undefined, { b: { Action: "DELETE" } }, undefined],
    [undefined, { b: take(new Set([1])) }, undefined],
    [undefined, {}, {}],
    [{ a: 1 }, { a: add(-3.5) }, { a: -2.5 }],
    [{}, { a: add(2) }, { a: 2 }],
    [{ a: new Set([1, 2]) }, { a: add(new Set([2, 3])) }, { a: new Set([1, 2, 3]) }],
    [{}, { a: add(new Set(["x"])) }, { a: new Set(["x"]) }],
    [{ a: [1, 2] }, { a: add([3, 1]) }, { a: [1, 2, 3, 1] }],
    [undefined, { a: add(["x"]) }, { a: ["x"] }],
    [{ a: new Set([1, 2, 3]) }, { a: take(new Set([1, 4])) }, { a: new Set([2, 3]) }],
    [{ a: new Set([1]) }, { a: take(new Set([1])) }, {}],
    [{ b: new Set(["1"]) }, { b: take(new Set([1])) }, mismatch],
    [{ c: 1 }, { c: take(new Set([1])) }, mismatch],
    [{ b: new Set(["1"]) }, { b: add(new Set([1])) }, mismatch],
    [{ d: new Set([1]) }, { d: add(1) }, mismatch],
    [{ d: "s" }, { d: add([1]) }, mismatch],
    [
      undefined,
      {
        b: { Action: "DELETE" },
        c: take(new Set(["a", "b"])),
        d: add(5),
        e: add(new Set(["a", "b"])),
        f: add(["a", 1]),
      },
      { d: 5, e: new Set(["a", "b"]), f: ["a", 1] },
    ],
  ];
  for (const [before, updates, after] of cases) {
    checkUpdate(compileAttributeUpdates(updates), before, after, JSON.stringify(updates));
  }
});

test("what an update does not touch is shared, and it says what it touches", () => {
  const before = item({ pk: "k", a: { x: { y: 1 }, z: { w: 2 } }, b: [[1], [2]], c: { d: 1 } });
  const values = { ":v": value(9) };
  const update = compileUpdate(
    "SET a.x.y = :v, b[1] = :v REMOVE gone, e",
    new Placeholders(undefined, values),
  );
  const { item: after, touched } = applyUpdate(update, { ...before, e: value(1) }, key);
  expect(touched).toEqual(["a", "b", "e"]);
  const at = (root: Item | undefined, ...steps: string[]) =>
    steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], root);
  expect(at(after, "a", "M", "z")).toBe(at(before, "a", "M", "z"));
  expect(at(after, "b", "L", "0")).toBe(at(before, "b", "L", "0"));
  expect(at(after, "c")).toBe(at(before, "c"));
  expect(at(after, "a", "M", "x", "M", "y")).toEqual({ N: "9" });
});

test("hostile attribute names", () => {
  const names = { "#p": "__proto__", "#c": "constructor" };
  const apply = (text: string, before: Item) =>
    applyUpdate(compileUpdate(text, new Placeholders(names, { ":v": value(1) })), before, key).item;
  const made = apply("SET #p = :v, #c = :v", key);
  expect(Object.keys(made ?? {})).toEqual(["pk", "__proto__", "constructor"]);
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  expect(Object.keys(apply("REMOVE #p, #c", made as Item) ?? {})).toEqual(["pk"]);
  const nested = JSON.parse('{"pk":{"S":"k"},"m":{"M":{"__proto__":{"M":{}}}}}') as Item;
  expect(JSON.stringify(apply("SET m.#p.#p = :v", nested))).toBe(
    '{"pk":{"S":"k"},"m":{"M":{"__proto__":{"M":{"__proto__":{"N":"1"}}}}}}',
  );
  expect(messageOf(() => apply("SET a = #c", key))).toBe(missing.error);
  expect(apply("SET a = if_not_exists(#p, :v)", key)).toEqual({ ...key, a: { N: "1" } });
});
