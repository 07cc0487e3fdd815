import type { Table } from "../../../model/design.ts";
import type { LintContext } from "../lint-context.ts";
import type { Rule } from "../rule.ts";
import { amountText, listText } from "../words.ts";

const dayMs = 86_400_000;
/** What is gone by itself so soon need not be brought back. */
const shortMs = 8 * dayMs;

export const noPointInTimeRecovery: Rule = {
  id: "no-point-in-time-recovery",
  severity: "warning",
  title: "A table cannot be brought back to what it was before a mistake.",
  topic: "pitr-and-backups",
  *check(context) {
    for (const table of context.tables) {
      const { name, path, pitrDays, backups } = table;
      if (pitrDays !== undefined || backups !== undefined || isShortLived(context, table)) continue;
      yield {
        path,
        message: `${name} has neither point-in-time recovery nor backups.`,
        evidence: `${heldText(context, table)}; what a wrong release deletes or overwrites is lost.`,
        cure: "State pitr: true, which keeps every second of up to 35 days, or backups; ignore this if all of it can be made anew.",
        fix: {
          what: `turns on point-in-time recovery of ${name}`,
          edits: [{ kind: "set", path: [...path, "pitr"], value: true }],
        },
      };
    }
  },
};

/** Everything in it expires within days. */
function isShortLived({ model }: LintContext, { placements, ttl }: Table): boolean {
  return (
    placements.size > 0 &&
    [...placements.keys()].every((name) => {
      const retention = model.entities.get(name)?.retentionMs;
      return ttl?.entities.includes(name) && retention !== undefined && retention < shortMs;
    })
  );
}

/** What lies in a table, in words. */
export function heldText({ facts }: LintContext, table: Table): string {
  const held = facts.records
    .filter((record) => record.table === table && record.role !== "split")
    .map((record) => {
      const count = facts.count(record);
      return `${count === undefined ? "any number of" : amountText(count)} ${record.name}`;
    });
  return held.length === 0 ? "Nothing is said to lie in it" : `It holds ${listText(held)}`;
}
