import { itemSizeBytesMax } from "../../../api/limits.ts";
import { largestItem } from "../largest.ts";
import type { Rule } from "../rule.ts";
import { bytesText } from "../words.ts";

export const itemTooLarge: Rule = {
  id: "item-too-large",
  severity: "error",
  title: "An item can become larger than 400 KB, and then it can no longer be written.",
  topic: "large-items",
  *check({ model, facts }) {
    for (const record of facts.records) {
      const { bytes, part, partBytes, assumed } = largestItem(model, record);
      if (bytes <= itemSizeBytesMax) continue;
      const placement = record.table.placements.get(record.entity.name);
      yield {
        path: placement?.path ?? record.table.path,
        message: `An item of ${record.name} in ${record.table.name} can become too large.`,
        evidence: `It can have ${bytesText(bytes)}${assumed ? " (assumed)" : ""}, of which ${part} has ${bytesText(partBytes)}; ${bytesText(itemSizeBytesMax)} are the most.`,
        cure: `Store ${part} in S3 with its key in the item (elsewhere), or in items of its own (split).`,
      };
    }
  },
};
