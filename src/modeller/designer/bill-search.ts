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
    // What is as it was chosen, and the same without the indexes that nothing reads, has the dollars of the bill.
    const isCorrected = [...parts, ...found.components].flatMap(({ component, chosen }) =>
      chosen.choices.map((choice) =>
        component.correct(
          choice,
          found.bill.lines.filter(({ table }) => choice.layout.tables.has(table)),
        ),
      ),
    );
    if (!isCorrected.includes(true)) return best;
    if (round < correctionsMax) continue;
    const least = parts.reduce((sum, { chosen }) => sum + chosen.objective, 0);
    return { ...best, gap: Math.max(best.gap, 1 - least / best.objective) };
  }
}

function billed(
  parts: readonly Part[],
  billOf: (choices: readonly Choice[]) => BilledDesign,
): Found {
  const choicesOf = (all: readonly Part[]): readonly Choice[] =>
    all.flatMap(({ chosen }) => chosen.choices);
  const first = billOf(choicesOf(parts));
  const components = parts.map(({ component, chosen }) => ({
    component,
    chosen: { ...chosen, choices: chosen.choices.map((one) => withoutUnread(one, first.bill)) },
  }));
  const countIn = (all: readonly Part[]): number =>
    choicesOf(all).reduce((sum, { indexes }) => sum + indexes.length, 0);
  const { plain, bill } =
    countIn(components) < countIn(parts) ? billOf(choicesOf(components)) : first;
  const all = parts.map(({ chosen }) => chosen);
  const beyond = all.reduce((sum, { total }) => sum - total, bill.total);
  const objective = all.reduce((sum, chosen) => sum + chosen.objective, beyond);
  const gap = Math.max(0, ...all.map((chosen) => chosen.gap));
  return { components, plain, bill, objective, gap };
}

/** A choice without the indexes that no request of a bill reads. */
function withoutUnread({ layout, indexes }: Choice, { plans, loads }: Priced): Choice {
  const read = new Set(
    [...plans.values(), ...loads.background].flatMap((one) =>
      readsOf(one).flatMap(({ table, index }) => (table.name === layout.main ? [index?.name] : [])),
    ),
  );
  const names = indexNames(indexes, layout);
  return { layout, indexes: indexes.filter((one) => read.has(names.get(one))) };
}
