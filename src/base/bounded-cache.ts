/**
 * Values by text, in two generations: when the young one is full it becomes the old one, and what is
 * asked for again moves back. A hit costs one look-up, and texts in use stay.
 */
export class BoundedCache<Value> {
  readonly #generationMax: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(generationMax = 500) {
    this.#generationMax = generationMax;
  }

  get(text: string): Value | undefined {
    const young = this.#young.get(text);
    if (young !== undefined) return young;
    const old = this.#old.get(text);
    if (old !== undefined) this.set(text, old);
    return old;
  }

  set(text: string, value: Value): void {
    if (this.#young.size >= this.#generationMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, value);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
