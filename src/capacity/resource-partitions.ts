import { middleOf, type Partition, PartitionMap } from "../partitions/partition-map.ts";
import type { Position } from "../partitions/position.ts";
import { chooseSplit } from "../partitions/split-choice.ts";
import { PartitionLoad } from "./partition-load.ts";
import { type Direction, directions, partitionBytesMax } from "./throughput.ts";
import type { SplitReason } from "./timeline.ts";

/** A partition that was split. */
export interface FormerPartition {
  readonly partition: Partition<PartitionLoad>;
  readonly until: number;
}

/** So many former partitions are remembered; of older ones only what they used. */
const formerMax = 1_000;

export type SplitListener = (
  partition: Partition<PartitionLoad>,
  made: readonly Partition<PartitionLoad>[],
  why: SplitReason,
  at: number,
) => void;

/** The partitions of one table or index: how they split, and what they have used in all. */
export class ResourcePartitions {
  readonly map: PartitionMap<PartitionLoad>;
  readonly #localIndex: boolean;
  readonly #onSplit: SplitListener;
  #now: number;
  #former: FormerPartition[] = [];
  #formerDropped = 0;
  readonly #formerUnits = { read: 0, write: 0 };

  /** `bytes`: the items that are there at the beginning, spread evenly. */
  constructor(
    countMin: number,
    bytes: number,
    localIndex: boolean,
    now: number,
    onSplit: SplitListener,
  ) {
    this.#localIndex = localIndex;
    this.#now = now;
    this.#onSplit = onSplit;
    const count = Math.max(countMin, Math.ceil(bytes / partitionBytesMax));
    this.map = new PartitionMap(count, () => new PartitionLoad(this.#now));
    for (const { state } of this.map.all) state.bytes = bytes / count;
  }

  get count(): number {
    return this.map.all.length;
  }

  get former(): readonly FormerPartition[] {
    return this.#former;
  }

  get formerDropped(): number {
    return this.#formerDropped;
  }

  /** What was ever used. */
  units(direction: Direction): number {
    let sum = this.#formerUnits[direction];
    for (const { state } of this.map.all) sum += state[direction].units;
    return sum;
  }

  /** Splits a hot partition so that its load is shared; answers why, if that cannot be. */
  splitForHeat(partition: Partition<PartitionLoad>, at: number): string | undefined {
    const { state } = partition;
    const sample = state[state.hotter].sample.inOrder();
    const choice = chooseSplit(sample, partition, { localIndex: this.#localIndex });
    if (choice.kind === "none") return choice.why;
    this.#split(partition, choice.at, at, choice.kind === "isolate" ? "hot item" : "heat");
    return undefined;
  }

  /** Bytes are taken to lie evenly over the hashes; within one collection, where its load lies. */
  splitForSize(partition: Partition<PartitionLoad>, at: number): void {
    const middle = middleOf(partition) ?? this.#middleOfLoad(partition);
    if (middle !== undefined) this.#split(partition, [middle], at, "size");
  }

  /** Halves partitions, the widest first, until there are enough. */
  reach(count: number, now: number, why: SplitReason = "throughput"): void {
    while (this.count < count) {
      let widest: Partition<PartitionLoad> | undefined;
      for (const one of this.map.all) {
        if (widest === undefined || widthOf(one) > widthOf(widest)) widest = one;
      }
      const middle = widest === undefined ? undefined : middleOf(widest);
      if (widest === undefined || middle === undefined) return;
      this.#split(widest, [middle], now, why);
    }
  }

  #middleOfLoad(partition: Partition<PartitionLoad>): Position | undefined {
    if (this.#localIndex) return undefined;
    const sample = partition.state.write.sample.inOrder();
    const choice = chooseSplit(sample, partition, { localIndex: false });
    return choice.kind === "split" ? choice.at[0] : undefined;
  }

  #split(
    partition: Partition<PartitionLoad>,
    places: readonly Position[],
    at: number,
    why: SplitReason,
  ): void {
    this.#now = at;
    const made = this.map.split(partition, places);
    const width = widthOf(partition);
    for (const one of made) {
      const part = width > 0 ? widthOf(one) / width : 1 / made.length;
      one.state.bytes = partition.state.bytes * part;
      one.state.continueFrom(partition.state);
    }
    this.#retire(partition, at);
    this.#onSplit(partition, made, why, at);
  }

  #retire(partition: Partition<PartitionLoad>, until: number): void {
    for (const direction of directions) {
      this.#formerUnits[direction] += partition.state[direction].units;
    }
    this.#former.push({ partition, until });
    if (this.#former.length <= formerMax) return;
    this.#former = this.#former.slice(1);
    this.#formerDropped += 1;
  }
}

function widthOf({ start, end }: Partition<unknown>): number {
  return end.hash - start.hash;
}
