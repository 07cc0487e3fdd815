import type { Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Ask } from "./ask.ts";
import { bindingsOf } from "./match-key.ts";
import { noRemainder } from "./plan.ts";
import { type Candidate, divide, isImplied, leavesOut, linksLeft } from "./read-candidate.ts";
import { type Structure, sameStructure } from "./structures.ts";

/** Reads all of a table or an index; nothing if that lacks items or attributes that are asked about. */
export function scanOf(facts: Facts, structure: Structure, ask: Ask): Candidate | undefined {
  const { table, index, record, membership } = structure;
  const left = membership && leavesOut(membership, ask);
  if (left?.refused !== undefined) return undefined;
  const implied = (predicate: Predicate): boolean => isImplied(predicate, membership);
  const rest = ask.where.filter((predicate) => !implied(predicate));
  const sortsInClient = ask.order.length > 0;
  const links = linksLeft(ask, []);
  const division = divide(facts, structure, ask, { links, rest, sortsInClient, isScan: true });
  if (typeof division === "string") return undefined;
  const { filter, late, missing } = division;
  const others = facts.records.filter(
    (one) => one !== record && sameStructure(structure, one) !== undefined,
  );
  const share = facts.passing(record.entity, [], ask.where);
  const count = facts.count(record)?.value ?? 1;
  const assumptions = share.assumed ? [`how many ${record.entity.name} pass the filter`] : [];
  const passing = ask.matches?.value ?? count * share.value;
  // Items come in no order, so a limit ends a scan early only if any of them will do.
  const isCut = late === undefined && !sortsInClient && links.length === 0;
  const part = isCut && ask.limit !== undefined && passing > ask.limit ? ask.limit / passing : 1;
  const lateShare = late === undefined ? 1 : facts.passing(record.entity, [], late.filter).value;
  const returned = lateShare > 0 ? Math.min(count, passing / lateShare) : count;
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
      part: ask.part,
      completes: undefined,
      remainder:
        late === undefined
          ? { links, filter: [], order: ask.order, limit: ask.limit }
          : noRemainder,
      operation: "Scan",
      table,
      index,
      record,
      together: [],
      beside: others,
      partition: [],
      sort: [],
      bindings: bindingsOf(ask.where, ask.known),
      filter,
      forward: true,
      limit: undefined,
      sortsInClient,
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
        returned: late === undefined ? Math.min(passing, ask.limit ?? passing) : returned,
        assumptions,
      },
    },
    missing,
    late,
    notes: left?.note === undefined ? [] : [left.note],
  };
}

function entryShare(facts: Facts, structure: Structure, record: Structure["record"]): number {
  const membership = sameStructure(structure, record)?.membership;
  return membership === undefined ? 1 : facts.shareIn(record.entity, membership).value;
}
