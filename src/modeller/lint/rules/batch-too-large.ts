import type { PlannedRequest } from "../../plans/plan.ts";
import { patternText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { bytesText, counted, numberText } from "../words.ts";

const megabyte = 1_024 ** 2;
const limits = {
  BatchGetItem: { items: 100, bytes: 16 * megabyte },
  BatchWriteItem: { items: 25, bytes: 16 * megabyte },
  TransactGetItems: { items: 100, bytes: 4 * megabyte },
  TransactWriteItems: { items: 100, bytes: 4 * megabyte },
} as const;

export const batchTooLarge: Rule = {
  id: "batch-too-large",
  severity: "warning",
  title: "A batch or transaction has more items or bytes than one request takes.",
  topic: "batches",
  *check({ plans, facts }) {
    for (const { pattern, requests } of plans.values()) {
      for (const request of requests) {
        const { operation } = request;
        if (!(operation in limits)) continue;
        const limit = limits[operation as keyof typeof limits];
        const parts = partsOf(request);
        const items = parts.reduce((sum, { count }) => sum + count, 0);
        const bytes = parts.reduce(
          (sum, { record, count }) => sum + (facts.sizes.item(record)?.mean ?? 0) * count,
          0,
        );
        // What follows from a list is read in as many batches as it takes.
        const isList =
          request.kind === "read" && request.times.some(({ why }) => why === "results");
        if (isList || (items <= limit.items && bytes <= limit.bytes)) continue;
        const isTransaction = operation.startsWith("Transact");
        const tooMany = items > limit.items;
        yield {
          path: pattern.path,
          severity: isTransaction ? "error" : "warning",
          message: `${patternText(pattern)} has ${tooMany ? counted(Math.ceil(items), "item") : bytesText(bytes)} in one ${operation}.`,
          evidence: `${operation} takes ${numberText(limit.items)} items and ${bytesText(limit.bytes)}; this one has ${numberText(Math.ceil(items))} and ${bytesText(bytes)} on average.`,
          cure: isTransaction
            ? "Split it so that each part makes sense by itself, or write in batches and mark the whole as done at the end."
            : `Send ${counted(Math.max(Math.ceil(items / limit.items), Math.ceil(bytes / limit.bytes)), "request")}, and expect that some of them succeed and others do not.`,
        };
      }
    }
  },
};

function partsOf(request: PlannedRequest) {
  return request.kind === "read"
    ? [{ record: request.record, count: request.expected.calls }]
    : request.actions;
}
