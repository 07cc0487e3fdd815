import type { Entity, Predicate } from "../../model/requirements.ts";
import { type Marker, markerOf, markersOf } from "./markers.ts";
import type { Need } from "./needs.ts";

/** What a mark stands for where several sparse conditions share it: the values of one attribute. */
type Values = ReadonlyMap<string, Predicate["operands"][number]>;

/**
 * One mark for what several patterns ask for by constants of one attribute. It holds the value, so each finds its own
 * under a key of its own, in one index that leaves out all others.
 */
export function joinedMarkers(
  entity: Entity,
  needs: readonly Need[],
  taken: ReadonlySet<string>,
): readonly Marker[] {
  const names = new Set([
    ...taken,
    ...markersOf(entity, needs, taken).map(({ attribute }) => attribute),
  ]);
  return [...entity.attributes.values()].flatMap(({ name, type, values: listed }): Marker[] => {
    if (type !== "S") return [];
    const asked = needs.flatMap(({ constants }) => constants.filter((one) => isListed(one, name)));
    const different = new Set(asked.map((one) => JSON.stringify(one)));
    const values: Values = new Map(
      asked.flatMap(({ operands }) => operands.map((one) => [JSON.stringify(one), one] as const)),
    );
    // Where no value is left out, the attribute itself does as well.
    if (different.size < 2 || values.size === listed?.length) return [];
    const only: Predicate = {
      attribute: name,
      operator: "one-of",
      operands: [...values.values()],
      exists: true,
    };
    const marker = markerOf(entity, [only], names);
    names.add(marker.attribute);
    return [{ ...marker, text: `{${name}}` }];
  });
}

/** Whether all that a need asks for is marked, and under values that it knows. */
export function isAnswered({ only }: Marker, { constants }: Need): boolean {
  return only.every(({ attribute, operands }) => {
    const held = operands.map((one) => JSON.stringify(one));
    return constants.some(
      (one) =>
        isListed(one, attribute) &&
        one.operands.every((operand) => held.includes(JSON.stringify(operand))),
    );
  });
}

function isListed({ attribute, operator }: Predicate, name: string): boolean {
  return attribute === name && (operator === "equals" || operator === "one-of");
}
