const parts = 10;
const partMs = 1_000 / parts;

/** Units used within the last second, in tenths: what a ceiling without any burst is held against. */
export class SlidingSecond {
  readonly #used = new Float64Array(parts);
  #part = 0;
  #sum = 0;

  used(now: number): number {
    this.#advance(now);
    return this.#sum;
  }

  add(units: number, now: number): void {
    this.#advance(now);
    this.#used[this.#part % parts] = (this.#used[this.#part % parts] as number) + units;
    this.#sum += units;
  }

  #advance(now: number): void {
    const part = Math.floor(now / partMs);
    const gone = part - this.#part;
    if (gone <= 0) return;
    this.#part = part;
    if (gone >= parts) {
      this.#used.fill(0);
      this.#sum = 0;
      return;
    }
    for (let i = part - gone + 1; i <= part; i += 1) {
      this.#sum -= this.#used[i % parts] as number;
      this.#used[i % parts] = 0;
    }
    // What rounding leaves behind must not add up.
    if (this.#sum < 1e-9) this.#sum = 0;
  }
}
