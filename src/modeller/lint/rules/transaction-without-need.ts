import type { Edit } from "../../../document/edit.ts";
import type { Pattern } from "../../../model/requirements.ts";
import { moneyPrice } from "../bills.ts";
import type { LintContext } from "../lint-context.ts";
import { monthly } from "../money.ts";
import { patternText, runsText, writesIn } from "../requests.ts";
import type { Fix, Rule } from "../rule.ts";
import { numberText } from "../words.ts";

export const transactionWithoutNeed: Rule = {
  id: "transaction-without-need",
  severity: "warning",
  title: "A transaction writes a single item, which a plain write does for half the units.",
  topic: "transactions",
  *check(context) {
    for (const { pattern, request, estimate } of writesIn(context)) {
      const [action, more] = request.actions;
      if (request.operation !== "TransactWriteItems" || action === undefined || more !== undefined)
        continue;
      if (action.count > 1 || !pattern.transaction) continue;
      const { table } = action.record;
      const own = estimate.arms.find((arm) => arm.index === undefined)?.write ?? 0;
      const writes = (own / 2) * (pattern.rps.average?.value ?? 0);
      yield {
        path: [...pattern.path, "transaction"],
        message: `${patternText(pattern)} is a transaction of one item.`,
        evidence: `It takes ${numberText(own)} write units of ${table.name} instead of ${numberText(own / 2)}; a write of one item is whole or not at all anyway, with its condition; ${runsText(pattern)}.`,
        price: moneyPrice(
          monthly(context.prices, table, { writes }),
          pattern.rps.average?.assumed ?? false,
        ),
        cure: "Make it a plain create, update or delete.",
        fix: fixOf(context, pattern),
      };
    }
  },
};

/** The only step takes the place of the transaction. */
function fixOf({ model }: LintContext, pattern: Pattern): Fix | undefined {
  const [document] = Object.entries(model.document.patterns ?? {}).flatMap(([id, one]) =>
    id === pattern.id ? [one] : [],
  );
  const [step, more] = document?.transaction ?? [];
  if (step === undefined || more !== undefined) return undefined;
  const edits: Edit[] = [{ kind: "delete", path: [...pattern.path, "transaction"] }];
  for (const [member, value] of Object.entries(step)) {
    if (member !== "average") edits.push({ kind: "set", path: [...pattern.path, member], value });
  }
  return { what: `makes ${pattern.id} a plain write`, edits };
}
