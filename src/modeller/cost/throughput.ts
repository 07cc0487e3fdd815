import type { ClassPrices, Price, RegionPrices, ReservedPrice } from "../prices/price.ts";
import { type Scaling, scaledAbove, scaledCapacity } from "./capacity-over-day.ts";
import type { PerSecond } from "./load.ts";
import { hoursPerYear, type Month, secondsOf, secondsPerHour } from "./month.ts";

/** Dollars in a month, for the average; and if the peak lasted all month. */
export interface Dollars {
  readonly average: number;
  readonly peak: number;
}

export const noDollars: Dollars = { average: 0, peak: 0 };

export function addDollars(...all: readonly Dollars[]): Dollars {
  let [average, peak] = [0, 0];
  for (const one of all) {
    average += one.average;
    peak += one.peak;
  }
  return { average, peak };
}

export type UnitKind = "read" | "write" | "replicated";

const million = 1_000_000;

/** Request units: what is used is paid. */
export function requestDollars(units: PerSecond, price: Price, month: Month): Dollars {
  const each = (price.usd / million) * secondsOf(month);
  return { average: units.average * each, peak: units.peak * each };
}

/** Capacity units: what is provisioned is paid, whatever is used. */
export function capacityDollars(capacity: number, price: Price, month: Month): number {
  return capacity * price.usd * month.hours;
}

export function requestPrice(prices: ClassPrices, kind: UnitKind): Price {
  if (kind === "read") return prices.readRequests;
  return kind === "write" ? prices.writeRequests : prices.replicatedWriteRequests;
}

export function capacityPrice(prices: ClassPrices, kind: UnitKind): Price {
  if (kind === "read") return prices.readCapacity;
  return kind === "write" ? prices.writeCapacity : prices.replicatedWriteCapacity;
}

/** Reservations are sold in blocks of a hundred units. */
export const reservedBlock = 100;

/** What a block costs in a month: the hours of the month, and its part of the upfront payment. */
export function blockDollars(price: ReservedPrice, years: 1 | 3, month: Month): number {
  return (price.upfront.usd / (years * hoursPerYear) + price.hour.usd) * month.hours;
}

/** Capacity of which a part is reserved: the reserved part is paid whether it is used or not. */
export function reservedDollars(
  reserved: number,
  above: number,
  prices: { readonly block: ReservedPrice; readonly capacity: Price },
  years: 1 | 3,
  month: Month,
): number {
  const unit = blockDollars(prices.block, years, month) / reservedBlock;
  return reserved * unit + capacityDollars(above, prices.capacity, month);
}

/** What stands above the reserved units: of fixed capacity, or over the day. */
export function aboveReserved(
  units: PerSecond,
  capacity: number | Scaling,
  reserved: number,
): number {
  if (typeof capacity === "number") return Math.max(0, capacity - reserved);
  return scaledAbove(units, capacity, reserved);
}

/** As many blocks as pay for themselves: each next one is used less, so a binary search finds the last one. */
export function bestBlocks(
  units: PerSecond,
  capacity: number | Scaling,
  prices: { readonly block: ReservedPrice; readonly capacity: Price },
  years: 1 | 3,
  month: Month,
): number {
  const most = typeof capacity === "number" ? capacity : capacity.max;
  const block = blockDollars(prices.block, years, month);
  const isPaying = (blocks: number): boolean => {
    const before = aboveReserved(units, capacity, blocks * reservedBlock);
    const after = aboveReserved(units, capacity, (blocks + 1) * reservedBlock);
    return capacityDollars(before - after, prices.capacity, month) > block;
  };
  let [low, high] = [0, Math.max(0, Math.ceil(most / reservedBlock))];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isPaying(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function reservedPrice(
  prices: RegionPrices,
  years: 1 | 3,
  kind: UnitKind,
): ReservedPrice | undefined {
  // Reservations do not cover replicated writes.
  if (kind === "replicated") return undefined;
  return prices.reserved[years]?.[kind];
}

export function capacityOf(units: PerSecond, capacity: number | Scaling): number {
  return typeof capacity === "number" ? capacity : scaledCapacity(units, capacity);
}

/**
 * The share of provisioned capacity that must be used for it to cost less than requests:
 * what a unit costs in an hour against an hour's requests.
 */
export function breakEvenUtilisation(prices: ClassPrices, kind: UnitKind): number {
  const requests = (requestPrice(prices, kind).usd / million) * secondsPerHour;
  return capacityPrice(prices, kind).usd / requests;
}
