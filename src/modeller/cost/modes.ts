import type { TableClass } from "../../model/design.ts";
import type { ClassPrices, Price, RegionPrices } from "../prices/price.ts";
import { afterCache, type CostInput, type TableFacts } from "./bill.ts";
import { type Scaling, scalingFor } from "./capacity-over-day.ts";
import { kindsIn } from "./estimate.ts";
import { type Load, type PerSecond, sumOfLines } from "./load.ts";
import type { Month } from "./month.ts";
import { gigabytes } from "./other-lines.ts";
import {
  aboveReserved,
  bestBlocks,
  capacityDollars,
  capacityOf,
  capacityPrice,
  requestDollars,
  requestPrice,
  reservedBlock,
  reservedDollars,
  reservedPrice,
  type UnitKind,
} from "./throughput.ts";
import { unitsOf } from "./throughput-lines.ts";

export const modes = ["on-demand", "at-peak", "auto-scaling", "reserved-1", "reserved-3"] as const;
export type Mode = (typeof modes)[number];

export const modeWords: Readonly<Record<Mode, string>> = {
  "on-demand": "on-demand",
  "at-peak": "provisioned for the peak",
  "auto-scaling": "auto scaling at 70 %",
  "reserved-1": "auto scaling, reserved for 1 year",
  "reserved-3": "auto scaling, reserved for 3 years",
};

/** A way to pay for a table: its throughput and storage, with all replicas. */
export interface ModeOption {
  readonly class: TableClass;
  readonly mode: Mode;
  readonly throughput: number;
  readonly storage: number;
  readonly total: number;
  /** A price in it is derived or unsure. */
  readonly unsure: boolean;
}

/** All ways, the cheapest first; at the same price in the order of `modes`. */
export function modeOptions(facts: TableFacts, input: CostInput): readonly ModeOption[] {
  const options: ModeOption[] = [];
  for (const tableClass of ["standard", "infrequent-access"] as const) {
    for (const mode of modes) {
      // Only the standard class can be reserved.
      if (tableClass !== "standard" && mode.startsWith("reserved")) continue;
      const option = optionOf(facts, tableClass, mode, input);
      if (option !== undefined) options.push(option);
    }
  }
  return options.toSorted((a, b) => a.total - b.total);
}

interface Demand {
  readonly kind: UnitKind;
  readonly units: PerSecond;
}

function optionOf(
  stated: TableFacts,
  tableClass: TableClass,
  mode: Mode,
  { prices: home, pricesOf, month }: CostInput,
): ModeOption | undefined {
  const facts = { ...stated, loads: afterCache(stated.loads, stated.dax) };
  const replicas = facts.replicas.flatMap((region) => pricesOf(region) ?? []);
  let [throughput, storage, unsure] = [0, 0, false];
  for (const prices of [home, ...replicas]) {
    const demands = demandsOf(facts, prices === home);
    const dollars = throughputDollars(demands, mode, prices, tableClass, month);
    if (dollars === undefined) return undefined;
    throughput += dollars;
    const bytes = facts.loads.reduce((sum, { storageBytes }) => sum + storageBytes, 0);
    storage += gigabytes(bytes) * pricesFor(prices, tableClass).storage.usd;
    unsure ||= pricesIn(prices, demands, tableClass, mode).some(
      ({ basis }) => basis !== "confirmed",
    );
  }
  return { class: tableClass, mode, throughput, storage, total: throughput + storage, unsure };
}

/** The prices that a way of paying rests on. */
function pricesIn(
  prices: RegionPrices,
  demands: readonly Demand[],
  tableClass: TableClass,
  mode: Mode,
): readonly Price[] {
  const own = pricesFor(prices, tableClass);
  const kinds = [...new Set(demands.map(({ kind }) => kind))];
  const units = kinds.map((kind) =>
    mode === "on-demand" ? requestPrice(own, kind) : capacityPrice(own, kind),
  );
  const years = mode === "reserved-1" ? 1 : mode === "reserved-3" ? 3 : undefined;
  const blocks = kinds.flatMap((kind) => {
    const block = years && reservedPrice(prices, years, kind);
    return block ? [block.upfront, block.hour] : [];
  });
  return [...units, ...blocks, own.storage];
}

export function pricesFor(prices: RegionPrices, tableClass: TableClass): ClassPrices {
  return tableClass === "standard" ? prices.standard : prices.infrequentAccess;
}

function demandsOf(facts: TableFacts, withReads: boolean): readonly Demand[] {
  return facts.loads
    .filter(({ local }) => !local)
    .flatMap((load: Load) =>
      kindsIn(facts)(load)
        .filter((kind) => withReads || kind !== "read")
        .map((kind) => ({ kind, units: sumOfLines(load.lines, unitsOf(kind)) })),
    );
}

function throughputDollars(
  demands: readonly Demand[],
  mode: Mode,
  prices: RegionPrices,
  tableClass: TableClass,
  month: Month,
): number | undefined {
  const own = pricesFor(prices, tableClass);
  if (mode === "on-demand") {
    return demands.reduce(
      (sum, { kind, units }) => sum + requestDollars(units, requestPrice(own, kind), month).average,
      0,
    );
  }
  if (mode === "at-peak" || mode === "auto-scaling") {
    return demands.reduce((sum, { kind, units }) => {
      const capacity = capacityOf(
        units,
        mode === "at-peak" ? peakCapacity(units) : scalingFor(units),
      );
      return sum + capacityDollars(capacity, capacityPrice(own, kind), month);
    }, 0);
  }
  const years = mode === "reserved-1" ? 1 : 3;
  let sum = 0;
  for (const kind of ["read", "write", "replicated"] as const) {
    const all = demands.filter((demand) => demand.kind === kind);
    if (all.length === 0) continue;
    const capacity = capacityPrice(own, kind);
    const block = reservedPrice(prices, years, kind);
    const { units, scaling } = pooled(all);
    if (block === undefined) {
      if (kind !== "replicated") return undefined;
      sum += capacityDollars(capacityOf(units, scaling), capacity, month);
      continue;
    }
    const both = { block, capacity };
    const reserved = bestBlocks(units, scaling, both, years, month) * reservedBlock;
    const above = aboveReserved(units, scaling, reserved);
    sum += reservedDollars(reserved, above, both, years, month);
  }
  return sum;
}

/** Reservations count for a table and its indexes together. */
function pooled(demands: readonly Demand[]): { units: PerSecond; scaling: Scaling } {
  let [average, peak, min, max] = [0, 0, 0, 0];
  for (const { units } of demands) {
    const scaling = scalingFor(units);
    average += units.average;
    peak += units.peak;
    min += scaling.min;
    max += scaling.max;
  }
  const target = scalingFor({ average, peak }).target;
  return { units: { average, peak }, scaling: { min, max, target } };
}

export function peakCapacity({ peak }: PerSecond): number {
  return Math.max(1, Math.ceil(peak));
}
