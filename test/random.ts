/** A small seeded generator (mulberry32): the same seed draws the same on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 inclusive to 1 exclusive. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `low` to `high`, both inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  /** Mostly small, now and then up to `high`. */
  few(high: number): number {
    return Math.floor(high * this.unit() ** 3);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.between(0, values.length - 1)] as T;
  }

  /** Calls one of the makers, by weight. */
  choose<T>(makers: readonly (readonly [weight: number, make: () => T])[]): T {
    let left = this.unit() * makers.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, make] of makers) {
      left -= weight;
      if (left < 0) return make();
    }
    return (makers.at(-1) as readonly [number, () => T])[1]();
  }

  /** So many of them, none twice, in the order drawn. */
  sample<T>(values: readonly T[], count: number): T[] {
    const left = [...values];
    const drawn: T[] = [];
    while (drawn.length < count && left.length > 0) {
      drawn.push(...left.splice(this.between(0, left.length - 1), 1));
    }
    return drawn;
  }

  /** One of the names, by weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.unit() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return (entries.at(-1) as [Name, number])[0];
  }

  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }
}

/** The generator of one request: it can be drawn again without those before it. */
export function randomOf(seed: number, index: number): Random {
  return new Random(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35));
}
