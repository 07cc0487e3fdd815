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
import { priced } from "../lint/bills.ts";
import { defaultRegion, pricesOf } from "../prices/book.ts";
import { record } from "./layouts.ts";

/** A reservation binds for years, and capacity for the peak is never cheaper than what scales: neither is chosen here. */
const offered: readonly string[] = ["on-demand", "auto-scaling"];

/**
 * How each table is paid for, after everything else is chosen: by the request or by capacity that follows the load, in
 * the class that is cheaper. `model` is the one that the design makes. What must stay is not touched.
 */
export function paidFor(
  model: Model,
  design: DesignDocument,
  stays: ReadonlySet<string>,
): DesignDocument {
  const prices = pricesOf(model.overview.region ?? defaultRegion);
  if (prices === undefined) return design;
  const { input } = priced(model, prices);
  const tables = new Map(Object.entries(design.tables));
  const decisions: DecisionDocument[] = [];
  for (const facts of input.tables) {
    const table = tables.get(facts.name);
    if (table === undefined || stays.has(facts.name) || table.periods !== undefined) continue;
    const ways = modeOptions(facts, input).filter(({ mode }) => offered.includes(mode));
    const [best] = ways;
    const plain = ways.find((one) => one.mode === "on-demand" && one.class === "standard");
    if (best === undefined || plain === undefined || plain.total - best.total < 0.01) continue;
    tables.set(facts.name, paidBy(table, facts, best));
    decisions.push({
      about: `design.tables.${facts.name}.billing`,
      chosen: wayText(best),
      rejected: [{ what: wayText(plain), perMonth: cents(plain.total - best.total) }],
      why: "it is the cheapest for the average and the peak that are stated",
    });
  }
  return {
    ...design,
    decisions: [...(design.decisions ?? []), ...decisions],
    tables: record([...tables]),
  };
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
