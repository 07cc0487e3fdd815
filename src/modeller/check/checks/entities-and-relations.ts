import type { Entity } from "../../../model/requirements.ts";
import { counted } from "../../lint/words.ts";
import { type Check, Findings } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

export const entitiesAndRelations: Check = {
  id: "entities-and-relations",
  title: "All entities are counted, and all relations between them are stated",
  run(context) {
    const { model, entities, facts } = context;
    const findings = new Findings();
    findings.ask([...context.questions("count"), ...context.questions("fan-out")]);
    const related = new Set<string>();
    const relate = (one: string, other: string): void => {
      related.add(JSON.stringify([one, other]));
      related.add(JSON.stringify([other, one]));
    };
    for (const { from, to, via } of model.relations) {
      relate(from, to);
      if (via !== undefined) {
        relate(from, via);
        relate(to, via);
      }
    }
    // Who asks for one entity by the id of another needs to know how many there are.
    for (const child of entities) {
      for (const attribute of child.attributes.values()) {
        const parent = facts.cardinality.parentOf(child, attribute.name);
        if (parent === undefined || parent === child) continue;
        const isRelated = (name: string): boolean => {
          const other = facts.cardinality.parentOf(child, name);
          return other !== undefined && related.has(JSON.stringify([other.name, child.name]));
        };
        if (!isAskedBy(context, child, attribute.name, isRelated)) continue;
        relate(parent.name, child.name);
        findings.open(
          attribute.path,
          `${child.name}.${attribute.name} holds the id of ${parent.name}, and a pattern asks by it: how many ${child.name} has one ${parent.name}? (relations)`,
        );
      }
    }
    const known = entities.filter(({ count }) => count !== undefined).length;
    findings.saw(
      `Counted: ${known} of ${counted(entities.length, "entity", "entities")}; ${counted(model.relations.length, "relation")} stated.`,
    );
    return findings.outcome();
  },
};

/** Whether a list of an entity is read by an attribute, and by none whose relation is stated. */
function isAskedBy(
  { served }: CheckContext,
  { name, id }: Entity,
  attribute: string,
  isRelated: (attribute: string) => boolean,
): boolean {
  return served.some(({ actions }) =>
    actions.some(({ kind, entity, where }) => {
      if (kind !== "read" || entity !== name) return false;
      const equal = where.flatMap((one) => (one.operator === "equals" ? [one.attribute] : []));
      const isOne = id.every((one) => equal.includes(one));
      return !isOne && equal.includes(attribute) && !equal.some(isRelated);
    }),
  );
}
