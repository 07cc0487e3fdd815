import type { Edit } from "../../../document/edit.ts";
import { moneyPrice } from "../bills.ts";
import { isCheaper, tableModes } from "../modes.ts";
import type { Rule } from "../rule.ts";
import { moneyText, shareText } from "../words.ts";

export const onDemandCheaper: Rule = {
  id: "on-demand-cheaper",
  severity: "warning",
  title: "A table with provisioned throughput would cost less on demand.",
  topic: "on-demand",
  *check(context) {
    for (const { table, now, option, assumed } of tableModes(context)) {
      if (table.billing.mode !== "provisioned") continue;
      const other = option(table.class, "on-demand");
      if (other === undefined || !isCheaper(now, other.total)) continue;
      const edits: Edit[] = [
        { kind: "set", path: [...table.path, "billing"], value: "on-demand" },
        ...[...table.indexes.values()].flatMap(({ path, throughput }): Edit[] =>
          throughput === undefined ? [] : [{ kind: "delete", path: [...path, "throughput"] }],
        ),
      ];
      yield {
        path: [...table.path, "billing"],
        message: `${table.name} costs less on demand than with what is provisioned.`,
        evidence: `${moneyText(other.total)} in a month on demand, ${moneyText(now)} as it is provisioned: ${shareText(1 - other.total / now)} less at these rates, with storage.`,
        price: moneyPrice(now - other.total, assumed),
        cure: "Make it on-demand, or provision less and let auto scaling follow the load.",
        fix: { what: `makes ${table.name} on-demand`, edits },
      };
    }
  },
};
