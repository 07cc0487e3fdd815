import type { Constant } from "../../model/document-parts.ts";
import type { Attribute, Entity, Operand, Predicate } from "../../model/requirements.ts";
import type { Membership } from "./record.ts";

/** A share between 0 and 1, and what it rests on. */
export interface Share {
  readonly value: number;
  /** Something in it is a guess: nobody said how often the condition holds. */
  readonly assumed: boolean;
}

const whole: Share = { value: 1, assumed: false };

/** How many of an entity's items fulfil all conditions, taken to be independent. */
export function shareOf(
  entity: Entity,
  predicates: readonly Predicate[],
  distinct: (attribute: Attribute) => number | undefined,
): Share {
  return predicates.reduce<Share>((share, predicate) => {
    const attribute = entity.attributes.get(predicate.attribute);
    if (attribute === undefined) return share;
    const one = predicateShare(attribute, predicate, distinct);
    return { value: share.value * one.value, assumed: share.assumed || one.assumed };
  }, whole);
}

/** The share of an entity's items that are in an index. */
export function membershipShare(
  entity: Entity,
  { only, optional }: Membership,
  distinct: (attribute: Attribute) => number | undefined,
): Share {
  const share = shareOf(entity, only, distinct);
  return optional.reduce<Share>(
    ({ value, assumed }, { present }) => ({
      value: value * present.value,
      assumed: assumed || present.assumed,
    }),
    share,
  );
}

function predicateShare(
  attribute: Attribute,
  predicate: Predicate,
  distinct: (attribute: Attribute) => number | undefined,
): Share {
  const { operator, operands, exists } = predicate;
  const present = attribute.present.value;
  if (operator === "exists") {
    return { value: exists ? present : 1 - present, assumed: attribute.present.assumed };
  }
  const holds = holdsFor(predicate);
  if (attribute.values !== undefined && holds !== undefined) {
    const hit = attribute.values.filter(({ value }) => holds(value));
    return { value: present * hit.reduce((sum, { share }) => sum + share, 0), assumed: false };
  }
  const count = distinct(attribute);
  if (operator === "equals" && count !== undefined) {
    return { value: present / Math.max(1, count), assumed: false };
  }
  if (operator === "one-of" && count !== undefined) {
    return {
      value: Math.min(present, (present * operands.length) / Math.max(1, count)),
      assumed: false,
    };
  }
  return { value: present, assumed: true };
}

/** The values of operands that are constants. */
export function constantsIn(operands: readonly Operand[]): readonly Constant[] {
  return operands.flatMap((one) => (one.kind === "constant" ? [one.value] : []));
}

/** Whether only something that is there fulfils a condition. */
export function needsValue({ operator, exists }: Predicate): boolean {
  return operator !== "exists" || exists;
}

/** Whether a known value fulfils a condition; nothing if an operand is not known. */
export function holdsFor({
  operator,
  operands,
}: Pick<Predicate, "operator" | "operands">): ((value: Constant) => boolean) | undefined {
  const bounds = constantsIn(operands);
  const [first, second] = bounds;
  if (first === undefined || bounds.length < operands.length) return undefined;
  if (operator === "equals") return (value) => same(value, first);
  if (operator === "one-of") return (value) => bounds.some((one) => same(value, one));
  const bound = typeof first === "boolean" ? undefined : first;
  if (bound === undefined) return undefined;
  if (operator === "less") return (value) => below(value, bound);
  if (operator === "at-most") return (value) => !below(bound, value);
  if (operator === "greater") return (value) => below(bound, value);
  if (operator === "at-least") return (value) => !below(value, bound);
  if (operator === "between" && second !== undefined) {
    return (value) => !below(value, bound) && !below(second, value);
  }
  if (operator === "begins-with") return (value) => String(value).startsWith(String(bound));
  if (operator === "contains") return (value) => String(value).includes(String(bound));
  return undefined;
}

/** Values with shares are written as names in a document, so a number may come as a text. */
const same = (a: Constant, b: Constant): boolean => String(a) === String(b);

function below(a: Constant, b: Constant): boolean {
  return typeof a === "number" && typeof b === "number" ? a < b : String(a) < String(b);
}
