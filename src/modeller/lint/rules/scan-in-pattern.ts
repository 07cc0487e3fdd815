import { pageBytesMax } from "../../../api/limits.ts";
import { readsPrice } from "../bills.ts";
import { type ReadVerdict, readVerdictOf } from "../read-verdict.ts";
import { evaluatedIn, patternText, readsIn, runsText, sourceText } from "../requests.ts";
import type { Rule, Severity } from "../rule.ts";
import { bytesText, counted, numberText } from "../words.ts";

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
      const verdict = readVerdictOf(context, pattern, request, estimate);
      yield {
        path: pattern.path,
        severity: severityOf(verdict, estimate.bytes),
        message: `${patternText(pattern)} reads all of ${sourceText(request)}.`,
        evidence: `One run goes through ${counted(Math.round(items), "item")} with ${bytesText(estimate.bytes)} in ${counted(Math.ceil(estimate.calls), "call")} and takes ${numberText(estimate.read)} read units to return ${numberText(returned)}; ${runsText(pattern)}. ${verdict.text}`,
        // Every index costs more than this Scan: leaving it as it is costs nothing.
        price:
          verdict.kind === "cheapest"
            ? undefined
            : readsPrice(
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

/** An error only if a change of the design would be better: an index that is cheaper, or that answers in time. */
function severityOf({ kind }: ReadVerdict, bytes: number): Severity {
  // One page is read by one call, whether by Query or by Scan.
  if (bytes <= pageBytesMax || kind === "cheapest") return "hint";
  return kind === "unavoidable" ? "warning" : "error";
}
