import type { KeyValue } from "../../item/attribute-value.ts";
import { type Transform, truncationOf } from "../../model/key-text.ts";
import type { Attribute, Predicate } from "../../model/requirements.ts";
import type { KeyCondition } from "../plans/plan.ts";
import { type Known, prefixOf } from "../values/render-key.ts";
import { transformed } from "../values/transform.ts";
import type { Placeholders } from "./expression.ts";
import { type Given, operandValues } from "./given.ts";
import { signs } from "./predicate.ts";

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
  readonly form: "begins_with" | "BETWEEN" | (typeof signs)[Sided];
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
  const { form, isLoose } = shape;
  const name = placeholders.name(attribute.name);
  const [first = "", second = ""] = values.map((one) => placeholders.value(one));
  if (form === "begins_with") return { text: `begins_with(${name}, ${first})`, isLoose };
  const bounds = form === "BETWEEN" ? `${first} AND ${second}` : first;
  return { text: `${name} ${form} ${bounds}`, isLoose };
}

/** What is done to the value that a range compares with. */
export function comparedTransforms({ text, segments }: KeyCondition): readonly Transform[] {
  const segment = text.segments[segments];
  return segment?.kind === "attribute" ? segment.transforms : [];
}

/** How the beginning of a sort key, or a range, is asked for. */
export function rangeShape(condition: KeyCondition): RangeShape {
  const { text, predicate, kind } = condition;
  if (kind === "begins" || predicate === undefined) {
    return { form: "begins_with", ends: [["prefix"]], isNative: false, isLoose: false };
  }
  if (text.native !== undefined) return nativeRange(predicate);
  return textRange(predicate, condition);
}

/** A range with one bound. */
type Sided = "less" | "at-most" | "greater" | "at-least";

const turned: Readonly<Record<Sided, Sided>> = {
  less: "greater",
  "at-most": "at-least",
  greater: "less",
  "at-least": "at-most",
};

function nativeRange({ operator }: Predicate): RangeShape {
  const base = { isNative: true, isLoose: false };
  if (operator === "between") {
    return { ...base, form: "BETWEEN", ends: [[{ operand: 0 }], [{ operand: 1 }]] };
  }
  const form = operator === "begins-with" ? "begins_with" : signs[operator as Sided];
  return { ...base, form, ends: [[{ operand: 0 }]] };
}

/** A range inside what begins with a prefix: between two texts, for a sort key can have one condition only. */
function textRange({ operator }: Predicate, condition: KeyCondition): RangeShape {
  const { text, segments } = condition;
  const transforms = comparedTransforms(condition);
  const isTurned = transforms.some((one) => one.kind === "descending");
  // A time that is cut off is equal to many, so its bounds are in the range and looked at again.
  const isCoarse = truncationOf(transforms) !== undefined;
  const hasPrefix = segments > 0;
  const prefix: readonly EndPart[] = hasPrefix ? ["prefix"] : [];
  const next = text.segments[segments + 1];
  // What follows in the key: no key is equal to a bound, and a value that begins with the bound has another text there.
  const separator = next?.kind === "text" ? [{ literal: next.text }] : [];
  const after: readonly EndPart[] = next === undefined ? [] : [...separator, "last"];
  const low = (operand: number): readonly EndPart[] => [...prefix, { operand }];
  const high = (operand: number): readonly EndPart[] => [...low(operand), ...after];
  const shape = (form: RangeShape["form"], ...ends: RangeShape["ends"]): RangeShape => {
    return { form, ends, isNative: false, isLoose: false };
  };
  if (operator === "begins-with") return shape("begins_with", low(0));
  if (operator === "between") {
    return isTurned ? shape("BETWEEN", low(1), high(0)) : shape("BETWEEN", low(0), high(1));
  }
  const way = isTurned ? turned[operator as Sided] : (operator as Sided);
  const isUpper = way === "less" || way === "at-most";
  const isStrict = way === "less" || way === "greater";
  const isHigh = isCoarse ? isUpper : way === "at-most" || way === "greater";
  const bound = isHigh ? high(0) : low(0);
  if (!hasPrefix && !(isCoarse && isStrict)) return shape(signs[way], bound);
  const range = isUpper
    ? shape("BETWEEN", hasPrefix ? prefix : ["blank"], bound)
    : shape("BETWEEN", bound, [...prefix, "last"]);
  return { ...range, isLoose: isStrict && !isCoarse && next === undefined };
}
