import type { Pattern } from "../../model/requirements.ts";
import type { Priced } from "../lint/bills.ts";
import type { Plan } from "../plans/plan.ts";
import { readUnitsOf } from "../units/read-units.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import type { Need } from "./needs.ts";
import type { LayoutCost } from "./pricing.ts";
import { readsOf, scanRank } from "./read-cost.ts";

/** A pattern that may read an index. */
export interface User {
  readonly pattern: Pattern;
  /** It does not know the key, and could only read all of the index. */
  readonly scans: boolean;
}

/** Tells the patterns that may read an index, of those that could be served better than by the table alone. */
export function usersIn(
  needs: readonly Need[],
  { bill: { model, plans }, reads }: LayoutCost,
  layout: Layout,
  open: readonly Pattern[],
  /** Also those who do not read all of the table, and would read all of the index if the table were another one. */
  isEverybody = false,
): (draft: IndexDraft) => readonly User[] {
  const tableKey = Object.keys(layout.tables.get(layout.main)?.key ?? {});
  const isJoint = layout.entities.length > 1;
  const readers = open.flatMap((pattern) => {
    const own = needs.filter(
      (one) => one.pattern === pattern.id && layout.entities.includes(one.entity),
    );
    if (own.length === 0) return [];
    return [
      {
        own,
        finds: { pattern, scans: false },
        scans: { pattern, scans: true },
        isItem: !isEverybody && isOneItem(plans.get(pattern.id)),
        isScanner: isEverybody || reads.get(pattern.id)?.rank === scanRank,
      },
    ];
  });
  return (draft) => {
    const { key, local, only } = draft.document;
    const partition = local ? tableKey.slice(0, 1) : [key.partition ?? []].flat();
    const isFinder = ({ asked, entity }: Need): boolean =>
      // A part of the table's key may be made of anything, under any name.
      partition.every(
        (name) =>
          asked.includes(name) ||
          !model.entities.get(entity)?.attributes.has(name) ||
          (isJoint && tableKey.includes(name)),
      );
    const holds = holdingOf(layout, draft, tableKey);
    return readers.flatMap(({ own, finds, scans, isItem, isScanner }): readonly User[] => {
      const those = own.filter(
        (need) =>
          (!need.strong || local === true) &&
          // Who would have to read the item as well can read it at once.
          (!isItem || holds(need.returns, need)),
      );
      // What is asked about may be what all entries of a sparse index have in common.
      const isTold = (need: Need): boolean => only !== undefined || holds(need.asked, need);
      if (those.some((need) => isFinder(need) && isTold(need))) return [finds];
      // To fetch each entry before it is filtered is no better than to read everything.
      if (!isScanner) return [];
      if (those.some(isFinder)) return [finds];
      return those.some(isTold) ? [scans] : [];
    });
  };
}

/** Tells whether an index holds some attributes, so far as that can be told; a local one fetches them. */
function holdingOf(
  layout: Layout,
  { document: { key, local, projection = "all" } }: IndexDraft,
  tableKey: readonly string[],
): (names: readonly string[], need: Need) => boolean {
  const placed = layout.tables.get(layout.main)?.entities;
  const held = new Set([
    ...[key.partition ?? [], key.sort ?? []].flat(),
    ...tableKey,
    ...(typeof projection === "string" ? [] : projection),
  ]);
  return (names, { entity, tied }) => {
    const { split, embeds, elsewhere = [] } = placed?.[entity] ?? {};
    // What lies in another item, or belongs to another one, is not looked for in an entry.
    if (projection === "all" || local || tied || split || embeds) return true;
    return names.every(
      (name) => held.has(name) || elsewhere.some(({ attribute }) => attribute === name),
    );
  };
}

function isOneItem(plan: Plan | undefined): boolean {
  if (plan?.pattern.kind !== "read" || plan.pattern.actions.length > 1) return false;
  const [first, second] = readsOf(plan);
  return second === undefined && first?.operation === "GetItem";
}

/** What an eventually consistent read costs at least. */
export const leastUnits = 0.5;

/**
 * Patterns for which no index can do better: they read nothing, or one request in the order that is wanted takes the
 * least that a request can. Whoever plans prefers the table among equals.
 */
export function atTheirBest({ plans, facts }: Priced): ReadonlySet<string> {
  return new Set(
    [...plans].flatMap(([id, plan]) => {
      const [first, second] = readsOf(plan);
      if (first === undefined) return [id];
      if (second !== undefined || first.sortsInClient || first.operation === "Scan") return [];
      return readUnitsOf(facts, first).total <= leastUnits ? [id] : [];
    }),
  );
}
