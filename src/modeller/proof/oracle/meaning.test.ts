import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AttributeValue } from "../../../item/attribute-value.ts";
import { normaliseNumber } from "../../../item/number.ts";
import type { OperatorName } from "../../../model/document-parts.ts";
import type { Attribute, Predicate } from "../../../model/requirements.ts";
import { passes } from "../../requests/given.ts";
import { compareBy } from "../../requests/run-plan.ts";
import { compareInOrder, isAskedFor } from "./meaning.ts";

const binary = (text: string): AttributeValue => ({ B: Buffer.from(text).toString("base64") });
const number = (text: string): AttributeValue => ({ N: normaliseNumber(text) as string });

const texts = fc.constantFrom("", "a", "A", "ab", "b", "é", "\uffff", "\u{1f600}", "\u{1f601}a");
const numbers = fc
  .constantFrom(
    "0",
    "-0",
    "1",
    "1.0",
    "10",
    "1e1",
    "9",
    "-9",
    "0.1",
    "1e-100",
    "123456789012345678",
  )
  .map(number);
const types = {
  S: texts.map((S): AttributeValue => ({ S })),
  N: numbers,
  B: fc.constantFrom("", "a", "ab", "b", "é").map(binary),
  BOOL: fc.boolean().map((BOOL): AttributeValue => ({ BOOL })),
  SS: fc.uniqueArray(texts, { minLength: 1 }).map((SS): AttributeValue => ({ SS: SS.toSorted() })),
} as const;
const operators: readonly OperatorName[] = [
  "equals",
  "one-of",
  "less",
  "at-most",
  "greater",
  "at-least",
  "between",
  "begins-with",
  "contains",
];

const cases = fc.constantFrom(...(Object.keys(types) as (keyof typeof types)[])).chain((type) => {
  const member = type === "SS" ? types.S : types[type];
  return fc.record({
    type: fc.constant(type),
    value: fc.option(types[type], { nil: undefined }),
    other: fc.option(types[type], { nil: undefined }),
    operator: fc.constantFrom(...operators),
    operands: fc.array(fc.oneof(types[type], member), { minLength: 2, maxLength: 3 }),
    direction: fc.constantFrom("ascending" as const, "descending" as const),
  });
});

describe("the meaning of conditions and orders", () => {
  test("agrees with the filter and the sort of requests on values of all types", () => {
    fc.assert(
      fc.property(cases, ({ type, value, other, operator, operands, direction }) => {
        const attributes = new Map([["x", { name: "x", type } as unknown as Attribute]]);
        const count = operator === "between" ? 2 : 1;
        const predicate: Predicate = {
          attribute: "x",
          operator,
          operands: operands
            .slice(0, count)
            .map((_, i) => ({ kind: "parameter" as const, name: `p${i}` })),
          exists: true,
        };
        const parameters = new Map<string, readonly AttributeValue[]>(
          operands.slice(0, count).map((one, i) => [`p${i}`, [one]]),
        );
        if (operator === "one-of") parameters.set("p0", operands);
        const values = new Map(value === undefined ? [] : [["x", value]]);
        const given = { parameters, items: () => [], writing: { shard: () => 0, now: 0 } };
        expect(isAskedFor(attributes, [predicate], parameters, values)).toBe(
          passes(given, attributes, [predicate], values),
        );
        const order = [{ attribute: "x", direction }];
        const others = new Map(other === undefined ? [] : [["x", other]]);
        expect(Math.sign(compareInOrder(order, values, others))).toBe(
          Math.sign(compareBy(order, values, others)),
        );
      }),
      { numRuns: 3_000, seed: 20261118 },
    );
  });

  test("zips the lists of values that attributes equal", () => {
    const attributes = new Map(
      ["a", "b"].map((name) => [name, { name, type: "S" } as unknown as Attribute]),
    );
    const where = ["a", "b"].map(
      (attribute): Predicate => ({
        attribute,
        operator: "equals",
        operands: [{ kind: "parameter", name: attribute }],
        exists: true,
      }),
    );
    const parameters = new Map([
      ["a", [{ S: "1" }, { S: "2" }]],
      ["b", [{ S: "x" }, { S: "y" }]],
    ]);
    const entity = (a: string, b: string) =>
      new Map<string, AttributeValue>([
        ["a", { S: a }],
        ["b", { S: b }],
      ]);
    expect(isAskedFor(attributes, where, parameters, entity("1", "x"))).toBe(true);
    expect(isAskedFor(attributes, where, parameters, entity("2", "y"))).toBe(true);
    expect(isAskedFor(attributes, where, parameters, entity("1", "y"))).toBe(false);
  });
});
