import { type IndexOption, type LayoutOption, tiny, weight } from "./options.ts";
import { scanRank, upkeepSum } from "./read-cost.ts";

/** Without indexes that another one is never worse than: for no pattern, and to keep. */
export function pruned(option: LayoutOption): LayoutOption {
  const inPairs = new Set<string>();
  for (const ways of option.ways.values()) {
    for (const { needs } of ways) if (needs.length > 1) for (const id of needs) inPairs.add(id);
  }
  const all = rowsOf(option);
  const best = bestOf(option);
  const forced = forcedIn(option);
  const left: Row[] = [];
  for (const one of all) {
    if (left.some((other) => dominates(other, one, best, forced, inPairs))) continue;
    const still = left.filter((other) => !dominates(one, other, best, forced, inPairs));
    left.splice(0, left.length, ...still, one);
  }
  const kept = new Set(left.map(({ index }) => index.draft.id));
  const ways = new Map(
    [...option.ways].map(([id, list]) => [
      id,
      list.filter(({ needs }) => needs.every((need) => kept.has(need))),
    ]),
  );
  const { refined } = option;
  return {
    ...option,
    indexes: left.map(({ index }) => index),
    ways,
    ...(refined && { refined: (drafts) => pruned(refined(drafts)) }),
  };
}

/** An index, and how each pattern reads with it: as without, if it is of no use. Patterns are told by their place. */
interface Row {
  readonly index: IndexOption;
  readonly upkeep: number;
  readonly weights: Float64Array;
  readonly trips: Float64Array;
  readonly ranks: Float64Array;
}

function rowsOf({ indexes, ways }: LayoutOption): readonly Row[] {
  const lists = [...ways.values()];
  const base = (of: (way: NonNullable<(typeof lists)[number][number]>) => number): Float64Array =>
    // Nothing is better or worse than what is not there.
    Float64Array.from(lists, ([first]) => (first === undefined ? Number.NaN : of(first)));
  const weights = base(weight);
  const trips = base((one) => one.trips);
  const ranks = base((one) => one.rank);
  const rows = new Map(
    indexes.map((index): [string, Row] => [
      index.draft.id,
      {
        index,
        upkeep: upkeepSum(index.upkeep),
        weights: weights.slice(),
        trips: trips.slice(),
        ranks: ranks.slice(),
      },
    ]),
  );
  for (const [i, list] of lists.entries()) {
    for (const way of list) {
      const [only, more] = way.needs;
      const row = only === undefined || more !== undefined ? undefined : rows.get(only);
      if (row === undefined) continue;
      row.weights[i] = weight(way);
      row.trips[i] = way.trips;
      row.ranks[i] = way.rank;
    }
  }
  return [...rows.values()];
}

function bestOf({ ways }: LayoutOption): Float64Array {
  return Float64Array.from(ways.values(), (list) => Math.min(...list.map(weight)));
}

/** The most that each pattern could have to pay for what ranks before something, by the rank of that. */
function forcedIn({ ways }: LayoutOption): readonly Float64Array[] {
  return Array.from(ways.values(), (list) =>
    Float64Array.from({ length: scanRank + 1 }, (_, rank) =>
      Math.max(0, ...list.filter((way) => way.rank < rank).map(weight)),
    ),
  );
}

function dominates(
  a: Row,
  b: Row,
  best: Float64Array,
  forced: readonly Float64Array[],
  /** What somebody reads together with another one is worth more than by itself. */
  inPairs: ReadonlySet<string>,
): boolean {
  if (a.upkeep > b.upkeep + tiny || inPairs.has(b.index.draft.id)) return false;
  const { makes, readers } = a.index.draft;
  // Where somebody else would read it, it is not to be had, and the other one may be.
  if (readers !== undefined) return false;
  if (makes !== undefined && makes !== b.index.draft.makes) return false;
  for (let i = 0; i < best.length; i += 1) {
    const mine = a.weights[i] as number;
    if (!(mine <= (b.weights[i] as number) + tiny)) return false;
    if (!((a.trips[i] as number) <= (b.trips[i] as number) + tiny)) return false;
    // Whoever plans takes what ranks first, whatever it costs.
    if (a.ranks[i] !== b.ranks[i] && mine > (best[i] as number) + tiny) return false;
    // Where others make a pattern read what ranks first, it may read this one for less.
    const rank = a.ranks[i] as number;
    const isWorse = (forced[i]?.[rank] ?? 0) > (b.weights[i] as number) + tiny;
    if (rank > (b.ranks[i] as number) && isWorse) return false;
  }
  return true;
}
