import { moneyPrice } from "../bills.ts";
import { isCheaper, tableModes } from "../modes.ts";
import type { Rule } from "../rule.ts";
import { moneyText, shareText } from "../words.ts";

export const infrequentAccessCheaper: Rule = {
  id: "infrequent-access-cheaper",
  severity: "warning",
  title: "A table stores much and is used little: the class Standard-IA would cost less.",
  topic: "standard-infrequent-access",
  *check(context) {
    for (const { table, option, assumed } of tableModes(context)) {
      const mode = table.billing.mode === "on-demand" ? "on-demand" : "auto-scaling";
      const isReserved = table.billing.mode === "provisioned" && table.billing.reserved;
      const [own, other] = [option("standard", mode), option("infrequent-access", mode)];
      // Reserved capacity is for the standard class alone.
      if (table.class !== "standard" || isReserved || own === undefined || other === undefined)
        continue;
      if (!isCheaper(own.total, other.total)) continue;
      yield {
        path: [...table.path],
        message: `${table.name} costs less in the class Standard-IA.`,
        evidence: `Storage is ${moneyText(own.storage)} beside ${moneyText(own.throughput)} for throughput in a month; in Standard-IA ${moneyText(other.storage)} and ${moneyText(other.throughput)}, ${shareText(1 - other.total / own.total)} less.`,
        price: moneyPrice(own.total - other.total, assumed),
        cure: "State class: infrequent-access; it can be changed twice in 30 days, without a pause.",
        fix: {
          what: `puts ${table.name} into Standard-IA`,
          edits: [{ kind: "set", path: [...table.path, "class"], value: "infrequent-access" }],
        },
      };
    }
  },
};
