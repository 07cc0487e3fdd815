import { itemSizeBytesMax } from "../../../api/limits.ts";
import { embeddedMax, relationTo } from "../largest.ts";
import type { Rule } from "../rule.ts";
import { amountText, bytesText, numberText } from "../words.ts";

export const embeddedUnbounded: Rule = {
  id: "embedded-unbounded",
  severity: "warning",
  title: "Entities lie inside of another one's item, and nothing says how many there can be.",
  topic: "embedding",
  *check({ model, tables }) {
    for (const { placements, name: table } of tables) {
      for (const { entity: name, embeds, path } of placements.values()) {
        for (const [i, { entity: innerName, as }] of embeds.entries()) {
          const [host, inner] = [model.entities.get(name), model.entities.get(innerName)];
          if (host === undefined || inner === undefined) continue;
          const relation = relationTo(model, host, inner);
          if (relation?.max !== undefined || relation?.kind === "one-to-one") continue;
          const bytes = embeddedMax(inner);
          const average = relation?.average;
          yield {
            path: [...path, "embeds", i],
            message: `Any number of ${innerName} can lie in one ${name} in ${table} (${as}).`,
            evidence: `There are ${average === undefined ? "an unknown number" : amountText(average)} on average; with up to ${bytesText(bytes)} each, ${numberText(Math.floor(itemSizeBytesMax / bytes))} fill an item.`,
            cure: `State max in the relation from ${name} to ${innerName} if there is one; else give each ${innerName} an item of its own.`,
          };
        }
      }
    }
  },
};
