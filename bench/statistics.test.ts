import { expect, test } from "vitest";
import { advantage, best, median, medianOf, percentile, Samples } from "./statistics.ts";

const hundred = Array.from({ length: 100 }, (_, i) => i + 1);

test.each([
  [hundred, 0.5, 50],
  [hundred, 0.99, 99],
  [hundred, 1, 100],
  [hundred, 0, 1],
  [[7], 0.99, 7],
  [[1, 2, 3], 0.5, 2],
  [[], 0.5, undefined],
])("percentile %#", (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

test.each([
  [[3, 1, 2], 2],
  [[10, 9], 9.5],
  [[100, 20, 3], 20],
  [[], undefined],
])("median of %j", (values, expected) => {
  expect(median(values)).toBe(expected);
});

test("what was not measured does not count in a median", () => {
  const figures = [{ value: 1 }, { value: undefined }, { value: 3 }];
  expect(medianOf(figures, ({ value }) => value)).toBe(2);
});

test.each([
  [[3, undefined, 9], "higher", 9],
  [[3, undefined, 9], "lower", 3],
  [[undefined], "lower", undefined],
] as const)("best of %j, %s", (values, better, expected) => {
  expect(best(values, better)).toBe(expected);
});

test.each([
  [200, [50, 100], "higher", 2],
  [50, [100, 25], "higher", 0.5],
  [10, [20, 40], "lower", 2],
  [80, [20, 40], "lower", 0.25],
  [10, [undefined], "lower", undefined],
  [undefined, [1], "higher", undefined],
  [0, [1], "lower", undefined],
] as const)("advantage of %s over %j, %s", (own, others, better, expected) => {
  expect(advantage(own, others, better)).toBe(expected);
});

test("samples keep all values while they grow, and sort as numbers", () => {
  const samples = new Samples();
  const count = (1 << 14) + 10;
  for (let i = 0; i < count; i += 1) samples.add(count - i);
  expect(samples.length).toBe(count);
  const sorted = samples.sorted();
  expect(sorted.length).toBe(count);
  expect([sorted[0], sorted[9], sorted.at(-1)]).toEqual([1, 10, count]);
});
