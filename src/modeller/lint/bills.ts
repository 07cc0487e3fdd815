import type { Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import type { Pattern } from "../../model/requirements.ts";
import {
  type BillLine,
  type CostInput,
  type LineKind,
  sumOf,
  type TableFacts,
} from "../cost/bill.ts";
import { billOf } from "../cost/estimate.ts";
import { months } from "../cost/month.ts";
import { patternFacts, tableFacts } from "../cost/table-facts.ts";
import { Facts } from "../facts.ts";
import type { Plan } from "../plans/plan.ts";
import { plansOf } from "../plans/planner.ts";
import { pricesOf } from "../prices/book.ts";
import type { RegionPrices } from "../prices/price.ts";
import { type Loads, loadsOf } from "../units/loads.ts";
import { monthly } from "./money.ts";
import type { Price } from "./rule.ts";

/** A design with its plans and its bill. */
export interface Priced {
  readonly model: Model;
  readonly facts: Facts;
  readonly plans: ReadonlyMap<string, Plan>;
  readonly loads: Loads;
  readonly input: CostInput;
  readonly lines: readonly BillLine[];
  /** Dollars in a month, at average rates. */
  readonly total: number;
}

/** What a month of a design costs, in the model's Region. */
export function priced(
  model: Model,
  prices: RegionPrices,
  facts: Facts = Facts.of(model),
  plans: ReadonlyMap<string, Plan> = plansOf(facts),
): Priced {
  const loads = loadsOf(facts, plans);
  const input: CostInput = {
    tables: tableFacts(model, loads.loads),
    patterns: patternFacts(model),
    prices,
    pricesOf,
    month: months["730h"],
  };
  const { lines } = billOf(input);
  return { model, facts, plans, loads, input, lines, total: sumOf(lines).average };
}

function dollarsOf(input: CostInput): number {
  return sumOf(billOf(input).lines).average;
}

/** What a month costs less if tables are otherwise. */
export function savedBy(
  { input, total }: Priced,
  change: (table: TableFacts) => TableFacts | undefined,
): number {
  const tables = input.tables.flatMap((table) => change(table) ?? []);
  return total - dollarsOf({ ...input, tables });
}

/** A dollar in a month, or a hundredth of a small bill, is worth a word. */
export function isWorthIt(saved: number, { total }: Priced): boolean {
  return saved >= Math.min(1, Math.max(0.01, total / 100));
}

/** Less than a cent is no price. */
export function moneyPrice(perMonth: number, assumed: boolean): Price | undefined {
  return perMonth < 0.01 ? undefined : { kind: "money", perMonth, assumed };
}

/** The price of read units of a pattern that need not be, each run; what a cache answers costs nothing. */
export function readsPrice(
  prices: RegionPrices,
  pattern: Pattern,
  table: Table,
  units: number,
  assumed: boolean,
): Price | undefined {
  const { dax } = table;
  const isCached =
    dax !== undefined &&
    pattern.consistency === "eventual" &&
    (dax.patterns.length === 0 || dax.patterns.includes(pattern.id));
  const left = isCached ? 1 - (dax.hitRate?.value ?? 0) : 1;
  const reads = (pattern.rps.average?.value ?? 0) * units * left;
  const isAssumed = assumed || (pattern.rps.average?.assumed ?? false);
  return moneyPrice(monthly(prices, table, { reads }), isAssumed);
}

/** What an index costs by being there: its writes and its bytes. */
export function upkeepOf(design: Priced, table: Table, index: { readonly name: string }): number {
  return indexDollars(design, table, index, ["writes", "replicated writes", "storage"]);
}

/** What some kinds of lines of an index come to. */
export function indexDollars(
  { lines }: Priced,
  table: Table,
  index: { readonly name: string },
  kinds: readonly LineKind[],
): number {
  const own = lines.filter(
    (line) => line.table === table.name && line.index === index.name && kinds.includes(line.kind),
  );
  return sumOf(own).average;
}
