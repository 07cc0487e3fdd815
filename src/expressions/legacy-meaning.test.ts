import { expect, test } from "vitest";
import type { ExpectedAttributeValue } from "../api/requests/shared.ts";
import { evaluate } from "./evaluate.ts";
import { compileExpected } from "./legacy-condition.ts";
import { bytes, item, type Plain, value } from "./plain-values.test-support.ts";

const stored = item({
  s: "hello",
  n: 10,
  b: bytes("hi there"),
  ss: new Set(["a", "b"]),
  ns: new Set([2, 4, 7]),
  l: [2, "x", null],
  m: { k: 1 },
  null: null,
  bool: false,
  "a.b": 1,
});

type Operator = NonNullable<ExpectedAttributeValue["ComparisonOperator"]>;

test("what legacy comparisons say about an item", () => {
  const cases: readonly (readonly [string, Operator, readonly Plain[], boolean])[] = [
    ["s", "EQ", ["hello"], true],
    ["s", "EQ", [1], false],
    ["ss", "EQ", [new Set(["a", "b"])], true],
    ["m", "EQ", [{ k: 1 }], true],
    ["bool", "EQ", [false], true],
    ["null", "EQ", [null], true],
    ["missing", "EQ", [1], false],
    ["a.b", "EQ", [1], true],
    ["m.k", "EQ", [1], false],
    ["n", "NE", [10], false],
    ["n", "NE", [11], true],
    ["n", "NE", ["10"], true],
    ["missing", "NE", [1], true],
    ["n", "LE", [10], true],
    ["n", "LE", [9], false],
    ["n", "LT", [10], false],
    ["n", "LT", [11], true],
    ["s", "GE", ["hello"], true],
    ["s", "GT", ["hello"], false],
    ["s", "GT", ["hell"], true],
    ["n", "GT", ["1"], false],
    ["missing", "LT", [1], false],
    ["missing", "GE", [1], false],
    ["n", "BETWEEN", [10, 10], true],
    ["n", "BETWEEN", [2, 9], false],
    ["n", "BETWEEN", ["1", "2"], false],
    ["b", "BETWEEN", [bytes("h"), bytes("i")], true],
    ["missing", "BETWEEN", [0, 99], false],
    ["n", "IN", [1, 10], true],
    ["n", "IN", [1, 2], false],
    ["ns", "IN", [2, 4, 7], false],
    ["missing", "IN", [1], false],
    ["s", "BEGINS_WITH", ["hell"], true],
    ["s", "BEGINS_WITH", ["ell"], false],
    ["b", "BEGINS_WITH", [bytes("hi")], true],
    ["n", "BEGINS_WITH", ["1"], false],
    ["missing", "BEGINS_WITH", ["h"], false],
    ["s", "CONTAINS", ["ell"], true],
    ["s", "CONTAINS", [1], false],
    ["b", "CONTAINS", [bytes("here")], true],
    ["ss", "CONTAINS", ["a"], true],
    ["ns", "CONTAINS", [4], true],
    ["ns", "CONTAINS", [1], false],
    ["l", "CONTAINS", [2], true],
    ["l", "CONTAINS", [null], true],
    ["l", "CONTAINS", [7], false],
    ["missing", "CONTAINS", [1], false],
    ["s", "NOT_CONTAINS", ["dog"], true],
    ["s", "NOT_CONTAINS", ["ell"], false],
    ["s", "NOT_CONTAINS", [1], true],
    ["ns", "NOT_CONTAINS", [4], false],
    ["l", "NOT_CONTAINS", [7], true],
    // Not the opposite of CONTAINS here: both are false.
    ["missing", "NOT_CONTAINS", [1], false],
    ["null", "NULL", [], false],
    ["missing", "NULL", [], true],
    ["null", "NOT_NULL", [], true],
    ["missing", "NOT_NULL", [], false],
  ];
  for (const [name, operator, arguments_, holds] of cases) {
    const condition = compileExpected(
      { [name]: { ComparisonOperator: operator, AttributeValueList: arguments_.map(value) } },
      undefined,
    );
    const label = `${name} ${operator} ${JSON.stringify(arguments_)}`;
    expect(condition && evaluate(condition, stored), label).toBe(holds);
  }
});

test("Value and Exists, several attributes, no item", () => {
  const cases: readonly (readonly [
    Readonly<Record<string, ExpectedAttributeValue>>,
    "AND" | "OR" | undefined,
    boolean,
  ])[] = [
    [{ n: { Value: value(10) } }, undefined, true],
    [{ n: { Value: value(11), Exists: true } }, undefined, false],
    [{ n: { Exists: false } }, undefined, false],
    [{ missing: { Exists: false } }, undefined, true],
    [{ missing: { Value: value(1) } }, undefined, false],
    [{ n: { Value: value(10) }, missing: { Exists: false } }, undefined, true],
    [{ n: { Value: value(10) }, s: { Exists: false } }, "AND", false],
    [{ n: { Value: value(11) }, missing: { Exists: false } }, "OR", true],
    [{ n: { Value: value(11) }, s: { Exists: false } }, "OR", false],
  ];
  for (const [expected, operator, holds] of cases) {
    const condition = compileExpected(expected, operator);
    expect(condition && evaluate(condition, stored), JSON.stringify(expected)).toBe(holds);
  }
  const absent = compileExpected({ n: { Exists: false } }, undefined);
  expect(absent && evaluate(absent, undefined)).toBe(true);
});
