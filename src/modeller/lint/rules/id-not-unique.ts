import { addedToId } from "../../key-identity.ts";
import { componentsOf } from "../key-fit.ts";
import type { Rule } from "../rule.ts";
import { listText } from "../words.ts";

export const idNotUnique: Rule = {
  id: "id-not-unique",
  severity: "error",
  title: "A key has more than the id, so an item with the same id can be created again.",
  topic: "conditional-writes",
  *check(context) {
    for (const { kind, entity, table, partition, sort, what, path } of context.keys) {
      if (kind !== "item") continue;
      const names = componentsOf([...partition, ...sort]).map(({ attribute }) => attribute);
      const { attribute: period } = table.periods ?? {};
      const all = period === undefined ? names : [...names, period];
      const added = addedToId(context.model, entity, all);
      const creating = context
        .writesOf(entity.name)
        .filter(({ action }) => action.kind === "create" && action.condition?.kind === "absent")
        .map(({ pattern }) => pattern.id);
      if (added.length === 0 || creating.length === 0) continue;
      const isPeriod = added.every((name) => !names.includes(name));
      const subject = isPeriod ? `The period of ${entity.name} in ${table.name}` : capital(what);
      yield {
        path: isPeriod ? [...table.path, "periods", "attribute"] : path,
        message: `${subject} depends on ${listText(added)}, so 'absent' does not refuse a second ${entity.name} with the same id.`,
        evidence: `A ${entity.name} is identified by ${listText(entity.id)}. A condition looks at one key: ${listText(creating)} finds only an item with the same ${listText(added)}.`,
        cure: isPeriod
          ? "Choose the period by an attribute of the id."
          : `Keep ${listText(added)} out of the table's key and make an index for it, or make it a part of the id.`,
      };
    }
  },
};

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
