import type { Facts } from "../facts.ts";
import { type Plan, structureName } from "../plans/plan.ts";
import type { Answer } from "../requests/run-plan.ts";
import { estimateRun } from "../units/estimate.ts";
import { estimateMet, type Sent } from "./met.ts";

/** What runs of a pattern took, as means, and what they should. */
export interface Figures {
  readonly calls: number;
  /** Queries and scans among the calls: one for each page. */
  readonly pages: number;
  readonly units: Units;
  /** By table and index. */
  readonly arms: readonly (Units & { readonly name: string })[];
}

export interface Units {
  /** On the data of the trial. */
  readonly measured: number;
  /** For as many items as the trial met, in the sizes that the model states. */
  readonly met: number;
  /** For the numbers and sizes that the model states. */
  readonly estimated: number;
}

export const noFigures: Figures = {
  calls: 0,
  pages: 0,
  units: { measured: 0, met: 0, estimated: 0 },
  arms: [],
};

/** Collects what the runs of a pattern took. */
export class Measured {
  private readonly runs: (readonly Sent[])[] = [];
  private readonly consumed = new Map<string, number>();

  add({ consumed }: Answer, sent: readonly Sent[]): void {
    this.runs.push(sent);
    for (const [name, units] of consumed) {
      this.consumed.set(name, (this.consumed.get(name) ?? 0) + units);
    }
  }

  figures(facts: Facts, plan: Plan): Figures {
    const runs = Math.max(1, this.runs.length);
    const sent = this.runs.flat();
    const met = estimateMet(facts, plan, this.runs);
    const estimated = new Map(
      estimateRun(facts, plan.requests).arms.map(({ table, index, read, write }) => [
        structureName(table, index),
        read + write,
      ]),
    );
    const measured = new Map<string, number>();
    for (const [name, units] of this.consumed) {
      const own = structureIn(facts, name);
      measured.set(own, (measured.get(own) ?? 0) + units / runs);
    }
    const names = new Set([...measured.keys(), ...met.keys(), ...estimated.keys()]);
    const arms = [...names].toSorted().map((name) => ({
      name,
      measured: measured.get(name) ?? 0,
      met: met.get(name) ?? 0,
      estimated: estimated.get(name) ?? 0,
    }));
    const sum = (of: (arm: Units) => number): number =>
      arms.reduce((total, arm) => total + of(arm), 0);
    return {
      calls: sent.length / runs,
      pages: sent.filter(({ operation }) => /^(Query|Scan)$/.test(operation)).length / runs,
      units: {
        measured: sum((arm) => arm.measured),
        met: sum((arm) => arm.met),
        estimated: sum((arm) => arm.estimated),
      },
      arms,
    };
  }
}

/** The table or index of the model: a table of a period has a name of its own, and names may have dots in them. */
function structureIn({ model }: Facts, name: string): string {
  for (const table of model.design?.tables.values() ?? []) {
    if (table.periods === undefined || !name.startsWith(`${table.name}-`)) continue;
    const dot = name.indexOf(".", table.name.length);
    return table.name + (dot < 0 ? "" : name.slice(dot));
  }
  return name;
}
