import type { Pattern } from "../../model/requirements.ts";
import type { KeptNumber } from "../kept-numbers.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import type { AddedCost } from "./index-group.ts";
import { entitiesOf } from "./needs.ts";
import { pairsOf } from "./numbers.ts";
import type { Choice, LayoutCost, Pricing } from "./pricing.ts";
import { type ReadCost, type Upkeep, upkeepSum } from "./read-cost.ts";
import type { Reference } from "./reference.ts";

/** A layout with what it costs, and the indexes that are worth a thought. */
export interface LayoutOption {
  readonly layout: Layout;
  /** Writes and storage without any index. */
  readonly upkeep: Upkeep;
  readonly indexes: readonly IndexOption[];
  /** How each pattern can read here. */
  readonly ways: ReadonlyMap<string, readonly Way[]>;
  /** How patterns would read without finding everything, as far as that is known: where one is taken, nothing is right. */
  readonly misreads?: ReadonlyMap<string, readonly Way[]>;
  /**
   * What it costs with some of its indexes. Where they put something on the table's own items, those who read the table
   * pay for that, too, and no sum of single prices tells it: the sum is too low, never too high.
   */
  readonly whole?: (
    drafts: readonly IndexDraft[],
  ) => Pick<LayoutCost, "upkeep" | "reads"> | undefined;
  /** What bills of designs had for this layout beyond the sum of its prices, by its indexes. */
  readonly corrections?: ReadonlyMap<string, Correction>;
  /** The same without weights, if there are any: what it really costs. */
  readonly plain?: LayoutOption;
  /** The same with what some of its indexes really cost, where others are only known to cost no less. */
  readonly refined?: (drafts: readonly IndexDraft[]) => LayoutOption;
  /**
   * What its indexes cost at least is far below what they cost: others are better looked at first. This is how patterns
   * are likely to read.
   */
  readonly vague?: ReadonlyMap<string, readonly Way[]>;
}

/** Dollars of a bill beyond the sum of prices. */
export interface Correction {
  readonly drafts: readonly IndexDraft[];
  readonly dollars: number;
}

export interface IndexOption {
  readonly draft: IndexDraft;
  readonly upkeep: Upkeep;
  /** Of those that make the same or something else, the greatest is paid at least. */
  readonly grows?: Upkeep;
  /** It costs no less than this; what it costs is not known. */
  readonly atLeast?: true;
}

/** One way for a pattern to read from a layout. */
export interface Way extends Pick<ReadCost, "dollars" | "trips" | "rank"> {
  /** It takes longer than the pattern allows. */
  readonly late?: true;
  /** It lists more than its caller is bound to. */
  readonly outside?: true;
  /** Ids of the indexes that must be there. */
  readonly needs: readonly string[];
  /** What weights add to its dollars. */
  readonly extra?: number;
}

/** As far as two amounts are the same. */
export const tiny = 1e-9;

/** How the indexes of a layout are thought of. */
export interface Asking {
  /** The indexes that are worth a thought if some patterns may read all of an index. */
  readonly draftsFor: (scanners: ReadonlySet<string>) => readonly IndexDraft[];
  readonly others: readonly Choice[];
  readonly patterns: readonly Pattern[];
}

/** Prices a layout alone and with each index by itself; what nobody would read is left out. */
export function optionOf(
  pricing: Pricing,
  layout: Layout,
  asking: Asking,
  /** What indexes cost at least: only those that are then chosen are priced. */
  reference?: Reference,
): LayoutOption | { readonly problems: ReadonlyMap<string, string> } {
  const { draftsFor, others, patterns } = asking;
  const ids = new Set(patterns.map(({ id }) => id));
  const whole = (indexes: readonly IndexDraft[]): LayoutCost | undefined =>
    pricing.cost({ layout, indexes }, others, ids);
  const base = whole([]);
  if (base === undefined) return { problems: new Map([["", "its key cannot be written"]]) };
  if (base.problems.size > 0) return { problems: base.problems };
  if (reference !== undefined) return leastOption(pricing, layout, base, asking, reference, whole);
  const added = (scanners: ReadonlySet<string>) =>
    pricing.added(base, layout, draftsFor(scanners), others, patterns);
  const found = added(new Set());
  const scanners = pricing.scanners(base, layout, others, patterns);
  const all = scanners.size === 0 ? found : added(scanners);
  const { users, ...option } = assembled(layout, base, all, new Set());
  for (const pattern of patterns) {
    if (asksOf(pattern, layout) < 2) continue;
    for (const pair of twoOf(users.get(pattern.id) ?? [])) {
      const read = pricing.read({ layout, indexes: pair }, others, pattern.id);
      if (read !== undefined && pair.every(({ id }) => read.uses.includes(id))) {
        const both = pair.map(({ id }) => id);
        option.ways.get(pattern.id)?.push(wayOf(read, both));
      }
    }
  }
  return { ...option, whole };
}

/**
 * A layout of which hardly more is known than what it costs without indexes: as soon as one would be chosen for what it
 * costs at least, all are priced.
 */
export function vagueOption(
  pricing: Pricing,
  layout: Layout,
  asking: Asking,
  reference: Reference,
  exact: () => LayoutOption,
): ReturnType<typeof optionOf> {
  const { draftsFor, others, patterns } = asking;
  const ids = new Set(patterns.map(({ id }) => id));
  const base = pricing.cost({ layout, indexes: [] }, others, ids);
  if (base === undefined || base.problems.size > 0) return optionOf(pricing, layout, asking);
  const drafts = draftsFor(reference.scanners);
  const least = pricing.least(reference, base, layout, drafts, patterns);
  // Of some nothing is known.
  if (drafts.some((draft) => !least.has(draft))) return exact();
  const all = new Set(drafts);
  const likely = pricing.least(reference, base, layout, drafts, patterns, true);
  const { users, ...option } = assembled(layout, base, least, all);
  let known: LayoutOption | undefined;
  const refined = (): LayoutOption => {
    known ??= exact();
    return known;
  };
  return { ...option, refined, vague: assembled(layout, base, likely, all).ways };
}

/** Whether a pattern could take two indexes of a layout at once. */
export function isTwofold(pattern: Pattern, layout: Layout): boolean {
  return asksOf(pattern, layout) > 1;
}

/** A layout of which it is known what its indexes cost at least. */
function leastOption(
  pricing: Pricing,
  layout: Layout,
  base: LayoutCost,
  { draftsFor, others, patterns }: Asking,
  reference: Reference,
  whole: NonNullable<LayoutOption["whole"]>,
): LayoutOption {
  const drafts = draftsFor(reference.scanners);
  const least = pricing.least(reference, base, layout, drafts, patterns);
  const made = new Map<string, LayoutOption>();
  const option = (known: ReadonlySet<string>): LayoutOption => {
    const key = JSON.stringify([...known].toSorted());
    const before = made.get(key);
    if (before !== undefined) return before;
    const isKnown = (draft: IndexDraft): boolean => known.has(draft.id) || !least.has(draft);
    const priced = pricing.added(base, layout, drafts.filter(isKnown), others, patterns);
    const all = drafts.flatMap((draft): readonly (readonly [IndexDraft, AddedCost])[] => {
      const cost = isKnown(draft) ? priced.get(draft) : least.get(draft);
      return cost === undefined ? [] : [[draft, cost]];
    });
    const open = new Set(drafts.filter((draft) => !isKnown(draft)));
    const { users, ...found } = assembled(layout, base, all, open);
    const refined = (more: readonly IndexDraft[]): LayoutOption =>
      option(new Set([...known, ...more.map(({ id }) => id)]));
    const now = { ...found, whole, refined };
    made.set(key, now);
    return now;
  };
  return option(new Set());
}

/** What a layout can have, by what its indexes cost. */
function assembled(
  layout: Layout,
  base: LayoutCost,
  costs: Iterable<readonly [IndexDraft, AddedCost]>,
  open: ReadonlySet<IndexDraft>,
) {
  const ways = new Map<string, Way[]>(
    [...base.reads].map(([id, read]) => [id, [wayOf(read, [])]] as const),
  );
  const indexes: IndexOption[] = [];
  const users = new Map<string, IndexDraft[]>();
  const misreads = new Map<string, readonly Way[]>();
  for (const [draft, { upkeep, grows, reads }] of costs) {
    const others = [...reads].filter(([id, read]) => isOther(read, base.reads.get(id)));
    const own = others.filter(([id]) => draft.readers?.has(id) !== false);
    if (own.length === 0) continue;
    const isOpen = open.has(draft);
    // Whoever plans may take it for somebody who does not find everything in it.
    for (const [id, read] of others) {
      if (isOpen || draft.readers?.has(id) !== false) continue;
      misreads.set(id, [...(misreads.get(id) ?? []), wayOf(read, [draft.id])]);
    }
    indexes.push({
      draft,
      upkeep,
      ...(grows && { grows }),
      ...(isOpen && { atLeast: true as const }),
    });
    for (const [id, read] of own) {
      ways.get(id)?.push(wayOf(read, [draft.id]));
      const known = users.get(id);
      if (known === undefined) users.set(id, [draft]);
      else known.push(draft);
    }
  }
  const wrong = misreads.size === 0 ? {} : { misreads };
  return { layout, upkeep: base.upkeep, indexes, ways, users, ...wrong };
}

function wayOf(read: ReadCost, needs: readonly string[]): Way {
  const { dollars, trips, rank, late, outside } = read;
  return { dollars, trips, rank, needs, ...(late && { late }), ...(outside && { outside }) };
}

/** More than any design: what breaks a rule is taken only if there is nothing else. */
export const faultPenalty = 1e11;

/** The dollars of `corrections` for a choice of indexes. */
export function correctionOf({ corrections }: LayoutOption, drafts: readonly IndexDraft[]): number {
  return corrections?.get(draftsKey(drafts))?.dollars ?? 0;
}

/** The same layout after a bill had other dollars for some of its indexes than the sum of their prices. */
export function corrected(
  option: LayoutOption,
  drafts: readonly IndexDraft[],
  dollars: number,
): LayoutOption {
  const { corrections = [], plain, refined } = option;
  const now = { drafts, dollars: correctionOf(option, drafts) + dollars };
  return {
    ...option,
    corrections: new Map([...corrections, [draftsKey(drafts), now]]),
    ...(plain && { plain: corrected(plain, drafts, dollars) }),
    ...(refined && { refined: (more) => corrected(refined(more), drafts, dollars) }),
  };
}

function draftsKey(drafts: readonly IndexDraft[]): string {
  return JSON.stringify(drafts.map(({ id }) => id).toSorted());
}

/** What a way is weighed by. */
export function weight(way: {
  readonly dollars: number;
  readonly late?: boolean;
  readonly outside?: boolean;
  readonly extra?: number;
}): number {
  const faults = Number(way.late ?? false) + Number(way.outside ?? false);
  return way.dollars + (way.extra ?? 0) + faults * faultPenalty;
}

function isOther(read: ReadCost, base: ReadCost | undefined): boolean {
  return (
    base === undefined ||
    read.rank !== base.rank ||
    Math.abs(read.dollars - base.dollars) > tiny ||
    read.trips < base.trips - tiny
  );
}

/** How many things a pattern looks for in a layout: each could take another index, unless it lies inside of another. */
function asksOf({ actions, together }: Pattern, { entities, inside = [] }: Layout): number {
  return [...actions, ...together].filter(
    ({ entity }) => entities.includes(entity) && !inside.includes(entity),
  ).length;
}

const pairsMax = 400;

function twoOf<T>(list: readonly T[]): readonly (readonly T[])[] {
  return list.flatMap((a, i) => list.slice(i + 1).map((b) => [a, b])).slice(0, pairsMax);
}

/** No choice of indexes costs less: every pattern reads in its cheapest way, and indexes are free. */
export function least({ upkeep, ways }: LayoutOption): number {
  let total = upkeepSum(upkeep);
  for (const list of ways.values()) total += Math.min(...list.map(weight));
  return total;
}

/** The same if a pattern came so many times as often: all that it costs grows with its rate. */
export function scaled(option: LayoutOption, pattern: string, factor: number): LayoutOption {
  const isConcerned =
    option.ways.has(pattern) ||
    [option, ...option.indexes].some(({ upkeep }) => upkeep.writes.has(pattern)) ||
    option.indexes.some(({ grows }) => grows?.writes.has(pattern));
  if (!isConcerned) return option;
  const times = ({ storage, writes }: Upkeep): Upkeep => ({
    storage,
    writes: new Map([...writes].map(([id, one]) => [id, id === pattern ? one * factor : one])),
  });
  const timesRead = <T extends Pick<Way, "dollars" | "trips">>(one: T): T => ({
    ...one,
    dollars: one.dollars * factor,
    trips: one.trips * factor,
  });
  const timesWays = (ways: LayoutOption["ways"]): LayoutOption["ways"] =>
    new Map([...ways].map(([id, list]) => [id, id === pattern ? list.map(timesRead) : list]));
  const { whole, refined, vague, misreads } = option;
  return {
    ...option,
    ...(misreads && { misreads: timesWays(misreads) }),
    ...(refined && { refined: (drafts) => scaled(refined(drafts), pattern, factor) }),
    ...(vague && { vague: timesWays(vague) }),
    upkeep: times(option.upkeep),
    indexes: option.indexes.map(({ upkeep, grows, ...rest }) => ({
      ...rest,
      upkeep: times(upkeep),
      ...(grows && { grows: times(grows) }),
    })),
    ways: timesWays(option.ways),
    ...(whole && {
      whole: (drafts) => {
        const cost = whole(drafts);
        if (cost === undefined) return undefined;
        const reads = [...cost.reads].map(
          ([id, one]) => [id, id === pattern ? timesRead(one) : one] as const,
        );
        return { upkeep: times(cost.upkeep), reads: new Map(reads) };
      },
    }),
  };
}

/** Entities that patterns, numbers or what is kept connect are designed together; all others by themselves. */
export function componentsOf(
  entities: readonly string[],
  patterns: readonly Pattern[],
  kept: readonly Layout[] = [],
  numbers: readonly KeptNumber[] = [],
): readonly (readonly string[])[] {
  const group = new Map(entities.map((name) => [name, name]));
  const root = (name: string): string => {
    const up = group.get(name) ?? name;
    return up === name ? name : root(up);
  };
  const ties = [
    ...patterns.map(entitiesOf),
    ...kept.map((one) => one.entities),
    ...pairsOf(numbers),
  ];
  for (const together of ties) {
    const [first, ...rest] = together;
    for (const name of rest) if (first !== undefined) group.set(root(name), root(first));
  }
  const found = new Map<string, string[]>();
  for (const name of entities) {
    const at = root(name);
    found.set(at, [...(found.get(at) ?? []), name]);
  }
  return [...found.values()];
}
