import { after, comparePositions, compareSort, noSort, type Position } from "./position.ts";

const sampleSize = 256;
/** One item with at least this share of a partition's load gets a partition of its own. */
const hotShare = 0.5;
/** If so many of the sort keys that follow each other rise (or fall), they are a sequence. */
const sequenceShare = 0.7;

export type SplitChoice =
  | { readonly kind: "split"; readonly at: readonly Position[] }
  | { readonly kind: "isolate"; readonly at: readonly Position[] }
  /** A split would not help, and why. */
  | {
      readonly kind: "none";
      readonly why: "no load" | "one item" | "rising sort key" | "local index" | "one collection";
    };

export interface SplitRules {
  /** A local index keeps an item collection in one place. */
  readonly localIndex: boolean;
}

interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** The latest accesses to a partition, thinned out: where its load lies, in the order of time. */
export class AccessSample {
  readonly #positions: Position[] = [];
  #next = 0;
  #stride = 1;
  #skipped = 0;

  add(position: Position): void {
    this.#skipped += 1;
    if (this.#skipped < this.#stride) return;
    this.#skipped = 0;
    if (this.#positions.length < sampleSize) this.#positions.push(position);
    else this.#positions[this.#next] = position;
    this.#next = (this.#next + 1) % sampleSize;
  }

  /** Thins the sample so that it covers about as many requests as came in the last minute. */
  thin(requestsPerMinute: number): void {
    this.#stride = Math.max(1, Math.floor(requestsPerMinute / sampleSize));
  }

  get size(): number {
    return this.#positions.length;
  }

  inOrder(): readonly Position[] {
    if (this.#positions.length < sampleSize) return this.#positions;
    return [...this.#positions.slice(this.#next), ...this.#positions.slice(0, this.#next)];
  }

  /** Where to split so that the load is shared. */
  choose(range: Range, { localIndex }: SplitRules): SplitChoice {
    const positions = this.inOrder().filter((position) => isWithin(position, range));
    if (positions.length === 0) return { kind: "none", why: "no load" };
    const sorted = [...positions].sort(comparePositions);
    const hot = mostFrequent(sorted);
    const oneCollection = sorted[0]?.hash === sorted.at(-1)?.hash;
    if (oneCollection && localIndex) return this.#wholeCollection(range, sorted[0] as Position);
    if (hot.count >= positions.length * hotShare) return isolate(hot.position, range, localIndex);
    if (oneCollection && isSequence(positions)) return { kind: "none", why: "rising sort key" };
    const middle = middleOf(sorted, localIndex || !oneCollection);
    if (middle !== undefined && isInside(middle, range)) return { kind: "split", at: [middle] };
    return { kind: "none", why: "one collection" };
  }

  /** A collection that must stay together can still be parted from its neighbours. */
  #wholeCollection(range: Range, { hash }: Position): SplitChoice {
    const at = [
      { hash, sort: noSort },
      { hash: hash + 1, sort: noSort },
    ].filter((position) => isInside(position, range));
    return at.length > 0 ? { kind: "isolate", at } : { kind: "none", why: "local index" };
  }
}

function isolate(item: Position, range: Range, localIndex: boolean): SplitChoice {
  const bounds = localIndex
    ? [
        { hash: item.hash, sort: noSort },
        { hash: item.hash + 1, sort: noSort },
      ]
    : [item, after(item)];
  const at = bounds.filter((position) => isInside(position, range));
  return at.length > 0 ? { kind: "isolate", at } : { kind: "none", why: "one item" };
}

/** Splitting by hash leaves collections whole; within one collection the split is by sort key. */
function middleOf(sorted: readonly Position[], byHash: boolean): Position | undefined {
  const middle = sorted[sorted.length >> 1] as Position;
  if (!byHash) return middle;
  const [first] = sorted;
  const { hash } =
    first?.hash === middle.hash ? (sorted.find((one) => one.hash > middle.hash) ?? middle) : middle;
  return { hash, sort: noSort };
}

function mostFrequent(sorted: readonly Position[]): { position: Position; count: number } {
  let best = { position: sorted[0] as Position, count: 0 };
  let run = { position: sorted[0] as Position, count: 0 };
  for (const position of sorted) {
    if (comparePositions(position, run.position) === 0) run.count += 1;
    else run = { position, count: 1 };
    if (run.count > best.count) best = run;
  }
  return best;
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
