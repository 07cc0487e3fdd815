import type { Index, Table } from "../../../model/design.ts";
import { moneyPrice, upkeepOf } from "../bills.ts";
import type { LintContext } from "../lint-context.ts";
import type { Fix, Rule } from "../rule.ts";
import { counted, numberText } from "../words.ts";

export const unusedIndex: Rule = {
  id: "unused-index",
  severity: "warning",
  title: "An index serves no pattern, and every write pays for it.",
  topic: "index-writes",
  *check(context) {
    for (const table of context.tables) {
      for (const index of table.indexes.values()) {
        if (isRead(context, index)) continue;
        const load = context.design.loads.loads.find(
          (one) => one.table === table.name && one.index === index.name,
        );
        const writes = (load?.lines ?? []).reduce((sum, one) => sum + one.writes.average, 0);
        yield {
          path: index.path,
          message: `Index ${index.name} of ${table.name} is read by no pattern.`,
          evidence: `It holds ${counted(Math.round(load?.items ?? 0), "entry", "entries")}${index.local ? "" : ` and takes ${numberText(writes)} write units per second`}; the plans of ${counted(context.plans.size, "pattern")} do without it.`,
          price: moneyPrice(upkeepOf(context.design, table, index), load?.storageAssumed ?? true),
          cure: "Take it out, or state the pattern that needs it.",
          fix: dropIndex(table, index),
        };
      }
    }
  },
};

function isRead({ design }: LintContext, index: Index): boolean {
  const requests = [
    ...[...design.plans.values()].flatMap((plan) => plan.requests),
    ...design.loads.background.flatMap((one) => one.requests),
  ];
  return requests.some((request) => request.kind === "read" && request.index === index);
}

/** Takes an index out of the document; the last one with the heading above it. */
export function dropIndex(table: Table, index: Index): Fix {
  const path = table.indexes.size === 1 ? [...table.path, "indexes"] : index.path;
  return { what: `drops ${index.name}`, edits: [{ kind: "delete", path }] };
}
