import { mentions, patternText, runsText, textsOf } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { counted } from "../words.ts";

const words = /unprocessed|retr(y|ied|ies)|again|left over|comes? back/i;

export const batchWithoutRetry: Rule = {
  id: "batch-without-retry",
  severity: "hint",
  title: "A batch can be done in part, and nothing says what becomes of the rest.",
  topic: "batches",
  *check(context) {
    for (const { pattern, requests, notes } of context.plans.values()) {
      // What a page asks for by several keys is asked for again by its reader.
      const step = requests.findIndex(({ operation }) => operation === "BatchWriteItem");
      const request = requests[step];
      if (request === undefined || request.kind !== "write") continue;
      if (mentions([...textsOf(pattern), ...notes], words)) continue;
      const items = request.actions.reduce((sum, { count }) => sum + count, 0);
      const units = context.estimate(pattern.id)?.requests[step]?.write ?? 0;
      yield {
        path: pattern.path,
        message: `${patternText(pattern)} writes a batch and does not say what becomes of unprocessed items.`,
        evidence: `BatchWriteItem answers with success when some of ${counted(items, "item")} (${counted(units, "write unit")}) are throttled and come back as UnprocessedItems; ${runsText(pattern)}.`,
        cure: "Send UnprocessedItems again with growing pauses until none is left, and say so in the considerations.",
      };
    }
  },
};
