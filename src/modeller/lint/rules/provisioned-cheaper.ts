import { moneyPrice } from "../bills.ts";
import { isCheaper, tableModes } from "../modes.ts";
import type { Rule } from "../rule.ts";
import { moneyText, shareText } from "../words.ts";

export const provisionedCheaper: Rule = {
  id: "provisioned-cheaper",
  severity: "hint",
  title: "A table on demand would cost less even if it were provisioned for its peak.",
  topic: "provisioned-and-auto-scaling",
  *check(context) {
    for (const { table, now, option, assumed } of tableModes(context)) {
      if (table.billing.mode !== "on-demand") continue;
      // Provisioned for the peak, nothing is throttled however fast it comes; auto scaling only saves more.
      const other = option(table.class, "at-peak");
      const scaled = option(table.class, "auto-scaling")?.total ?? 0;
      if (other === undefined || !isCheaper(now, other.total)) continue;
      yield {
        path: [...table.path],
        message: `${table.name} costs less with provisioned throughput than on demand.`,
        evidence: `${moneyText(now)} in a month on demand, ${moneyText(other.total)} provisioned for the peak (${shareText(1 - other.total / now)} less), ${moneyText(scaled)} with auto scaling at 70 %; storage is in all of them.`,
        price: moneyPrice(now - other.total, assumed),
        cure: "Provision it with auto scaling once the rates are known from a month of use; stay on demand as long as they are guesses.",
      };
    }
  },
};
