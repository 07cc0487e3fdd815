import type { Model } from "../../model/model.ts";

/** What the requirements themselves repeat: each has to be wanted. */
export function copiesIn({ entities }: Model): readonly string[] {
  return [...entities.values()].flatMap(({ name, attributes }) =>
    [...attributes.values()].flatMap(({ name: attribute, copyOf, staleness }) => {
      if (copyOf === undefined) return [];
      const kept = staleness === "refused" ? "has to follow it" : "may be behind it";
      return [`${name}.${attribute} repeats ${copyOf.entity}.${copyOf.attribute} and ${kept}.`];
    }),
  );
}
