/** Unused throughput is kept for so long. */
export const burstSeconds = 300;

/**
 * Throughput as a credit: it grows with time, up to five minutes' worth, and requests draw on it. A new
 * one holds what a second brings.
 */
export class Credit {
  #rate: number;
  #level: number;
  #at: number;

  constructor(unitsPerSecond: number, now: number) {
    this.#rate = unitsPerSecond;
    this.#level = unitsPerSecond;
    this.#at = now;
  }

  get rate(): number {
    return this.#rate;
  }

  level(now: number): number {
    const passed = now - this.#at;
    if (passed > 0) {
      this.#level = Math.min(
        this.#rate * burstSeconds,
        this.#level + (this.#rate * passed) / 1_000,
      );
      this.#at = now;
    }
    return this.#level;
  }

  /** May leave a debt: a request is not split. */
  take(units: number, now: number): void {
    this.#level = this.level(now) - units;
  }

  /** What was saved stays, as far as the new rate may save. */
  setRate(unitsPerSecond: number, now: number): void {
    const level = this.level(now);
    const raised = unitsPerSecond > this.#rate ? unitsPerSecond - this.#rate : 0;
    this.#rate = unitsPerSecond;
    this.#level = Math.min(unitsPerSecond * burstSeconds, level + raised);
  }
}
