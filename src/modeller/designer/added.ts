import type { Index, Table } from "../../model/design.ts";
import { readIndex } from "../../model/read-indexes.ts";
import { Reading } from "../../model/reading.ts";
import type { Pattern } from "../../model/requirements.ts";
import type { RegionPrices } from "../prices/price.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { type AddedCost, IndexGroup, isWhole, type Searched, unitsBefore } from "./index-group.ts";
import type { Need } from "./needs.ts";
import type { LayoutCost } from "./pricing.ts";
import { scanRank, upkeepSum } from "./read-cost.ts";
import type { User } from "./users.ts";

/** So many indexes are put into one bill. */
const together = 64;

/**
 * What each of many indexes adds to a layout, as if it were the only one. A table with all of them is written to once:
 * entries of an index cost the same whatever else is there. Whoever plans a read sees one of them at a time. Indexes
 * that cannot be read from a document, and those that change how something is written, are not in the answer. All have
 * to put the same on the table's items, or nothing; a local index has to be alone.
 */
export function addedCosts(
  base: LayoutCost,
  prices: RegionPrices,
  layout: Layout,
  drafts: readonly IndexDraft[],
  usersOf: (draft: IndexDraft) => readonly User[],
  /** What is known already of other indexes, and what is found. */
  searched: Searched,
  /** Whether it is asked what they cost at least in layouts with other keys, also for those who do well without. */
  isReference = false,
): ReadonlyMap<IndexDraft, AddedCost> {
  const { bill } = base;
  const found = new Map<IndexDraft, AddedCost>();
  const table = bill.model.design?.tables.get(layout.main) as Table;
  const indexes = drafts.flatMap((draft): readonly (readonly [IndexDraft, Index])[] => {
    const reading = new Reading();
    const path = [...table.path, "indexes", draft.id];
    const { entities } = bill.model;
    const index = readIndex(reading, draft.id, draft.document, table, entities, path);
    return reading.issues.length > 0 ? [] : [[draft, index]];
  });
  const groups = Array.from({ length: Math.ceil(indexes.length / together) }, (_, i) => {
    return new IndexGroup(
      bill,
      table,
      indexes.slice(i * together, (i + 1) * together),
      isReference,
    );
  });
  for (const one of groups) one.find(usersOf, searched);
  for (const one of groups) {
    const scans = (pattern: Pattern): boolean => base.reads.get(pattern.id)?.rank === scanRank;
    one.scan(
      (draft) => usersOf(draft).filter(({ pattern }) => scans(pattern)),
      (pattern, units) => isTooMuch(base, searched, pattern, units),
    );
    const others = isReference ? one.readBy(base, usersOf, (pattern) => !scans(pattern)) : none;
    for (const [draft, cost] of one.costs(prices, layout)) {
      const more = others.get(draft) ?? [];
      const all = more.length === 0 ? cost.reads : new Map([...more, ...cost.reads]);
      found.set(draft, { ...cost, reads: all });
    }
  }
  return found;
}

const none: ReturnType<IndexGroup["readBy"]> = new Map();

/** Nobody scans who can find what is asked for by a key for far less, whatever that takes to keep. */
function isTooMuch(
  { bill, reads, upkeep }: LayoutCost,
  { least }: Searched,
  pattern: Pattern,
  units: number,
): boolean {
  const best = least.get(pattern.id);
  const before = unitsBefore(bill, pattern.id);
  if (best === undefined || before === 0 || !isWhole(pattern)) return false;
  const each = (reads.get(pattern.id)?.dollars ?? 0) / before;
  return each * units > farMore * (mostToKeep * upkeepSum(upkeep) + each * best);
}

/** The patterns that scan without an index and may be better off with an index that they read all of. */
export function scannersOf(
  base: LayoutCost,
  searched: Searched,
  needs: readonly Need[],
  patterns: readonly Pattern[],
): ReadonlySet<string> {
  const { entities } = base.bill.model;
  const may = patterns.filter((pattern) => {
    if (base.reads.get(pattern.id)?.rank !== scanRank) return false;
    return needs.some((need) => {
      if (need.pattern !== pattern.id) return false;
      // An index by what few have is smaller, for those who ask about that.
      const share = need.asked.reduce((product, name) => {
        const present = entities.get(need.entity)?.attributes.get(name)?.present.value ?? 1;
        return product * present;
      }, 1);
      const units = (searched.smallest.get(need.entity) ?? 0) * share;
      return !isTooMuch(base, searched, pattern, units);
    });
  });
  return new Set(may.map(({ id }) => id));
}

/** To keep an index costs at most so many times what the table costs: a change deletes an entry and puts another one. */
const mostToKeep = 2;
/** Rates are followed a thousandfold in search of other designs, with the same plans. */
const farMore = 1_000;
