import { AccessSample } from "../partitions/access-sample.ts";
import type { Position } from "../partitions/position.ts";
import { Credit } from "./credit.ts";
import { SlidingSecond } from "./sliding-second.ts";
import { type LimitKind, limitKinds } from "./throttling.ts";
import { type Direction, directions, heatShare, partitionUnitsMax } from "./throughput.ts";

/** What one limit has refused. */
export interface Refusals {
  readonly limit: LimitKind;
  requests: number;
  units: number;
  /** The last minute in which it refused something. */
  minute: number;
}

/** One direction of one partition. */
export class Flow {
  readonly second = new SlidingSecond();
  readonly sample = new AccessSample();
  readonly refusals: readonly Refusals[] = limitKinds.map((limit) => ({
    limit,
    requests: 0,
    units: 0,
    minute: Number.NEGATIVE_INFINITY,
  }));
  /** Its part of the provisioned throughput. */
  share: Credit | undefined;
  /** What a request that is being judged would use here with the places it was judged by already. */
  held = 0;
  /** In all. */
  units = 0;
  requests = 0;
  borrowedUnits = 0;
  /** The last minute in which it borrowed. */
  borrowedMinute = Number.NEGATIVE_INFINITY;
  /** In the minute that runs: what was used, and what this partition had to refuse. */
  askedThisMinute = 0;
  requestsThisMinute = 0;

  setShare(unitsPerSecond: number, now: number): void {
    if (this.share === undefined) this.share = new Credit(unitsPerSecond, now);
    else this.share.setRate(unitsPerSecond, now);
  }

  refusalsBy(limit: LimitKind): Refusals {
    return this.refusals[limitKinds.indexOf(limit)] as Refusals;
  }

  endMinute(): void {
    this.sample.endMinute(this.requestsThisMinute);
    this.askedThisMinute = 0;
    this.requestsThisMinute = 0;
  }
}

/** What a partition has done, and what is known about where its load lies. */
export class PartitionLoad {
  readonly since: number;
  readonly read = new Flow();
  readonly write = new Flow();
  bytes = 0;
  /** One after another, up to now; and in all. */
  hotMinutes = 0;
  hotMinutesInAll = 0;
  /** The direction that was hotter in the last minute. */
  hotter: Direction = "write";
  /** Why it was not split the last time it should have been; told once. */
  unsplittable: string | undefined;

  constructor(since: number) {
    this.since = since;
  }

  /** As `[direction]`, which is looked up more slowly. */
  flow(direction: Direction): Flow {
    return direction === "read" ? this.read : this.write;
  }

  take(direction: Direction, position: Position, units: number, now: number): void {
    const flow = this.flow(direction);
    flow.second.add(units, now);
    flow.units += units;
    flow.requests += 1;
    flow.askedThisMinute += units;
    flow.requestsThisMinute += 1;
    flow.sample.add(position);
  }

  refuse(direction: Direction, position: Position, units: number, limit: LimitKind): Refusals {
    const flow = this.flow(direction);
    const refusals = flow.refusalsBy(limit);
    refusals.requests += 1;
    refusals.units += units;
    flow.requestsThisMinute += 1;
    // Only what the partition itself could not take says that it is too small.
    if (limit === "KeyRangeThroughputExceeded") flow.askedThisMinute += units;
    flow.sample.add(position);
    return refusals;
  }

  /** Draws on the partition's share; answers what had to be borrowed from the others. */
  drawShare(direction: Direction, units: number, now: number): number {
    const flow = this.flow(direction);
    if (flow.share === undefined) return 0;
    const own = Math.min(units, Math.max(0, flow.share.level(now)));
    if (own > 0) flow.share.take(own, now);
    const borrowed = units - own;
    flow.borrowedUnits += borrowed;
    return borrowed;
  }

  /** A part of a partition cannot begin its second anew, or a split would lift the ceiling. */
  continueFrom(whole: PartitionLoad): void {
    for (const direction of directions) this[direction].second.copyFrom(whole[direction].second);
  }

  /** Whether the minute that ends was one of heat; counts them. */
  endMinute(scale: number): void {
    const read = heatOf(this.read.askedThisMinute, "read", scale);
    const write = heatOf(this.write.askedThisMinute, "write", scale);
    this.hotter = read > write ? "read" : "write";
    const isHot = Math.max(read, write) >= heatShare;
    this.hotMinutes = isHot ? this.hotMinutes + 1 : 0;
    if (isHot) this.hotMinutesInAll += 1;
    else this.unsplittable = undefined;
    this.read.endMinute();
    this.write.endMinute();
  }
}

/** As a share of what a partition can do. */
function heatOf(unitsInMinute: number, direction: Direction, scale: number): number {
  return unitsInMinute / 60 / (partitionUnitsMax[direction] * scale);
}
