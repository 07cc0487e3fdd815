/** What is known of one key: it took at least `count - error` and at most `count`. */
export interface Contributor {
  readonly key: string;
  readonly count: number;
  readonly error: number;
}

interface Counter {
  key: string;
  count: number;
  error: number;
  /** Where it stands in the heap. */
  place: number;
}

/**
 * The heaviest keys of a stream in bounded memory (Metwally's space-saving). With n counters, every key
 * that took more than a 1/n of the total is among them, and no count is off by more than that.
 */
export class HeavyKeys {
  readonly #max: number;
  readonly #byKey = new Map<string, Counter>();
  /** The least count first. */
  readonly #heap: Counter[] = [];
  #total = 0;

  constructor(countersMax: number) {
    this.#max = countersMax;
  }

  /** All that was ever added. */
  get total(): number {
    return this.#total;
  }

  add(key: string, count: number): void {
    this.#total += count;
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      known.count += count;
      this.#sink(known);
      return;
    }
    if (this.#heap.length < this.#max) {
      const counter = { key, count, error: 0, place: this.#heap.length };
      this.#heap.push(counter);
      this.#byKey.set(key, counter);
      this.#rise(counter);
      return;
    }
    // The newcomer takes the place of the least and may have been as heavy as that before.
    const least = this.#heap[0] as Counter;
    this.#byKey.delete(least.key);
    least.key = key;
    least.error = least.count;
    least.count += count;
    this.#byKey.set(key, least);
    this.#sink(least);
  }

  /** The heaviest first; of two that are equal the one that is surer, then in the order of the keys. */
  top(limit: number): Contributor[] {
    return [...this.#heap]
      .sort((a, b) => b.count - a.count || a.error - b.error || (a.key < b.key ? -1 : 1))
      .slice(0, limit)
      .map(({ key, count, error }) => ({ key, count, error }));
  }

  #rise(counter: Counter): void {
    while (counter.place > 0) {
      const parent = this.#heap[(counter.place - 1) >> 1] as Counter;
      if (parent.count <= counter.count) return;
      this.#swap(counter, parent);
    }
  }

  #sink(counter: Counter): void {
    for (;;) {
      const left = 2 * counter.place + 1;
      let least = this.#heap[left];
      if (least === undefined) return;
      const right = this.#heap[left + 1];
      if (right !== undefined && right.count < least.count) least = right;
      if (least.count >= counter.count) return;
      this.#swap(counter, least);
    }
  }

  #swap(a: Counter, b: Counter): void {
    const place = a.place;
    a.place = b.place;
    b.place = place;
    this.#heap[a.place] = a;
    this.#heap[b.place] = b;
  }
}
