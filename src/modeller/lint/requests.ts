import type { Pattern } from "../../model/requirements.ts";
import type { Plan, ReadRequest, WriteRequest } from "../plans/plan.ts";
import type { RequestEstimate } from "../units/estimate.ts";
import type { LintContext } from "./lint-context.ts";
import { amountText } from "./words.ts";

/** A request of a pattern, with what one run of it costs. */
export interface Planned<R> {
  readonly pattern: Pattern;
  readonly plan: Plan;
  readonly request: R;
  /** Its place in the plan. */
  readonly step: number;
  readonly estimate: RequestEstimate;
}

interface All {
  readonly reads: readonly Planned<ReadRequest>[];
  readonly writes: readonly Planned<WriteRequest>[];
}

const known = new WeakMap<LintContext, All>();

function requestsIn(context: LintContext): All {
  const before = known.get(context);
  if (before !== undefined) return before;
  const reads: Planned<ReadRequest>[] = [];
  const writes: Planned<WriteRequest>[] = [];
  for (const plan of context.plans.values()) {
    const { pattern } = plan;
    const run = context.estimate(pattern.id);
    for (const [step, request] of plan.requests.entries()) {
      const estimate = run?.requests[step];
      if (estimate === undefined) continue;
      const rest = { pattern, plan, step, estimate };
      if (request.kind === "read") reads.push({ ...rest, request });
      else writes.push({ ...rest, request });
    }
  }
  known.set(context, { reads, writes });
  return { reads, writes };
}

/** All reads of all patterns, those that writes begin with included. */
export function readsIn(context: LintContext): readonly Planned<ReadRequest>[] {
  return requestsIn(context).reads;
}

export function writesIn(context: LintContext): readonly Planned<WriteRequest>[] {
  return requestsIn(context).writes;
}

/** "Pattern 7 (Orders in a state)". */
export function patternText({ id, name }: Pattern): string {
  return `Pattern ${id} (${name})`;
}

/** "Shop" or "index OpenOrders of Shop". */
export function sourceText({ table, index }: Pick<ReadRequest, "table" | "index">): string {
  return index === undefined ? table.name : `index ${index.name} of ${table.name}`;
}

/** "It runs 30 times per second, 100 at peak", as far as that was said. */
export function runsText({ rps }: Pattern): string {
  const { average, peak } = rps;
  if (average === undefined) return "how often it runs is not said";
  const most = peak === undefined ? "" : `, ${amountText(peak)} at peak`;
  return `it runs ${amountText(average)} times per second${most}`;
}

/** Items that a read goes through, for all its calls. */
export function evaluatedIn({ expected }: ReadRequest): number {
  return expected.evaluated.reduce((sum, { count }) => sum + count, 0);
}

/** Whether a text of the pattern speaks of something: then somebody has thought of it. */
export function mentions(texts: readonly (string | undefined)[], words: RegExp): boolean {
  return texts.some((text) => text !== undefined && words.test(text));
}

/** What a pattern says about itself in words. */
export function textsOf({
  story,
  requirements,
  considerations,
}: Pattern): readonly (string | undefined)[] {
  return [story, ...requirements, ...considerations];
}
