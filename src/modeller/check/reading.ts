import type { ReadVerdict } from "../lint/read-verdict.ts";
import type { ReadRequest } from "../plans/plan.ts";

/** More items than this in one answer are more than anybody looks at. */
export const pageItems = 1_000;

/** Items that some reads look at, on average. */
export function evaluatedBy(requests: readonly ReadRequest[]): number {
  return requests.reduce(
    (sum, { expected }) => sum + expected.evaluated.reduce((all, { count }) => all + count, 0),
    0,
  );
}

/** A scan that wants what it reads: everything there is, or nearly. */
export function isWholeRead({ expected, filter }: ReadRequest): boolean {
  const items = expected.evaluated.reduce((all, { count }) => all + count, 0);
  return filter.length === 0 && expected.returned >= items / 2;
}

/** Whether the design is to blame for a read: an index is better, or the pattern states no rate. */
export function isBlamed(verdict: ReadVerdict | undefined): boolean {
  return verdict === undefined || verdict.kind === "avoidable" || verdict.kind === "unpriced";
}

/** A sentence, and what the read and the best index cost. */
export function withPrices(sentence: string, verdict: ReadVerdict | undefined): string {
  return verdict === undefined ? sentence : `${sentence} ${verdict.text}`;
}
