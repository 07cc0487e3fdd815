import { formats } from "../../model/formats.ts";
import type { Entity, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Binding, Bindings } from "./plan.ts";

/**
 * What is known of another entity when one is known: shared names, and ids under other names. The rule is in docs/model.md,
 * "Which entities belong together".
 */
export function linkOf(
  facts: Facts,
  own: Entity,
  other: Entity,
  where: readonly Predicate[],
  known: Bindings,
  request: number,
): Bindings {
  const asked = new Map<string, Binding>(known);
  for (const { attribute, operator, operands } of where) {
    if (operator === "equals" && operands[0] !== undefined) asked.set(attribute, operands[0]);
  }
  const links = new Map<string, Binding>();
  const bind = (theirs: string, ours: string): void => {
    if (links.has(theirs)) return;
    links.set(theirs, asked.get(ours) ?? { kind: "result", request, attribute: ours });
  };
  const { cardinality } = facts;
  const child = cardinality.foreignKeyOf(other, own);
  const parent = child === undefined && own !== other ? cardinality.foreignKeyOf(own, other) : [];
  for (const one of child ?? []) bind(one.own, one.id);
  for (const one of parent ?? []) bind(one.id, one.own);
  if (own === other) return links;
  const bound = [...(child ?? []), ...(parent ?? [])];
  const taken = new Set(bound.flatMap((one) => [one.own, one.id]));
  for (const [name, { type }] of other.attributes) {
    if (taken.has(name) || own.attributes.get(name)?.type !== type) continue;
    if (!own.id.includes(name) && !other.id.includes(name)) continue;
    const [one, two] = [own, other].map((entity) => cardinality.originOf(entity, name));
    // The ids of different entities may have one name.
    if (one === undefined || two === undefined || one === two) bind(name, name);
  }
  const ours = new Set([...bound.map((one) => (child ? one.id : one.own)), ...links.keys()]);
  if (own.id.every((name) => ours.has(name)) || other.id.every((name) => links.has(name))) {
    return links;
  }
  // A day or a moment in the id of the other, under another name: the only one that there is.
  for (const name of other.id) {
    const format = other.attributes.get(name)?.format;
    if (links.has(name) || format === undefined || formats[format].finest === undefined) continue;
    const [first, second] = [...own.attributes.values()].filter((one) => one.format === format);
    if (first !== undefined && second === undefined) bind(name, first.name);
  }
  return links;
}

/** The same, by the names of the entities. */
export function linksBetween(
  { facts, own, other }: { readonly facts: Facts; readonly own: string; readonly other: string },
  where: readonly Predicate[] = [],
  known: Bindings = new Map(),
  request = 0,
): Bindings {
  const [one, two] = [own, other].map((name) => facts.model.entities.get(name));
  if (one === undefined || two === undefined) return new Map();
  return linkOf(facts, one, two, where, known, request);
}

/** The attributes of what is known that links are taken from. */
export function linkedFrom(links: Bindings): readonly string[] {
  return [...links.values()].flatMap((one) => (one.kind === "result" ? [one.attribute] : []));
}

/** The conditions that something has the values that the caller, or the model, gives. */
export function equalities(known: Bindings): readonly Predicate[] {
  return [...known].flatMap(([attribute, one]): readonly Predicate[] =>
    one.kind === "parameter" || one.kind === "constant"
      ? [{ attribute, operator: "equals", operands: [one], exists: true }]
      : [],
  );
}
