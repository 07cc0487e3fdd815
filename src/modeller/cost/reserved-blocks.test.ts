import { expect, test } from "vitest";
import type { Price } from "../prices/price.ts";
import { months } from "./month.ts";
import { bestBlocks, capacityDollars, noDollars } from "./throughput.ts";

/** How much reserved capacity pays for itself. */

const price = (usd: number): Price => ({ usd, basis: "confirmed", source: "test" });
const prices = {
  block: { upfront: price(0), hour: price(50) },
  capacity: price(1),
};
const [month] = Object.values(months);
if (month === undefined) throw new Error("there is no month");

test("reserves capacity that is always used up to the last full block that pays for itself", () => {
  expect(capacityDollars(100, prices.capacity, month)).toBeGreaterThan(0);
  expect(bestBlocks(noDollars, 0, prices, 1, month)).toBe(0);
  expect(bestBlocks(noDollars, 940, prices, 1, month)).toBe(9);
  expect(bestBlocks(noDollars, 960, prices, 1, month)).toBe(10);
});

test("finds the blocks of a capacity of a quadrillion units without trying each", () => {
  expect(bestBlocks(noDollars, 1e15, prices, 1, month)).toBe(1e13);
});
