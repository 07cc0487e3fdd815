import type { Segment } from "../../model/key-text.ts";
import type { Order, Predicate } from "../../model/requirements.ts";
import type { EntityKey, KeySide } from "./keys.ts";

type AttributeSegment = Extract<Segment, { readonly kind: "attribute" }>;

/** An attribute in a key, and where it stands. */
export interface KeyComponent extends AttributeSegment {
  readonly side: KeySide;
}

/** The attributes of some sides of a key, in the order in which they stand there. */
export function componentsOf(sides: readonly KeySide[]): readonly KeyComponent[] {
  return sides.flatMap((side) =>
    side.text.segments.flatMap((segment) =>
      segment.kind === "attribute" ? [{ ...segment, side }] : [],
    ),
  );
}

export function isEquality({ operator }: Predicate): boolean {
  return operator === "equals" || operator === "one-of";
}

/** Values in a range have keys next to each other. */
export function isRange({ operator }: Predicate): boolean {
  return ["less", "at-most", "greater", "at-least", "between", "begins-with"].includes(operator);
}

/** What a key can do for a question. */
export interface KeyFit {
  /** The question names all that the partition key is made of. */
  readonly partition: boolean;
  /** Predicates that choose a range of keys; all others only filter. */
  readonly used: readonly string[];
  /** A predicate on a later part of the sort key, and the part before it that keeps it from use. */
  readonly blocked:
    | { readonly asked: KeyComponent; readonly by: KeyComponent; readonly ranged: boolean }
    | undefined;
}

/** Shards need nothing from the question: they are read one by one. */
export function fitOf(
  { partition, sort }: Pick<EntityKey, "partition" | "sort">,
  where: readonly Predicate[],
): KeyFit {
  const equal = new Set(where.filter(isEquality).map(({ attribute }) => attribute));
  const ranged = new Set(where.filter(isRange).map(({ attribute }) => attribute));
  const first = componentsOf(partition);
  if (!first.every(({ attribute }) => equal.has(attribute))) {
    return { partition: false, used: [], blocked: undefined };
  }
  const used = first.map(({ attribute }) => attribute);
  const rest = componentsOf(sort);
  let by: KeyComponent | undefined;
  for (const component of rest) {
    const { attribute } = component;
    const asked = equal.has(attribute) || ranged.has(attribute);
    if (by !== undefined) {
      if (!asked || used.includes(attribute)) continue;
      return {
        partition: true,
        used,
        blocked: { asked: component, by, ranged: ranged.has(by.attribute) },
      };
    }
    if (asked) used.push(attribute);
    if (!equal.has(attribute)) by = component;
  }
  return { partition: true, used, blocked: undefined };
}

/** The part of a key that sorts an answer, if that is what the question wants it sorted by. */
export function sortingComponent(
  { sort }: Pick<EntityKey, "sort">,
  where: readonly Predicate[],
  order: readonly Order[],
): KeyComponent | undefined {
  const equal = new Set(where.filter(isEquality).map(({ attribute }) => attribute));
  const component = componentsOf(sort).find(({ attribute }) => !equal.has(attribute));
  return component?.attribute === order[0]?.attribute ? component : undefined;
}

/** A key text with its attributes blotted out: keys with equal ones can be equal. */
export function skeleton(sides: readonly KeySide[]): string {
  return JSON.stringify(
    sides.map(({ text }) =>
      text.segments.map((segment) => (segment.kind === "text" ? segment.text : 0)),
    ),
  );
}

/** What all texts of a sort key begin with. */
export function literalPrefix(sides: readonly KeySide[]): string {
  const [segment] = sides[0]?.text.segments ?? [];
  return segment?.kind === "text" ? segment.text : "";
}
