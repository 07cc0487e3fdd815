import type { Pattern } from "../../model/requirements.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import type { AddedCost } from "./index-group.ts";
import { weight } from "./options.ts";
import type { LayoutCost } from "./pricing.ts";
import { type ReadCost, type Upkeep, upkeepSum } from "./read-cost.ts";

/**
 * What indexes cost at least in all layouts that differ in their keys alone. Entries of an index hold what it is to hold
 * and the table's key; here they are priced as if there were nothing in that key but attributes as they are.
 */
export interface Reference {
  readonly layout: Layout;
  readonly reads: LayoutCost["reads"];
  /** Patterns that take the least there is from the table: no index is better, wherever they are. */
  readonly best: ReadonlySet<string>;
  readonly scanners: ReadonlySet<string>;
  readonly byKey: ReadonlyMap<string, readonly Member[]>;
}

/** One of the indexes with a key. */
interface Member {
  /** What it holds besides keys; everything if nothing is said. */
  readonly held: readonly string[] | undefined;
  readonly cost: AddedCost;
}

/** Layouts with the same text differ in their keys alone. */
export function kindOf({ tables, versions, inside }: Layout): string {
  const isKey = (name: string): boolean => name === "key";
  const rest = JSON.stringify([...tables], (name, value) => (isKey(name) ? undefined : value));
  return JSON.stringify([rest, versions, inside]);
}

/** Whether an index can be compared with the same one elsewhere: it is made of attributes as they are. */
function isComparable({ makes, document: { local, sets, only } }: IndexDraft): boolean {
  return makes === undefined && !local && sets === undefined && only === undefined;
}

/** Whether it can be compared, and puts something on the items that fulfil a condition. */
function isSparse({ shards, bucket, document: { local, only } }: IndexDraft): boolean {
  return only !== undefined && !local && shards === undefined && !bucket;
}

/** Whether it can be told what an index costs at least in layouts with other keys. */
export function isKnown(draft: IndexDraft): boolean {
  return isComparable(draft) || isSparse(draft);
}

export function membersOf(
  costs: ReadonlyMap<IndexDraft, AddedCost>,
): ReadonlyMap<string, readonly Member[]> {
  const found = new Map<string, Member[]>();
  for (const [draft, cost] of costs) {
    const key = keyText(draft);
    found.set(key, [...(found.get(key) ?? []), { held: heldBy(draft), cost }]);
  }
  return found;
}

/** A layout in which a part of the items lies apart, beside the same with items in one piece. */
export interface Apart {
  /** Not what reads cost at least, but what they cost where items are in one piece. */
  readonly isLikely: boolean;
  /** What an index holds of what it is to hold. */
  readonly heldBy: (draft: IndexDraft) => readonly string[];
  readonly wishesFor: (draft: IndexDraft) => readonly Wish[];
}

/** What somebody who may read an index wants of it. */
export interface Wish {
  readonly pattern: string;
  readonly wanted: readonly string[];
  /** What of that lies apart. */
  readonly away: readonly string[];
  readonly scans: boolean;
}

/** What indexes of a layout cost at least; nothing of those of which that is not known. */
export function leastCosts(
  reference: Reference,
  layout: Layout,
  drafts: readonly IndexDraft[],
  /** Those who could find something in one of them. */
  findersOf: (draft: IndexDraft) => readonly Pattern[],
  apart?: Apart,
): ReadonlyMap<IndexDraft, AddedCost> {
  const kept = [...keyNames(layout), ...keyNames(reference.layout)];
  // Whatever can be told from the table's key may be of use to somebody.
  const told = [...toldBy(layout), ...toldBy(reference.layout)];
  return new Map(
    drafts.flatMap((draft): readonly (readonly [IndexDraft, AddedCost])[] => {
      const all = isKnown(draft) ? reference.byKey.get(keyText(draft)) : undefined;
      const own = apart === undefined ? heldBy(draft) : apart.heldBy(draft);
      const upkeep = all && greatest(within(all, own, kept));
      if (all === undefined || upkeep === undefined) return [];
      const reads = new Map<string, ReadCost>();
      const add = (id: string, read: ReadCost | undefined): void => {
        const known = reads.get(id);
        if (read === undefined || draft.readers?.has(id) === false) return;
        if (known === undefined || isLess(read, known)) reads.set(id, read);
      };
      if (apart === undefined || own === undefined) {
        for (const { cost } of within(all, own, told)) {
          for (const [id, read] of cost.reads) add(id, read);
        }
      } else {
        for (const wish of apart.wishesFor(draft)) {
          for (const read of readsApart(wish, all, own, told, apart.isLikely)) {
            add(wish.pattern, read);
          }
        }
      }
      for (const { id } of apart?.isLikely ? [] : findersOf(draft)) {
        if (reference.best.has(id)) add(id, reference.reads.get(id));
      }
      return [[draft, { upkeep, reads }]];
    }),
  );
}

/**
 * What somebody could read an index for if a part of the items lay apart. Whoever wants that part reads it by its keys,
 * which is never less than to find it in the index; and the items themselves are smaller.
 */
function readsApart(
  { pattern, wanted, away, scans }: Wish,
  all: readonly Member[],
  own: readonly string[],
  told: readonly string[],
  isLikely: boolean,
): readonly ReadCost[] {
  const held = scans ? own : [...own, ...away];
  const those = within(all, held, told);
  const open = wanted.filter((name) => !told.includes(name));
  const names = open.filter((name) => held.includes(name));
  // An index that holds less of what is wanted than this one may be of less use.
  const isHeld = those.some((one) => names.every((name) => one.held?.includes(name)));
  const isAll = names.length === open.length;
  const found = those.flatMap(({ cost }) => {
    const [read, left] = [cost.reads.get(pattern), cost.left?.get(pattern)];
    if (read === undefined) return [];
    if (isLikely) return [read];
    const share = isHeld || !isAll ? left?.small : left?.bare;
    return [{ ...read, dollars: read.dollars * (share ?? 1) }];
  });
  if (found.length > 0 || isHeld || isLikely) return found;
  // Nobody scans an index whom nobody has seen scan one like it.
  return scans && !all.some(({ cost }) => cost.reads.has(pattern)) ? [] : [nothing];
}

const nothing: ReadCost = {
  dollars: 0,
  trips: 0,
  rank: 0,
  uses: [],
  late: false,
  outside: false,
};

/** Those that hold nothing that an index does not hold, besides what the table's key gives. */
function within(
  all: readonly Member[],
  own: readonly string[] | undefined,
  names: readonly string[],
): readonly Member[] {
  if (own === undefined) return all;
  return all.filter(({ held }) =>
    held?.every((name) => own.includes(name) || names.includes(name)),
  );
}

function greatest(members: readonly Member[]): Upkeep | undefined {
  let found: Upkeep | undefined;
  for (const { cost } of members) {
    if (found === undefined || upkeepSum(cost.upkeep) > upkeepSum(found)) found = cost.upkeep;
  }
  return found;
}

function isLess(a: ReadCost, b: ReadCost): boolean {
  return weight(a) === weight(b) ? a.trips < b.trips : weight(a) < weight(b);
}

/** Attributes of a layout's entity that lie in items of their own. */
export function awayIn({ tables, main, entities: [name = ""] }: Layout): readonly string[] {
  const parts = tables.get(main)?.entities?.[name]?.split ?? [];
  return parts.flatMap(({ attributes }) => attributes);
}

/** Attributes that are in the table's key as they are. */
function keyNames({ tables, main, entities }: Layout): readonly string[] {
  const { key = {}, entities: placed } = tables.get(main) ?? {};
  return Object.keys(key).filter((name) =>
    entities.every((entity) => placed?.[entity]?.key[name] === `{${name}}`),
  );
}

/** All attributes that the table's key says something of. */
function toldBy({ tables, main, entities }: Layout): readonly string[] {
  const { key = {}, entities: placed } = tables.get(main) ?? {};
  const texts = entities.flatMap((entity) => Object.values(placed?.[entity]?.key ?? {}));
  const named = texts.flatMap((text) => [...text.matchAll(/[A-Za-z_][\w-]*/g)].map(([one]) => one));
  return [...Object.keys(key), ...named];
}

/** What an index holds besides keys; everything if nothing is said. */
export function heldBy({
  document: { projection = "all" },
}: IndexDraft): readonly string[] | undefined {
  if (projection === "all") return undefined;
  return projection === "keys" ? [] : projection;
}

/** Indexes with the same text have the same entries, and hold more or less of them. */
export function keyText({ document: { key, sets, only } }: IndexDraft): string {
  const names = `${[key.partition ?? []].flat().join()};${[key.sort ?? []].flat().join()}`;
  return sets === undefined && only === undefined ? names : JSON.stringify([names, sets, only]);
}
