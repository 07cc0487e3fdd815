import { readsPrice } from "../bills.ts";
import { evaluatedIn, patternText, readsIn, runsText, sourceText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { bytesText, counted, listText, numberText } from "../words.ts";

/** A small collection is read as a whole and sorted by whoever asked. */
const smallBytes = 64 * 1_024;

export const sortInClient: Rule = {
  id: "sort-in-client",
  severity: "warning",
  title:
    "No key gives the order that is asked for, so everything is read and sorted by the caller.",
  topic: "sorting",
  *check(context) {
    for (const { pattern, request, estimate } of readsIn(context)) {
      if (request.operation !== "Query" || !request.sortsInClient) continue;
      const bytes = estimate.bytes / request.expected.calls;
      if (bytes <= smallBytes) continue;
      const [action] = pattern.actions;
      const items = evaluatedIn(request);
      const limit = typeof action?.limit === "number" ? action.limit : undefined;
      const needed = limit === undefined ? items : Math.min(limit, items);
      const order = listText((action?.order ?? []).map(({ attribute }) => attribute));
      yield {
        path: [...(action?.path ?? pattern.path), "order"],
        message: `${patternText(pattern)} asks for the order of ${order}, which ${sourceText(request)} does not have.`,
        evidence: `One run reads ${counted(Math.round(items), "item")} with ${bytesText(estimate.bytes)} and ${numberText(estimate.read)} read units, to sort them and return ${numberText(needed)}; ${runsText(pattern)}.`,
        price: readsPrice(
          context.prices,
          pattern,
          request.table,
          estimate.read * (1 - needed / items),
          request.expected.assumptions.length > 0,
        ),
        cure: `Put ${order} into the sort key of the table or of an index with the same partition key.`,
      };
    }
  },
};
