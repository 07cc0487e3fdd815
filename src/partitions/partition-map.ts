import { assert } from "../base/assert.ts";
import {
  comparePositions,
  hashSpace,
  noSort,
  type Position,
  spaceEnd,
  spaceStart,
} from "./position.ts";

/** A range of positions and whatever is kept about it. */
export interface Partition<State> {
  readonly id: number;
  /** The partition that it came from by a split. */
  readonly parent: number | undefined;
  readonly start: Position;
  /** Exclusive. */
  readonly end: Position;
  readonly state: State;
}

/**
 * The partitions of one table or index. Together they cover the key space without gaps; they split
 * and never merge.
 */
export class PartitionMap<State> {
  readonly #make: () => State;
  #partitions: Partition<State>[] = [];
  #nextId = 0;

  /** `make` is asked for the state of each partition, also of those that splits bring about. */
  constructor(count: number, make: () => State) {
    this.#make = make;
    assert(count >= 1, "a table has a partition");
    for (let i = 0; i < count; i += 1) {
      const start = i === 0 ? spaceStart : boundary(i, count);
      const end = i === count - 1 ? spaceEnd : boundary(i + 1, count);
      this.#partitions.push(this.#partition(start, end, undefined));
    }
  }

  get all(): readonly Partition<State>[] {
    return this.#partitions;
  }

  /** The partition that holds a position. */
  find(position: Position): Partition<State> {
    const partitions = this.#partitions;
    let low = 0;
    let high = partitions.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const { start } = partitions[middle] as Partition<State>;
      const before =
        start.hash === position.hash
          ? comparePositions(start, position) <= 0
          : start.hash < position.hash;
      if (before) low = middle;
      else high = middle - 1;
    }
    return partitions[low] as Partition<State>;
  }

  /** Splits a partition at places strictly inside it, in order; answers the new ones. */
  split(partition: Partition<State>, at: readonly Position[]): readonly Partition<State>[] {
    const index = this.#partitions.indexOf(partition);
    assert(index >= 0, "only a partition of this table can be split");
    const bounds = [partition.start, ...at, partition.end];
    const made: Partition<State>[] = [];
    for (let i = 0; i + 1 < bounds.length; i += 1) {
      const start = bounds[i] as Position;
      const end = bounds[i + 1] as Position;
      assert(comparePositions(start, end) < 0, "a split makes no empty partition");
      made.push(this.#partition(start, end, partition.id));
    }
    this.#partitions = [
      ...this.#partitions.slice(0, index),
      ...made,
      ...this.#partitions.slice(index + 1),
    ];
    return made;
  }

  #partition(start: Position, end: Position, parent: number | undefined): Partition<State> {
    const id = this.#nextId;
    this.#nextId += 1;
    return { id, parent, start, end, state: this.#make() };
  }
}

function boundary(part: number, of: number): Position {
  return { hash: startOfPart(part, of), sort: noSort };
}

/** Where the hashes of one of so many equal partitions begin. */
export function startOfPart(part: number, of: number): number {
  return Math.floor((hashSpace / of) * part);
}

/** The middle of a partition's hashes; nothing if it is within one hash. */
export function middleOf({ start, end }: Partition<unknown>): Position | undefined {
  const hash = Math.floor((start.hash + end.hash) / 2);
  const middle = { hash, sort: noSort };
  return comparePositions(start, middle) < 0 && comparePositions(middle, end) < 0
    ? middle
    : undefined;
}
