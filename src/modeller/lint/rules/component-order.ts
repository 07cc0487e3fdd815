import { blockedKeys } from "../blocked-keys.ts";
import type { Rule } from "../rule.ts";

export const componentOrder: Rule = {
  id: "component-order",
  severity: "warning",
  title: "A part of a sort key that is asked for by range stands before one that is known.",
  topic: "composite-sort-key",
  *check(context) {
    for (const { pattern, key, by, asked } of blockedKeys(context, true)) {
      yield {
        path: by.side.path,
        message: `${by.attribute} stands before ${asked.attribute} in ${key.what}, so ${asked.attribute} only filters.`,
        evidence: `Pattern ${pattern.id} knows ${asked.attribute} and wants a range of ${by.attribute}; a range of keys ends what a query can choose by.`,
        cure: `Put ${asked.attribute} before ${by.attribute}, or make an index in that order.`,
      };
    }
  },
};
