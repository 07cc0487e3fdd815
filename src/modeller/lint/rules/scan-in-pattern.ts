import { readsPrice } from "../bills.ts";
import { evaluatedIn, patternText, readsIn, runsText, sourceText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { bytesText, counted, numberText } from "../words.ts";

const pageBytes = 1_024 ** 2;

export const scanInPattern: Rule = {
  id: "scan-in-pattern",
  severity: "error",
  title: "A pattern reads a whole table or index, as no key answers it.",
  topic: "scans",
  *check(context) {
    for (const { pattern, request, estimate } of readsIn(context)) {
      if (request.operation !== "Scan") continue;
      const items = evaluatedIn(request);
      const { returned, assumptions } = request.expected;
      const needed = items === 0 ? 0 : (estimate.read * returned) / items;
      yield {
        path: pattern.path,
        // A page of settings may be read as a whole.
        severity: estimate.bytes <= pageBytes ? "hint" : "error",
        message: `${patternText(pattern)} reads all of ${sourceText(request)}.`,
        evidence: `One run goes through ${counted(Math.round(items), "item")} with ${bytesText(estimate.bytes)} in ${counted(Math.ceil(estimate.calls), "call")} and takes ${numberText(estimate.read)} read units to return ${numberText(returned)}; ${runsText(pattern)}.`,
        price: readsPrice(
          context.prices,
          pattern,
          request.table,
          estimate.read - Math.max(0.5, needed),
          assumptions.length > 0,
        ),
        cure: "Give it a key: put what it asks for into the table's key, add an index on it, or let another service answer it.",
      };
    }
  },
};
