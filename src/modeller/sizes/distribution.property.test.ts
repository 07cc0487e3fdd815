import fc from "fast-check";
import { expect, test } from "vitest";
import type { Point } from "./convolution.ts";
import { ByteDistribution, expectedUnitsOfSum, sumOf } from "./distribution.ts";

/** A distribution and, worked out the slow way, every size it has. */
interface Case {
  readonly name: string;
  readonly distribution: ByteDistribution;
  readonly points: readonly Point[];
}

const bytes = fc.integer({ min: 0, max: 40 });
const share = fc.integer({ min: 1, max: 9 }).map((tenths) => tenths / 10);

const simple: fc.Arbitrary<Case> = fc.oneof(
  bytes.map((size) => ({
    name: `fixed ${size}`,
    distribution: ByteDistribution.fixed(size),
    points: [{ bytes: size, share: 1 }],
  })),
  fc.tuple(bytes, bytes).map(([min, more]) => ({
    name: `uniform ${min}..${min + more}`,
    distribution: ByteDistribution.uniform(min, min + more),
    points: Array.from({ length: more + 1 }, (_, i) => ({
      bytes: min + i,
      share: 1 / (more + 1),
    })),
  })),
  fc.tuple(bytes, bytes, share).map(([a, b, part]) => {
    const points = [
      { bytes: a, share: part },
      { bytes: b, share: 1 - part },
    ];
    return {
      name: `shares ${JSON.stringify(points)}`,
      distribution: ByteDistribution.shares(points),
      points,
    };
  }),
);

function sum(a: Case, b: Case): Case {
  return {
    name: `(${a.name}) + (${b.name})`,
    distribution: a.distribution.plus(b.distribution),
    points: a.points.flatMap((one) =>
      b.points.map((other) => ({
        bytes: one.bytes + other.bytes,
        share: one.share * other.share,
      })),
    ),
  };
}

function larger(a: Case, b: Case): Case {
  return {
    name: `the larger of (${a.name}) and (${b.name})`,
    distribution: ByteDistribution.larger(a.distribution, b.distribution),
    points: a.points.flatMap((one) =>
      b.points.map((other) => ({
        bytes: Math.max(one.bytes, other.bytes),
        share: one.share * other.share,
      })),
    ),
  };
}

/** Simple ones, and ones that come and go, are taken several times or several together. */
const anySize: fc.Arbitrary<Case> = fc
  .letrec<{ case: Case }>((tie) => ({
    case: fc.oneof(
      { weight: 4, arbitrary: simple },
      {
        weight: 2,
        arbitrary: fc.tuple(tie("case"), share).map(([one, part]) => ({
          name: `${part} of (${one.name})`,
          distribution: one.distribution.present(part),
          points: [
            ...one.points.map((point) => ({ bytes: point.bytes, share: point.share * part })),
            { bytes: 0, share: 1 - part },
          ],
        })),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(tie("case"), fc.integer({ min: 0, max: 4 })).map(([one, factor]) => ({
          name: `${factor} × the same (${one.name})`,
          distribution: one.distribution.scaled(factor),
          points: one.points.map((point) => ({ ...point, bytes: point.bytes * factor })),
        })),
      },
      { weight: 2, arbitrary: fc.tuple(simple, tie("case")).map(([a, b]) => sum(a, b)) },
      { weight: 1, arbitrary: fc.tuple(simple, tie("case")).map(([a, b]) => larger(a, b)) },
    ),
  }))
  .case.filter(({ points }) => points.length < 20_000);

const unitsOf = (points: readonly Point[], unit: number): number =>
  points.reduce((all, point) => all + point.share * Math.max(1, Math.ceil(point.bytes / unit)), 0);

test("mean, variance, bounds, units and tails are those of all sizes enumerated", () => {
  fc.assert(
    fc.property(anySize, fc.integer({ min: 1, max: 60 }), ({ distribution, points }, unit) => {
      const mean = points.reduce((all, point) => all + point.share * point.bytes, 0);
      const variance = points.reduce((all, one) => all + one.share * (one.bytes - mean) ** 2, 0);
      expect(distribution.mean).toBeCloseTo(mean, 8);
      expect(distribution.variance).toBeCloseTo(variance, 6);
      const there = points.filter((point) => point.share > 0).map((point) => point.bytes);
      expect(distribution.min).toBe(there.reduce((a, b) => Math.min(a, b)));
      expect(distribution.max).toBe(there.reduce((a, b) => Math.max(a, b)));
      expect(distribution.expectedUnits(unit)).toBeCloseTo(unitsOf(points, unit), 8);
      for (const limit of [0, unit - 1, unit, distribution.max - 1, distribution.max]) {
        const above = points.reduce((all, one) => all + (one.bytes > limit ? one.share : 0), 0);
        expect(distribution.probabilityAbove(limit)).toBeCloseTo(above, 8);
      }
    }),
    { numRuns: 400 },
  );
});

test("several independent ones are as if each were added, a fraction a mix of the numbers beside it", () => {
  const small = simple.filter(({ points }) => points.length <= 12);
  const count = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(small, count, share, fc.integer({ min: 1, max: 60 }), (one, whole, part, unit) => {
      const none = { name: "", distribution: ByteDistribution.fixed(0), points: [] };
      const zero = { ...none, points: [{ bytes: 0, share: 1 }] };
      const times = (n: number): Case =>
        Array.from({ length: n }, () => one).reduce<Case>((all, next) => sum(all, next), zero);
      const [less, more] = [
        unitsOf(times(whole).points, unit),
        unitsOf(times(whole + 1).points, unit),
      ];
      expect(expectedUnitsOfSum(one.distribution, whole, unit)).toBeCloseTo(less, 8);
      const mixed = expectedUnitsOfSum(one.distribution, whole + part, unit);
      expect(mixed).toBeCloseTo((1 - part) * less + part * more, 8);
    }),
    { numRuns: 200 },
  );
});

test("a mixture has the sizes of its choices in their shares", () => {
  fc.assert(
    fc.property(anySize, anySize, share, fc.integer({ min: 1, max: 60 }), (a, b, part, unit) => {
      const mixed = ByteDistribution.mixture([
        { distribution: a.distribution, share: part },
        { distribution: b.distribution, share: 1 - part },
      ]);
      const units = part * unitsOf(a.points, unit) + (1 - part) * unitsOf(b.points, unit);
      expect(mixed.expectedUnits(unit)).toBeCloseTo(units, 8);
    }),
    { numRuns: 200 },
  );
});

test("kinds that are read together are rounded once", () => {
  fc.assert(
    fc.property(simple, simple, fc.integer({ min: 1, max: 60 }), (a, b, unit) => {
      const both = sumOf([
        { distribution: a.distribution, count: 1 },
        { distribution: b.distribution, count: 1 },
      ]);
      expect(both.expectedUnits(unit)).toBeCloseTo(unitsOf(sum(a, b).points, unit), 8);
    }),
  );
});
