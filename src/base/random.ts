/** A small seeded generator (mulberry32): the same seed draws the same on every machine. */
export class SeededRandom {
  #state: number;

  constructor(seed: number, stream: number) {
    this.#state =
      (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)) >>> 0;
  }

  /** From 0 inclusive to 1 exclusive. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 inclusive to `count` exclusive. */
  below(count: number): number {
    return Math.floor(this.unit() * count);
  }

  /** How long until something that happens once in a while on average. */
  exponential(): number {
    return -Math.log(1 - this.unit());
  }
}
