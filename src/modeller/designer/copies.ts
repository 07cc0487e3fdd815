import type { Model } from "../../model/model.ts";
import { servedPatterns } from "./needs.ts";

/** What the requirements themselves repeat: each has to be wanted. */
export function copiesIn(model: Model): readonly string[] {
  const { entities } = model;
  const following = servedPatterns(model);
  return [...entities.values()].flatMap(({ name, attributes }) =>
    [...attributes.values()].flatMap(({ name: attribute, copyOf, staleness }) => {
      if (copyOf === undefined) return [];
      const source = `${copyOf.entity}.${copyOf.attribute}`;
      if (staleness !== "refused")
        return [`${name}.${attribute} repeats ${source} and may be behind it.`];
      const own = following.filter(({ actions }) =>
        actions.some((one) => one.follows && one.entity === name),
      );
      const who = own.map(({ id }) => id).join(", ");
      return [
        who === ""
          ? `${name}.${attribute} repeats ${source} and has to follow it.`
          : `${name}.${attribute} repeats ${source} and has to follow it: ${who} changes both in one transaction, after a look which ones there are. Who makes a ${name} at that moment has to look again.`,
      ];
    }),
  );
}
