import { AccessSample } from "../partitions/access-sample.ts";
import type { Position } from "../partitions/position.ts";
import { Credit } from "./credit.ts";
import { SlidingSecond } from "./sliding-second.ts";
import type { LimitKind } from "./throttling.ts";
import { type Direction, heatShare, partitionUnitsMax } from "./throughput.ts";

/** One direction of one partition. */
class Flow {
  readonly second = new SlidingSecond();
  /** Its part of the provisioned throughput. */
  share: Credit | undefined;
  /** In all. */
  units = 0;
  requests = 0;
  borrowedUnits = 0;
  readonly refusals = new Map<LimitKind, number>();
  /** In the minute that runs. */
  askedThisMinute = 0;
  requestsThisMinute = 0;
  borrowedThisMinute = false;
  /** The last minute in which a refusal was told. */
  toldMinute = -1;

  constructor(share: number | undefined, now: number) {
    this.share = share === undefined ? undefined : new Credit(share, now);
  }

  setShare(share: number, now: number): void {
    if (this.share === undefined) this.share = new Credit(share, now);
    else this.share.setRate(share, now);
  }

  endMinute(): void {
    this.askedThisMinute = 0;
    this.requestsThisMinute = 0;
    this.borrowedThisMinute = false;
  }
}

/** What a partition has done, and what is known about where its load lies. */
export class PartitionLoad {
  readonly read: Flow;
  readonly write: Flow;
  readonly sample = new AccessSample();
  bytes = 0;
  hotMinutes = 0;
  /** Why it was not split the last time it should have been; told once. */
  unsplittable: string | undefined;

  constructor(shares: { readonly read: number; readonly write: number } | undefined, now: number) {
    this.read = new Flow(shares?.read, now);
    this.write = new Flow(shares?.write, now);
  }

  take(direction: Direction, position: Position, units: number, now: number): void {
    const flow = this[direction];
    flow.second.add(units, now);
    flow.units += units;
    flow.requests += 1;
    flow.askedThisMinute += units;
    flow.requestsThisMinute += 1;
    this.sample.add(position);
  }

  refuse(direction: Direction, position: Position, units: number, limit: LimitKind): void {
    const flow = this[direction];
    flow.refusals.set(limit, (flow.refusals.get(limit) ?? 0) + 1);
    flow.requestsThisMinute += 1;
    // Only what the partition itself could not take says that it is too small.
    if (limit === "KeyRangeThroughputExceeded") flow.askedThisMinute += units;
    this.sample.add(position);
  }

  /** Draws on the partition's share; answers what had to be borrowed from the others. */
  drawShare(direction: Direction, units: number, now: number): number {
    const flow = this[direction];
    if (flow.share === undefined) return 0;
    const own = Math.min(units, Math.max(0, flow.share.level(now)));
    if (own > 0) flow.share.take(own, now);
    const borrowed = units - own;
    flow.borrowedUnits += borrowed;
    return borrowed;
  }

  /** Whether the minute that ends was one of heat; counts them. */
  endMinute(scale: number): void {
    const hot =
      isHot(this.read.askedThisMinute, "read", scale) ||
      isHot(this.write.askedThisMinute, "write", scale);
    this.hotMinutes = hot ? this.hotMinutes + 1 : 0;
    if (!hot) this.unsplittable = undefined;
    this.sample.thin(this.read.requestsThisMinute + this.write.requestsThisMinute);
    this.read.endMinute();
    this.write.endMinute();
  }
}

function isHot(unitsInMinute: number, direction: Direction, scale: number): boolean {
  return unitsInMinute / 60 >= heatShare * partitionUnitsMax[direction] * scale;
}
