import type { Facts } from "../facts.ts";
import type { Ask } from "./ask.ts";
import { bindingsOf } from "./match-key.ts";
import { attributeName, type Candidate, isImplied, leavesOut } from "./read-candidate.ts";
import { type Structure, sameStructure } from "./structures.ts";

/** Reads all of a table or an index; nothing if that lacks items or attributes that are asked about. */
export function scanOf(facts: Facts, structure: Structure, ask: Ask): Candidate | undefined {
  const { table, index, record, membership } = structure;
  const left = membership && leavesOut(membership, ask);
  if (left?.refused !== undefined) return undefined;
  const held = new Set((membership?.attributes ?? record.attributes).flatMap(attributeName));
  if (ask.where.some(({ attribute }) => !held.has(attribute))) return undefined;
  // A copy that does not hold what the answer is sorted by cannot be cut to its first few.
  const needed = [
    ...ask.order.map(({ attribute }) => attribute),
    ...(ask.whole === true ? ask.returns : []),
  ];
  if (membership !== undefined && needed.some((name) => !held.has(name))) return undefined;
  const others = facts.records.filter(
    (one) => one !== record && sameStructure(structure, one) !== undefined,
  );
  const share = facts.passing(record.entity, [], ask.where);
  const count = facts.count(record)?.value ?? 1;
  const assumptions = share.assumed ? [`how many ${record.entity.name} pass the filter`] : [];
  const passing = ask.matches?.value ?? count * share.value;
  // Items come in no order, so a limit ends a scan early only if any of them will do.
  const part =
    ask.limit !== undefined && ask.order.length === 0 && passing > ask.limit
      ? ask.limit / passing
      : 1;
  return {
    structure,
    match: {
      partition: [],
      sort: [],
      bindings: bindingsOf(ask.where, ask.known),
      whole: false,
      rest: ask.where,
      fixed: [],
      coarse: [],
      ranged: false,
      times: [],
      forward: true,
    },
    request: {
      kind: "read",
      operation: "Scan",
      table,
      index,
      record,
      together: [],
      beside: others,
      partition: [],
      sort: [],
      bindings: bindingsOf(ask.where, ask.known),
      filter: ask.where.filter((predicate) => !isImplied(predicate, membership)),
      forward: true,
      limit: undefined,
      sortsInClient: ask.order.length > 0,
      merges: false,
      consistent: ask.consistent,
      returns: ask.returns,
      fetches: false,
      times: [],
      expected: {
        calls: 1,
        evaluated: [record, ...others].map((one) => ({
          record: one,
          count: (facts.count(one)?.value ?? 1) * entryShare(facts, structure, one) * part,
        })),
        returned: Math.min(passing, ask.limit ?? passing),
        assumptions,
      },
    },
    missing: ask.returns.filter((name) => !held.has(name)),
    notes: left?.note === undefined ? [] : [left.note],
  };
}

function entryShare(facts: Facts, structure: Structure, record: Structure["record"]): number {
  const membership = sameStructure(structure, record)?.membership;
  return membership === undefined ? 1 : facts.shareIn(record.entity, membership).value;
}
