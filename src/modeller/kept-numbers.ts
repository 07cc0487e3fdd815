import type { Model } from "../model/model.ts";
import type { Action, Attribute, Entity, Keeps, Pattern } from "../model/requirements.ts";

/** A number of the requirements that is worked out from what belongs to the one that has it. */
export interface KeptNumber {
  /** `Candidate.votes`. */
  readonly name: string;
  readonly holder: Entity;
  readonly attribute: Attribute;
  readonly keeps: Keeps;
}

export function keptNumbers({ entities }: Model): readonly KeptNumber[] {
  return [...entities.values()].flatMap((holder) =>
    [...holder.attributes.values()].flatMap((attribute): readonly KeptNumber[] => {
      const { keeps } = attribute;
      if (keeps === undefined) return [];
      return [{ name: `${holder.name}.${attribute.name}`, holder, attribute, keeps }];
    }),
  );
}

/** The patterns that make or take away what is counted. */
export function countedBy(patterns: readonly Pattern[], { keeps }: KeptNumber): readonly Pattern[] {
  return patterns.filter(
    ({ kind, actions, with: others }) =>
      kind === "write" &&
      (actions.some(
        (one) => one.entity === keeps.of && (one.kind === "create" || one.kind === "delete"),
      ) ||
        others.some(({ entity }) => entity === keeps.of)),
  );
}

/** Whether a pattern itself sees to a number: it changes it, or makes the one that has it. */
export function isSeenTo({ actions }: Pattern, number: KeptNumber): boolean {
  return actions.some((one) => one.entity === number.holder.name && seesTo(one, number));
}

function seesTo({ kind, changes, adds }: Action, { attribute }: KeptNumber): boolean {
  return (
    kind === "create" ||
    kind === "delete" ||
    [...changes, ...adds].some((one) => one.attribute === attribute.name)
  );
}

/** In words: `the number of Vote`, `the sum of OrderLine.amount`. */
export function keepsText({ what, of, attribute }: Keeps): string {
  if (what === "count") return `the number of ${of}`;
  const which = { sum: "sum", max: "greatest", min: "least" } as const;
  return `the ${which[what]} of ${of}.${attribute}`;
}
