/** Whether some conditions on one attribute contradict each other, so that no item meets all of them. It knows no data. */
import type { FormatName } from "./document-requirements.ts";
import { formats } from "./formats.ts";
import type { Attribute, Operand, Predicate } from "./requirements.ts";

type Value = string | number | boolean;

/** Why no item meets all of these conditions on an attribute, as the end of a sentence; undefined if one may. */
export function contradictionIn(
  attribute: Attribute,
  predicates: readonly Predicate[],
): string | undefined {
  const isMissing = predicates.some(({ operator, exists }) => operator === "exists" && !exists);
  if (isMissing && !attribute.isOptional) {
    return `every item has it; state 'present' below 1 at ${attribute.name} if some have none`;
  }
  const compared = predicates.filter(({ operator, exists }) => operator !== "exists" || exists);
  if (isMissing && compared.length > 0) return "another condition asks for a value of it";
  if (compared.some((one) => isForeign(attribute, one)))
    return `no ${attribute.format} has this text`;
  const isAnyExcluded = bounds(compared).some((a, i, all) =>
    all.slice(i + 1).some((b) => areDisjoint(a, b)),
  );
  const candidates = candidatesFor(attribute, compared);
  const isNoneLeft =
    candidates !== undefined &&
    !candidates.some((value) => compared.every((one) => mayMeet(attribute, one, value)));
  return isAnyExcluded || isNoneLeft ? "no value meets all conditions on it" : undefined;
}

/** What the texts of a format are made of. */
const letters: Readonly<Record<FormatName, RegExp>> = {
  "iso-date": /^[0-9-]*$/,
  "iso-time": /^[0-9tz:.-]*$/i,
  "epoch-seconds": /^[0-9]*$/,
  "epoch-milliseconds": /^[0-9]*$/,
  ulid: /^[0-9a-hjkmnp-tv-z]*$/i,
  ksuid: /^[0-9a-z]*$/i,
  uuid: /^[0-9a-f-]*$/i,
};

/** Whether a condition asks for a text that no value of the attribute's format is, has in it, or begins with. */
function isForeign({ type, format }: Attribute, { operator, operands }: Predicate): boolean {
  if (format === undefined || type !== "S" || operands.length === 0) return false;
  const isWhole = operator === "equals" || operator === "one-of";
  if (!isWhole && operator !== "contains" && operator !== "begins-with") return false;
  return operands.every(
    (one) =>
      one.kind === "constant" &&
      typeof one.value === "string" &&
      (!letters[format].test(one.value) ||
        (isWhole && one.value.length !== formats[format].bytes.S)),
  );
}

/** The only values that an attribute can have: those that a condition lists, or else those that the model states. */
function candidatesFor(
  { values }: Attribute,
  predicates: readonly Predicate[],
): readonly Value[] | undefined {
  for (const { operator, operands } of predicates) {
    if (operator !== "equals" && operator !== "one-of") continue;
    const constants = operands.flatMap((one) => (one.kind === "constant" ? [one.value] : []));
    if (constants.length === operands.length) return constants;
  }
  return values?.map(({ value }) => value);
}

/** Whether a value may meet a condition; parameters may have any value. */
function mayMeet({ type }: Attribute, { operator, operands }: Predicate, value: Value): boolean {
  if (type !== "S" && type !== "N" && type !== "BOOL") return true;
  const compare = (operand: Operand | undefined): number | undefined =>
    operand?.kind === "constant" ? order(value, operand.value) : undefined;
  const [first, second] = operands;
  switch (operator) {
    case "equals":
      return (compare(first) ?? 0) === 0;
    case "one-of":
      return operands.some((one) => (compare(one) ?? 0) === 0);
    case "less":
      return (compare(first) ?? -1) < 0;
    case "at-most":
      return (compare(first) ?? -1) <= 0;
    case "greater":
      return (compare(first) ?? 1) > 0;
    case "at-least":
      return (compare(first) ?? 1) >= 0;
    case "between":
      return (compare(first) ?? 0) >= 0 && (compare(second) ?? 0) <= 0;
    case "begins-with":
      return first?.kind !== "constant" || String(value).startsWith(String(first.value));
    case "contains":
      return first?.kind !== "constant" || String(value).includes(String(first.value));
    case "exists":
      return true;
  }
}

/** The order of DynamoDB: numbers by value, texts by their UTF-8 bytes. */
function order(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

/** An end of the range of values that a condition allows. */
interface Bound {
  readonly side: "lower" | "upper";
  readonly operand: Operand;
  /** The value of the operand is in the range. */
  readonly isInclusive: boolean;
}

function bounds(predicates: readonly Predicate[]): readonly Bound[] {
  return predicates.flatMap(({ operator, operands: [first, second] }): readonly Bound[] => {
    if (first === undefined) return [];
    const lower: Bound = { side: "lower", operand: first, isInclusive: operator !== "greater" };
    const upper: Bound = { side: "upper", operand: first, isInclusive: operator !== "less" };
    if (operator === "equals") return [lower, upper];
    if (operator === "less" || operator === "at-most") return [upper];
    if (operator === "greater" || operator === "at-least") return [lower];
    // A text that begins with another one is not less.
    if (operator === "begins-with" && first.kind === "constant") return [lower];
    if (operator !== "between" || second === undefined) return [];
    return [lower, { ...upper, operand: second }];
  });
}

/** Whether one of two bounds is the lower one, and nothing is between it and the upper one. */
function areDisjoint(a: Bound, b: Bound): boolean {
  if (a.side === b.side) return false;
  const [lower, upper] = a.side === "lower" ? [a.operand, b.operand] : [b.operand, a.operand];
  const isOpen = !a.isInclusive || !b.isInclusive;
  if (lower.kind === "parameter" || upper.kind === "parameter") {
    return isOpen && JSON.stringify(lower) === JSON.stringify(upper);
  }
  if (typeof lower.value !== typeof upper.value) return false;
  const difference = order(lower.value, upper.value);
  return difference > 0 || (isOpen && difference === 0);
}
