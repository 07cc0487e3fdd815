import { expect, test } from "vitest";
import type { Item } from "../item/attribute-value.ts";
import { Placeholders } from "./parser.ts";
import { item, messageOf, type Plain } from "./plain-values.test-support.ts";
import { project } from "./project.ts";
import { compileProjection, parseProjection } from "./projection-parser.ts";

const names = {
  "#a": "a",
  "#b": "[3]",
  "#dot": "x.y",
  "#name": "name",
  "#proto": "__proto__",
  "#toString": "toString",
};

function compile(text: string) {
  return compileProjection(text, new Placeholders(names, undefined));
}

const document = item({
  id: "1",
  a: { b: 1, c: { d: 2, e: 3 }, "x.y": 4 },
  l: ["x", "y", { z: 1, w: 2 }, ["p", "q"], "v"],
  s: "text",
  "x.y": "dot",
  name: "n",
});

test("what a projection keeps", () => {
  const cases: readonly (readonly [string, Record<string, Plain>])[] = [
    ["id", { id: "1" }],
    ["id, s", { id: "1", s: "text" }],
    ["gone", {}],
    ["gone, id", { id: "1" }],
    ["a.b", { a: { b: 1 } }],
    ["a.b, a.c", { a: { b: 1, c: { d: 2, e: 3 } } }],
    ["a.c.d, a.c.e, a.b", { a: { b: 1, c: { d: 2, e: 3 } } }],
    ["a.gone", {}],
    ["a.c.gone, id", { id: "1" }],
    ["a.#dot", { a: { "x.y": 4 } }],
    ["#dot", { "x.y": "dot" }],
    ["#a . c . d", { a: { c: { d: 2 } } }],
    ["l[0]", { l: ["x"] }],
    ["l[4], l[0]", { l: ["x", "v"] }],
    ["l[2].w, l[2].z", { l: [{ w: 2, z: 1 }] }],
    ["l[3][1], l[1], l[2].z", { l: ["y", { z: 1 }, ["q"]] }],
    ["l[9]", {}],
    ["l[0].a", {}],
    ["l.a", {}],
    ["s.a", {}],
    ["s[0]", {}],
    ["a[0]", {}],
    ["#toString, #proto", {}],
    ["#name", { name: "n" }],
  ];
  for (const [text, expected] of cases) {
    expect(project(compile(text), document), text).toEqual(item(expected));
  }
});

test("hostile names are ordinary names", () => {
  const hostile = JSON.parse('{"__proto__":{"S":"own"},"a":{"M":{"__proto__":{"N":"1"}}}}') as Item;
  const kept = project(compile("#proto, #a.#proto"), hostile);
  expect(JSON.stringify(kept)).toBe(JSON.stringify(hostile));
});

test("one projection for many items", () => {
  const projection = compile("#a.b");
  expect(project(projection, item({ a: { b: 1, c: 2 } }))).toEqual(item({ a: { b: 1 } }));
  expect(project(projection, item({ a: { c: 2 } }))).toEqual({});
  expect(project(projection, item({ a: { b: 3 } }))).toEqual(item({ a: { b: 3 } }));
});

test("a projection without placeholders is compiled once", () => {
  expect(compile("id, a.b")).toBe(parseProjection("id, a.b"));
});

test("errors", () => {
  const overlap = (one: string, two: string) =>
    `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`;
  const conflict = (one: string, two: string) =>
    `Two document paths conflict with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`;
  const syntax = (token: string, near: string) =>
    `Syntax error; token: "${token}", near: "${near}"`;
  const cases: readonly (readonly [string, string])[] = [
    ["", "The expression can not be empty;"],
    ["!!!", syntax("!", "!!")],
    ["whatever(stuff)", syntax("(", "whatever(stuff")],
    [":a", syntax(":a", ":a")],
    ["abort,", syntax("<EOF>", ",")],
    ["a,,b", syntax(",", ",,b")],
    ["a..b", syntax(".", "..b")],
    ["a[b]", syntax("b", "[b]")],
    ["a[]", syntax("]", "[]")],
    ["(a.b).c", syntax("(", "(a")],
    ["(a)", syntax("(", "(a")],
    ["a-b", syntax("-", "a-b")],
    ["_id", syntax("_", "_id")],
    ["a b", syntax("b", "a b")],
    ["a.abORt", "Attribute name is a reserved keyword; reserved keyword: abORt"],
    ["#a,ABSoLUTE", "Attribute name is a reserved keyword; reserved keyword: ABSoLUTE"],
    ["#gone, name", "Attribute name is a reserved keyword; reserved keyword: name"],
    [
      "c,b,c,#gone",
      "An expression attribute name used in the document path is not defined; attribute name: #gone",
    ],
    ["a, a", overlap("[a]", "[a]")],
    ["a, #a", overlap("[a]", "[a]")],
    ["a, a.b.c", overlap("[a]", "[a, b, c]")],
    ["a.b, a", overlap("[a, b]", "[a]")],
    ["l, l[0]", overlap("[l]", "[l, [0]]")],
    ["b[1], b.a, #a.b, a", overlap("[a, b]", "[a]")],
    ["a, #a[1]", overlap("[a]", "[a, [1]]")],
    ["a.b, #a[1], #b", conflict("[a, b]", "[a, [1]]")],
    ["a.b[1], #a[1], #b", conflict("[a, b, [1]]", "[a, [1]]")],
    ["a[3].b, #a.#b.b", conflict("[a, [3], b]", "[a, [3], b]")],
    ["s.a, s[0]", conflict("[s, a]", "[s, [0]]")],
  ];
  for (const [text, reason] of cases) {
    expect(
      messageOf(() => compile(text)),
      text,
    ).toBe(`Invalid ProjectionExpression: ${reason}`);
  }
  for (const text of ["a.b, a.c", "l[0].x, l[0].y", "l[0], l[1]", "a, l", "#a, #b"]) {
    expect(
      messageOf(() => compile(text)),
      text,
    ).toBeUndefined();
  }
});
