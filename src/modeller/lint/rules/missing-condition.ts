import { patternText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { changedBy } from "../traffic.ts";
import { amountText, listText } from "../words.ts";

export const missingCondition: Rule = {
  id: "missing-condition",
  severity: "warning",
  title: "Several writers change the same item, and nothing keeps one from undoing the other.",
  topic: "conditional-writes",
  *check({ served, model }) {
    for (const pattern of served) {
      const { writers } = pattern;
      if (writers === undefined || writers.value <= 1) continue;
      for (const action of pattern.actions) {
        if (action.kind !== "update" && action.kind !== "delete") continue;
        if (action.condition !== undefined) continue;
        // Numbers that are added to and lists that grow come out the same in any order.
        const isCommuting =
          action.kind === "update" && action.changes.length + action.removes.length === 0;
        if (isCommuting) continue;
        const entity = model.entities.get(action.entity);
        const what =
          action.kind === "delete" ? "deletes it" : `sets ${listText(changedBy(action))}`;
        const version = entity?.version;
        yield {
          path: action.path,
          message: `${patternText(pattern)} changes ${action.entity} without a condition, with several writers.`,
          evidence: `${amountText(writers)} writers at once; the last one ${what}, whatever the others have written meanwhile.`,
          cure:
            version === undefined
              ? "State what must still hold as its condition, or give the entity a version that every change raises."
              : `State condition: version, so that a change of another ${version} is refused.`,
          fix:
            version === undefined || action.kind === "delete"
              ? undefined
              : {
                  what: `makes ${pattern.id} conditional on ${version}`,
                  edits: [{ kind: "set", path: [...action.path, "condition"], value: "version" }],
                },
        };
      }
    }
  },
};
