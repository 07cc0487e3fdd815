import type { Table, TableClass } from "../../model/design.ts";
import type { TableFacts } from "../cost/bill.ts";
import { sumOf } from "../cost/bill.ts";
import { billOf } from "../cost/estimate.ts";
import { type Mode, type ModeOption, modeOptions } from "../cost/modes.ts";
import type { LintContext } from "./lint-context.ts";

/** A table of which the way to pay is stated, with the other ways. */
export interface TableModes {
  readonly table: Table;
  /** Throughput and storage as they are designed. */
  readonly now: number;
  readonly throughput: number;
  readonly storage: number;
  readonly option: (tableClass: TableClass, mode: Mode) => ModeOption | undefined;
  /** A rate or a size is assumed. */
  readonly assumed: boolean;
}

const known = new WeakMap<LintContext, readonly TableModes[]>();

/** All tables; those of past periods are judged with the design of periods. Worked out once. */
export function tableModes(context: LintContext): readonly TableModes[] {
  const modes = known.get(context) ?? modesOf(context);
  known.set(context, modes);
  return modes;
}

function modesOf(context: LintContext): readonly TableModes[] {
  const { input } = context.design;
  return input.tables.flatMap((facts): TableModes[] => {
    const table = context.tables.find(({ name }) => name === facts.name);
    if (table === undefined || facts.loads.some(({ period }) => period === "older")) return [];
    const options = modeOptions(facts, input);
    const { throughput, storage } = nowOf(context, facts);
    return [
      {
        table,
        now: throughput + storage,
        throughput,
        storage,
        option: (tableClass, mode) =>
          options.find((one) => one.class === tableClass && one.mode === mode),
        assumed: facts.loads.some(
          ({ lines, storageAssumed }) => storageAssumed || lines.some(({ assumed }) => assumed),
        ),
      },
    ];
  });
}

function nowOf({ design: { input } }: LintContext, facts: TableFacts) {
  const { lines } = billOf({ ...input, tables: [facts] });
  const dollars = (...kinds: readonly string[]): number =>
    sumOf(lines.filter(({ kind }) => kinds.includes(kind))).average;
  return {
    throughput: dollars("reads", "writes", "replicated writes"),
    storage: dollars("storage"),
  };
}

/** Another way is worth the change: a tenth of the price, and some dollars. */
export function isCheaper(now: number, other: number): boolean {
  return now - other >= Math.max(5, now / 10);
}
