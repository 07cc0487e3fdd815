import type { KeyValue } from "../../item/attribute-value.ts";
import type { Transform } from "../../model/key-text.ts";
import type { Attribute, Predicate } from "../../model/requirements.ts";
import type { KeyCondition } from "../plans/plan.ts";
import { type Known, prefixOf } from "../values/render-key.ts";
import { transformed } from "../values/transform.ts";
import type { Placeholders } from "./expression.ts";
import { type Given, operandValues } from "./given.ts";

/** Sorts after every text that begins with what is before it. */
export const last = "\u{10FFFF}";

/** What one end of a range is made of: the known beginning of the key, a value that is compared with, a text, the last text. */
export type EndPart =
  | "prefix"
  | "last"
  | "blank"
  | { readonly operand: number }
  | { readonly literal: string };

/** A condition on a sort key, before its values are known. */
export interface RangeShape {
  readonly form: "begins_with" | "BETWEEN" | "<" | "<=" | ">" | ">=";
  readonly ends: readonly (readonly EndPart[])[];
  /** The ends are values as they are, with their type; else they are texts. */
  readonly isNative: boolean;
  /** The bounds themselves must still be looked at. */
  readonly isLoose: boolean;
}

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
  const { text, segments, predicate, attribute } = condition;
  const shape = rangeShape(condition);
  const beginning = { ...text, segments: text.segments.slice(0, segments), native: undefined };
  const { prefix } = prefixOf(beginning, known);
  const asked = attributes.get(predicate?.attribute ?? "");
  const operands =
    asked === undefined || predicate === undefined
      ? []
      : predicate.operands.flatMap((one) => operandValues(given, asked, one));
  const transforms = comparedTransforms(condition);
  const partText = (part: EndPart): string => {
    if (part === "prefix") return prefix;
    if (part === "last") return last;
    if (part === "blank") return " ";
    if ("literal" in part) return part.literal;
    const operand = operands[part.operand];
    return asked === undefined || operand === undefined
      ? ""
      : transformed(asked, transforms, operand);
  };
  const values = shape.ends.map((parts): KeyValue => {
    if (!shape.isNative) return { S: parts.map(partText).join("") };
    const [first] = parts;
    const operand =
      typeof first === "object" && "operand" in first ? operands[first.operand] : undefined;
    if (operand === undefined) throw new Error("a range without a bound");
    return operand as KeyValue;
  });
  return {
    text: shapeText(shape, attribute.name, values, placeholders),
    isLoose: shape.isLoose,
  };
}

/** What is done to the value that a range compares with. */
export function comparedTransforms({ text, segments }: KeyCondition): readonly Transform[] {
  const segment = text.segments[segments];
  return segment?.kind === "attribute" ? segment.transforms : [];
}

/** A condition with its values in their places. */
export function shapeText<V>(
  { form }: RangeShape,
  attribute: string,
  values: readonly V[],
  placeholders: Placeholders<V>,
): string {
  const name = placeholders.name(attribute);
  const [first = "", second = ""] = values.map((one) => placeholders.value(one));
  if (form === "begins_with") return `begins_with(${name}, ${first})`;
  return form === "BETWEEN" ? `${name} BETWEEN ${first} AND ${second}` : `${name} ${form} ${first}`;
}

/** How the beginning of a sort key, or a range, is asked for. */
export function rangeShape(condition: KeyCondition): RangeShape {
  const { text, segments, predicate, kind } = condition;
  if (kind === "begins" || predicate === undefined) {
    return { form: "begins_with", ends: [["prefix"]], isNative: false, isLoose: false };
  }
  if (text.native !== undefined) return nativeRange(predicate);
  const transforms = comparedTransforms(condition);
  const next = text.segments[segments + 1];
  return textRange(predicate, {
    hasPrefix: segments > 0,
    hasMore: next !== undefined,
    separator: next?.kind === "text" ? next.text : "",
    isTurned: transforms.some((one) => one.kind === "descending"),
    isCoarse: transforms.some((one) => one.kind === "truncate"),
  });
}

const signs = { less: "<", "at-most": "<=", greater: ">", "at-least": ">=" } as const;

function nativeRange({ operator }: Predicate): RangeShape {
  const base = { isNative: true, isLoose: false };
  if (operator === "between") {
    return { ...base, form: "BETWEEN", ends: [[{ operand: 0 }], [{ operand: 1 }]] };
  }
  const form = operator === "begins-with" ? "begins_with" : signs[operator as keyof typeof signs];
  return { ...base, form, ends: [[{ operand: 0 }]] };
}

interface Bounds {
  readonly hasPrefix: boolean;
  /** Something follows in the key, so no key is equal to a bound. */
  readonly hasMore: boolean;
  /** The text that follows: a value that begins with the bound has another one there. */
  readonly separator: string;
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
  { operator }: Predicate,
  { hasPrefix, hasMore, separator, isTurned, isCoarse }: Bounds,
): RangeShape {
  const [first, second] = isTurned && operator === "between" ? [1, 0] : [0, 1];
  const prefix: readonly EndPart[] = hasPrefix ? ["prefix"] : [];
  const low = (operand: number): readonly EndPart[] => [...prefix, { operand }];
  const high = (operand: number): readonly EndPart[] => [
    ...low(operand),
    ...(separator === "" ? [] : [{ literal: separator }]),
    ...(hasMore ? (["last"] as const) : []),
  ];
  const shape = (
    form: RangeShape["form"],
    ends: readonly (readonly EndPart[])[],
    isLoose = false,
  ): RangeShape => ({ form, ends, isNative: false, isLoose });
  if (operator === "begins-with") return shape("begins_with", [low(first)]);
  const way = isTurned ? (turned[operator] ?? operator) : operator;
  const end: readonly EndPart[] = [...prefix, "last"];
  // A time that is cut off is equal to many, so its bounds are in the range and looked at again.
  const isLoose = !isCoarse && !hasMore && hasPrefix && (way === "less" || way === "greater");
  switch (way) {
    case "between":
      return shape("BETWEEN", [low(first), high(second)]);
    case "less":
      if (!hasPrefix && !isCoarse) return shape("<", [low(first)]);
      return shape(
        "BETWEEN",
        [hasPrefix ? prefix : ["blank"], isCoarse ? high(first) : low(first)],
        isLoose,
      );
    case "at-most":
      if (!hasPrefix) return shape("<=", [high(first)]);
      return shape("BETWEEN", [prefix, high(first)]);
    case "greater":
      if (!hasPrefix && !isCoarse) return shape(">", [high(first)]);
      return shape("BETWEEN", [isCoarse ? low(first) : high(first), end], isLoose);
    default:
      if (!hasPrefix) return shape(">=", [low(first)]);
      return shape("BETWEEN", [low(first), end]);
  }
}
