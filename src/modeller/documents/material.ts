import type { Index, Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import { CheckContext } from "../check/check-context.ts";
import { peakOf } from "../check/rates.ts";
import { type CheckReport, reportOf } from "../check/report.ts";
import { type Trade, tradesOf } from "../check/trades.ts";
import { months } from "../cost/month.ts";
import { type CostReport, costOf } from "../cost/report.ts";
import { Facts } from "../facts.ts";
import { type Heat, heatOf } from "../heat/heat.ts";
import { type Infrastructure, infrastructureOf } from "../infrastructure/describe.ts";
import { type LintResult, lint } from "../lint/lint.ts";
import type { Plan } from "../plans/plan.ts";
import { plansOf } from "../plans/planner.ts";
import type { PatternProof } from "../proof/prove.ts";
import { type Loads, loadsOf } from "../units/loads.ts";
import { type Sample, sampleOf } from "../values/sample.ts";

/** The moment that samples are of: the same every time, so that the same model makes the same files. */
export const documentsNow = Date.UTC(2026, 0, 15, 12);
export const documentsSeed = 1;

/** Enough to see what lies beside what, and few enough to be looked at. */
const sampleItems = 150;

/** Reads or writes of a table or an index in a simulated peak. */
export interface SimulatedFlow {
  readonly place: string;
  readonly direction: "read" | "write";
  /** Units per second. */
  readonly consumed: number;
  readonly throttledShare: number;
  readonly hottestShare: number;
  readonly partitions: number;
}

export interface SimulatedTable {
  readonly table: string;
  readonly seconds: number;
  readonly throttledShare: number;
  readonly flows: readonly SimulatedFlow[];
  /** What a reader must know of these figures, in sentences. */
  readonly notes: readonly string[];
}

/** What cannot be worked out from a model alone. */
export interface Measured {
  /** Nothing if the proof was not run. */
  readonly proofs: readonly PatternProof[] | undefined;
  /** Nothing if the peak was not simulated. */
  readonly simulated: readonly SimulatedTable[] | undefined;
}

/** Everything that the documents tell of a model; each is worked out once. */
export class Material {
  readonly model: Model;
  readonly proofs: Measured["proofs"];
  readonly simulated: Measured["simulated"];
  readonly facts: Facts;
  readonly plans: ReadonlyMap<string, Plan>;
  readonly loads: Loads;
  readonly heat: Heat;
  readonly check: CheckReport;
  readonly trades: readonly Trade[];
  readonly lint: LintResult;
  readonly cost: CostReport | undefined;
  /** Why there is no price. */
  readonly costWhy: string | undefined;
  readonly infrastructure: Infrastructure | undefined;
  #sample: Sample | undefined;

  constructor(model: Model, { proofs, simulated }: Measured) {
    this.model = model;
    this.proofs = proofs;
    this.simulated = simulated;
    this.facts = Facts.of(model);
    this.plans = plansOf(this.facts);
    this.loads = loadsOf(this.facts, this.plans);
    this.heat = heatOf(model);
    this.check = reportOf(model);
    this.trades = tradesOf(new CheckContext(model));
    this.lint = lint(model);
    const cost = costOf(model, { region: undefined, month: months["730h"] });
    this.cost = cost.report;
    this.costWhy = cost.report === undefined ? cost.why : undefined;
    this.infrastructure = infrastructureOf(model);
  }

  get tables(): readonly Table[] {
    return [...(this.model.design?.tables.values() ?? [])];
  }

  get sample(): Sample {
    this.#sample ??= sampleOf(this.model, {
      items: sampleItems,
      seed: documentsSeed,
      now: documentsNow,
    });
    return this.#sample;
  }

  /** The patterns whose requests touch a table, or an index of it. */
  patternsOn(table: string, index: string | undefined): readonly string[] {
    return [...this.plans.values()].flatMap(({ pattern, requests }) =>
      requests.some((one) =>
        one.kind === "read"
          ? one.table.name === table && one.index?.name === index
          : index === undefined && one.actions.some(({ record }) => record.table.name === table),
      )
        ? [pattern.id]
        : [],
    );
  }

  /** Calls per second that patterns send to a table, or to an index of it, and patterns whose rate nobody knows. */
  callsOn(
    table: Table,
    index: Index | undefined,
  ): { readonly average: number; readonly peak: number; readonly open: readonly string[] } {
    let [average, peak] = [0, 0];
    const open: string[] = [];
    for (const { pattern, requests } of this.plans.values()) {
      const run = this.loads.patterns.get(pattern.id);
      const calls = requests.reduce((sum, one, i) => {
        const isHere =
          one.kind === "read"
            ? one.table === table && one.index === index
            : index === undefined && one.actions.some(({ record }) => record.table === table);
        return isHere ? sum + (run?.requests[i]?.calls ?? 0) : sum;
      }, 0);
      average += calls * (pattern.rps.average?.value ?? 0);
      peak += calls * peakOf(pattern.rps);
      if (calls > 0 && pattern.rps.average === undefined) open.push(pattern.id);
    }
    return { average, peak, open };
  }
}
