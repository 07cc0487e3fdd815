/** Ranges of keys that are texts. A query can have one condition on a sort key, so a range inside a beginning is BETWEEN. */

/** Sorts after every text that begins with what is before it. */
export const lastText = "\u{10FFFF}";

export type RangeOperator = "less" | "at-most" | "greater" | "at-least" | "between" | "begins-with";

/** What is known of the range of a part. */
export interface TextBounds {
  /** What is before the part in the key. */
  readonly prefix: string;
  /** The bounds, as they stand in keys. */
  readonly texts: readonly string[];
  /** Something follows in the key, so no key is equal to a bound. */
  readonly hasMore: boolean;
  /** The text that follows: a value that begins with the bound has another one there. */
  readonly separator: string;
  /** The part is descending, so the range is turned round. */
  readonly isTurned: boolean;
  /** The part is a time that was cut off, so it is equal to many values. */
  readonly isCoarse: boolean;
}

/** A condition on a sort key. */
export type KeyRange = {
  /** The bounds themselves are in the range although they should not be: filter them out. */
  readonly isLoose: boolean;
} & (
  | { readonly kind: "begins"; readonly text: string }
  | { readonly kind: "between"; readonly from: string; readonly to: string }
  | { readonly kind: "less" | "at-most" | "greater" | "at-least"; readonly text: string }
);

const turnedOperator: Readonly<Record<RangeOperator, RangeOperator>> = {
  less: "greater",
  "at-most": "at-least",
  greater: "less",
  "at-least": "at-most",
  between: "between",
  "begins-with": "begins-with",
};

/** The condition for a range of one part, with all that is before it known. */
export function textRange(operator: RangeOperator, bounds: TextBounds): KeyRange {
  const { prefix, texts, hasMore, separator, isTurned, isCoarse } = bounds;
  const [first = "", second = ""] = isTurned ? [...texts].reverse() : texts;
  if (operator === "begins-with") return { kind: "begins", text: prefix + first, isLoose: false };
  const low = prefix + first;
  const end = hasMore ? separator + lastText : "";
  const high = low + end;
  const between = (from: string, to: string, isLoose = false): KeyRange => ({
    kind: "between",
    from,
    to,
    isLoose,
  });
  // A time that is cut off is equal to many, so its bounds stay in the range.
  const isLoose = !isCoarse && !hasMore && prefix !== "";
  switch (isTurned ? turnedOperator[operator] : operator) {
    case "between":
      return between(low, prefix + second + end);
    case "less":
      if (prefix === "" && !isCoarse) return { kind: "less", text: low, isLoose: false };
      return between(prefix === "" ? " " : prefix, isCoarse ? high : low, isLoose);
    case "at-most":
      if (prefix === "") return { kind: "at-most", text: high, isLoose: false };
      return between(prefix, high);
    case "greater":
      if (prefix === "" && !isCoarse) return { kind: "greater", text: high, isLoose: false };
      return between(isCoarse ? low : high, prefix + lastText, isLoose);
    default:
      if (prefix === "") return { kind: "at-least", text: low, isLoose: false };
      return between(low, prefix + lastText);
  }
}
