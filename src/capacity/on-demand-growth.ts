import {
  growthMinutes,
  highest,
  onDemandStart,
  partitionsToCarry,
  type UnitsPerSecond,
} from "./throughput.ts";

const growthMs = growthMinutes * 60_000;

/**
 * What an on-demand table or index can do at once. The service promises twice the former peak, and asks
 * for half an hour before that doubles again; here the doubling comes at the end of each half hour, and
 * the peak is the busiest minute: both are assumptions.
 */
export class OnDemandGrowth {
  #level: UnitsPerSecond;
  #peak: UnitsPerSecond = { read: 0, write: 0 };
  #since: number;
  #partitionsBefore: number;

  constructor(warm: UnitsPerSecond | undefined, now: number) {
    this.#level = highest(onDemandStart, warm);
    this.#since = now;
    this.#partitionsBefore = partitionsToCarry(this.#level);
  }

  get level(): UnitsPerSecond {
    return this.#level;
  }

  /** It can do at least so much from now on. */
  raise(units: UnitsPerSecond | undefined): void {
    this.#level = highest(this.#level, units);
  }

  /** A minute has passed in which so much was consumed; answers whether it can do more from now on. */
  minute(consumed: UnitsPerSecond, now: number): boolean {
    this.#peak = highest(this.#peak, consumed);
    if (now - this.#since < growthMs) return false;
    const { level } = this;
    this.raise({ read: 2 * this.#peak.read, write: 2 * this.#peak.write });
    this.#peak = { read: 0, write: 0 };
    return this.#level.read > level.read || this.#level.write > level.write;
  }

  /** A half hour is over, or the settings are new: growth counts from here. */
  begin(partitions: number, now: number): void {
    this.#since = now;
    this.#partitionsBefore = partitions;
  }

  isOver(now: number): boolean {
    return now - this.#since >= growthMs;
  }

  /** Within half an hour the partitions at most double, heat or no heat: an assumption. */
  allowsSplit(partitions: number): boolean {
    return partitions < 2 * this.#partitionsBefore;
  }
}
