import type { Index } from "../../../model/design.ts";
import { counted, listText } from "../../lint/words.ts";
import { structureName } from "../../plans/plan.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

export const indexesUsed: Check = {
  id: "indexes-used",
  title: "Every index answers a pattern",
  run(context) {
    const all = context.tables.flatMap((table) =>
      [...table.indexes.values()].map((index) => ({ table, index })),
    );
    if (all.length === 0) return notApplicable("There are no indexes.");
    const findings = new Findings();
    const users = usersOfIndexes(context);
    for (const { table, index } of all) {
      const name = structureName(table, index);
      const ids = users.get(index) ?? [];
      const counting = context.loads.background.filter(({ requests }) =>
        requests.some((one) => one.kind === "read" && one.index === index),
      );
      if (ids.length > 0) findings.saw(`${name} answers ${listText(ids)}.`);
      else if (counting.length > 0) {
        findings.saw(`${name} is for what ${listText(counting.map(({ why }) => why))}.`);
      } else {
        findings.wrong(
          index.path,
          `${name} answers no pattern, and every write to it is paid for.`,
        );
      }
    }
    findings.saw(`${counted(all.length, "index", "indexes")} in all.`);
    return findings.outcome();
  },
};

/** The ids of the patterns that read each index. */
export function usersOfIndexes(context: CheckContext): ReadonlyMap<Index, readonly string[]> {
  const users = new Map<Index, string[]>();
  for (const pattern of context.served) {
    const indexes = new Set(context.reads(pattern).flatMap(({ index }) => index ?? []));
    for (const index of indexes) {
      const ids = users.get(index) ?? [];
      users.set(index, ids);
      ids.push(pattern.id);
    }
  }
  return users;
}
