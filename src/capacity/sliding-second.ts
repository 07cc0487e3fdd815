const parts = 1_000;

/**
 * Units used within the last second, by the millisecond: what a ceiling without any burst is held
 * against. No span of a second, wherever it begins, can hold more than the ceiling.
 */
export class SlidingSecond {
  /** Units come in halves, which 32 bits hold exactly. */
  readonly #used = new Float32Array(parts);
  /** The part of the present millisecond. */
  #head = 0;
  #at = 0;
  #sum = 0;

  used(now: number): number {
    if (now >= this.#at + 1) this.#advance(now);
    return this.#sum;
  }

  add(units: number, now: number): void {
    if (now >= this.#at + 1) this.#advance(now);
    this.#used[this.#head] = (this.#used[this.#head] as number) + units;
    this.#sum += units;
  }

  /** A part of a partition begins with all that the whole has used. */
  copyFrom(other: SlidingSecond): void {
    this.#used.set(other.#used);
    this.#head = other.#head;
    this.#at = other.#at;
    this.#sum = other.#sum;
  }

  #advance(now: number): void {
    const at = Math.floor(now);
    const gone = at - this.#at;
    this.#at = at;
    if (gone >= parts) {
      if (this.#sum !== 0) this.#used.fill(0);
      this.#sum = 0;
      return;
    }
    const used = this.#used;
    let head = this.#head;
    for (let i = 0; i < gone; i += 1) {
      head = head + 1 === parts ? 0 : head + 1;
      this.#sum -= used[head] as number;
      used[head] = 0;
    }
    this.#head = head;
    // What rounding leaves behind must not add up.
    if (this.#sum < 1e-3) this.#sum = 0;
  }
}
