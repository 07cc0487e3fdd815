import { expect, test } from "vitest";
import type { AttributeValue } from "./attribute-value.ts";
import {
  compareBinaries,
  compareTexts,
  compareValues,
  equalValues,
  itemsEqual,
} from "./compare.ts";

const distinct: readonly AttributeValue[] = [
  { S: "1" },
  { S: "" },
  { N: "1" },
  { N: "1.5" },
  { B: "AA==" },
  { B: "" },
  { BOOL: true },
  { BOOL: false },
  { NULL: true },
  { SS: ["a", "b"] },
  { SS: ["a"] },
  { SS: ["a", "c"] },
  { NS: ["1", "2"] },
  { NS: ["1"] },
  { BS: ["AA==", "AQ=="] },
  { BS: ["AA=="] },
  { L: [] },
  { L: [{ S: "a" }, { S: "b" }] },
  { L: [{ S: "b" }, { S: "a" }] },
  { L: [{ S: "a" }] },
  { M: {} },
  { M: { a: { S: "x" } } },
  { M: { b: { S: "x" } } },
  { M: { a: { S: "y" } } },
  { M: { a: { S: "x" }, b: { N: "1" } } },
];

test("a value equals itself and its copy, and no other", () => {
  for (const [i, a] of distinct.entries()) {
    expect(equalValues(a, structuredClone(a))).toBe(true);
    for (const [j, b] of distinct.entries()) {
      expect(equalValues(a, b), `${JSON.stringify(a)} ? ${JSON.stringify(b)}`).toBe(i === j);
    }
  }
});

test("sets and maps are equal in whatever order", () => {
  expect(equalValues({ SS: ["a", "b"] }, { SS: ["b", "a"] })).toBe(true);
  expect(equalValues({ NS: ["1", "2", "3"] }, { NS: ["3", "1", "2"] })).toBe(true);
  expect(equalValues({ BS: ["AA==", "AQ=="] }, { BS: ["AQ==", "AA=="] })).toBe(true);
  expect(itemsEqual({ a: { N: "1" }, b: { N: "2" } }, { b: { N: "2" }, a: { N: "1" } })).toBe(true);
  expect(itemsEqual({ a: { N: "1" } }, { a: { N: "1" }, b: { N: "2" } })).toBe(false);
});

test("names of Object's members are names like others", () => {
  const own = JSON.parse('{"__proto__":{"S":"x"}}');
  expect(itemsEqual(own, {})).toBe(false);
  expect(itemsEqual({ constructor: { S: "x" } }, { a: { S: "x" } })).toBe(false);
  expect(itemsEqual(own, JSON.parse('{"__proto__":{"S":"x"}}'))).toBe(true);
});

test("texts order by their UTF-8 bytes", () => {
  const texts = ["", "\0", "A", "Z", "a", "aa", "b", "é", "\ud7ff", "\ue000", "\uffff", "😀", "😁"];
  for (const a of texts) {
    for (const b of texts) {
      const order = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(compareTexts(a, b)), `${a} ? ${b}`).toBe(order);
    }
  }
});

test("binaries order by their unsigned bytes", () => {
  const binaries = [
    [],
    [0],
    [0, 0],
    [0, 0, 0],
    [0, 1],
    [1],
    [127],
    [128],
    [250],
    [251, 255],
    [255],
  ];
  for (const a of binaries) {
    for (const b of binaries) {
      const [left, right] = [Buffer.from(a), Buffer.from(b)];
      const order = compareBinaries(left.toString("base64"), right.toString("base64"));
      expect(Math.sign(order), `${a} ? ${b}`).toBe(Buffer.compare(left, right));
    }
  }
});

test("only values of one ordered type compare", () => {
  expect(compareValues({ S: "a" }, { S: "b" })).toBeLessThan(0);
  expect(compareValues({ N: "10" }, { N: "9" })).toBeGreaterThan(0);
  expect(compareValues({ B: "/w==" }, { B: "AA==" })).toBeGreaterThan(0);
  expect(compareValues({ S: "1" }, { N: "1" })).toBeUndefined();
  expect(compareValues({ B: "AA==" }, { S: "AA==" })).toBeUndefined();
  expect(compareValues({ BOOL: true }, { BOOL: true })).toBeUndefined();
  expect(compareValues({ L: [] }, { L: [] })).toBeUndefined();
});
