import { textSize } from "../../../item/size.ts";
import { money, monthly } from "../money.ts";
import type { Rule } from "../rule.ts";
import { amountText, bytesText, moneyText, shareText } from "../words.ts";

/** What a short name would have. */
const shortBytes = 2;
const dollarsMin = 25;
const shareMin = 0.15;

export const longNames: Rule = {
  id: "long-names",
  severity: "hint",
  title: "Names of attributes, stored with each of many items, make a good part of their bytes.",
  topic: "item-size",
  *check({ facts, prices, tables }) {
    for (const record of facts.records) {
      const { table, entity, attributes } = record;
      const [count, size] = [facts.count(record), facts.sizes.item(record)];
      if (count === undefined || size === undefined || record.role !== "item") continue;
      let saved = 0;
      for (const { name, content } of attributes) {
        if (content.kind !== "attribute") continue;
        const over = Math.max(0, textSize(name) - shortBytes);
        saved += over * content.attribute.present.value;
      }
      const perMonth = monthly(prices, table, { bytes: saved * count.value });
      if (perMonth < dollarsMin || saved / size.mean < shareMin) continue;
      const placement = tables.find((one) => one === table)?.placements.get(entity.name);
      yield {
        path: placement?.path ?? table.path,
        message: `The names in ${entity.name} of ${table.name} have ${shareText(saved / size.mean)} more bytes than they need.`,
        evidence: `${amountText(count)} items store ${bytesText(saved)} of names that two letters could stand for: ${moneyText(perMonth)} a month for storage alone.`,
        price: money(perMonth, count.assumed),
        cure: "Store the longest of them under short names (names); what reads items then has to know them.",
      };
    }
  },
};
