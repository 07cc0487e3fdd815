import { formats } from "../../model/formats.ts";
import type { Entity, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Binding, Bindings } from "./plan.ts";

/** What is known of another entity when one is known: shared names, and ids under other names. */
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
  for (const name of other.attributes.keys()) {
    if (own.attributes.has(name) && (own.id.includes(name) || other.id.includes(name)))
      bind(name, name);
  }
  // Where both ends of something are of one kind, those of the first end are meant.
  const [id = "", more] = own.id;
  if (more === undefined && !links.has(id)) {
    const name = [...other.attributes.keys()].find(
      (one) => facts.cardinality.parentOf(other, one) === own,
    );
    if (name !== undefined) bind(name, id);
  }
  if (other.id.length === 1 && !links.has(other.id[0] ?? "")) {
    for (const name of own.attributes.keys()) {
      if (facts.cardinality.parentOf(own, name) === other) bind(other.id[0] ?? "", name);
    }
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
