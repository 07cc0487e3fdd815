import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AttributeValue } from "../../src/item/attribute-value.ts";
import { compareValues } from "../../src/item/compare.ts";
import { normaliseNumber } from "../../src/item/number.ts";
import { parseKeyText, type Transform } from "../../src/model/key-text.ts";
import type { Attribute } from "../../src/model/requirements.ts";
import { rangeText } from "../../src/modeller/requests/key-range.ts";
import { gatheredKeys, prefixOf, renderKey } from "../../src/modeller/values/render-key.ts";
import * as reference from "../../src/modeller/values/time-of.ts";
import { transformed } from "../../src/modeller/values/transform.ts";
import { inRange } from "../../src/patterns/conditions.ts";
import { Placeholders } from "../../src/patterns/expression.ts";
import { CompositeKey } from "../../src/patterns/key.ts";
import { type PartTransform, partText } from "../../src/patterns/key-parts.ts";
import { parseTemplate } from "../../src/patterns/key-template.ts";
import { numberText } from "../../src/patterns/numbers.ts";
import { periodName, periodStart } from "../../src/patterns/period.ts";
import { compareKeyValues } from "../../src/patterns/values.ts";

// What programs write with these helpers is read with plans of the model, so both must make the same keys.

const units = ["minute", "hour", "day", "month", "year"] as const;
const unit = fc.constantFrom(...units);
const moment = fc.integer({ min: 0, max: Date.parse("2200-01-01T00:00:00.000Z") });

const transform: fc.Arbitrary<PartTransform> = fc.oneof(
  fc.record({ kind: fc.constant("pad" as const), digits: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constantFrom("lower" as const, "upper" as const, "descending" as const) }),
  fc.record({ kind: fc.constant("cut" as const), unit }),
);
const format = fc.record({
  format: fc.constantFrom(undefined, "epoch-seconds" as const, "epoch-milliseconds" as const),
  digits: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
});
const value = fc.oneof(
  fc.string({ unit: "grapheme" }),
  moment.map((time) => new Date(time).toISOString()),
  moment,
  fc.integer({ min: -1_000, max: 1_000_000_000 }),
  fc.bigInt({ min: -5n, max: 10n ** 30n }),
  fc.double({ min: 1e-6, max: 1e20, noNaN: true }),
);

/** As the service keeps what the document client sends. */
function stored(one: string | number | bigint): AttributeValue {
  if (typeof one === "string") return { S: one };
  const N = normaliseNumber(String(one));
  if (typeof N !== "string") throw new Error(N.problem);
  return { N };
}

const tried = <T>(make: () => T): T | "refused" => {
  try {
    return make();
  } catch {
    return "refused";
  }
};

describe("the helpers and the modeller", () => {
  test("print numbers alike", () => {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(any, (number) => {
        const normal = normaliseNumber(String(number));
        expect(tried(() => numberText(number))).toBe(
          typeof normal === "string" ? normal : "refused",
        );
      }),
      { numRuns: 500 },
    );
  });

  test("make the same text of a value, and refuse the same", () => {
    fc.assert(
      fc.property(value, fc.array(transform, { maxLength: 3 }), format, (one, steps, known) => {
        const theirs = steps.map((step) =>
          step.kind === "cut" ? { kind: "truncate" as const, unit: step.unit } : step,
        );
        const expected = tried(() => transformed({ name: "a", ...known }, theirs, stored(one)));
        expect(tried(() => partText(one, steps, known))).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test("sort key values alike", () => {
    // Around the code units that stand for the higher code points, UTF-16 and UTF-8 disagree.
    const characters = ["", "Z", "a", "é", "\uD7FF", "\uE000", "\uFFFD", "\u{10000}", "\u{10FFFF}"];
    const text = fc
      .array(fc.constantFrom(...characters), { maxLength: 4 })
      .map((all) => all.join(""));
    const number = fc.oneof(
      fc.integer(),
      fc.integer({ min: -1_000_000, max: 1_000_000 }).map((thousandths) => thousandths / 1_000),
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    );
    const pair = fc.oneof(fc.tuple(text, text), fc.tuple(number, number));
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const expected = Math.sign(compareValues(stored(a), stored(b)) ?? Number.NaN);
        expect(Math.sign(compareKeyValues(a, b))).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  test("name and begin the same periods", () => {
    const every = fc.constantFrom("day", "week", "month", "quarter", "year" as const);
    fc.assert(
      fc.property(every, moment, (kind, time) => {
        const one = kind as "day";
        expect(periodName(one, time)).toBe(reference.periodName(one, time));
        expect(periodStart(one, time)).toBe(reference.periodStart(one, time));
      }),
    );
  });
});

describe("templates of the helpers and key texts of the model", () => {
  const literal = fc.constantFrom("#", "A#", "/", "{{", "}}", "");
  const part = fc.oneof(
    fc.constantFrom("{a}", "{b}", "{n|pad:8}", "{n|descending}", "{a|lower}", "{b|upper}"),
    fc.constantFrom("{t|day}", "{t|hour|descending}", "{e|month}", "{e|descending}"),
    fc.constantFrom("{shard:10}", "{shard:7:a}", "{shard:12:n|pad:4}", "{shard:24:hour}"),
    fc.constantFrom("{shard:12:month}", "{shard:4:year}", "{shard:60:minute}", "{shard:31:day}"),
  );
  const template = fc
    .array(fc.tuple(literal, part), { minLength: 1, maxLength: 5 })
    // Each shard multiplies the keys there are.
    .filter((pieces) => pieces.filter(([, one]) => one.startsWith("{shard")).length <= 2)
    .map((pieces) => pieces.flat().join(""))
    // A part alone is no text: it keeps its type.
    .map((text) => `K${text}`);
  const values = fc.record(
    {
      a: fc.string({ unit: "grapheme" }),
      b: fc.string(),
      n: fc.integer({ min: 0, max: 9_999_999 }),
      t: moment.map((time) => new Date(time).toISOString()),
      e: moment.map((time) => Math.floor(time / 1_000)),
    },
    { requiredKeys: [] },
  );
  const parts = { n: { digits: 7 }, e: { format: "epoch-seconds" as const } };
  const attributes = new Map(
    ["a", "b", "n", "t", "e"].map((name) => [
      name,
      {
        name,
        type: name === "n" || name === "e" ? "N" : "S",
        format: name === "e" ? "epoch-seconds" : undefined,
        digits: name === "n" ? 7 : undefined,
      } as Attribute,
    ]),
  );

  const texts = (template: string) =>
    parseKeyText(template, (message) => {
      throw new Error(message);
    });
  /** The words of the helpers for the model's. */
  const named = (
    kind: "part" | "calculated",
    { attribute, transforms }: { attribute: string; transforms: readonly Transform[] },
  ) => ({
    kind,
    name: attribute,
    transforms: transforms.map((one) => (one.kind === "truncate" ? { ...one, kind: "cut" } : one)),
  });
  const knownOf = (given: Readonly<Record<string, string | number>>) => ({
    entity: { attributes },
    values: new Map(Object.entries(given).map(([name, one]) => [name, stored(one)])),
  });

  test("are read alike, and refused alike", () => {
    const piece = fc.constantFrom(
      ...["{", "}", "{{", "}}", "a", "#", "|", ":", "{a}", "{a|", "lower", "day", "pad:8", "pad:0"],
      ...[
        "pad:39",
        "{shard:",
        "10",
        "1",
        "10001",
        "hour",
        "{shard}",
        "{shards}",
        "{}",
        "descending}",
      ],
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (one) => {
        const expected = tried(() =>
          texts(one).segments.map((segment) => {
            if (segment.kind === "attribute") return named("part", segment);
            if (segment.kind === "text" || segment.by.kind !== "calculated") return segment;
            return { ...segment, by: named("calculated", segment.by) };
          }),
        );
        expect(tried(() => parseTemplate(one))).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  test("say the same", () => {
    fc.assert(
      fc.property(template, values, moment, fc.nat(1_000_000), (text, given, now, drawn) => {
        const key = new CompositeKey<string>(text, { parts });
        const known = knownOf(given);
        const writing = { now, shard: (count: number) => drawn % count };
        const rendered = renderKey(texts(text), { ...known, writing });
        expect(key.maybe(given, writing)).toBe((rendered as { S: string } | undefined)?.S);
        const all = gatheredKeys(texts(text), known)?.map((one) => (one as { S: string }).S);
        expect(tried(() => key.all(given as Record<string, string>))).toEqual(all ?? "refused");
        expect(key.prefix(given)).toBe(prefixOf(texts(text), known).prefix);
      }),
      { numRuns: 500 },
    );
  });

  test("make the same condition of a range", () => {
    const operator = fc.constantFrom(
      ...(["less", "at-most", "greater", "at-least", "between", "begins-with"] as const),
    );
    const before = fc.constantFrom("", "P#", "{a}#");
    const ranged = fc.constantFrom("{t}", "{t|day}", "{t|descending}", "{t|month|descending}");
    const after = fc.constantFrom("", "#{b}");
    const bound = moment.map((time) => new Date(time).toISOString());
    fc.assert(
      fc.property(operator, before, ranged, after, bound, bound, (op, head, middle, tail, x, y) => {
        const text = head + middle + tail;
        // A part alone is a range of its own type.
        fc.pre(text !== "{t}");
        const bounds = op === "between" ? [x, y] : [x];
        const key = new CompositeKey<string>(text);
        const range = key.range({ a: "anna" }, op, ...bounds);
        const mine = new Placeholders();
        const written = inRange("sk", range).write(mine);
        const theirs = new Placeholders();
        const parsed = texts(text);
        const expected = rangeText(
          {
            attribute: { name: "sk" },
            kind: "range",
            text: parsed,
            segments: parsed.segments.findIndex(
              (one) => one.kind === "attribute" && one.attribute === "t",
            ),
            predicate: {
              attribute: "t",
              operator: op,
              exists: undefined,
              operands: bounds.map((one) => ({ kind: "constant", value: one })),
            },
          } as unknown as Parameters<typeof rangeText>[0],
          knownOf({ a: "anna" }),
          attributes,
          {} as Parameters<typeof rangeText>[3],
          {
            name: (name: string) => theirs.name(name),
            value: (one: { readonly S: string }) => theirs.value(one.S),
          } as unknown as Parameters<typeof rangeText>[4],
        );
        expect(written).toBe(expected.text);
        expect(mine.members()).toEqual(theirs.members());
        expect(range.isLoose).toBe(expected.isLoose);
      }),
      { numRuns: 500 },
    );
  });
});
