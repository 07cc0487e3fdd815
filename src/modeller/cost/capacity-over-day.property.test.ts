import fc from "fast-check";
import { expect, test } from "vitest";
import { scaledAbove, scaledCapacity, shareAbove } from "./capacity-over-day.ts";

const positive = fc.double({ min: 0.5, max: 5_000, noNaN: true });
const demand = fc
  .tuple(positive, fc.double({ min: 1, max: 30, noNaN: true }))
  .map(([average, times]) => ({ average, peak: average * times }));
const scaling = fc
  .tuple(
    fc.integer({ min: 1, max: 500 }),
    fc.integer({ min: 1, max: 5_000 }),
    fc.integer({ min: 20, max: 90 }),
  )
  .map(([min, more, target]) => ({ min, max: min + more, target }));

const steps = 20_000;

/** The day in small steps, from the quietest to the busiest. */
function mean(of: (consumed: number) => number, average: number, peak: number): number {
  const k = peak / average - 1;
  let sum = 0;
  for (let i = 0; i < steps; i += 1) sum += of(peak * ((i + 0.5) / steps) ** k);
  return sum / steps;
}

test("capacity over the day is what small steps add up to", () => {
  fc.assert(
    fc.property(demand, scaling, fc.integer({ min: 0, max: 600 }), (units, auto, level) => {
      const { average, peak } = units;
      const follow = (consumed: number): number =>
        Math.min(auto.max, Math.max(auto.min, (consumed * 100) / auto.target));
      expect(mean((consumed) => consumed, average, peak) / average).toBeCloseTo(1, 2);
      const near = (a: number, b: number): void =>
        expect(Math.abs(a - b)).toBeLessThanOrEqual(0.003 * Math.max(1, auto.max));
      near(scaledCapacity(units, auto), mean(follow, average, peak));
      const above = mean((one) => Math.max(0, follow(one) - level), average, peak);
      near(scaledAbove(units, auto, level), above);
      const throttled = mean((one) => (one > auto.max ? 1 : 0), average, peak);
      expect(shareAbove(units, auto.max)).toBeCloseTo(throttled, 2);
    }),
    { numRuns: 60 },
  );
});

test("an even load at its target", () => {
  const even = { average: 70, peak: 70 };
  expect(scaledCapacity(even, { min: 5, max: 1_000, target: 70 })).toBeCloseTo(100, 10);
  expect(scaledCapacity(even, { min: 5, max: 60, target: 70 })).toBe(60);
  expect(shareAbove(even, 60)).toBe(1);
  expect(scaledCapacity({ average: 0, peak: 0 }, { min: 5, max: 60, target: 70 })).toBe(5);
});
