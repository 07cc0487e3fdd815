import type { KeyComparison } from "../expressions/tree.ts";
import type { AttributeValue, KeyValue } from "../item/attribute-value.ts";
import { compareValues } from "../item/compare.ts";
import { type KeyInterval, keyRange, prefixEnd } from "../item/key-encoding.ts";

/** Everything lies behind this byte. */
const before = Buffer.of(1);

/** What several conditions on a sort key leave of its order: a stretch of encoded keys. */
export class SortRange {
  readonly #start: Buffer;
  readonly #end: Buffer;

  private constructor(start: Buffer, end: Buffer) {
    this.#start = start;
    this.#end = end;
  }

  static of(comparisons: readonly KeyComparison[]): SortRange {
    let start: Buffer = before;
    let end: Buffer = prefixEnd(before);
    for (const is of comparisons) {
      if (!isKeyComparison(is)) continue;
      const range = keyRange(before, is);
      if (Buffer.compare(range.start, start) > 0) start = range.start;
      if (Buffer.compare(range.end, end) < 0) end = range.end;
    }
    return new SortRange(start, end);
  }

  get isEmpty(): boolean {
    return Buffer.compare(this.#start, this.#end) >= 0;
  }

  /** By where they begin, then by where they end. */
  compare(other: SortRange): number {
    return Buffer.compare(this.#start, other.#start) || Buffer.compare(this.#end, other.#end);
  }

  /** Whether this one begins before `earlier` has ended. */
  startsWithin(earlier: SortRange): boolean {
    return Buffer.compare(this.#start, earlier.#end) < 0;
  }

  /**
   * The one condition that a key condition has room for, and what is left for a filter: an equality, a
   * prefix, or the narrowest bounds.
   */
  static choose(comparisons: readonly KeyComparison[]): {
    key: KeyComparison | undefined;
    rest: readonly KeyComparison[];
  } {
    if (comparisons.length < 2) return { key: comparisons[0], rest: [] };
    const exact =
      comparisons.find(({ op }) => op === "=") ??
      comparisons.find(({ op }) => op === "begins_with");
    if (exact !== undefined) return { key: exact, rest: comparisons.filter((is) => is !== exact) };
    let low: AttributeValue | undefined;
    let high: AttributeValue | undefined;
    for (const is of comparisons) {
      if (is.op === "between") {
        low = extreme(low, is.low, 1);
        high = extreme(high, is.high, -1);
      } else if (is.op === ">" || is.op === ">=") low = extreme(low, is.value, 1);
      else if (is.op === "<" || is.op === "<=") high = extreme(high, is.value, -1);
    }
    if (low !== undefined && high !== undefined) {
      return { key: { op: "between", low, high }, rest: comparisons.filter(isStrict) };
    }
    if (low !== undefined)
      return { key: { op: ">=", value: low }, rest: comparisons.filter(isStrict) };
    return { key: { op: "<=", value: high as AttributeValue }, rest: comparisons.filter(isStrict) };
  }
}

/** Its own end is not in it: bounds that are alone what they should be need a filter for that. */
function isStrict({ op }: KeyComparison): boolean {
  return op === "<" || op === ">";
}

function extreme(
  one: AttributeValue | undefined,
  two: AttributeValue,
  sign: 1 | -1,
): AttributeValue {
  if (one === undefined) return two;
  return (compareValues(one, two) ?? 0) * sign >= 0 ? one : two;
}

function isKeyComparison(is: KeyComparison): is is KeyComparison & KeyInterval {
  const values = is.op === "between" ? [is.low, is.high] : [is.value];
  return values.every((value): value is KeyValue => "S" in value || "N" in value || "B" in value);
}
