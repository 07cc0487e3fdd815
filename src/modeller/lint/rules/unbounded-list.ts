import { itemSizeBytesMax } from "../../../api/limits.ts";
import { elementBytes } from "../largest.ts";
import type { Rule } from "../rule.ts";
import { changedBy } from "../traffic.ts";
import { amountText, bytesText, numberText } from "../words.ts";

export const unboundedList: Rule = {
  id: "unbounded-list",
  severity: "warning",
  title: "A list or set grows without bound inside of an item.",
  topic: "one-to-many",
  *check(context) {
    const seen = new Set<unknown>();
    for (const { entity, attributes, table } of context.facts.records) {
      for (const { content } of attributes) {
        if (content.kind !== "attribute" || seen.has(content.attribute)) continue;
        const { attribute } = content;
        const { elements, name } = attribute;
        if (elements === undefined || elements.max !== undefined) continue;
        seen.add(attribute);
        const bytes = elementBytes(attribute);
        const appended = context
          .writesOf(entity.name)
          .some(({ action }) => changedBy(action).includes(name));
        const fits = bytes === undefined || bytes === 0 ? undefined : itemSizeBytesMax / bytes;
        yield {
          path: attribute.path,
          severity: appended || entity.attributes.get(name)?.mutable ? "warning" : "hint",
          message: `${entity.name}.${name} in ${table.name} has no bound on its elements.`,
          evidence: `It has ${amountText(elements.average)} on average and no max${fits === undefined ? "" : `; with ${bytesText(bytes ?? 0)} each, ${numberText(Math.floor(fits))} fill an item`}.`,
          cure: `State elements.max if there is one; else give each element an item of its own in the same collection.`,
        };
      }
    }
  },
};
