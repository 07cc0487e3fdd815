import { type Frequency, mostFrequent } from "./access-sample.ts";
import { after, comparePositions, compareSort, noSort, type Position } from "./position.ts";

/**
 * An item or a collection with at least this share of a partition's load is what the split is about.
 * The service does not publish its own figure.
 */
const hotShare = 0.5;
/** Parting something from neighbours helps only if these have so much of the load. */
const neighbourShare = 0.1;
/** If so many of the sort keys that follow each other rise (or fall), they are a sequence. */
const sequenceShare = 0.7;
/** Load that is off the middle by no more than this counts as even. */
const evenShare = 0.1;

export type NoSplit = "no load" | "one item" | "rising sort key" | "local index" | "one collection";

export type SplitChoice =
  | { readonly kind: "split"; readonly at: readonly Position[] }
  /** A hot item, or a hot collection that cannot be split, gets a partition of its own. */
  | { readonly kind: "isolate"; readonly at: readonly Position[] }
  /** A split would not help, and why. */
  | { readonly kind: "none"; readonly why: NoSplit };

export interface SplitRules {
  /** A local index keeps an item collection in one place. */
  readonly localIndex: boolean;
}

interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Where to split a partition so that its load, of which there is a sample in time order, is shared. */
export function chooseSplit(
  sample: readonly Position[],
  range: Range,
  { localIndex }: SplitRules,
): SplitChoice {
  const positions = sample.filter((position) => isWithin(position, range));
  const [collection] = mostFrequent(positions, (a, b) => a.hash === b.hash);
  if (collection === undefined) return { kind: "none", why: "no load" };
  const isHot = ({ count }: Frequency): boolean => count >= positions.length * hotShare;
  const isAlone = ({ count }: Frequency): boolean =>
    count > positions.length * (1 - neighbourShare);
  if (!isHot(collection)) return between(positions, range);
  const whole: readonly Position[] = [
    { hash: collection.position.hash, sort: noSort },
    { hash: collection.position.hash + 1, sort: noSort },
  ];
  if (localIndex) return part(whole, range, isAlone(collection), "local index");
  const [item] = mostFrequent(positions) as [Frequency];
  if (isHot(item)) {
    return part([item.position, after(item.position)], range, isAlone(item), "one item");
  }
  const inside = positions.filter(({ hash }) => hash === collection.position.hash);
  if (isSequence(inside)) return part(whole, range, isAlone(collection), "rising sort key");
  return along(inside, range);
}

/** Parts a range from its neighbours. */
function part(
  bounds: readonly Position[],
  range: Range,
  isAlone: boolean,
  why: NoSplit,
): SplitChoice {
  const at = bounds.filter((position) => isInside(position, range));
  return isAlone || at.length === 0 ? { kind: "none", why } : { kind: "isolate", at };
}

/** Between two collections, so that both stay whole. */
function between(positions: readonly Position[], range: Range): SplitChoice {
  const half = { hash: Math.floor((range.start.hash + range.end.hash) / 2), sort: noSort };
  const below = positions.filter((position) => comparePositions(position, half) < 0).length;
  // A sample is never quite even; the middle of the range is, where the load is.
  if (isInside(half, range) && Math.abs(below / positions.length - 0.5) < evenShare) {
    return { kind: "split", at: [half] };
  }
  const sorted = [...positions].sort(comparePositions);
  const middle = sorted[sorted.length >> 1] as Position;
  const starts = [middle, sorted.find(({ hash }) => hash > middle.hash)]
    .filter((position) => position !== undefined)
    .map(({ hash }) => ({ hash, sort: noSort }));
  return firstInside(starts, range);
}

/** Within one collection, by sort key. */
function along(positions: readonly Position[], range: Range): SplitChoice {
  const sorted = [...positions].sort(comparePositions);
  return firstInside(sorted.slice(sorted.length >> 1), range);
}

function firstInside(places: readonly Position[], range: Range): SplitChoice {
  const place = places.find((position) => isInside(position, range));
  return place === undefined
    ? { kind: "none", why: "one collection" }
    : { kind: "split", at: [place] };
}

/** Each sort key beyond all before it, or nearly so. */
function isSequence(positions: readonly Position[]): boolean {
  let rising = 0;
  let falling = 0;
  let highest = positions[0] as Position;
  let lowest = highest;
  for (const position of positions.slice(1)) {
    if (compareSort(position.sort, highest.sort) > 0) {
      rising += 1;
      highest = position;
    }
    if (compareSort(position.sort, lowest.sort) < 0) {
      falling += 1;
      lowest = position;
    }
  }
  return Math.max(rising, falling) >= (positions.length - 1) * sequenceShare;
}

function isWithin(position: Position, { start, end }: Range): boolean {
  return comparePositions(start, position) <= 0 && comparePositions(position, end) < 0;
}

function isInside(position: Position, { start, end }: Range): boolean {
  return comparePositions(start, position) < 0 && comparePositions(position, end) < 0;
}
