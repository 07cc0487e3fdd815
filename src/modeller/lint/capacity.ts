import type { Billing, Provisioned } from "../../model/design.ts";
import type { UnitsDocument } from "../../model/document-parts.ts";
import { afterCache } from "../cost/bill.ts";
import { type Load, type PerSecond, sumOfLines } from "../cost/load.ts";
import type { LintContext } from "./lint-context.ts";

/** What a table or a global index is asked for, beside what it can take. */
export interface Demand {
  readonly load: Load;
  /** "Shop" or "index OpenOrders of Shop". */
  readonly name: string;
  readonly path: readonly (string | number)[];
  readonly read: PerSecond;
  readonly write: PerSecond;
  readonly maximum: UnitsDocument | undefined;
  readonly prewarm: UnitsDocument | undefined;
}

/** Of tables that run, without what a cache answers; those of past periods take no requests. */
export function demandsOf({ design, tables }: LintContext): readonly Demand[] {
  const loads = design.input.tables.flatMap(({ loads: own, dax }) => afterCache(own, dax));
  return loads.flatMap((load): Demand[] => {
    const table = tables.find(({ name }) => name === load.table);
    if (table === undefined || load.local || load.period === "older") return [];
    const index = load.index === undefined ? undefined : table.indexes.get(load.index);
    const { maximum, prewarm, path } = index ?? table;
    return [
      {
        load,
        name: index === undefined ? table.name : `index ${index.name} of ${table.name}`,
        path,
        read: sumOfLines(load.lines, ({ reads }) => reads),
        write: sumOfLines(load.lines, ({ writes }) => writes),
        maximum,
        prewarm,
      },
    ];
  });
}

/** The most units per second that are let through; nothing if there is no limit. */
export function ceilingOf(
  billing: Billing,
  maximum: UnitsDocument | undefined,
  kind: "read" | "write",
): { readonly units: number; readonly why: string } | undefined {
  if (billing.mode === "on-demand") {
    const units = maximum?.[kind];
    return units === undefined ? undefined : { units, why: "its maximum" };
  }
  return provisionedCeiling(billing.provisioned, kind);
}

/** Rounding is no reason to speak. */
export function isOver(peak: number, ceiling: number): boolean {
  return peak > ceiling * 1.001;
}

function provisionedCeiling(provisioned: Provisioned, kind: "read" | "write") {
  const scaling = provisioned.autoScaling[kind];
  return scaling === undefined
    ? { units: provisioned[kind], why: "what is provisioned" }
    : { units: scaling.max, why: "the most that auto scaling provisions" };
}
