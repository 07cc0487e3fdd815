import { transactionActionsMax, transactionBytesMax } from "../../api/limits.ts";
import type { Facts } from "../facts.ts";
import type { PlannedRequest } from "../plans/plan.ts";

/** What a transaction has more of than DynamoDB takes: it is refused every time that it is sent. */
export interface Overflow {
  readonly what: "items" | "bytes";
  readonly amount: number;
  readonly most: number;
}

/** Nothing for requests that are no transactions, and for those that stay below the limits on average. */
export function transactionOverflow(facts: Facts, request: PlannedRequest): Overflow | undefined {
  const { operation } = request;
  if (operation !== "TransactWriteItems" && operation !== "TransactGetItems") return undefined;
  const parts =
    request.kind === "read"
      ? [{ record: request.record, count: request.expected.calls }]
      : request.actions;
  const items = parts.reduce((sum, { count }) => sum + count, 0);
  if (items > transactionActionsMax) {
    return { what: "items", amount: items, most: transactionActionsMax };
  }
  const bytes = parts.reduce(
    (sum, { record, count }) => sum + (facts.sizes.item(record)?.mean ?? 0) * count,
    0,
  );
  return bytes > transactionBytesMax
    ? { what: "bytes", amount: bytes, most: transactionBytesMax }
    : undefined;
}
