import type { RegionPrices } from "./price.ts";
import { regionPrices } from "./regions.ts";

/** Where no Region is stated anywhere. */
export const defaultRegion = "us-east-1";

export const pricedRegions: readonly string[] = regionPrices.map(({ region }) => region);

/** Nothing for a Region whose prices are not in the book. */
export function pricesOf(region: string): RegionPrices | undefined {
  return regionPrices.find((one) => one.region === region);
}
