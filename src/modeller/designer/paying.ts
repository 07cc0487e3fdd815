import type {
  DecisionDocument,
  DesignDocument,
  IndexDocument,
  ProvisionedDocument,
  TableDocument,
} from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { TableFacts } from "../cost/bill.ts";
import { scalingFor } from "../cost/capacity-over-day.ts";
import { type Load, sumOfLines } from "../cost/load.ts";
import { type ModeOption, modeOptions, modeWords } from "../cost/modes.ts";
import { type Priced, priced } from "../lint/bills.ts";
import { defaultRegion, pricesOf } from "../prices/book.ts";
import type { RegionPrices } from "../prices/price.ts";
import { unlimited } from "./expiry.ts";
import { record } from "./layouts.ts";
import { billWith, type PeriodsOption, periodsOf, periodsWords } from "./periods.ts";

/** A reservation binds for years, and capacity for the peak is never cheaper than what scales: neither is chosen here. */
const offered: readonly string[] = ["on-demand", "auto-scaling"];

/**
 * How each table is paid for, after everything else is chosen: by the request or by capacity that follows the load, in
 * the class that is cheaper, or as tables of periods of which the older ones are in that class. `model` is the one that
 * the design makes. What must stay is not touched.
 */
export function paidFor(
  model: Model,
  design: DesignDocument,
  stays: ReadonlySet<string>,
): DesignDocument {
  const prices = pricesOf(model.overview.region ?? defaultRegion);
  if (prices === undefined) return design;
  const whole = priced(model, prices);
  const { input } = whole;
  const tables = new Map(Object.entries(design.tables));
  const decisions: DecisionDocument[] = [];
  const gone: string[] = [];
  for (const facts of input.tables) {
    const table = tables.get(facts.name);
    if (table === undefined || stays.has(facts.name) || table.periods !== undefined) continue;
    const ways = modeOptions(facts, input).filter(({ mode }) => offered.includes(mode));
    const [best] = ways;
    const plain = ways.find((one) => one.mode === "on-demand" && one.class === "standard");
    if (best === undefined || plain === undefined) continue;
    const one: Paid = {
      table: paidBy(table, facts, best),
      text: wayText(best),
      saved: plain.total - best.total,
    };
    const unpaid: Paid = { table, text: wayText(plain), saved: 0 };
    const split = periodsOf(model, table).flatMap((option) =>
      inPeriods(whole, prices, design, facts.name, option),
    );
    const [parts] = split.toSorted((a, b) => b.saved - a.saved);
    const single = one.saved < worthCents ? unpaid : one;
    // Many tables are work, so that they have to save something that one feels.
    const isSplit = parts !== undefined && parts.saved - single.saved >= worthTables;
    const chosen = isSplit ? parts : single;
    const others = new Set([single, unpaid, ...(parts === undefined ? [] : [parts])]);
    const rejected = [...others].filter((other) => other !== chosen);
    if (rejected.length === 0) continue;
    tables.set(facts.name, chosen.table);
    if (chosen === parts) gone.push(...Object.keys(table.entities ?? {}));
    decisions.push({
      about: `design.tables.${facts.name}.${chosen === parts ? "periods" : "billing"}`,
      chosen: chosen.text,
      rejected: rejected.map(({ text, saved }) => ({
        what: text,
        perMonth: cents(chosen.saved - saved),
      })),
      why: "it is the cheapest for the average and the peak that are stated",
    });
  }
  // A table of a period is deleted as a whole, so its entities need no TTL.
  const obsolete = unlimited(
    gone.flatMap((name) => model.entities.get(name) ?? []),
    Object.values(design.tables),
  );
  const left = design.tradeoffs?.filter((text) => !obsolete.includes(text));
  const { tradeoffs: _, ...rest } = design;
  return {
    ...rest,
    ...(left && left.length > 0 && { tradeoffs: left }),
    decisions: [...(design.decisions ?? []), ...decisions],
    tables: record([...tables]),
  };
}

/** A table as it could be paid for, and what that saves in a month. */
interface Paid {
  readonly table: TableDocument;
  readonly text: string;
  readonly saved: number;
}

const worthCents = 0.01;
const worthTables = 1;

/** Tables of periods, of which the running one is paid for by the request or in the cheapest way. */
function inPeriods(
  whole: Priced,
  prices: RegionPrices,
  design: DesignDocument,
  name: string,
  option: PeriodsOption,
): readonly Paid[] {
  const { model, total } = whole;
  const bill = billWith(model, prices, design, name, option.table);
  if (bill === undefined) return [];
  const text = periodsWords(option);
  const plain: Paid = { table: option.table, text, saved: total - bill.total };
  const running = bill.input.tables.find((one) => one.name === name);
  const [best] =
    running === undefined
      ? []
      : modeOptions(running, bill.input).filter(({ mode }) => offered.includes(mode));
  if (running === undefined || best === undefined || best.mode === "on-demand") return [plain];
  const table = paidBy(option.table, running, { ...best, class: "standard" });
  const scaled = billWith(model, prices, design, name, table);
  if (scaled === undefined) return [plain];
  return [plain, { table, text: `${text}; ${wayText(best)}`, saved: total - scaled.total }];
}

function wayText({ mode, class: tableClass }: ModeOption): string {
  const words = modeWords[mode];
  return tableClass === "standard" ? words : `${words}, class for infrequent access`;
}

function paidBy(table: TableDocument, { loads }: TableFacts, way: ModeOption): TableDocument {
  const own = { ...table, ...(way.class !== "standard" && { class: way.class }) };
  if (way.mode === "on-demand") return own;
  const of = (index: string | undefined): Load | undefined =>
    loads.find((one) => one.index === index);
  const indexes = Object.entries(table.indexes ?? {}).map(
    ([name, index]): [string, IndexDocument] =>
      index.local ? [name, index] : [name, { ...index, throughput: scaledFor(of(name)) }],
  );
  return {
    ...own,
    billing: { provisioned: scaledFor(of(undefined)) },
    ...(indexes.length > 0 && { indexes: record(indexes) }),
  };
}

function scaledFor(load: Load | undefined): ProvisionedDocument {
  const lines = load?.lines ?? [];
  const read = scalingFor(sumOfLines(lines, ({ reads }) => reads));
  const write = scalingFor(sumOfLines(lines, ({ writes }) => writes));
  return { read: read.min, write: write.min, autoScaling: { read, write } };
}

function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}
