import { readsPrice } from "../bills.ts";
import { patternText, runsText, textsOf } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { sumOf } from "../traffic.ts";
import { amountText, numberText } from "../words.ts";

export const strongReadWithoutNeed: Rule = {
  id: "strong-read-without-need",
  severity: "hint",
  title: "A read is strong, at twice the price, and nothing says why.",
  topic: "read-consistency",
  *check(context) {
    for (const pattern of context.served) {
      const { id, consistency, transaction, actions, path } = pattern;
      const [action] = actions;
      if (pattern.kind !== "read" || consistency !== "strong" || transaction) continue;
      const estimate = context.estimate(id);
      const request = context.plans.get(id)?.requests[0];
      if (action === undefined || estimate === undefined || request?.kind !== "read") continue;
      const writes = context.writesOf(action.entity);
      // Who says what it is needed for has thought of it.
      const isExplained = textsOf(pattern).some((text) => text !== undefined);
      if (isExplained && writes.length > 0) continue;
      const changed =
        writes.length === 0
          ? `No pattern writes ${action.entity}`
          : `${action.entity} is written ${amountText(sumOf(writes).average)} times per second, and an eventual read is behind by some milliseconds`;
      yield {
        path: [...path, "consistency"],
        severity: writes.length === 0 ? "warning" : "hint",
        message: `${patternText(pattern)} reads strongly, and nothing says why.`,
        evidence: `${changed}; a strong read takes ${numberText(estimate.read)} read units instead of ${numberText(estimate.read / 2)}, and ${runsText(pattern)}.`,
        price: readsPrice(
          context.prices,
          pattern,
          request.table,
          estimate.read / 2,
          estimate.assumptions.length > 0,
        ),
        cure: "Read eventually, or say in the requirements who would notice an answer that is some milliseconds old.",
        fix:
          writes.length > 0
            ? undefined
            : {
                what: `reads ${id} eventually`,
                edits: [{ kind: "delete", path: [...path, "consistency"] }],
              },
      };
    }
  },
};
