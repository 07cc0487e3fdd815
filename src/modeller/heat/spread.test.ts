import { expect, test } from "vitest";
import { harmonic, hottestShare, shareAt } from "./spread.ts";

test("Zipf's law over four values: 1 / (1 + 1/2 + 1/3 + 1/4)", () => {
  expect(harmonic(4, 1)).toBeCloseTo(25 / 12, 12);
  expect(hottestShare({ kind: "zipf", count: 4, exponent: 1 })).toBeCloseTo(0.48, 12);
  expect(hottestShare({ kind: "zipf", count: 4, exponent: 0 })).toBeCloseTo(0.25, 12);
});

test.each([0.8, 1, 1.1, 2])("long sums are as good as term by term, exponent %s", (exponent) => {
  let sum = 0;
  for (let k = 1; k <= 300_000; k += 1) sum += k ** -exponent;
  expect(harmonic(300_000, exponent) / sum).toBeCloseTo(1, 9);
});

test("values by name have their own share; of others the hottest is taken", () => {
  const shares = new Map([
    ["red", 0.6],
    ["blue", 0.4],
  ]);
  expect(shareAt({ kind: "values", shares }, "blue")).toBe(0.4);
  expect(shareAt({ kind: "values", shares }, "green")).toBe(0);
  expect(shareAt({ kind: "values", shares }, undefined)).toBe(0.6);
  expect(shareAt({ kind: "even", count: 5 }, "blue")).toBe(0.2);
  expect(shareAt({ kind: "hottest", count: undefined, share: 0.3 }, undefined)).toBe(0.3);
  expect(shareAt({ kind: "single", value: "red", why: "constant" }, "blue")).toBe(0);
  expect(shareAt({ kind: "single", value: undefined, why: "now" }, "blue")).toBe(1);
});
