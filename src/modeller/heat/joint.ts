import type { Entity } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { hottestShare } from "./spread.ts";
import type { TouchPart } from "./touch.ts";

/** Attributes that identify something only together, and how many such things there are. */
export interface Joint {
  readonly names: readonly string[];
  readonly count: number;
  readonly assumed: boolean;
  readonly from: string;
}

/** The longest id of several attributes that lies within these. Ids of other entities go by the same names. */
export function jointOf(facts: Facts, entity: Entity, names: readonly string[]): Joint | undefined {
  const found = [entity, ...facts.model.entities.values()].flatMap((other): Joint[] => {
    const count = facts.cardinality.count(other);
    const isWithin = other.id.length > 1 && other.id.every((name) => names.includes(name));
    if (!isWithin || count === undefined) return [];
    const { value, assumed } = count;
    return [{ names: other.id, count: value, assumed, from: other.name }];
  });
  return found.toSorted((a, b) => b.names.length - a.names.length)[0];
}

/**
 * Parts of a key of which nobody said how many there are, but how many there are together: what the others do not
 * spread already, the first of them does.
 */
export function withJoint(
  facts: Facts,
  entity: Entity,
  names: readonly string[],
  parts: readonly TouchPart[],
): { readonly parts: readonly TouchPart[]; readonly joint: Joint | undefined } {
  const joint = jointOf(facts, entity, names);
  const members = (joint?.names ?? []).map((name) => names.indexOf(name));
  const unknown = members.filter((i) => isUnknown(parts[i]));
  if (joint === undefined || unknown.length === 0) return { parts, joint: undefined };
  const others = members.flatMap((i) => (isUnknown(parts[i]) ? [] : [parts[i] as TouchPart]));
  const spread = others.reduce((product, part) => product / hottestShare(part.spread), 1);
  const isEven = others.every((part) => part.spread.kind === "even");
  const rest = isEven ? Math.max(1, joint.count / spread) : 1;
  const made = parts.map((part, i): TouchPart => {
    if (!unknown.includes(i)) return part;
    const count = i === unknown[0] ? rest : 1;
    return { ...part, spread: { kind: "even", count } };
  });
  return { parts: made, joint };
}

export function isUnknown(part: TouchPart | undefined): boolean {
  return part?.spread.kind === "single" && part.spread.why === "unknown";
}
