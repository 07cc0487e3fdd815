const windowMs = 1_000;
const capacityAtFirst = 16;

/**
 * Units used within the last second, by the millisecond: what a ceiling without any burst is held
 * against. No span of a second, wherever it begins, can hold more than the ceiling.
 */
export class SlidingSecond {
  /** A ring of the milliseconds in which something was used, the oldest first; never more than 1,000. */
  #times = new Float64Array(capacityAtFirst);
  #units = new Float64Array(capacityAtFirst);
  #first = 0;
  #count = 0;
  #sum = 0;

  used(now: number): number {
    if (this.#count > 0) this.#expire(now);
    return this.#sum;
  }

  add(units: number, now: number): void {
    if (this.#count > 0) this.#expire(now);
    const ms = Math.floor(now);
    this.#sum += units;
    const mask = this.#times.length - 1;
    const last = (this.#first + this.#count - 1) & mask;
    if (this.#count > 0 && (this.#times[last] as number) >= ms) {
      this.#units[last] = (this.#units[last] as number) + units;
      return;
    }
    if (this.#count > mask) this.#grow();
    const place = (this.#first + this.#count) & (this.#times.length - 1);
    this.#times[place] = ms;
    this.#units[place] = units;
    this.#count += 1;
  }

  /** A part of a partition begins with all that the whole has used. */
  copyFrom(other: SlidingSecond): void {
    this.#times = other.#times.slice();
    this.#units = other.#units.slice();
    this.#first = other.#first;
    this.#count = other.#count;
    this.#sum = other.#sum;
  }

  #expire(now: number): void {
    const past = Math.floor(now) - windowMs;
    const mask = this.#times.length - 1;
    while (this.#count > 0 && (this.#times[this.#first] as number) <= past) {
      this.#sum -= this.#units[this.#first] as number;
      this.#first = (this.#first + 1) & mask;
      this.#count -= 1;
    }
    // What rounding leaves behind must not add up.
    if (this.#count === 0) this.#sum = 0;
  }

  #grow(): void {
    const { length } = this.#times;
    const [times, units] = [new Float64Array(2 * length), new Float64Array(2 * length)];
    for (let i = 0; i < length; i += 1) {
      const place = (this.#first + i) & (length - 1);
      times[i] = this.#times[place] as number;
      units[i] = this.#units[place] as number;
    }
    this.#times = times;
    this.#units = units;
    this.#first = 0;
  }
}
