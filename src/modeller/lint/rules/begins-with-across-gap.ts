import { blockedKeys } from "../blocked-keys.ts";
import type { Rule } from "../rule.ts";

export const beginsWithAcrossGap: Rule = {
  id: "begins-with-across-gap",
  severity: "warning",
  title: "A part of a sort key is asked for, but a part before it is not.",
  topic: "begins-with",
  *check(context) {
    for (const { pattern, key, by, asked } of blockedKeys(context, false)) {
      yield {
        path: by.side.path,
        message: `${asked.attribute} in ${key.what} cannot be asked for without ${by.attribute} before it.`,
        evidence: `Pattern ${pattern.id} names ${asked.attribute} and not ${by.attribute}; a query takes a sort key from its beginning and skips nothing.`,
        cure: `Put ${asked.attribute} before ${by.attribute}, name ${by.attribute} in the pattern, or make an index that begins with ${asked.attribute}.`,
      };
    }
  },
};
