import { marshall } from "@aws-sdk/util-dynamodb";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AttributeValue } from "../../src/item/attribute-value.ts";
import { normaliseNumber } from "../../src/item/number.ts";
import type { Attribute } from "../../src/model/requirements.ts";
import { compareBy } from "../../src/modeller/requests/run-plan.ts";
import { spanValues } from "../../src/modeller/requests/span.ts";
import { compares } from "../../src/modeller/values/holds.ts";
import { timeOf } from "../../src/modeller/values/time-of.ts";
import { byAttributes, type Comparison, holds, sameValue } from "../../src/patterns/holds.ts";
import { ksuid } from "../../src/patterns/ksuid.ts";
import { momentOf, spanBetween } from "../../src/patterns/span.ts";
import { ulid } from "../../src/patterns/ulid.ts";

// What programs look at after reading must mean what the service and the modeller mean by it.

const bytes = fc.uint8Array({ minLength: 1, maxLength: 3 });
const scalar = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 3 }),
  fc.integer({ min: -20, max: 20 }),
  fc.integer({ min: -200, max: 200 }).map((tenths) => tenths / 10),
  fc.bigInt({ min: -20n, max: 20n }),
  bytes,
);
const distinct = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<Set<T>> =>
  fc.uniqueArray(one, { minLength: 1, maxLength: 3 }).map((list) => new Set(list));
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  fc.boolean(),
  fc.constant(null),
  distinct(fc.string({ maxLength: 2 })),
  distinct(fc.integer({ min: 0, max: 5 })),
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(
    fc.string({ maxLength: 2 }).filter((name) => name !== "__proto__"),
    scalar,
    {
      maxKeys: 2,
    },
  ),
);

/** As the service keeps what the document client sends: binaries as base64, numbers in their normal form. */
function stored(native: unknown): AttributeValue {
  return canonical(marshall({ native }).native as never);
}

function canonical(one: Record<string, unknown>): AttributeValue {
  const [type = "", inner] = Object.entries(one)[0] ?? [];
  if (type === "N") return { N: normaliseNumber(inner as string) as string };
  if (type === "B") return { B: Buffer.from(inner as Uint8Array).toString("base64") };
  if (type === "NS")
    return { NS: (inner as string[]).map((text) => normaliseNumber(text) as string) };
  if (type === "L") return { L: (inner as never[]).map(canonical) };
  if (type === "M") {
    const members = Object.entries(inner as Record<string, never>);
    return { M: Object.fromEntries(members.map(([name, member]) => [name, canonical(member)])) };
  }
  return one as unknown as AttributeValue;
}

describe("conditions on what was read", () => {
  const operators: readonly Comparison[] = [
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

  test("mean what the modeller means", () => {
    // Values that are close to each other, or conditions would hardly ever hold.
    const related = fc
      .tuple(value, value, value)
      .chain(([a, b, c]) => fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(a, b, c))));
    fc.assert(
      fc.property(related, fc.constantFrom(...operators), ([one, first, second], operator) => {
        const operands =
          operator === "between" || operator === "one-of" ? [first, second] : [first];
        const predicate = { operator, exists: false };
        const expected = compares(predicate, stored(one), operands.map(stored));
        expect(holds(one, operator, ...operands)).toBe(expected);
      }),
      { numRuns: 1_500 },
    );
  });

  test("say whether values are the same", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(sameValue(a, a)).toBe(true);
        expect(sameValue(a, b)).toBe(
          compares({ operator: "equals", exists: false }, stored(a), [stored(b)]),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test("find parts of texts, sets and lists", () => {
    const part = fc.string({ minLength: 1, maxLength: 2 });
    const parts = fc.array(part, { maxLength: 4 });
    const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
    fc.assert(
      fc.property(parts, part, (list, one) => {
        const wholes = [list.join(""), list, ...(list.length > 0 ? [new Set(list)] : [])];
        for (const whole of wholes) {
          for (const operator of ["contains", "begins-with"] as const) {
            const expected = compares({ operator, exists: false }, stored(whole), [stored(one)]);
            expect(holds(whole, operator, one)).toBe(expected);
          }
        }
        const [whole, some] = [bytesOf(list.join("")), bytesOf(one)];
        expect(holds(whole, "contains", some)).toBe(list.join("").includes(one));
        expect(holds(whole, "begins-with", some)).toBe(list.join("").startsWith(one));
      }),
    );
  });
});

test("items are sorted by several attributes as the modeller sorts them", () => {
  const item = fc.record(
    { a: fc.integer({ min: 0, max: 2 }), b: fc.constantFrom("", "a", "b", "\uFFFD", "\u{1F600}") },
    { requiredKeys: [] },
  );
  const direction = fc.constantFrom("ascending" as const, "descending" as const);
  fc.assert(
    fc.property(item, item, direction, direction, (one, other, first, second) => {
      const values = (of: object) =>
        new Map(Object.entries(of).map(([name, native]) => [name, stored(native)]));
      const order = [
        { attribute: "a", direction: first },
        { attribute: "b", direction: second },
      ];
      const expected = compareBy(order as never, values(one), values(other));
      const mine = byAttributes(["a", first], ["b", second])(one, other);
      expect(Math.sign(mine)).toBe(Math.sign(expected));
    }),
    { numRuns: 500 },
  );
});

describe("times in values", () => {
  const moment = fc.integer({
    min: Date.parse("2020-01-01T00:00:00.000Z"),
    max: Date.parse("2030-01-01T00:00:00.000Z"),
  });
  const written = {
    "iso-date": (time: number) => new Date(time).toISOString().slice(0, 10),
    "iso-time": (time: number) => new Date(time).toISOString(),
    "epoch-seconds": (time: number) => Math.floor(time / 1_000),
    "epoch-milliseconds": (time: number) => time,
    ulid: (time: number) => ulid({ time: () => time }),
    ksuid: (time: number) => ksuid({ time: () => time }),
  } as const;
  const format = fc.constantFrom(...(Object.keys(written) as (keyof typeof written)[]));

  test("are the modeller's", () => {
    fc.assert(
      fc.property(moment, format, (time, kind) => {
        const native = written[kind](time);
        expect(momentOf(native, kind)).toBe(timeOf({ format: kind }, stored(native)));
      }),
    );
  });

  test("of a span are the modeller's", () => {
    const kinds = fc.constantFrom(
      "iso-date",
      "iso-time",
      "epoch-seconds",
      "epoch-milliseconds" as const,
    );
    const unit = fc.constantFrom("day", "month", "year" as const);
    fc.assert(
      fc.property(moment, fc.nat(400 * 86_400_000), kinds, unit, (from, length, kind, cut) => {
        const make = written[kind as "iso-time"];
        const [first, last] = [make(from), make(from + length)];
        const attribute = {
          name: "at",
          format: kind,
          type: kind.startsWith("iso") ? "S" : "N",
        } as unknown as Attribute;
        const operands = [first, last].map((one) => ({ kind: "constant", value: one }));
        const expected = spanValues(
          attribute,
          { attribute: "at", operator: "between", operands } as never,
          [{ kind: "truncate", unit: cut as "day" }],
          {} as never,
        );
        const mine = spanBetween(first, last, cut as "day", kind as "iso-time");
        expect(mine.map(stored)).toEqual(expected);
      }),
    );
  });
});
