import type { Index, Table } from "../../model/design.ts";
import type { Pattern } from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import type { ReadRequest } from "../plans/plan.ts";
import { planOf } from "../plans/planner.ts";
import { estimateRequest } from "../units/estimate.ts";
import { isWorthIt } from "./bills.ts";
import type { LintContext } from "./lint-context.ts";
import { readsIn, sourceText } from "./requests.ts";
import { whatIf, withoutIndex } from "./what-if.ts";

/** A design without an index, in which everything is still answered by keys, at less cost. */
export interface Drop {
  readonly saved: number;
  /** What answers instead. */
  readonly instead: readonly { readonly pattern: Pattern; readonly source: string }[];
  /** Something is filtered or sorted then that was not before. */
  readonly loses: boolean;
  /** The most bytes that one call goes through then. */
  readonly bytes: number;
}

const known = new WeakMap<LintContext, Map<Index, Drop | undefined>>();

/** Nothing if the index is not read, is needed, or pays for itself. Worked out once. */
export function withoutIndexPlans(
  context: LintContext,
  table: Table,
  index: Index,
): Drop | undefined {
  const drops = known.get(context) ?? new Map<Index, Drop | undefined>();
  known.set(context, drops);
  if (!drops.has(index)) drops.set(index, dropOf(context, table, index));
  return drops.get(index);
}

function dropOf(context: LintContext, table: Table, index: Index): Drop | undefined {
  const used = readsIn(context).filter(({ request }) => request.index === index);
  const patterns = [...new Set(used.map(({ pattern }) => pattern))];
  if (patterns.length === 0 || patterns.some(({ id }) => context.plans.get(id)?.stated)) {
    return undefined;
  }
  const model = withoutIndex(context.model, table, index);
  const facts = Facts.of(model);
  const instead: Drop["instead"][number][] = [];
  let [loses, bytes] = [false, 0];
  for (const pattern of patterns) {
    const { requests, problem } = planOf(facts, pattern);
    const reads = requests.filter((request) => request.kind === "read");
    if (problem !== undefined || reads.some(({ operation }) => operation === "Scan")) {
      return undefined;
    }
    const before = used.filter((one) => one.pattern === pattern).map(({ request }) => request);
    if (work(reads) > work(before)) loses = true;
    for (const read of reads) {
      const estimate = estimateRequest(facts, read);
      bytes = Math.max(bytes, estimate.bytes / Math.max(1, read.expected.calls));
    }
    const [first] = reads;
    if (first !== undefined) instead.push({ pattern, source: sourceText(first) });
  }
  const { saved } = whatIf(context, table, model);
  return !isWorthIt(saved, context.design) ? undefined : { saved, instead, loses, bytes };
}

/** Filters, kinds of items between, and sorting by the caller. */
function work(reads: readonly ReadRequest[]): number {
  return reads.reduce(
    (sum, { filter, beside, sortsInClient }) =>
      sum + filter.length + beside.length + (sortsInClient ? 1 : 0),
    0,
  );
}
