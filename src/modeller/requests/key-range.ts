import type { KeyValue } from "../../item/attribute-value.ts";
import type { Segment } from "../../model/key-text.ts";
import type { Attribute, Predicate } from "../../model/requirements.ts";
import type { KeyCondition } from "../plans/plan.ts";
import { type Known, prefixOf } from "../values/render-key.ts";
import { transformed } from "../values/transform.ts";
import type { Placeholders } from "./expression.ts";
import { type Given, operandValues } from "./given.ts";

/** Sorts after every text that begins with what is before it. */
export const last = "\u{10FFFF}";

/** A condition on a sort key, and whether the bounds themselves must still be looked at. */
export interface RangeText {
  readonly text: string;
  readonly isLoose: boolean;
}

/** The condition on a sort key of which a beginning, or a range, is known. */
export function rangeText(
  condition: KeyCondition,
  known: Known,
  attributes: ReadonlyMap<string, Attribute>,
  given: Given,
  placeholders: Placeholders,
): RangeText {
  const { attribute, text, segments, predicate } = condition;
  const name = placeholders.name(attribute.name);
  const value = (one: KeyValue): string => placeholders.value(one);
  const beginning = { ...text, segments: text.segments.slice(0, segments), native: undefined };
  const { prefix } = prefixOf(beginning, known);
  if (condition.kind === "begins" || predicate === undefined) {
    return { text: `begins_with(${name}, ${value({ S: prefix })})`, isLoose: false };
  }
  const asked = attributes.get(predicate.attribute) as Attribute;
  const operands = predicate.operands.flatMap((one) => operandValues(given, asked, one));
  if (text.native !== undefined) {
    return {
      text: nativeRange(name, predicate, operands as readonly KeyValue[], value),
      isLoose: false,
    };
  }
  const segment = text.segments[segments] as Segment & { kind: "attribute" };
  const isTurned = segment.transforms.some(({ kind }) => kind === "descending");
  const isCoarse = segment.transforms.some(({ kind }) => kind === "truncate");
  const texts = operands.map((one) => transformed(asked, segment.transforms, one));
  const hasMore = text.segments.length > segments + 1;
  return textRange(name, predicate, { prefix, texts, hasMore, isTurned, isCoarse }, value);
}

function nativeRange(
  name: string,
  { operator }: Predicate,
  [first, second]: readonly KeyValue[],
  value: (one: KeyValue) => string,
): string {
  if (first === undefined) throw new Error("a range without a bound");
  const signs = { less: "<", "at-most": "<=", greater: ">", "at-least": ">=" } as const;
  if (operator === "between" && second !== undefined) {
    return `${name} BETWEEN ${value(first)} AND ${value(second)}`;
  }
  if (operator === "begins-with") return `begins_with(${name}, ${value(first)})`;
  const sign = signs[operator as keyof typeof signs];
  return `${name} ${sign} ${value(first)}`;
}

interface Bounds {
  readonly prefix: string;
  readonly texts: readonly string[];
  /** Something follows in the key, so no key is equal to a bound. */
  readonly hasMore: boolean;
  readonly isTurned: boolean;
  readonly isCoarse: boolean;
}

const turned: Readonly<Record<string, string>> = {
  less: "greater",
  "at-most": "at-least",
  greater: "less",
  "at-least": "at-most",
  between: "between",
};

/** A range inside what begins with a prefix: between two texts, for a sort key can have one condition only. */
function textRange(
  name: string,
  { operator }: Predicate,
  { prefix, texts, hasMore, isTurned, isCoarse }: Bounds,
  value: (one: KeyValue) => string,
): RangeText {
  const [first = "", second = ""] = isTurned ? texts.toReversed() : texts;
  if (operator === "begins-with") {
    return { text: `begins_with(${name}, ${value({ S: prefix + first })})`, isLoose: false };
  }
  const way = isTurned ? (turned[operator] ?? operator) : operator;
  const low = (text: string): string => prefix + text;
  const high = (text: string): string => prefix + text + (hasMore ? last : "");
  const between = (from: string, to: string): string =>
    `${name} BETWEEN ${value({ S: from })} AND ${value({ S: to })}`;
  const end = prefix + last;
  // A time that is cut off is equal to many, so its bounds are in the range and looked at again.
  const isLoose = !isCoarse && !hasMore && prefix !== "" && (way === "less" || way === "greater");
  switch (way) {
    case "between":
      return { text: between(low(first), high(second)), isLoose: false };
    case "less":
      if (prefix === "" && !isCoarse)
        return { text: `${name} < ${value({ S: low(first) })}`, isLoose: false };
      return {
        text: between(prefix === "" ? " " : prefix, isCoarse ? high(first) : low(first)),
        isLoose,
      };
    case "at-most":
      if (prefix === "") return { text: `${name} <= ${value({ S: high(first) })}`, isLoose: false };
      return { text: between(prefix, high(first)), isLoose: false };
    case "greater":
      if (prefix === "" && !isCoarse)
        return { text: `${name} > ${value({ S: high(first) })}`, isLoose: false };
      return { text: between(isCoarse ? low(first) : high(first), end), isLoose };
    default:
      if (prefix === "") return { text: `${name} >= ${value({ S: low(first) })}`, isLoose: false };
      return { text: between(low(first), end), isLoose: false };
  }
}
