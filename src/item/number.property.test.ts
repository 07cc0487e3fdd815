import fc from "fast-check";
import { expect, test } from "vitest";
import { addNumbers, compareNumbers, normaliseNumber, subtractNumbers } from "./number.ts";
import { numberSize } from "./size.ts";

/** The oracle: every number of these tests times 10^60 is an integer. */
const scale = 60;

interface Sample {
  readonly text: string;
  readonly scaled: bigint;
}

const samples: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.oneof(
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
      fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
      fc.bigInt({ min: -100n, max: 100n }),
    ),
    fc.oneof(fc.integer({ min: -15, max: 15 }), fc.constant(0)),
  )
  .map(([digits, exponent]) => ({
    text: `${digits}e${exponent}`,
    scaled: digits * 10n ** BigInt(scale + exponent),
  }));

/** The normal form by another way: all digits, then the zeros are stripped. */
function written(scaled: bigint): string {
  const magnitude = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, "0");
  const whole = magnitude.slice(0, -scale);
  const fraction = magnitude.slice(-scale).replace(/0+$/, "");
  return (scaled < 0n ? "-" : "") + whole + (fraction === "" ? "" : `.${fraction}`);
}

function significantDigits(scaled: bigint): number {
  return String(scaled < 0n ? -scaled : scaled).replace(/0+$/, "").length;
}

function normal({ text }: Sample): string {
  return normaliseNumber(text) as string;
}

test("a number is written out in full", () => {
  fc.assert(
    fc.property(samples, (sample) => {
      expect(normal(sample)).toBe(written(sample.scaled));
      expect(normaliseNumber(normal(sample))).toBe(normal(sample));
    }),
    { numRuns: 2_000 },
  );
});

test("numbers compare by value", () => {
  fc.assert(
    fc.property(samples, samples, (a, b) => {
      const expected = a.scaled < b.scaled ? -1 : a.scaled > b.scaled ? 1 : 0;
      expect(Math.sign(compareNumbers(normal(a), normal(b)))).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test("sums and differences are exact, or refused beyond 38 digits", () => {
  const expected = (scaled: bigint) =>
    significantDigits(scaled) > 38 ? { problem: "overflow" } : written(scaled);
  fc.assert(
    fc.property(samples, samples, (a, b) => {
      expect(addNumbers(normal(a), normal(b))).toEqual(expected(a.scaled + b.scaled));
      expect(subtractNumbers(normal(a), normal(b))).toEqual(expected(a.scaled - b.scaled));
    }),
    { numRuns: 2_000 },
  );
});

test("a number takes one byte, its pairs of digits on either side of the point, and its sign", () => {
  fc.assert(
    fc.property(samples, (sample) => {
      const [whole = "", fraction = ""] = normal(sample).replace("-", "").split(".");
      // With a fraction behind them, zeros at the end of the whole part are inside the number.
      const wholeDigits = fraction === "" ? whole.replace(/0+$/, "") : whole.replace(/^0$/, "");
      const fractionDigits = wholeDigits === "" ? fraction.replace(/^0+/, "") : fraction;
      const pairs = Math.ceil(wholeDigits.length / 2) + Math.ceil(fractionDigits.length / 2);
      expect(numberSize(normal(sample))).toBe(1 + pairs + (sample.scaled < 0n ? 1 : 0));
    }),
    { numRuns: 2_000 },
  );
});
