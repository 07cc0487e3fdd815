import type { Entity, Pattern } from "../../../model/requirements.ts";
import type { LintContext } from "../lint-context.ts";
import { patternText, writesIn } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { amountText, numberText, shareText } from "../words.ts";

/** How long an item is held by a transaction, roughly. */
const heldSeconds = 0.02;
/** One in ten meets another one. */
const conflictsMin = 0.1;

export const transactionContention: Rule = {
  id: "transaction-contention",
  severity: "warning",
  title: "Many transactions at once write the same item, and cancel each other.",
  topic: "transactions",
  *check(context) {
    for (const { pattern, request } of writesIn(context)) {
      if (request.operation !== "TransactWriteItems") continue;
      for (const { record, kind, count } of request.actions) {
        if (kind === "put" || kind === "check") continue;
        const share = hottestItem(context, pattern, record.entity);
        const peak = pattern.rps.peak ?? pattern.rps.average;
        if (share === undefined || peak === undefined) continue;
        const perItem = peak.value * Math.min(1, share * count);
        const conflicts = 1 - Math.exp(-perItem * heldSeconds);
        if (conflicts < conflictsMin) continue;
        yield {
          path: pattern.path,
          message: `${patternText(pattern)} writes the same ${record.name} in many transactions at once.`,
          evidence: `At a peak of ${amountText(peak)} per second, ${numberText(perItem)} of them change the item that is used most; with 20 ms each (assumed), ${shareText(conflicts)} meet another one and are cancelled.`,
          price: { kind: "throttled", share: conflicts },
          cure: `Take ${record.name} out of the transaction and change it by a stream or by a plain update, or spread it over several items.`,
        };
      }
    }
  },
};

/** The share of a pattern's runs that change the item which is changed most. */
export function hottestItem(
  { facts }: LintContext,
  { skew }: Pattern,
  entity: Entity,
): number | undefined {
  const count = facts.cardinality.count(entity)?.value;
  if (skew?.kind === "hottest" && entity.id.includes(skew.key)) {
    // Of the other parts of the id there is one at best.
    return entity.id.length === 1 ? skew.value.value : undefined;
  }
  return count === undefined || count === 0 ? undefined : 1 / count;
}
