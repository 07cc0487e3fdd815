import type { Rule } from "../rule.ts";
import { heldText } from "./no-point-in-time-recovery.ts";

export const noDeletionProtection: Rule = {
  id: "no-deletion-protection",
  severity: "hint",
  title: "A table can be deleted by one wrong request.",
  topic: "security-and-monitoring",
  *check(context) {
    for (const table of context.tables) {
      const { name, path, deletionProtection, periods } = table;
      // Tables of periods are deleted on purpose.
      if (deletionProtection || periods !== undefined) continue;
      yield {
        path,
        message: `${name} is not protected against deletion.`,
        evidence: `${heldText(context, table)}; DeleteTable asks nobody, and protection costs nothing.`,
        cure: "State deletionProtection: true.",
        fix: {
          what: `protects ${name} against deletion`,
          edits: [{ kind: "set", path: [...path, "deletionProtection"], value: true }],
        },
      };
    }
  },
};
