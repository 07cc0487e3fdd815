import { money, monthly } from "../money.ts";
import type { Rule } from "../rule.ts";
import { bytesText, counted } from "../words.ts";

/** What is kept for years need not be deleted soon. */
const longMs = 2 * 365 * 86_400_000;

export const retentionWithoutTtl: Rule = {
  id: "retention-without-ttl",
  severity: "warning",
  title: "An entity is to be kept for a time, and nothing deletes it after that.",
  topic: "ttl",
  *check(context) {
    for (const record of context.facts.records) {
      const { entity, table, role } = record;
      const { retentionMs, growthPerMonth, name } = entity;
      if (role !== "item" || retentionMs === undefined) continue;
      if (table.ttl?.entities.includes(name) || table.periods?.keep !== undefined) continue;
      if (context.writesOf(name).some(({ action }) => action.kind === "delete")) continue;
      const size = context.facts.sizes.item(record)?.mean;
      const count = growthPerMonth ?? entity.count;
      const bytes = size === undefined || count === undefined ? undefined : size * count.value;
      const what = growthPerMonth === undefined ? "All that there is" : "A month";
      yield {
        path: [...entity.path, "retention"],
        severity: retentionMs > longMs ? "hint" : "warning",
        message: `${name} is kept for ${counted(retentionMs / 86_400_000, "day")}, and nothing deletes it from ${table.name}.`,
        evidence:
          bytes === undefined
            ? "How many bytes that are is not known."
            : `${what} has ${bytesText(bytes)}${count?.assumed ? " (assumed)" : ""}, which stays and is paid for.`,
        price:
          bytes === undefined
            ? undefined
            : money(monthly(context.prices, table, { bytes }), count?.assumed === true),
        cure: `Give ${name} a number with the second at which it expires and name it in ttl of ${table.name}; that deletes for free.`,
      };
    }
  },
};
