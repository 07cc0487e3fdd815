import { componentsOf } from "../key-fit.ts";
import type { Rule } from "../rule.ts";
import { listText } from "../words.ts";

export const personalDataInKey: Rule = {
  id: "personal-data-in-key",
  severity: "warning",
  title: "Something about a person is in a key, which is logged, measured and cannot be changed.",
  topic: "security-and-monitoring",
  *check({ keys, model }) {
    const { compliance } = model.overview;
    for (const { kind, entity, partition, sort, what } of keys) {
      // A value can only be kept unique by being a key.
      if (kind === "unique") continue;
      for (const { attribute: name, side } of componentsOf([...partition, ...sort])) {
        if (!entity.attributes.get(name)?.personal) continue;
        yield {
          path: side.path,
          severity: compliance.length === 0 || kind === "index" ? "hint" : "warning",
          message: `${entity.name}.${name} is personal and in ${what}.`,
          evidence: `Keys appear in logs, traces, errors and lists of hot keys${compliance.length === 0 ? "" : `, which ${listText(compliance)} cover${compliance.length === 1 ? "s" : ""} too`}; to delete or correct one, the item has to be written anew.`,
          cure: `Use an id without meaning in the key and store ${name} beside it, or a keyed hash of it where it has to be looked up.`,
        };
      }
    }
  },
};
