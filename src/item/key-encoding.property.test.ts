import fc from "fast-check";
import { expect, test } from "vitest";
import type { KeyType, KeyValue } from "./attribute-value.ts";
import { compareValues } from "./compare.ts";
import { encodeKeyTuple, encodeKeyValue, type KeyInterval, keyRange } from "./key-encoding.ts";
import { normaliseNumber } from "./number.ts";

// Small alphabets make ties, prefixes and zero padding likely.
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom("\0", "\u0001", "a", "\ud7ff", "\uffff", "😀"),
    maxLength: 18,
  }),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 20 }),
  fc.array(fc.constantFrom(0, 1, 8, 9, 254, 255), { maxLength: 18 }),
);
const digits = fc.oneof(
  fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
  fc.bigInt({ min: -120n, max: 120n }),
);
const number = fc
  .tuple(digits, fc.oneof(fc.integer({ min: -130, max: 88 }), fc.integer({ min: -3, max: 3 })))
  .map(([mantissa, exponent]) => normaliseNumber(`${mantissa}e${exponent}`))
  .filter((normal) => typeof normal === "string");

const keyValues: Readonly<Record<KeyType, fc.Arbitrary<KeyValue>>> = {
  S: text.map((S) => ({ S })),
  N: number.map((N) => ({ N })),
  B: bytes.map((B) => ({ B: Buffer.from(B).toString("base64") })),
};
const types: readonly KeyType[] = ["S", "N", "B"];

/** Pairs of values of one type; often the second one extends or repeats the first. */
function pairs(type: KeyType): fc.Arbitrary<readonly [KeyValue, KeyValue]> {
  const drawn = keyValues[type];
  const related = fc.tuple(drawn, drawn).map(([a, b]): readonly [KeyValue, KeyValue] => {
    if ("S" in a && "S" in b) return [a, { S: a.S + b.S }];
    if ("B" in a && "B" in b) return [a, { B: join(a.B, b.B) }];
    return [a, a];
  });
  return fc.oneof(fc.tuple(drawn, drawn), related);
}

function join(a: string, b: string): string {
  return Buffer.concat([Buffer.from(a, "base64"), Buffer.from(b, "base64")]).toString("base64");
}

test.each(types)("%s: the order of the bytes is the order of the values", (type) => {
  fc.assert(
    fc.property(pairs(type), ([a, b]) => {
      const order = Buffer.compare(encodeKeyValue(a), encodeKeyValue(b));
      expect(order).toBe(Math.sign(compareValues(a, b) as number));
    }),
    { numRuns: 2_000 },
  );
});

test.each(types)("%s: no encoding begins with another", (type) => {
  fc.assert(
    fc.property(pairs(type), ([a, b]) => {
      const [left, right] = [encodeKeyValue(a), encodeKeyValue(b)];
      const length = Math.min(left.length, right.length);
      const same = left.subarray(0, length).equals(right.subarray(0, length));
      expect(same).toBe(compareValues(a, b) === 0);
    }),
    { numRuns: 2_000 },
  );
});

test("tuples order component by component", () => {
  const tuples = fc
    .array(fc.constantFrom(...types), { minLength: 1, maxLength: 4 })
    .chain((shape) => fc.tuple(...shape.map(pairs)));
  fc.assert(
    fc.property(tuples, (components) => {
      const a = components.map(([left]) => left);
      const b = components.map(([, right]) => right);
      const orders = components.map(([left, right]) => compareValues(left, right) as number);
      const expected = Math.sign(orders.find((order) => order !== 0) ?? 0);
      expect(Buffer.compare(encodeKeyTuple(a), encodeKeyTuple(b))).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

const comparators = ["=", "<", "<=", ">", ">="] as const;
const holds: Readonly<Record<(typeof comparators)[number], (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

function isInRange(value: KeyValue, interval: KeyInterval): boolean {
  // The prefix ends in 0xFF, so that a carry out of the component must pass through it.
  const before = Buffer.of(7, 0xff);
  const rest = Buffer.from("whatever follows");
  const key = Buffer.concat([before, encodeKeyValue(value), rest]);
  const { start, end } = keyRange(before, interval);
  return Buffer.compare(start, key) <= 0 && Buffer.compare(key, end) < 0;
}

test.each(types)("%s: ranges hold exactly the values that compare so", (type) => {
  fc.assert(
    fc.property(pairs(type), fc.constantFrom(...comparators), fc.boolean(), (pair, op, swap) => {
      const [value, bound] = swap ? [pair[1], pair[0]] : pair;
      const expected = holds[op](compareValues(value, bound) as number);
      expect(isInRange(value, { op, value: bound })).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test.each(types)("%s: between includes both bounds", (type) => {
  fc.assert(
    fc.property(keyValues[type], pairs(type), (value, [low, high]) => {
      const expected =
        (compareValues(low, value) as number) <= 0 && (compareValues(value, high) as number) <= 0;
      expect(isInRange(value, { op: "between", low, high })).toBe(expected);
      if (compareValues(low, high) === 0) {
        expect(isInRange(low, { op: "between", low, high })).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});

test.each(["S", "B"] as const)("%s: a prefix's range holds exactly what begins with it", (type) => {
  fc.assert(
    fc.property(pairs(type), fc.boolean(), (pair, swap) => {
      const [value, prefix] = swap ? [pair[0], pair[1]] : [pair[1], pair[0]];
      const raw = rawBytes(value);
      const rawPrefix = rawBytes(prefix);
      const expected = raw.subarray(0, rawPrefix.length).equals(rawPrefix);
      expect(isInRange(value, { op: "begins_with", value: prefix })).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

function rawBytes(value: KeyValue): Buffer {
  if ("S" in value) return Buffer.from(value.S, "utf8");
  return Buffer.from("B" in value ? value.B : "", "base64");
}
