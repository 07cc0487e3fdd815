import type { Index } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import type { Pattern } from "../../model/requirements.ts";
import { type Priced, priced } from "../lint/bills.ts";
import { indexCandidates } from "../lint/index-candidates.ts";
import { withIndex, withPattern } from "../lint/what-if.ts";
import { listText } from "../lint/words.ts";
import type { Plan, ReadRequest } from "../plans/plan.ts";
import { estimateRun } from "../units/estimate.ts";

/** Another way to serve a pattern, with what the whole bill makes of it. */
export interface Alternative {
  readonly what: string;
  /** Dollars a month that the model costs less; negative if it costs more. */
  readonly saved: number;
  /** Units of one run then. */
  readonly read: number;
  readonly write: number;
}

interface Candidate {
  readonly what: string;
  readonly model: Model;
}

/** Ways that could be cheaper for a pattern, priced by planning the changed model anew. Cheapest first. */
export function alternativesOf(before: Priced, plan: Plan): readonly Alternative[] {
  return candidatesOf(before, plan)
    .flatMap(({ what, model }): Alternative[] => {
      const after = priced(model, before.input.prices);
      const changed = after.plans.get(plan.pattern.id);
      if (changed === undefined || changed.problem !== undefined) return [];
      // A change that makes another pattern read all of a table is none.
      if (scans(after.plans) > scans(before.plans)) return [];
      const { read, write } = estimateRun(after.facts, changed.requests);
      const own = estimateRun(before.facts, plan.requests);
      if (read === own.read && write === own.write) return [];
      return [{ what, saved: before.total - after.total, read, write }];
    })
    .toSorted((a, b) => b.saved - a.saved);
}

function scans(plans: ReadonlyMap<string, Plan>): number {
  return [...plans.values()].reduce(
    (sum, { requests }) =>
      sum + requests.filter((one) => one.kind === "read" && one.operation === "Scan").length,
    0,
  );
}

function candidatesOf({ model }: Priced, plan: Plan): readonly Candidate[] {
  const { pattern, requests } = plan;
  const reads = requests.flatMap((one) => (one.kind === "read" ? [one] : []));
  const [first] = reads;
  const candidates: Candidate[] = [];
  if (pattern.kind === "read" && pattern.consistency === "strong") {
    const changed: Pattern = { ...pattern, consistency: "eventual" };
    candidates.push({
      what: "eventual instead of strong reads",
      model: withPattern(model, changed),
    });
  }
  if (pattern.transaction && (pattern.kind === "read" || pattern.actions.length === 1)) {
    const what =
      pattern.kind === "read"
        ? "a batch instead of a transaction"
        : "a single write instead of a transaction";
    candidates.push({ what, model: withPattern(model, { ...pattern, transaction: false }) });
  }
  if (first === undefined || plan.stated) return candidates;
  candidates.push(...projected(model, first, reads));
  const isUnfit =
    first.operation === "Scan" ||
    first.filter.length > 0 ||
    first.sortsInClient ||
    first.beside.length > 0;
  if (pattern.kind === "read" && isUnfit) candidates.push(...indexed(model, pattern, first));
  candidates.push(...sparse(model, plan, first));
  return candidates;
}

/** All that is asked for lies in the index, so that nothing has to be fetched. */
function projected(
  model: Model,
  first: ReadRequest,
  reads: readonly ReadRequest[],
): readonly Candidate[] {
  const { index, table, record } = first;
  if (index === undefined || index.projection === "all") return [];
  const isFetched =
    first.fetches || reads.slice(1).some((one) => one.record === record && one.index === undefined);
  if (!isFetched) return [];
  const entry = record.memberships.find((one) => one.index === index);
  const held = new Set((entry?.attributes ?? []).map(({ name }) => name));
  const wanted = reads.flatMap(({ returns, record: one }) => (one === record ? returns : []));
  const missing = [...new Set(wanted)].filter((name) => !held.has(name));
  if (missing.length === 0) return [];
  const old = index.projection === "keys" ? [] : index.projection;
  const changed: Index = { ...index, projection: [...new Set([...old, ...missing])] };
  const what = `${listText(missing)} in the projection of ${index.name}, so that nothing is fetched`;
  return [{ what, model: withIndex(model, table, changed) }];
}

/** An index whose key has what is asked for by value, then what is asked for in order. */
function indexed(model: Model, pattern: Pattern, first: ReadRequest): readonly Candidate[] {
  return indexCandidates(model, pattern, first)
    .slice(0, 1)
    .map(({ key, model: changed }) => ({
      what: `a GSI of ${first.table.name} with ${key}`,
      model: changed,
    }));
}

/** An index that holds only what the pattern asks for, if nobody else reads it. */
function sparse(
  model: Model,
  { pattern }: Plan,
  { table, index, record, filter }: ReadRequest,
): readonly Candidate[] {
  const constant = filter.filter(
    ({ operands, operator }) =>
      operator !== "exists" && operands.every(({ kind }) => kind === "constant"),
  );
  if (index === undefined || constant.length === 0 || pattern.kind !== "read") return [];
  const member = index.members.get(record.entity.name);
  if (member === undefined) return [];
  const only = [...(member.only ?? []), ...constant];
  const members = new Map([...index.members, [record.entity.name, { ...member, only }]]);
  const names = listText([...new Set(constant.map(({ attribute }) => attribute))]);
  const what = `a sparse ${index.name}, with only those ${record.entity.name} that the filter on ${names} leaves`;
  return [{ what, model: withIndex(model, table, { ...index, members }) }];
}
