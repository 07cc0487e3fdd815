import type { Partition } from "../partitions/partition-map.ts";
import type { Position } from "../partitions/position.ts";
import type { PartitionLoad } from "./partition-load.ts";
import { type KeyNames, reportOf, type ThroughputReport } from "./report.ts";
import { ResourceThroughput } from "./resource-throughput.ts";
import { SlidingSecond } from "./sliding-second.ts";
import type { Throttle } from "./throttling.ts";
import { type Direction, type ThroughputSettings, tableQuota } from "./throughput.ts";
import { Timeline } from "./timeline.ts";

export interface TableThroughputOptions {
  readonly settings: ThroughputSettings;
  /** Global indexes by name. Local ones use the table's throughput. */
  readonly indexes?: Readonly<Record<string, ThroughputSettings>>;
  readonly localIndex?: boolean;
  readonly scale?: number;
  /** Of the table's items that are there already, spread evenly over the key space. */
  readonly bytes?: number;
  readonly now: number;
  /** Is told where a partition of the table was split; those of indexes are their own concern. */
  readonly onSplit?: (places: readonly Position[]) => void;
}

/** Units at one place, of the table or of a global index. */
export interface Charge {
  readonly index: string | undefined;
  readonly position: Position;
  readonly units: number;
  /** How many bytes the place grows by; for writes. */
  readonly bytes?: number;
}

/**
 * Decides for one table and its indexes which requests may go on. A request is charged in several
 * places; if one of them cannot take it, none does. So an index that is too small holds up the writes
 * of its table.
 */
export class TableThroughput {
  readonly timeline = new Timeline();
  readonly #table: ResourceThroughput;
  readonly #indexes = new Map<string, ResourceThroughput>();
  readonly #scale: number;
  readonly #localIndex: boolean;
  readonly #total = { read: new SlidingSecond(), write: new SlidingSecond() };
  /** Scratch, so that a request costs no allocation: the places whose units are held, and how many. */
  readonly #resources: (ResourceThroughput | undefined)[] = [];
  readonly #partitions: Partition<PartitionLoad>[] = [];
  readonly #units: number[] = [];
  #held = 0;
  #heldUnits = 0;

  constructor(options: TableThroughputOptions) {
    const { settings, indexes = {}, localIndex = false, scale = 1, bytes = 0, now } = options;
    this.#scale = scale;
    this.#localIndex = localIndex;
    this.#table = this.#resource(undefined, settings, bytes, now, options.onSplit);
    for (const [name, own] of Object.entries(indexes)) this.addIndex(name, own, now);
  }

  get table(): ResourceThroughput {
    return this.#table;
  }

  get indexes(): ReadonlyMap<string, ResourceThroughput> {
    return this.#indexes;
  }

  get resources(): readonly ResourceThroughput[] {
    return [this.#table, ...this.#indexes.values()];
  }

  addIndex(name: string, settings: ThroughputSettings, now: number): void {
    this.#indexes.set(name, this.#resource(name, settings, 0, now));
  }

  removeIndex(name: string): void {
    this.#indexes.delete(name);
  }

  resource(index: string | undefined): ResourceThroughput | undefined {
    return index === undefined ? this.#table : this.#indexes.get(index);
  }

  /** Whatever the passing of time brings to the table and its indexes. */
  advance(now: number): void {
    this.#table.advance(now);
    for (const index of this.#indexes.values()) index.advance(now);
  }

  /** Takes the units from all places, or tells which limit forbids it and takes none. */
  admit(direction: Direction, charges: readonly Charge[], now: number): Throttle | undefined {
    const first = this.#held;
    const throttle = this.#judge(direction, charges, now, false);
    this.#release(direction, first);
    if (throttle !== undefined) return throttle;
    let sum = 0;
    for (let i = 0; i < charges.length; i += 1) {
      const resource = this.#resources[first + i];
      if (resource === undefined) continue;
      const { position, units, bytes } = charges[i] as Charge;
      const partition = this.#partitions[first + i] as Partition<PartitionLoad>;
      sum += units;
      resource.take(partition, direction, position, units, now);
      if (bytes !== undefined && bytes !== 0) resource.grow(partition, bytes);
    }
    (direction === "read" ? this.#total.read : this.#total.write).add(sum, now);
    return undefined;
  }

  /**
   * The limit that forbids to take the units, if one does; takes none in any case. Places of one request
   * that share a partition are judged together. So are several calls, if they are to be held: what was
   * not refused then counts until `letGo`.
   */
  refusal(
    direction: Direction,
    charges: readonly Charge[],
    now: number,
    hold = false,
  ): Throttle | undefined {
    const first = this.#held;
    const throttle = this.#judge(direction, charges, now, hold);
    if (throttle !== undefined || !hold) this.#release(direction, first);
    return throttle;
  }

  /** Ends what `refusal` held. */
  letGo(direction: Direction): void {
    this.#release(direction, 0);
    this.#heldUnits = 0;
  }

  /** Takes the units, whatever the limits: for requests that were not refused. */
  take(direction: Direction, charges: readonly Charge[], now: number): void {
    let sum = 0;
    for (let i = 0; i < charges.length; i += 1) {
      const { index, position, units, bytes } = charges[i] as Charge;
      const resource = this.resource(index);
      if (resource === undefined) continue;
      sum += units;
      const partition = resource.at(position, now);
      resource.take(partition, direction, position, units, now);
      if (bytes !== undefined && bytes !== 0) resource.grow(partition, bytes);
    }
    this.#total[direction].add(sum, now);
  }

  /** Partitions grow or shrink by the bytes, whatever the units. */
  resize(charges: readonly Charge[], now: number): void {
    for (const { index, position, bytes = 0 } of charges) {
      const resource = this.resource(index);
      resource?.grow(resource.at(position, now), bytes);
    }
  }

  /** What has become of the table, its indexes and their partitions up to now. */
  report(now: number, nameOf?: KeyNames): ThroughputReport {
    this.advance(now);
    return reportOf(this, now, nameOf);
  }

  /** Judges place by place, and holds what passes; the last place only if the verdict is to be held. */
  #judge(
    direction: Direction,
    charges: readonly Charge[],
    now: number,
    hold: boolean,
  ): Throttle | undefined {
    const isRead = direction === "read";
    const used = (isRead ? this.#total.read : this.#total.write).used(now);
    const quota = (isRead ? tableQuota.read : tableQuota.write) * this.#scale + 1e-9;
    let sum = this.#heldUnits;
    for (let i = 0; i < charges.length; i += 1) {
      const { index, position, units } = charges[i] as Charge;
      const resource = this.resource(index);
      const place = this.#held;
      this.#resources[place] = resource;
      this.#held = place + 1;
      if (resource === undefined) continue;
      const partition = resource.at(position, now);
      sum += units;
      const limit =
        used > 0 && used + sum > quota
          ? "AccountLimitExceeded"
          : resource.limit(partition, direction, units, now);
      if (limit !== undefined) {
        this.#resources[place] = undefined;
        return resource.refuse(partition, direction, position, units, limit, now);
      }
      this.#partitions[place] = partition;
      const held = hold || i + 1 < charges.length ? units : 0;
      this.#units[place] = held;
      if (held !== 0) resource.hold(partition, direction, held);
    }
    if (hold) this.#heldUnits = sum;
    return undefined;
  }

  /** Ends what is held from a place on. */
  #release(direction: Direction, from: number): void {
    for (let i = from; i < this.#held; i += 1) {
      const resource = this.#resources[i];
      const units = this.#units[i] as number;
      if (resource === undefined || units === 0) continue;
      resource.hold(this.#partitions[i] as Partition<PartitionLoad>, direction, -units);
    }
    this.#held = from;
  }

  #resource(
    index: string | undefined,
    settings: ThroughputSettings,
    bytes: number,
    now: number,
    onSplit?: TableThroughputOptions["onSplit"],
  ): ResourceThroughput {
    return new ResourceThroughput({
      index,
      settings,
      timeline: this.timeline,
      scale: this.#scale,
      // A local index ties the collections of the table together, not those of other indexes.
      localIndex: index === undefined && this.#localIndex,
      bytes,
      now,
      onSplit,
    });
  }
}
