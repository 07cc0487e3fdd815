/** The value below which the given share of the sorted values lies; undefined if there are none. */
export function percentile(sorted: ArrayLike<number>, share: number): number | undefined {
  if (sorted.length === 0) return undefined;
  const rank = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.min(Math.max(rank, 0), sorted.length - 1)];
}

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** The median of what was measured; undefined if nothing was. */
export function medianOf<T>(
  measured: readonly T[],
  value: (each: T) => number | undefined,
): number | undefined {
  const values: number[] = [];
  for (const each of measured) {
    const found = value(each);
    if (found !== undefined) values.push(found);
  }
  return median(values);
}

export type Better = "higher" | "lower";

/** The best of some figures; undefined ones are out of the race. */
export function best(values: readonly (number | undefined)[], better: Better): number | undefined {
  let found: number | undefined;
  for (const value of values) {
    if (value === undefined) continue;
    if (found === undefined || (better === "higher" ? value > found : value < found)) found = value;
  }
  return found;
}

/**
 * How many times better than the best of the others; above 1 is better, whichever way the figure
 * counts. Undefined if there is nothing to compare.
 */
export function advantage(
  own: number | undefined,
  others: readonly (number | undefined)[],
  better: Better,
): number | undefined {
  const rival = best(others, better);
  if (own === undefined || rival === undefined || own === 0 || rival === 0) return undefined;
  return better === "higher" ? own / rival : rival / own;
}

/** Numbers gathered without an object for each; grows as needed. */
export class Samples {
  #values = new Float64Array(1 << 14);
  #length = 0;

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  get length(): number {
    return this.#length;
  }

  sorted(): Float64Array {
    return this.#values.slice(0, this.#length).sort();
  }
}
