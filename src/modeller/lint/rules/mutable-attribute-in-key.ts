import { componentsOf } from "../key-fit.ts";
import type { Rule } from "../rule.ts";
import { changedBy } from "../traffic.ts";
import { listText } from "../words.ts";

export const mutableAttributeInKey: Rule = {
  id: "mutable-attribute-in-key",
  severity: "error",
  title: "An attribute that changes is in a table's key, which cannot be changed.",
  topic: "partition-key",
  *check(context) {
    for (const { kind, entity, partition, sort, what } of context.keys) {
      if (kind !== "item" && kind !== "split") continue;
      for (const { attribute: name, side } of componentsOf([...partition, ...sort])) {
        const attribute = entity.attributes.get(name);
        if (attribute === undefined || !attribute.mutable || entity.id.includes(name)) continue;
        const changing = context
          .writesOf(entity.name)
          .filter(({ action }) => action.kind === "update" && changedBy(action).includes(name))
          .map(({ pattern }) => pattern.id);
        if (changing.length > 0 || attribute.mutableStated) {
          yield {
            path: side.path,
            message: `${entity.name}.${name} changes and is in ${what}.`,
            evidence:
              changing.length === 0
                ? `${name} is said to be mutable.`
                : `It is changed by ${changing.length === 1 ? "pattern" : "patterns"} ${listText(changing)}.`,
            cure: "Keep it out of the key and make an index for it, or delete the item and create another in one transaction.",
          };
          continue;
        }
        yield {
          path: side.path,
          severity: "hint",
          message: `${entity.name}.${name} is in ${what}, and nothing says that it never changes.`,
          evidence:
            "No pattern changes it, and attributes are taken to be mutable unless it is said.",
          cure: "Say mutable: false if it never changes; else keep it out of the key.",
          fix: {
            what: `says that ${entity.name}.${name} never changes`,
            edits: [{ kind: "set", path: [...attribute.path, "mutable"], value: false }],
          },
        };
      }
    }
  },
};
