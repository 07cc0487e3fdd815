const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** In the first hour of a day so many; after that one for each hour without a decrease. */
const atOnceMax = 4;
const dayMax = 27;

/**
 * How often provisioned throughput may be lowered: four times within an hour, then once whenever an
 * hour has passed without a decrease, at most 27 times in a UTC day. Each table and index has its own.
 */
export class DecreaseBudget {
  #day = -1;
  #times: number[] = [];

  /** The decreases of the UTC day so far. */
  today(now: number): number {
    this.#enter(now);
    return this.#times.length;
  }

  allows(now: number): boolean {
    this.#enter(now);
    if (this.#times.length >= dayMax) return false;
    if (this.#times.length < atOnceMax) return true;
    return now - (this.#times.at(-1) as number) >= hourMs;
  }

  spend(now: number): void {
    this.#enter(now);
    this.#times.push(now);
  }

  #enter(now: number): void {
    const day = Math.floor(now / dayMs);
    if (day === this.#day) return;
    this.#day = day;
    this.#times = [];
  }
}
