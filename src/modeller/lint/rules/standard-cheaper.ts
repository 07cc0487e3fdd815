import { moneyPrice } from "../bills.ts";
import { isCheaper, tableModes } from "../modes.ts";
import type { Rule } from "../rule.ts";
import { moneyText, shareText } from "../words.ts";

export const standardCheaper: Rule = {
  id: "standard-cheaper",
  severity: "warning",
  title: "A table in the class Standard-IA is used so much that Standard would cost less.",
  topic: "standard-infrequent-access",
  *check(context) {
    for (const { table, option, assumed } of tableModes(context)) {
      const mode = table.billing.mode === "on-demand" ? "on-demand" : "auto-scaling";
      const [own, other] = [option("infrequent-access", mode), option("standard", mode)];
      if (table.class === "standard" || own === undefined || other === undefined) continue;
      if (!isCheaper(own.total, other.total)) continue;
      yield {
        path: [...table.path, "class"],
        message: `${table.name} costs less in the standard class.`,
        evidence: `Throughput is ${moneyText(own.throughput)} beside ${moneyText(own.storage)} for storage in a month; in Standard ${moneyText(other.throughput)} and ${moneyText(other.storage)}, ${shareText(1 - other.total / own.total)} less.`,
        price: moneyPrice(own.total - other.total, assumed),
        cure: "Take the class out, so that the table is Standard.",
        fix: {
          what: `puts ${table.name} into the standard class`,
          edits: [{ kind: "delete", path: [...table.path, "class"] }],
        },
      };
    }
  },
};
