import type { Partition, PartitionMap } from "../partitions/partition-map.ts";
import type { Position } from "../partitions/position.ts";
import { Credit } from "./credit.ts";
import { OnDemandGrowth } from "./on-demand-growth.ts";
import type { PartitionLoad } from "./partition-load.ts";
import { type FormerPartition, ResourcePartitions } from "./resource-partitions.ts";
import { ResourceScaling } from "./resource-scaling.ts";
import { SlidingSecond } from "./sliding-second.ts";
import { type LimitKind, limitKinds, type Throttle } from "./throttling.ts";
import {
  type Direction,
  directions,
  heatMinutes,
  partitionBytesMax,
  partitionsFor,
  partitionsToCarry,
  partitionUnitsMax,
  type ThroughputSettings,
  type UnitsPerSecond,
} from "./throughput.ts";
import type { CapacityEvent, OwnEvent, Timeline } from "./timeline.ts";

export interface ResourceOptions {
  /** Undefined for the table itself. */
  readonly index: string | undefined;
  readonly settings: ThroughputSettings;
  readonly timeline: Timeline;
  /** All limits are multiplied with it. */
  readonly scale: number;
  /** Item collections cannot be split. */
  readonly localIndex: boolean;
  /** Of the items that are there already. */
  readonly bytes: number;
  readonly now: number;
  /** Is told where a partition was split. */
  readonly onSplit?: ((places: readonly Position[]) => void) | undefined;
}

const minuteMs = 60_000;
/** After two minutes without a request nothing more happens by itself. */
const quietMinutes = 3;

/**
 * The throughput of a table or an index: what it may use in all, and its partitions with what each of
 * them can do. Time is what callers say it is; it must not run backwards.
 */
export class ResourceThroughput {
  readonly index: string | undefined;
  readonly #timeline: Timeline;
  readonly #scale: number;
  readonly #partitions: ResourcePartitions;
  readonly #throttles: Readonly<Record<Direction, readonly Throttle[]>>;
  #settings: ThroughputSettings;
  /** What provisioned throughput has left, over all partitions: they lend to each other. */
  #credit: { readonly read: Credit; readonly write: Credit } | undefined;
  #scaling: ResourceScaling;
  /** What has been used within a second, where there is an on-demand maximum. */
  readonly #total = { read: new SlidingSecond(), write: new SlidingSecond() };
  /** What a request that is being judged would use in the places it was judged by already. */
  #heldReads = 0;
  #heldWrites = 0;
  readonly #growth: OnDemandGrowth;
  #minute: number;
  #minuteEnd: number;
  #usedBefore: UnitsPerSecond = { read: 0, write: 0 };

  constructor(options: ResourceOptions) {
    const { index, settings, timeline, scale, localIndex, bytes, now, onSplit } = options;
    this.index = index;
    this.#timeline = timeline;
    this.#scale = scale;
    this.#settings = settings;
    this.#throttles = { read: throttles(index, "read"), write: throttles(index, "write") };
    this.#minute = Math.floor(now / minuteMs);
    this.#minuteEnd = (this.#minute + 1) * minuteMs;
    this.#growth = new OnDemandGrowth(settings.warm, now);
    this.#partitions = new ResourcePartitions(
      partitionsFor(settings),
      bytes,
      localIndex,
      now,
      (partition, made, why, at) => {
        this.#shareOut(at);
        const ids = made.map(({ id }) => id);
        this.#tell({ at, kind: "split", partition: partition.id, made: ids, why });
        onSplit?.(made.slice(1).map(({ start }) => start));
      },
    );
    this.#scaling = new ResourceScaling(undefined);
    this.#apply(settings, now);
  }

  get settings(): ThroughputSettings {
    return this.#settings;
  }

  get partitions(): PartitionMap<PartitionLoad> {
    return this.#partitions.map;
  }

  get former(): readonly FormerPartition[] {
    return this.#partitions.former;
  }

  get formerDropped(): number {
    return this.#partitions.formerDropped;
  }

  /** What an on-demand table could do at once, or what is provisioned. */
  get available(): UnitsPerSecond {
    return this.#settings.mode === "provisioned" ? this.#settings.provisioned : this.#growth.level;
  }

  /** Whatever the passing of time brings: splits, growth, scaling. */
  advance(now: number): void {
    if (now >= this.#minuteEnd) this.#endMinutes(now);
  }

  /** The partition of a position, now. */
  at(position: Position, now: number): Partition<PartitionLoad> {
    if (now >= this.#minuteEnd) this.#endMinutes(now);
    return this.#partitions.map.find(position);
  }

  /** The limit that stands in the way of a request; nothing if it may go on. */
  limit(
    { state }: Partition<PartitionLoad>,
    direction: Direction,
    units: number,
    now: number,
  ): LimitKind | undefined {
    const isRead = direction === "read";
    const settings = this.#settings;
    const inAll = units + (isRead ? this.#heldReads : this.#heldWrites);
    if (this.#credit !== undefined) {
      const credit = isRead ? this.#credit.read : this.#credit.write;
      // What is larger than a second's worth waits for that, and leaves a debt.
      if (credit.level(now) < Math.min(inAll, Math.max(credit.rate, this.#scale))) {
        return "ProvisionedThroughputExceeded";
      }
    } else if (settings.mode === "on-demand" && settings.maximum !== undefined) {
      const maximum = settings.maximum[direction];
      const used = this.#total[direction].used(now);
      if (maximum !== undefined && exceeds(used, inAll, maximum * this.#scale)) {
        return "MaxOnDemandThroughputExceeded";
      }
    }
    const flow = isRead ? state.read : state.write;
    const ceiling = (isRead ? partitionUnitsMax.read : partitionUnitsMax.write) * this.#scale;
    return exceeds(flow.second.used(now), units + flow.held, ceiling)
      ? "KeyRangeThroughputExceeded"
      : undefined;
  }

  /** These units count for the limits until they are taken off again: a request has several places. */
  hold({ state }: Partition<PartitionLoad>, direction: Direction, units: number): void {
    state.flow(direction).held += units;
    if (direction === "read") this.#heldReads += units;
    else this.#heldWrites += units;
  }

  take(
    partition: Partition<PartitionLoad>,
    direction: Direction,
    position: Position,
    units: number,
    now: number,
  ): void {
    const { state } = partition;
    state.take(direction, position, units, now);
    const settings = this.#settings;
    if (settings.mode === "on-demand") {
      if (settings.maximum !== undefined) this.#total[direction].add(units, now);
      return;
    }
    const credit = direction === "read" ? this.#credit?.read : this.#credit?.write;
    credit?.take(units, now);
    if (state.drawShare(direction, units, now) === 0) return;
    const flow = state.flow(direction);
    const isNew = flow.borrowedMinute < this.#minute - 1;
    flow.borrowedMinute = this.#minute;
    if (isNew) this.#tell({ at: now, kind: "borrow", partition: partition.id, direction });
  }

  refuse(
    { id, state }: Partition<PartitionLoad>,
    direction: Direction,
    position: Position,
    units: number,
    limit: LimitKind,
    now: number,
  ): Throttle {
    const refusals = state.refuse(direction, position, units, limit);
    const throttle = this.#throttles[direction][limitKinds.indexOf(limit)] as Throttle;
    const isNew = refusals.minute < this.#minute - 1;
    refusals.minute = this.#minute;
    if (isNew) this.#tell({ at: now, kind: "throttle", partition: id, throttle });
    return throttle;
  }

  /** Items were added to a partition, or taken from it. */
  grow({ state }: Partition<PartitionLoad>, bytes: number): void {
    state.bytes = Math.max(0, state.bytes + bytes);
  }

  /** New settings, as UpdateTable or auto scaling makes them. */
  change(settings: ThroughputSettings, now: number, why: "settings" | "auto scaling"): void {
    this.advance(now);
    if (why === "settings") this.#apply(settings, now);
    else this.#set(settings, now, why);
  }

  #apply(settings: ThroughputSettings, now: number): void {
    if (settings.mode === "provisioned") {
      this.#scaling = new ResourceScaling(settings.autoScaling, this.#scaling.budget);
      const provisioned = this.#scaling.within(settings.provisioned);
      this.#set({ ...settings, provisioned }, now, "settings");
    } else this.#set(settings, now, "settings");
  }

  #set(settings: ThroughputSettings, now: number, why: "settings" | "auto scaling"): void {
    const before = this.available;
    this.#settings = settings;
    if (settings.mode === "provisioned") {
      this.#provision(settings.provisioned, now);
      this.#partitions.reach(partitionsFor(settings), now);
      // Should it become an on-demand table, it can do what was ever provisioned.
      this.#growth.raise(settings.provisioned);
    } else {
      this.#credit = undefined;
      this.#growth.raise(settings.warm);
      this.#partitions.reach(partitionsToCarry(this.#growth.level), now);
    }
    this.#growth.begin(this.#partitions.count, now);
    this.#shareOut(now);
    this.#tellScale(before, why, now);
  }

  #provision({ read, write }: UnitsPerSecond, now: number): void {
    if (this.#credit === undefined) {
      this.#credit = {
        read: new Credit(read * this.#scale, now),
        write: new Credit(write * this.#scale, now),
      };
    } else {
      this.#credit.read.setRate(read * this.#scale, now);
      this.#credit.write.setRate(write * this.#scale, now);
    }
  }

  #endMinutes(now: number): void {
    const passed = Math.floor(now / minuteMs) - this.#minute;
    for (let i = 1; i <= Math.min(passed, quietMinutes); i += 1) this.#endMinute();
    this.#minute = Math.floor(now / minuteMs);
    this.#minuteEnd = (this.#minute + 1) * minuteMs;
  }

  #endMinute(): void {
    const at = this.#minuteEnd;
    this.#minute += 1;
    this.#minuteEnd += minuteMs;
    const consumed = this.#consumedInMinute();
    const { all } = this.#partitions.map;
    for (const { state } of all) state.endMinute(this.#scale);
    for (const partition of all) {
      if (partition.state.hotMinutes >= heatMinutes) this.#relieve(partition, at);
      else if (partition.state.bytes > partitionBytesMax) {
        this.#partitions.splitForSize(partition, at);
      }
    }
    const settings = this.#settings;
    if (settings.mode === "provisioned") {
      const provisioned = this.#scaling.minute(consumed, settings.provisioned, at);
      if (provisioned !== undefined) this.#set({ ...settings, provisioned }, at, "auto scaling");
    } else this.#growOnDemand(consumed, at);
  }

  /** Units per second, as if limits were not scaled. */
  #consumedInMinute(): UnitsPerSecond {
    const used = { read: this.#partitions.units("read"), write: this.#partitions.units("write") };
    const perSecond = 60 * this.#scale;
    const consumed = {
      read: (used.read - this.#usedBefore.read) / perSecond,
      write: (used.write - this.#usedBefore.write) / perSecond,
    };
    this.#usedBefore = used;
    return consumed;
  }

  #relieve(partition: Partition<PartitionLoad>, at: number): void {
    const { state } = partition;
    const onDemand = this.#settings.mode === "on-demand";
    const why =
      onDemand && !this.#growth.allowsSplit(this.#partitions.count)
        ? "doubled within half an hour"
        : this.#partitions.splitForHeat(partition, at);
    if (why === undefined || state.unsplittable === why) return;
    state.unsplittable = why;
    this.#tell({ at, kind: "not split", partition: partition.id, why });
  }

  #growOnDemand(consumed: UnitsPerSecond, at: number): void {
    const before = this.#growth.level;
    const grown = this.#growth.minute(consumed, at);
    if (!this.#growth.isOver(at)) return;
    // What it grows by now counts for the half hour that begins.
    this.#growth.begin(this.#partitions.count, at);
    if (grown) this.#partitions.reach(partitionsToCarry(this.#growth.level), at);
    this.#tellScale(before, "growth", at);
  }

  /** Provisioned throughput is shared equally. */
  #shareOut(now: number): void {
    if (this.#settings.mode !== "provisioned") return;
    const { all } = this.#partitions.map;
    for (const direction of directions) {
      const share = (this.#settings.provisioned[direction] * this.#scale) / all.length;
      for (const { state } of all) state[direction].setShare(share, now);
    }
  }

  #tellScale(
    before: UnitsPerSecond,
    why: "growth" | "auto scaling" | "settings",
    at: number,
  ): void {
    for (const direction of directions) {
      const from = before[direction];
      const to = this.available[direction];
      if (from !== to) this.#tell({ at, kind: "scale", direction, from, to, why });
    }
  }

  #tell(event: OwnEvent): void {
    this.#timeline.add({ ...event, index: this.index } as CapacityEvent);
  }
}

function throttles(index: string | undefined, direction: Direction): readonly Throttle[] {
  return limitKinds.map((limit) => ({ index, direction, limit }));
}

/** A request that finds nothing used may go on, however large it is: it would never fit otherwise. */
function exceeds(used: number, units: number, limit: number): boolean {
  return used > 0 && used + units > limit + 1e-9;
}
