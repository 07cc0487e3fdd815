import { middleOf, type Partition, PartitionMap } from "../partitions/partition-map.ts";
import type { Position } from "../partitions/position.ts";
import { Credit } from "./credit.ts";
import { PartitionLoad } from "./partition-load.ts";
import { SlidingSecond } from "./sliding-second.ts";
import type { LimitKind } from "./throttling.ts";
import {
  type Direction,
  growthMinutes,
  heatMinutes,
  onDemandStart,
  partitionBytesMax,
  partitionsFor,
  partitionsOnDemand,
  partitionUnitsMax,
  type ThroughputSettings,
  type UnitsPerSecond,
} from "./throughput.ts";
import type { Timeline } from "./timeline.ts";

export interface ResourceOptions {
  /** Undefined for the table itself. */
  readonly index: string | undefined;
  readonly settings: ThroughputSettings;
  readonly timeline: Timeline;
  /** All limits are multiplied with it. */
  readonly scale: number;
  /** Item collections cannot be split. */
  readonly localIndex: boolean;
  readonly now: number;
}

const directions: readonly Direction[] = ["read", "write"];
const minuteMs = 60_000;

/**
 * The throughput of a table or an index: what it may use in all, and its partitions with what each of
 * them can do. Time is what callers say it is; it must not run backwards.
 */
export class ResourceThroughput {
  readonly index: string | undefined;
  readonly partitions: PartitionMap<PartitionLoad>;
  readonly #timeline: Timeline;
  readonly #scale: number;
  readonly #localIndex: boolean;
  #settings: ThroughputSettings;
  /** What provisioned throughput has left, over all partitions: they lend to each other. */
  #credit: { read: Credit; write: Credit } | undefined;
  /** What has been used within a second, against an on-demand maximum. */
  readonly #total = { read: new SlidingSecond(), write: new SlidingSecond() };
  /** The most that was used in a second of this growth period, and what it may grow from. */
  #peak = { read: 0, write: 0 };
  #grown: UnitsPerSecond = onDemandStart;
  #partitionsAtGrowth: number;
  #grownAt: number;
  #minute: number;
  #now: number;

  constructor(options: ResourceOptions) {
    const { index, settings, timeline, scale, localIndex, now } = options;
    this.index = index;
    this.#timeline = timeline;
    this.#scale = scale;
    this.#localIndex = localIndex;
    this.#settings = settings;
    this.#now = now;
    this.#minute = Math.floor(now / minuteMs);
    this.#grownAt = now;
    const count = partitionsFor(settings);
    this.#partitionsAtGrowth = count;
    if (settings.mode === "provisioned") this.#credit = this.#credits(settings.provisioned);
    else this.#grown = grownBy(settings, onDemandStart);
    this.partitions = new PartitionMap(count, () => this.#load());
  }

  get settings(): ThroughputSettings {
    return this.#settings;
  }

  /** What an on-demand table could do at once, or what is provisioned. */
  get available(): UnitsPerSecond {
    return this.#settings.mode === "provisioned" ? this.#settings.provisioned : this.#grown;
  }

  /** The partition of a position, after whatever the passing of time brings. */
  at(position: Position, now: number): Partition<PartitionLoad> {
    if (now > this.#now) {
      this.#now = now;
      if (now >= (this.#minute + 1) * minuteMs) this.#endMinutes(now);
    }
    return this.partitions.find(position);
  }

  /** The limit that stands in the way of a request; nothing if it may go on. */
  limit(
    { state }: Partition<PartitionLoad>,
    direction: Direction,
    units: number,
    now: number,
  ): LimitKind | undefined {
    const settings = this.#settings;
    if (settings.mode === "on-demand") {
      const maximum = settings.maximum?.[direction];
      if (maximum !== undefined) {
        const used = this.#total[direction].used(now);
        if (exceeds(used, units, maximum * this.#scale)) return "MaxOnDemandThroughputExceeded";
      }
    } else if (this.#credit !== undefined) {
      const credit = this.#credit[direction];
      if (credit.level(now) < Math.min(units, Math.max(credit.rate, this.#scale))) {
        return "ProvisionedThroughputExceeded";
      }
    }
    const used = state[direction].second.used(now);
    return exceeds(used, units, partitionUnitsMax[direction] * this.#scale)
      ? "KeyRangeThroughputExceeded"
      : undefined;
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
    if (this.#credit === undefined) {
      const total = this.#total[direction];
      total.add(units, now);
      const used = total.used(now);
      if (used > this.#peak[direction]) this.#peak[direction] = used;
      return;
    }
    this.#credit[direction].take(units, now);
    if (state.drawShare(direction, units, now) > 0 && !state[direction].borrowedThisMinute) {
      state[direction].borrowedThisMinute = true;
      this.#tell({ at: now, kind: "borrow", partition: partition.id, direction });
    }
  }

  refuse(
    { id, state }: Partition<PartitionLoad>,
    direction: Direction,
    position: Position,
    units: number,
    limit: LimitKind,
    now: number,
  ): void {
    const flow = state[direction];
    const told = (flow.refusals.get(limit) ?? 0) > 0 && flow.toldMinute === this.#minute;
    state.refuse(direction, position, units, limit);
    if (told) return;
    flow.toldMinute = this.#minute;
    const throttle = { index: this.index, direction, limit };
    this.#tell({ at: now, kind: "throttle", partition: id, throttle });
  }

  /** Items were added to a partition, or taken from it. */
  grow({ state }: Partition<PartitionLoad>, bytes: number): void {
    state.bytes += bytes;
  }

  /** New settings, as UpdateTable or auto scaling makes them. */
  change(settings: ThroughputSettings, now: number, why: "settings" | "auto scaling"): void {
    this.at({ hash: 0, sort: new Uint8Array(0) }, now);
    const before = this.available;
    const highest = this.#settings;
    this.#settings = settings;
    if (settings.mode === "provisioned") {
      if (this.#credit === undefined) this.#credit = this.#credits(settings.provisioned);
      for (const direction of directions) {
        this.#credit[direction].setRate(settings.provisioned[direction] * this.#scale, now);
      }
    } else {
      this.#credit = undefined;
      // A table that was provisioned keeps what its partitions can do.
      const kept = highest.mode === "provisioned" ? highest.provisioned : onDemandStart;
      this.#grown = grownBy(settings, maximum(maximum(this.#grown, kept), onDemandStart));
      this.#grownAt = now;
    }
    this.#reach(partitionsFor(settings), now);
    this.#shareOut(now);
    this.#partitionsAtGrowth = this.partitions.all.length;
    for (const direction of directions) {
      const from = before[direction];
      const to = this.available[direction];
      if (from !== to) this.#tell({ at: now, kind: "scale", direction, from, to, why });
    }
  }

  #endMinutes(now: number): void {
    const minute = Math.floor(now / minuteMs);
    const passed = minute - this.#minute;
    const at = (this.#minute + 1) * minuteMs;
    this.#minute = minute;
    for (const { state } of this.partitions.all) {
      state.endMinute(this.#scale);
      // Minutes without any request lie in between.
      if (passed > 1) state.hotMinutes = 0;
    }
    for (const partition of this.partitions.all) {
      if (partition.state.hotMinutes >= heatMinutes) this.#splitForHeat(partition, at);
      else if (partition.state.bytes > partitionBytesMax) this.#splitForSize(partition, at);
    }
    if (now - this.#grownAt >= growthMinutes * minuteMs) this.#growOnDemand(now);
  }

  #splitForHeat(partition: Partition<PartitionLoad>, at: number): void {
    if (this.#settings.mode === "on-demand") {
      // Within one period an on-demand table at most doubles.
      if (this.partitions.all.length >= 2 * this.#partitionsAtGrowth) return;
    }
    const { state } = partition;
    const choice = state.sample.choose(partition, { localIndex: this.#localIndex });
    if (choice.kind === "none") {
      if (state.unsplittable === choice.why) return;
      state.unsplittable = choice.why;
      this.#tell({ at, kind: "not split", partition: partition.id, why: choice.why });
      return;
    }
    this.#split(partition, choice.at, at, choice.kind === "isolate" ? "hot item" : "heat");
  }

  #splitForSize(partition: Partition<PartitionLoad>, at: number): void {
    const middle = middleOf(partition);
    if (middle !== undefined) this.#split(partition, [middle], at, "size");
  }

  #split(
    partition: Partition<PartitionLoad>,
    places: readonly Position[],
    at: number,
    why: "heat" | "hot item" | "size" | "throughput",
  ): void {
    const made = this.partitions.split(partition, places);
    for (const { state } of made) state.bytes = partition.state.bytes / made.length;
    this.#shareOut(at);
    const ids = made.map(({ id }) => id);
    this.#tell({ at, kind: "split", partition: partition.id, made: ids, why });
  }

  /** Every half hour an on-demand table is given twice what it has used at most. */
  #growOnDemand(now: number): void {
    const from = this.#grown;
    const peak = this.#peak;
    this.#peak = { read: 0, write: 0 };
    this.#grownAt = now;
    this.#partitionsAtGrowth = this.partitions.all.length;
    if (this.#settings.mode !== "on-demand") return;
    this.#grown = maximum(from, {
      read: (2 * peak.read) / this.#scale,
      write: (2 * peak.write) / this.#scale,
    });
    this.#reach(partitionsOnDemand(this.#grown), now);
    this.#partitionsAtGrowth = this.partitions.all.length;
    for (const direction of directions) {
      const to = this.#grown[direction];
      if (to === from[direction]) continue;
      this.#tell({ at: now, kind: "scale", direction, from: from[direction], to, why: "growth" });
    }
  }

  /** Halves partitions, the widest first, until there are enough. */
  #reach(count: number, now: number): void {
    while (this.partitions.all.length < count) {
      let widest: Partition<PartitionLoad> | undefined;
      for (const one of this.partitions.all) {
        if (widest === undefined || widthOf(one) > widthOf(widest)) widest = one;
      }
      const middle = widest === undefined ? undefined : middleOf(widest);
      if (widest === undefined || middle === undefined) return;
      this.#split(widest, [middle], now, "throughput");
    }
  }

  /** Provisioned throughput is shared equally. */
  #shareOut(now: number): void {
    if (this.#settings.mode !== "provisioned") return;
    const { all } = this.partitions;
    for (const { state } of all) {
      for (const direction of directions) {
        const share = (this.#settings.provisioned[direction] * this.#scale) / all.length;
        state[direction].setShare(share, now);
      }
    }
  }

  #load(): PartitionLoad {
    if (this.#settings.mode !== "provisioned") return new PartitionLoad(undefined, this.#now);
    const count = this.partitions?.all.length ?? partitionsFor(this.#settings);
    const { read, write } = this.#settings.provisioned;
    const share = this.#scale / count;
    return new PartitionLoad({ read: read * share, write: write * share }, this.#now);
  }

  #credits({ read, write }: UnitsPerSecond): { read: Credit; write: Credit } {
    return {
      read: new Credit(read * this.#scale, this.#now),
      write: new Credit(write * this.#scale, this.#now),
    };
  }

  #tell(event: DistributiveOmit<Parameters<Timeline["add"]>[0], "index">): void {
    this.#timeline.add({ ...event, index: this.index } as Parameters<Timeline["add"]>[0]);
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A request that finds nothing used may go on, however large it is: it would never fit otherwise. */
function exceeds(used: number, units: number, limit: number): boolean {
  return used > 0 && used + units > limit + 1e-9;
}

function grownBy(
  settings: ThroughputSettings & { readonly mode: "on-demand" },
  start: UnitsPerSecond,
): UnitsPerSecond {
  return settings.warm === undefined ? start : maximum(start, settings.warm);
}

function maximum(a: UnitsPerSecond, b: UnitsPerSecond): UnitsPerSecond {
  return { read: Math.max(a.read, b.read), write: Math.max(a.write, b.write) };
}

function widthOf({ start, end }: Partition<unknown>): number {
  return end.hash - start.hash;
}
