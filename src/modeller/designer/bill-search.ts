import type { DesignDocument } from "../../model/document-design.ts";
import type { Priced } from "../lint/bills.ts";
import { type Chosen, type Component, halfCent } from "./component.ts";
import { indexNames } from "./emit.ts";
import type { Choice } from "./pricing.ts";
import type { Solver } from "./program.ts";
import { readsOf } from "./read-cost.ts";

/** Chooses the cheapest design by the bill of the whole; it works out no price itself. */

export interface BilledDesign {
  readonly plain: DesignDocument;
  readonly bill: Priced;
}

export interface Part {
  readonly component: Component;
  readonly chosen: Chosen;
}

export interface Found extends BilledDesign {
  readonly components: readonly Part[];
  /** What was minimised, with the dollars of the bill. */
  readonly objective: number;
  /** What may be missing to the cheapest, as a share. */
  readonly gap: number;
}

/** Number of choices with another bill than their prices, after which the cheapest of them is taken. */
const correctionsMax = 30;

/**
 * The bill decides what a choice costs. Sums of prices only lead to it: each index is priced as if it were the only one,
 * and the planner may take other access paths where it sees all of them. Where the bill has other dollars, these take the
 * place of the sum, and the choice is made again.
 */
export function solveByBill(
  components: readonly Component[],
  solver: Solver,
  billOf: (choices: readonly Choice[]) => BilledDesign,
): Found {
  let best: Found | undefined;
  for (let round = 0; ; round += 1) {
    const parts = components.flatMap((component): readonly Part[] => {
      const chosen = component.solve(solver);
      return chosen === undefined ? [] : [{ component, chosen }];
    });
    const found = billed(parts, billOf);
    if (best === undefined || found.objective <= best.objective + halfCent) best = found;
    const isCorrected = parts.flatMap(({ component, chosen }) =>
      chosen.choices.flatMap((choice) => correctionsFor(component, choice, found.bill)),
    );
    if (!isCorrected.includes(true)) return best;
    if (round < correctionsMax) continue;
    const least = parts.reduce((sum, { chosen }) => sum + chosen.objective, 0);
    return { ...best, gap: Math.max(best.gap, 1 - least / best.objective) };
  }
}

function billed(
  components: readonly Part[],
  billOf: (choices: readonly Choice[]) => BilledDesign,
): Found {
  const all = components.map(({ chosen }) => chosen);
  const { plain, bill } = billOf(all.flatMap(({ choices }) => choices));
  const beyond = all.reduce((sum, { total }) => sum - total, bill.total);
  const objective = all.reduce((sum, chosen) => sum + chosen.objective, beyond);
  const gap = Math.max(0, ...all.map((chosen) => chosen.gap));
  return { components, plain, bill, objective, gap };
}

/** Whether a choice has other dollars in the bill, and whether the same without the indexes that nothing reads has. */
function correctionsFor(
  component: Component,
  { layout, indexes }: Choice,
  { lines, plans, loads }: Priced,
): readonly boolean[] {
  const own = lines.filter(({ table }) => layout.tables.has(table));
  const read = new Set(
    [...plans.values(), ...loads.background].flatMap((one) =>
      readsOf(one).flatMap(({ table, index }) => (table.name === layout.main ? [index?.name] : [])),
    ),
  );
  const names = indexNames(indexes, layout);
  const unread = new Set(
    indexes.flatMap((one) => (read.has(names.get(one)) ? [] : [names.get(one)])),
  );
  const isCorrected = component.correct({ layout, indexes }, own);
  if (unread.size === 0) return [isCorrected];
  const rest = own.filter(({ table, index }) => table !== layout.main || !unread.has(index));
  const less = indexes.filter((one) => !unread.has(names.get(one)));
  return [isCorrected, component.correct({ layout, indexes: less }, rest)];
}
