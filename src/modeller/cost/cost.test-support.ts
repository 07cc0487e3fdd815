import type { Billing, Provisioned } from "../../model/design.ts";
import { pricesOf } from "../prices/book.ts";
import type { RegionPrices } from "../prices/price.ts";
import type { CostInput, LineKind, Lines, PatternFacts, TableFacts } from "./bill.ts";
import { billOf } from "./estimate.ts";
import { type Load, type LoadLine, none, type PerSecond } from "./load.ts";
import { months } from "./month.ts";
import { cents } from "./words.ts";

export const gigabyte = 1_024 ** 3;

export function regionOf(region: string): RegionPrices {
  const prices = pricesOf(region);
  if (prices === undefined) throw new Error(`no prices of ${region}`);
  return prices;
}

export const virginia = regionOf("us-east-1");

const rate = (value: number | PerSecond): PerSecond =>
  typeof value === "number" ? { average: value, peak: value } : value;

export function line(
  pattern: string | undefined,
  units: {
    readonly reads?: number | PerSecond;
    readonly writes?: number | PerSecond;
    readonly cacheable?: boolean;
    readonly assumed?: boolean;
  },
): LoadLine {
  const { reads = 0, writes = 0, cacheable = false, assumed = false } = units;
  return {
    pattern,
    what: "a request",
    reads: rate(reads),
    writes: rate(writes),
    cacheable,
    assumed,
  };
}

export const onDemand: Billing = { mode: "on-demand" };

export function provisioned(
  read: number,
  write: number,
  more: {
    readonly autoScaling?: Partial<Provisioned["autoScaling"]>;
    readonly reserved?: { readonly read: number; readonly write: number; readonly years: 1 | 3 };
  } = {},
): Billing {
  const autoScaling = { read: undefined, write: undefined, ...more.autoScaling };
  return {
    mode: "provisioned",
    provisioned: { read, write, autoScaling },
    reserved: more.reserved,
  };
}

export function load(more: Partial<Load> = {}): Load {
  return {
    table: "Orders",
    index: undefined,
    local: false,
    period: undefined,
    class: "standard",
    billing: onDemand,
    lines: [],
    items: 0,
    storageBytes: 0,
    storageAssumed: false,
    streamReads: none,
    ...more,
  };
}

export function facts(loads: readonly Load[], more: Partial<TableFacts> = {}): TableFacts {
  return {
    name: loads[0]?.table ?? "Orders",
    loads,
    pointInTimeRecovery: false,
    backups: undefined,
    replicas: [],
    dax: undefined,
    streamFunctions: 0,
    ...more,
  };
}

export function input(tables: readonly TableFacts[], more: Partial<CostInput> = {}): CostInput {
  return {
    tables,
    patterns: new Map<string, PatternFacts>(),
    prices: virginia,
    pricesOf,
    month: months["730h"],
    ...more,
  };
}

export function bill(
  tables: TableFacts | readonly TableFacts[],
  more: Partial<CostInput> = {},
): Lines {
  return billOf(input("loads" in tables ? [tables] : tables, more));
}

/** Dollars of a month at the average, to the cent; all lines, or those of one kind. */
export function dollars(
  { lines }: Lines,
  kind?: LineKind,
  of: "average" | "peak" = "average",
): number {
  const wanted = lines.filter((one) => kind === undefined || one.kind === kind);
  return cents(wanted.reduce((sum, one) => sum + one.dollars[of], 0));
}
