import type { Entity, Pattern } from "../../../model/requirements.ts";
import { patternText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { listText } from "../words.ts";

const drawn: readonly (string | undefined)[] = ["ulid", "ksuid", "uuid"];

export const createOverwrites: Rule = {
  id: "create-overwrites",
  severity: "warning",
  title: "An item is created without asking whether it is there, and replaces the one that is.",
  topic: "conditional-writes",
  *check({ served, model, facts }) {
    for (const pattern of served) {
      // A batch takes no conditions.
      if ((pattern.batch?.value ?? 1) > 1) continue;
      for (const action of pattern.actions) {
        const entity = model.entities.get(action.entity);
        if (action.kind !== "create" || action.condition !== undefined || entity === undefined)
          continue;
        if (hasDrawnId(entity, (name) => facts.cardinality.parentOf(entity, name) !== undefined))
          continue;
        // What lies inside of other items is appended to a list.
        if (facts.itemsOf(entity.name).length === 0) continue;
        if (isGuarded(pattern, entity, model.entities)) continue;
        yield {
          path: action.path,
          message: `${patternText(pattern)} creates ${entity.name} without a condition.`,
          evidence: `The id ${listText(entity.id)} is not drawn anew for each: a second one with the same id replaces the first without a word, and it costs the same units with a condition.`,
          cure: "State condition: absent; if replacing is meant, make it an update or say so and ignore this.",
          fix: {
            what: `makes ${pattern.id} refuse what is there`,
            edits: [{ kind: "set", path: [...action.path, "condition"], value: "absent" }],
          },
        };
      }
    }
  },
};

/** An id that is made for this item alone never meets another one. */
function hasDrawnId({ id, attributes }: Entity, isOther: (name: string) => boolean): boolean {
  return id.some((name) => drawn.includes(attributes.get(name)?.format) && !isOther(name));
}

/** Something that it belongs to is created in the same transaction, and must not be there. */
function isGuarded(
  { transaction, actions }: Pattern,
  { id }: Entity,
  entities: ReadonlyMap<string, Entity>,
): boolean {
  return (
    transaction &&
    actions.some(({ kind, condition, entity }) => {
      const other = entities.get(entity)?.id ?? [];
      return (
        kind === "create" &&
        condition?.kind === "absent" &&
        other.length < id.length &&
        other.every((name) => id.includes(name))
      );
    })
  );
}
