import { itemSizeBytesMax } from "../../../api/limits.ts";
import { largestItem } from "../largest.ts";
import type { Rule } from "../rule.ts";
import { bytesText } from "../words.ts";

const nearBytes = 300 * 1_024;

export const itemNearLimit: Rule = {
  id: "item-near-limit",
  severity: "warning",
  title: "An item can come near to 400 KB, the most that an item can have.",
  topic: "item-size",
  *check({ model, facts }) {
    for (const record of facts.records) {
      const { bytes, part, partBytes, assumed } = largestItem(model, record);
      if (bytes <= nearBytes || bytes > itemSizeBytesMax) continue;
      const placement = record.table.placements.get(record.entity.name);
      yield {
        path: placement?.path ?? record.table.path,
        message: `An item of ${record.name} in ${record.table.name} can come near to the limit.`,
        evidence: `It can have ${bytesText(bytes)}${assumed ? " (assumed)" : ""}, of which ${part} has ${bytesText(partBytes)}; ${bytesText(itemSizeBytesMax)} are the most, and each read of it takes ${Math.ceil(bytes / 8_192)} read units or more.`,
        cure: `Store ${part} in S3 with its key in the item (elsewhere), or in items of its own (split).`,
      };
    }
  },
};
