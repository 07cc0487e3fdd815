import type { Model } from "../../model/model.ts";
import type { Pattern } from "../../model/requirements.ts";
import type { Month } from "../cost/month.ts";
import { secondsOf } from "../cost/month.ts";
import { type CostReport, costOf } from "../cost/report.ts";
import { type Priced, priced } from "../lint/bills.ts";
import { monthly } from "../lint/money.ts";
import type { Plan } from "../plans/plan.ts";
import type { RegionPrices } from "../prices/price.ts";
import { estimateRun, type RunEstimate } from "../units/estimate.ts";
import { type Alternative, alternativesOf } from "./cheaper.ts";
import { reasonsOf, rejectedOf } from "./reasons.ts";
import { type Step, stepOf, type TableBytes } from "./steps.ts";

/** How a pattern is served, what that costs, and what would be cheaper. */
export interface Explanation {
  readonly id: string;
  readonly name: string;
  /** Why there is nothing to explain. */
  readonly problem: string | undefined;
  readonly stated: boolean;
  readonly steps: readonly Step[];
  readonly read: number;
  readonly write: number;
  readonly calls: number;
  readonly bytes: number;
  readonly dollars: Dollars;
  readonly reasons: readonly string[];
  readonly rejected: readonly string[];
  /** Cheapest first; those that save nothing are there too. Nothing if they were not looked for. */
  readonly alternatives: readonly Alternative[] | undefined;
  /** Patterns that ask the same table or index for the same, for a request. */
  readonly similar: readonly string[];
  readonly assumptions: readonly string[];
  /** Questions that nobody has answered. */
  readonly open: readonly string[];
}

export interface Dollars {
  readonly perMillion: number;
  /** At the average rate; nothing if that is not known. */
  readonly perMonth: number | undefined;
  /** What a cache answers is not in it. */
  readonly cached: boolean;
}

export interface ExplainOptions {
  readonly region?: string | undefined;
  readonly month: Month;
}

/** Everything that explanations of one model share. */
export class Explaining {
  readonly model: Model;
  readonly report: CostReport;
  readonly design: Priced;

  private constructor(model: Model, report: CostReport) {
    this.model = model;
    this.report = report;
    this.design = priced(model, report.prices);
  }

  /** A sentence if there is no design, or no prices for the Region. */
  static of(model: Model, { region, month }: ExplainOptions): Explaining | string {
    const found = costOf(model, { region, month });
    if (found.report === undefined) return found.why;
    return new Explaining(model, found.report);
  }

  get prices(): RegionPrices {
    return this.report.prices;
  }

  /** Bytes of a table or an index. */
  readonly bytes: TableBytes = (table, index) =>
    this.design.loads.loads
      .filter((one) => one.table === table && one.index === index)
      .reduce((sum, one) => sum + one.storageBytes, 0);

  /** `deep`: also look for cheaper ways, which means to plan the model again for each. */
  explain(pattern: Pattern, deep: boolean): Explanation {
    const plan = this.design.plans.get(pattern.id) as Plan;
    const run = estimateRun(this.design.facts, plan.requests);
    return {
      id: pattern.id,
      name: pattern.name,
      problem: plan.requests.length === 0 ? (plan.problem ?? "it asks for nothing") : undefined,
      stated: plan.stated,
      ...this.figures(run),
      dollars: this.dollars(run, pattern),
      reasons: reasonsOf(this.design.facts, plan),
      rejected: rejectedOf(plan),
      alternatives:
        deep && plan.requests.length > 0 ? alternativesOf(this.design, plan) : undefined,
      similar: [],
      open: openOf(pattern, plan),
    };
  }

  figures(
    run: RunEstimate,
  ): Pick<Explanation, "steps" | "read" | "write" | "calls" | "bytes" | "assumptions"> {
    return {
      steps: run.requests.map((one) => stepOf(this.design.facts, one, this.bytes)),
      read: run.read,
      write: run.write,
      calls: run.calls,
      bytes: run.bytes,
      assumptions: [
        ...run.assumptions,
        ...run.unknown.map((name) => `the size of ${name}, which counts as nothing`),
      ],
    };
  }

  /** As the bill has it; for a pattern without a rate, by the prices of units. */
  dollars(run: RunEstimate, pattern: Pattern | undefined): Dollars {
    const billed = this.report.patterns.find(({ id }) => id !== undefined && id === pattern?.id);
    const perSecond = run.arms.reduce(
      (sum, { table, read, write }) =>
        sum + monthly(this.prices, table, { reads: read, writes: write }),
      0,
    );
    const own = (perSecond * 1e6) / secondsOf({ name: "730h", hours: 730 });
    return {
      perMillion: billed?.perMillion ?? own,
      perMonth: billed?.dollars.average,
      cached: billed?.perMillion !== undefined && pattern !== undefined && isCached(run, pattern),
    };
  }
}

/** A cache in front of a table answers some of the reads. */
function isCached({ arms }: RunEstimate, { id, consistency }: Pattern): boolean {
  return arms.some(
    ({ read, table: { dax } }) =>
      read > 0 &&
      consistency === "eventual" &&
      dax?.hitRate !== undefined &&
      (dax.patterns.length === 0 || dax.patterns.includes(id)),
  );
}

function openOf({ rps, id }: Pattern, plan: Plan): readonly string[] {
  if (plan.requests.length === 0 || rps.average !== undefined) return [];
  return [`What is the average of pattern ${id}? (rps.average)`];
}
