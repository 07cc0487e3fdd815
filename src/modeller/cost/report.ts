import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { plansOf } from "../plans/planner.ts";
import { defaultRegion, pricedRegions, pricesOf } from "../prices/book.ts";
import type { RegionPrices } from "../prices/price.ts";
import { loadsOf } from "../units/loads.ts";
import {
  afterCache,
  type BillLine,
  type CostInput,
  type Note,
  sumOf,
  type TableFacts,
} from "./bill.ts";
import { type BreakEven, breakEvenOf } from "./break-even.ts";
import { billOf } from "./estimate.ts";
import { freeTierDollars } from "./free-tier.ts";
import { type Load, type PerSecond, sumOfLines } from "./load.ts";
import { type ModeOption, modeOptions } from "./modes.ts";
import type { Month } from "./month.ts";
import { type Sensitivity, sensitivityOf } from "./sensitivity.ts";
import { leftOut, patternFacts, tableFacts } from "./table-facts.ts";
import type { Dollars } from "./throughput.ts";

export interface PatternCost {
  /** Nothing for what the design does by itself. */
  readonly id: string | undefined;
  readonly name: string;
  readonly rps: PerSecond;
  /** Units, without those that a cache takes away. */
  readonly reads: PerSecond;
  readonly writes: PerSecond;
  readonly dollars: Dollars;
  /** The part of the average that is for reads. */
  readonly readDollars: number;
  /** For a million requests; nothing if there are none. */
  readonly perMillion: number | undefined;
  readonly assumed: boolean;
  /** A price in it is derived or unsure. */
  readonly unsure: boolean;
}

/** A table, an index, or what a replica of either costs. */
export interface PartCost {
  readonly table: string;
  readonly index: string | undefined;
  readonly period: Load["period"];
  readonly replica: string | undefined;
  readonly reads: number;
  readonly writes: number;
  readonly storage: number;
  readonly other: number;
  readonly dollars: Dollars;
  readonly assumed: boolean;
  readonly unsure: boolean;
}

export interface TableModes {
  readonly table: string;
  readonly period: Load["period"];
  /** What throughput and storage cost as designed. */
  readonly now: number;
  readonly options: readonly ModeOption[];
  readonly breakEven: BreakEven | undefined;
}

export interface CostReport {
  readonly model: string;
  readonly region: string;
  readonly place: string;
  /** The Region is stated, not assumed. */
  readonly regionStated: boolean;
  readonly month: Month;
  readonly prices: RegionPrices;
  readonly total: Dollars;
  readonly patterns: readonly PatternCost[];
  readonly parts: readonly PartCost[];
  readonly lines: readonly BillLine[];
  readonly modes: readonly TableModes[];
  readonly sensitivity: Sensitivity;
  readonly freeTier: number;
  readonly notes: readonly Note[];
  /** What is not known and therefore not in the bill. */
  readonly missing: readonly string[];
}

export interface CostOptions {
  readonly region: string | undefined;
  readonly month: Month;
}

/** A month's bill of a model's design, or why there is none. */
export function costOf(
  model: Model,
  { region: wanted, month }: CostOptions,
): { readonly report: CostReport } | { readonly report: undefined; readonly why: string } {
  const region = wanted ?? model.overview.region ?? defaultRegion;
  const prices = pricesOf(region);
  if (prices === undefined) {
    const why = `No prices of ${region} are known. There are prices of ${pricedRegions.join(", ")}: say one with --region.`;
    return { report: undefined, why };
  }
  if (model.design === undefined) {
    return { report: undefined, why: "There is no design yet, so nothing can be priced." };
  }
  const facts = Facts.of(model);
  const plans = plansOf(facts);
  const found = loadsOf(facts, plans);
  const input: CostInput = {
    tables: tableFacts(model, found.loads),
    patterns: patternFacts(model),
    prices,
    pricesOf,
    month,
  };
  const missing = found.missing.map(({ pattern, why }) =>
    pattern === undefined ? why : `pattern ${pattern}: ${why}`,
  );
  for (const [id, { problem, requests }] of plans) {
    if (requests.length === 0 && problem !== undefined && isUnsolved(model, id)) {
      missing.push(`pattern ${id}: ${problem}`);
    }
  }
  for (const { name, count } of model.entities.values()) {
    if (count === undefined) missing.push(`how many ${name} there are is not known`);
  }
  const report = reportOf(model.name, input, {
    regionStated: wanted !== undefined || model.overview.region !== undefined,
    missing,
  });
  return { report: { ...report, notes: [...report.notes, ...leftOut(model)] } };
}

function isUnsolved(model: Model, id: string): boolean {
  const status = model.patterns.get(id)?.status;
  return status !== "declined" && status !== "alternative";
}

export function reportOf(
  model: string,
  input: CostInput,
  { regionStated, missing }: Pick<CostReport, "regionStated" | "missing">,
): CostReport {
  const { lines, notes } = billOf(input);
  return {
    model,
    region: input.prices.region,
    place: input.prices.place,
    regionStated,
    month: input.month,
    prices: input.prices,
    total: sumOf(lines),
    patterns: patternCosts(input, lines),
    parts: partCosts(lines),
    lines,
    modes: input.tables.map((facts) => modesOf(facts, input, lines)),
    sensitivity: sensitivityOf(lines, input.patterns),
    freeTier: freeTierDollars(input.tables, input.prices, input.month),
    notes,
    missing,
  };
}

function patternCosts(input: CostInput, lines: readonly BillLine[]): readonly PatternCost[] {
  const asked = input.tables.flatMap(({ loads, dax }) =>
    afterCache(loads, dax).flatMap((load) => load.lines),
  );
  const cost = (id: string | undefined, name: string, rps: PerSecond): PatternCost => {
    const own = lines.filter(
      (line) => line.pattern === id && line.grows !== "bytes" && isThroughput(line),
    );
    const units = asked.filter(({ pattern }) => pattern === id);
    const dollars = sumOf(own);
    const requests = (rps.average * input.month.hours * 3_600) / 1_000_000;
    return {
      id,
      name,
      rps,
      reads: sumOfLines(units, ({ reads }) => reads),
      writes: sumOfLines(units, ({ writes }) => writes),
      dollars,
      readDollars: sumOf(own.filter(({ kind }) => kind === "reads")).average,
      perMillion: requests > 0 ? dollars.average / requests : undefined,
      ...marksOf(own),
    };
  };
  const patterns = [...input.patterns.values()]
    .filter(({ id }) => asked.some(({ pattern }) => pattern === id))
    .map(({ id, name, rps }) => cost(id, name, rps));
  const byItself = cost(undefined, "what the design does by itself", { average: 0, peak: 0 });
  const all = byItself.dollars.average > 0 ? [...patterns, byItself] : patterns;
  return all.toSorted((a, b) => b.dollars.average - a.dollars.average);
}

export function marksOf(lines: readonly BillLine[]): { assumed: boolean; unsure: boolean } {
  return {
    assumed: lines.some(({ assumed }) => assumed),
    unsure: lines.some(({ price }) => price.basis !== "confirmed"),
  };
}

export function isThroughput({ kind }: BillLine): boolean {
  return kind === "reads" || kind === "writes" || kind === "replicated writes";
}

function partCosts(lines: readonly BillLine[]): readonly PartCost[] {
  const parts = new Map<string, BillLine[]>();
  for (const line of lines) {
    const { table, index, period, replica } = line;
    const key = JSON.stringify([table, index, period, replica]);
    const known = parts.get(key);
    if (known === undefined) parts.set(key, [line]);
    else known.push(line);
  }
  return [...parts.values()].map((own) => {
    const [first] = own as [BillLine, ...BillLine[]];
    const { table, index, period, replica } = first;
    const of = (...kinds: readonly string[]): number =>
      sumOf(own.filter(({ kind }) => kinds.includes(kind))).average;
    const dollars = sumOf(own);
    return {
      ...{ table, index, period, replica },
      reads: of("reads"),
      writes: of("writes", "replicated writes"),
      storage: of("storage"),
      other: of("point-in-time recovery", "backups", "stream reads", "cache"),
      dollars,
      ...marksOf(own),
    };
  });
}

function modesOf(facts: TableFacts, input: CostInput, lines: readonly BillLine[]): TableModes {
  const options = modeOptions(facts, input);
  const period = facts.loads[0]?.period;
  const own = lines.filter(
    (line) =>
      line.table === facts.name &&
      line.period === period &&
      (isThroughput(line) || line.kind === "storage"),
  );
  return {
    table: facts.name,
    period,
    now: sumOf(own).average,
    options,
    breakEven: breakEvenOf(facts, options, input.prices),
  };
}
