import { faultPenalty, type Way } from "./options.ts";

/** What a choice comes to, the first thing first: less is better. */
export interface Worth {
  /** In a month; far more where a rule is broken. */
  readonly dollars: number;
  /** Round trips in a second. */
  readonly trips: number;
  readonly indexes: number;
}

/** Sums of dollars are compared up to this share; a cent is far more. */
export const slack = 1e-11;

/** As far as two sums are the same. */
export function edgeOf(sum: number): number {
  return slack * (1 + (Math.abs(sum) % faultPenalty));
}

/** Below zero if the first is better. */
export function compareWorth(a: Worth, b: Worth): number {
  if (Math.abs(a.dollars - b.dollars) > edgeOf(b.dollars)) return a.dollars - b.dollars;
  if (Math.abs(a.trips - b.trips) > edgeOf(b.trips)) return a.trips - b.trips;
  return a.indexes - b.indexes;
}

/** Amounts of ways are compared up to this. */
export const tinyWay = 1e-12;

/** Whether whoever plans takes the one rather than the other. */
export function isTaken(
  one: Pick<Way, "rank" | "dollars" | "trips">,
  other: Pick<Way, "rank" | "dollars" | "trips">,
): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank;
  if (Math.abs(one.dollars - other.dollars) > tinyWay) return one.dollars < other.dollars;
  return one.trips < other.trips;
}

/** The way that whoever plans takes if these indexes are there. */
export function takenOf(ways: readonly Way[], has: ReadonlySet<string>): Way | undefined {
  let best: Way | undefined;
  for (const way of ways) {
    if (!way.needs.every((one) => has.has(one))) continue;
    if (best === undefined || isTaken(way, best)) best = way;
  }
  return best;
}
