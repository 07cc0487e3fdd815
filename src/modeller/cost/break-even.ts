import type { RegionPrices } from "../prices/price.ts";
import type { TableFacts } from "./bill.ts";
import { afterCache } from "./bill.ts";
import { kindsIn } from "./estimate.ts";
import { sumOfLines } from "./load.ts";
import type { ModeOption } from "./modes.ts";
import { breakEvenUtilisation, capacityPrice, requestPrice } from "./throughput.ts";
import { unitsOf } from "./throughput-lines.ts";

/** Where one way of paying becomes cheaper than another, and where the table stands. */
export interface BreakEven {
  /** Provisioned capacity is cheaper if more than this share of it is used. */
  readonly utilisation: number;
  /** The share that would be used of capacity for the peak. */
  readonly atPeak: number;
  /** Standard-IA is cheaper if Standard's storage is more than this share of its throughput. */
  readonly storageShare: number;
  readonly storageShareNow: number;
}

/** Nothing for a table that nobody asks anything. */
export function breakEvenOf(
  stated: TableFacts,
  options: readonly ModeOption[],
  prices: RegionPrices,
): BreakEven | undefined {
  const loads = afterCache(stated.loads, stated.dax).filter(({ local }) => !local);
  const kinds = kindsIn(stated);
  let [requests, capacity, average, peak] = [0, 0, 0, 0];
  for (const load of loads) {
    for (const kind of kinds(load)) {
      const units = sumOfLines(load.lines, unitsOf(kind));
      const price = capacityPrice(prices.standard, kind).usd;
      // Reads and writes count as much as they cost.
      requests += units.average * requestPrice(prices.standard, kind).usd;
      capacity +=
        units.average *
        breakEvenUtilisation(prices.standard, kind) *
        requestPrice(prices.standard, kind).usd;
      average += units.average * price;
      peak += units.peak * price;
    }
  }
  const standard = options.find((one) => one.class === "standard" && one.mode === "on-demand");
  const infrequent = options.find(
    (one) => one.class === "infrequent-access" && one.mode === "on-demand",
  );
  if (requests === 0 || standard === undefined || infrequent === undefined) return undefined;
  const surcharge = infrequent.throughput / standard.throughput - 1;
  const saved = 1 - prices.infrequentAccess.storage.usd / prices.standard.storage.usd;
  return {
    utilisation: capacity / requests,
    atPeak: average / peak,
    storageShare: surcharge / saved,
    storageShareNow: standard.storage / standard.throughput,
  };
}
