import { moneyPrice } from "../bills.ts";
import { withoutIndexPlans } from "../index-drop.ts";
import type { Rule } from "../rule.ts";
import { bytesText, listText } from "../words.ts";
import { dropIndex } from "./unused-index.ts";

const smallBytes = 64 * 1_024;

export const indexForSmallCollection: Rule = {
  id: "index-for-small-collection",
  severity: "warning",
  title: "An index serves a collection so small that a filter on the table is cheaper.",
  topic: "filters",
  *check(context) {
    for (const table of context.tables) {
      for (const index of table.indexes.values()) {
        const drop = withoutIndexPlans(context, table, index);
        if (drop === undefined || !drop.loses || drop.bytes > smallBytes) continue;
        const names = drop.instead.map(({ pattern, source }) => `${pattern.id} from ${source}`);
        yield {
          path: index.path,
          message: `Index ${index.name} of ${table.name} serves collections that could be read as a whole.`,
          evidence: `Without it, ${listText(names)} would be read with a filter or sorted by the caller, ${bytesText(drop.bytes)} at most for one answer on average; that costs less than to keep the index.`,
          price: moneyPrice(drop.saved, false),
          cure: "Take the index out, query the table and let a filter or the caller do the rest; come back to it when collections grow beyond 64 KB.",
          fix: dropIndex(table, index),
        };
      }
    }
  },
};
