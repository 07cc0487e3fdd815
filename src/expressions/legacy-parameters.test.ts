import { expect, test } from "vitest";
import type { ComparisonOperator, ExpectedAttributeValue } from "../api/requests/shared.ts";
import type { AttributeValue } from "../item/attribute-value.ts";
import { bindKeyCondition } from "./key-condition.ts";
import { checkConditionalOperator, compileExpected, compileFilter } from "./legacy-condition.ts";
import { compileAttributesToGet, compileKeyConditions } from "./legacy-read.ts";
import { compileAttributeUpdates, type LegacyUpdate } from "./legacy-update.ts";
import { bytes, messageOf, type Plain, value } from "./plain-values.test-support.ts";

const invalid = "One or more parameter values were invalid: ";
const reversed =
  "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound";
const sameType = `${invalid}AttributeValues inside AttributeValueList must be of same type`;

function comparison(operator: ComparisonOperator, ...values: readonly Plain[]) {
  return { ComparisonOperator: operator, AttributeValueList: values.map(value) };
}

const one: AttributeValue = value(1);
const path = { kind: "path", steps: ["a"] };
const constant = { kind: "value", value: one };

test("Expected: which members go together", () => {
  const cases: readonly (readonly [ExpectedAttributeValue, string])[] = [
    [{}, "Value must be provided when Exists is null for Attribute: a"],
    [{ Exists: true }, "Value must be provided when Exists is true for Attribute: a"],
    [{ Exists: false, Value: one }, "Value cannot be used when Exists is false for Attribute: a"],
    [
      { Value: one, AttributeValueList: [] },
      "Value and AttributeValueList cannot be used together for Attribute: a",
    ],
    [
      { Value: one, AttributeValueList: [one], ComparisonOperator: "LT" },
      "Value and AttributeValueList cannot be used together for Attribute: a",
    ],
    [
      { Value: one, AttributeValueList: [one], ComparisonOperator: "LT", Exists: true },
      "Value and AttributeValueList cannot be used together for Attribute: a",
    ],
    [
      { Exists: true, ComparisonOperator: "LT" },
      "Exists and ComparisonOperator cannot be used together for Attribute: a",
    ],
    [
      { Exists: false, ComparisonOperator: "EQ", AttributeValueList: [one] },
      "Exists and ComparisonOperator cannot be used together for Attribute: a",
    ],
    [
      { ComparisonOperator: "LT" },
      "Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a",
    ],
    [
      { ComparisonOperator: "IN" },
      "Value or AttributeValueList must be used with ComparisonOperator: IN for Attribute: a",
    ],
    [
      { AttributeValueList: [] },
      "AttributeValueList can only be used with a ComparisonOperator for Attribute: a",
    ],
    [
      { Exists: true, AttributeValueList: [one] },
      "AttributeValueList can only be used with a ComparisonOperator for Attribute: a",
    ],
    [
      { ComparisonOperator: "EQ", AttributeValueList: [] },
      "Invalid number of argument(s) for the EQ ComparisonOperator",
    ],
    [
      { ComparisonOperator: "NULL", Value: one },
      "Invalid number of argument(s) for the NULL ComparisonOperator",
    ],
    [
      { ComparisonOperator: "BETWEEN", Value: one },
      "Invalid number of argument(s) for the BETWEEN ComparisonOperator",
    ],
    [
      comparison("CONTAINS", [1]),
      "ComparisonOperator CONTAINS is not valid for L AttributeValue type",
    ],
  ];
  for (const [expectation, message] of cases) {
    const got = messageOf(() => compileExpected({ a: expectation }, undefined));
    expect(got, JSON.stringify(expectation)).toBe(invalid + message);
  }
});

test("arguments of comparisons, wherever they stand", () => {
  const count = (operator: ComparisonOperator, ...values: readonly Plain[]) =>
    [
      comparison(operator, ...values),
      `${invalid}Invalid number of argument(s) for the ${operator} ComparisonOperator`,
    ] as const;
  const type = (operator: ComparisonOperator, name: string, ...values: readonly Plain[]) =>
    [
      comparison(operator, ...values),
      `${invalid}ComparisonOperator ${operator} is not valid for ${name} AttributeValue type`,
    ] as const;
  const cases = [
    count("EQ"),
    count("EQ", "a", "a"),
    count("NE"),
    count("NE", "a", "a"),
    count("LE"),
    count("LE", "a", "a"),
    count("LT"),
    count("LT", "a", "a"),
    count("GE"),
    count("GE", "a", "a"),
    count("GT"),
    count("GT", "a", "a"),
    count("CONTAINS"),
    count("CONTAINS", "a", "a"),
    count("NOT_CONTAINS"),
    count("NOT_CONTAINS", "a", "a"),
    count("BEGINS_WITH"),
    count("BEGINS_WITH", "a", "a"),
    count("IN"),
    count("BETWEEN"),
    count("BETWEEN", "a"),
    count("BETWEEN", "a", "b", "c"),
    count("NULL", "a"),
    count("NOT_NULL", "a"),
    // The count is looked at before the types are.
    count("EQ", "a", 1),
    [comparison("IN", "b", 1), sameType] as const,
    [comparison("BETWEEN", "b", 1), sameType] as const,
    [comparison("IN", [1], "b"), sameType] as const,
    type("LT", "BOOL", true),
    type("LE", "NULL", null),
    type("GT", "SS", new Set(["a"])),
    type("GE", "NS", new Set([1])),
    type("IN", "BS", new Set([bytes("a")])),
    type("IN", "M", {}),
    type("LT", "L", []),
    type("CONTAINS", "SS", new Set(["a"])),
    type("CONTAINS", "M", {}),
    type("NOT_CONTAINS", "NS", new Set([1])),
    type("NOT_CONTAINS", "L", []),
    type("BETWEEN", "BOOL", true, true),
    type("BETWEEN", "NULL", null, null),
    type("BETWEEN", "SS", new Set(["b"]), new Set(["a"])),
    type("BEGINS_WITH", "N", 1),
    type("BEGINS_WITH", "BOOL", true),
    type("BEGINS_WITH", "L", []),
    [comparison("BETWEEN", "b", "a"), reversed] as const,
    [comparison("BETWEEN", 10, 9), reversed] as const,
    [comparison("BETWEEN", bytes("b"), bytes("a")), reversed] as const,
  ];
  for (const [condition, message] of cases) {
    const label = JSON.stringify(condition);
    expect(
      messageOf(() => compileFilter({ a: condition }, undefined)),
      label,
    ).toBe(message);
    expect(
      messageOf(() => compileKeyConditions({ a: condition })),
      label,
    ).toBe(message);
    expect(
      messageOf(() => compileExpected({ a: condition }, undefined)),
      label,
    ).toBe(message);
  }
  expect(messageOf(() => compileFilter({ a: { ComparisonOperator: "EQ" } }, undefined))).toBe(
    `${invalid}Invalid number of argument(s) for the EQ ComparisonOperator`,
  );
});

test("what comparisons mean", () => {
  const exists = { kind: "attribute_exists", path };
  const contains = { kind: "contains", subject: path, member: constant };
  const cases: readonly (readonly [ReturnType<typeof comparison>, unknown])[] = [
    [comparison("EQ", 1), { kind: "compare", op: "=", left: path, right: constant }],
    [comparison("NE", 1), { kind: "compare", op: "<>", left: path, right: constant }],
    [comparison("LE", 1), { kind: "compare", op: "<=", left: path, right: constant }],
    [comparison("LT", 1), { kind: "compare", op: "<", left: path, right: constant }],
    [comparison("GE", 1), { kind: "compare", op: ">=", left: path, right: constant }],
    [comparison("GT", 1), { kind: "compare", op: ">", left: path, right: constant }],
    [
      comparison("BETWEEN", 1, 1),
      { kind: "between", subject: path, low: constant, high: constant },
    ],
    [comparison("IN", 1, 1), { kind: "in", subject: path, candidates: [constant, constant] }],
    [comparison("CONTAINS", 1), contains],
    [
      comparison("NOT_CONTAINS", 1),
      { kind: "and", left: exists, right: { kind: "not", inner: contains } },
    ],
    [comparison("NULL"), { kind: "attribute_not_exists", path }],
    [comparison("NOT_NULL"), exists],
    [
      comparison("BEGINS_WITH", "x"),
      { kind: "begins_with", subject: path, prefix: { kind: "value", value: { S: "x" } } },
    ],
    // Equality is known for every type, CONTAINS also looks for booleans and nulls.
    [
      comparison("EQ", { m: [1] }),
      { kind: "compare", op: "=", left: path, right: { kind: "value", value: value({ m: [1] }) } },
    ],
    [
      comparison("CONTAINS", true),
      { kind: "contains", subject: path, member: { kind: "value", value: { BOOL: true } } },
    ],
  ];
  for (const [condition, tree] of cases) {
    expect(compileFilter({ a: condition }, undefined)).toEqual(tree);
    expect(compileExpected({ a: condition }, undefined)).toEqual(tree);
  }
  const equal = cases[0]?.[1];
  expect(compileExpected({ a: { Value: one } }, undefined)).toEqual(equal);
  expect(compileExpected({ a: { Value: one, Exists: true } }, undefined)).toEqual(equal);
  expect(compileExpected({ a: { Value: one, ComparisonOperator: "EQ" } }, undefined)).toEqual(
    equal,
  );
  expect(compileExpected({ a: { Exists: false } }, undefined)).toEqual({
    kind: "attribute_not_exists",
    path,
  });
  expect(compileExpected({ a: { ComparisonOperator: "NOT_NULL" } }, undefined)).toEqual(exists);
  expect(compileFilter({ "a.b[0]": comparison("NULL") }, undefined)).toEqual({
    kind: "attribute_not_exists",
    path: { kind: "path", steps: ["a.b[0]"] },
  });
});

test("several conditions and ConditionalOperator", () => {
  const leaf = (name: string) => ({
    kind: "attribute_exists",
    path: { kind: "path", steps: [name] },
  });
  const three = { a: comparison("NOT_NULL"), b: comparison("NOT_NULL"), c: comparison("NOT_NULL") };
  for (const operator of [undefined, "AND", "OR"] as const) {
    const kind = operator === "OR" ? "or" : "and";
    const tree = {
      kind,
      left: { kind, left: leaf("a"), right: leaf("b") },
      right: leaf("c"),
    };
    expect(compileFilter(three, operator)).toEqual(tree);
    expect(compileExpected(three, operator)).toEqual(tree);
  }
  expect(compileFilter(undefined, undefined)).toBeUndefined();
  expect(compileFilter({}, undefined)).toBeUndefined();
  expect(compileExpected({}, undefined)).toBeUndefined();
  const alone = "ConditionalOperator cannot be used without Filter or Expected";
  const forOne =
    "ConditionalOperator can only be used when Filter or Expected has two or more elements";
  const bad = { a: comparison("EQ") };
  expect(messageOf(() => compileFilter(undefined, "AND"))).toBe(alone);
  expect(messageOf(() => compileFilter({}, "OR"))).toBe(alone);
  expect(messageOf(() => compileExpected({}, "OR"))).toBe(alone);
  expect(messageOf(() => compileFilter(bad, "AND"))).toBe(forOne);
  expect(messageOf(() => compileExpected(bad, "OR"))).toBe(forOne);
  expect(messageOf(() => checkConditionalOperator("AND", { a: 1, b: 2 }))).toBeUndefined();
});

test("thousands of conditions make a shallow tree", () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`a${index}`, comparison("NULL")]),
  );
  let depth = 0;
  for (let node = compileFilter(many, "OR"); node?.kind === "or"; node = node.left) depth++;
  expect(depth).toBe(14);
});

test("KeyConditions", () => {
  const compile = (condition: ReturnType<typeof comparison>) =>
    compileKeyConditions({ a: condition }).comparisons[0];
  expect(compile(comparison("EQ", 1))).toEqual({ attribute: "a", is: { op: "=", value: one } });
  expect(compile(comparison("LE", 1))?.is).toEqual({ op: "<=", value: one });
  expect(compile(comparison("LT", 1))?.is).toEqual({ op: "<", value: one });
  expect(compile(comparison("GE", 1))?.is).toEqual({ op: ">=", value: one });
  expect(compile(comparison("GT", 1))?.is).toEqual({ op: ">", value: one });
  expect(compile(comparison("BEGINS_WITH", "x"))?.is).toEqual({
    op: "begins_with",
    value: { S: "x" },
  });
  expect(compile(comparison("BETWEEN", 1, 2))?.is).toEqual({
    op: "between",
    low: one,
    high: { N: "2" },
  });
  const schema = { hash: [{ name: "a", type: "N" as const }], range: [] };
  for (const condition of [
    comparison("NE", 1),
    comparison("NULL"),
    comparison("NOT_NULL"),
    comparison("CONTAINS", "x"),
    comparison("NOT_CONTAINS", "x"),
    comparison("IN", 1),
  ]) {
    // Only the key schema says whether it is the comparison that is refused first.
    const compiled = compileKeyConditions({ a: condition });
    expect(compiled).toEqual({ kind: "key-condition", comparisons: [], unindexable: ["a"] });
    expect(messageOf(() => bindKeyCondition(compiled, schema))).toBe(
      "Attempted conditional constraint is not an indexable operation",
    );
    expect(messageOf(() => bindKeyCondition(compileKeyConditions({ z: condition }), schema))).toBe(
      "Query condition missed key schema element: a",
    );
  }
  expect(messageOf(() => compileKeyConditions({}))).toBe("Conditions can be of length 1 or 2 only");
  const several = {
    a: comparison("EQ", 1),
    b: comparison("EQ", 1),
    c: comparison("GT", 1),
  };
  const { comparisons } = compileKeyConditions(several);
  expect(comparisons.map(({ attribute }) => attribute)).toEqual(["a", "b", "c"]);
  // All arguments are judged before any operator is.
  const late = { a: comparison("NE", 1), b: comparison("EQ") };
  expect(messageOf(() => compileKeyConditions(late))).toBe(
    `${invalid}Invalid number of argument(s) for the EQ ComparisonOperator`,
  );
});

test("AttributesToGet", () => {
  expect(compileAttributesToGet(["a.b", "__proto__", "c[0]"])).toEqual({
    kind: "projection",
    paths: [
      { kind: "path", steps: ["a.b"] },
      { kind: "path", steps: ["__proto__"] },
      { kind: "path", steps: ["c[0]"] },
    ],
  });
  expect(messageOf(() => compileAttributesToGet(["b", "a", "c", "a", "b"]))).toBe(
    `${invalid}Duplicate value in attribute name: a`,
  );
});

test("AttributeUpdates: actions and their values", () => {
  const without = "Only DELETE action is allowed when no attribute value is specified";
  const cases: readonly (readonly [LegacyUpdate, string])[] = [
    [{}, without],
    [{ Action: "PUT" }, without],
    [{ Action: "ADD" }, without],
    ...(["S", "N", "B", "NULL", "BOOL", "M", "L"] as const).map(
      (type) =>
        [
          { Action: "DELETE", Value: samples[type] },
          `DELETE action with value is not supported for the type ${type}`,
        ] as const,
    ),
    ...(["S", "B", "NULL", "BOOL", "M"] as const).map(
      (type) =>
        [
          { Action: "ADD", Value: samples[type] },
          `ADD action is not supported for the type ${type}`,
        ] as const,
    ),
  ];
  for (const [update, message] of cases) {
    const got = messageOf(() => compileAttributeUpdates({ a: update }));
    expect(got, JSON.stringify(update)).toBe(invalid + message);
  }
  const good = {
    a: { Value: one },
    "b.c": { Action: "ADD", Value: one },
    d: { Action: "DELETE" },
    e: { Action: "DELETE", Value: value(new Set([1])) },
  } as const;
  const at = (name: string) => ({ kind: "path", steps: [name] });
  expect(compileAttributeUpdates(good)).toEqual({
    kind: "update",
    legacy: true,
    actions: [
      { kind: "set", path: at("a"), value: constant },
      { kind: "add", path: at("b.c"), value: one },
      { kind: "remove", path: at("d") },
      { kind: "delete", path: at("e"), value: { NS: ["1"] } },
    ],
  });
});

const samples = {
  S: value("1"),
  N: value(1),
  B: value(bytes("b")),
  NULL: value(null),
  BOOL: value(true),
  M: value({}),
  L: value([]),
};
