import { globalIndexesMax, pageBytesMax } from "../../api/limits.ts";
import type { Index } from "../../model/design.ts";
import type { Pattern } from "../../model/requirements.ts";
import { judgeKey } from "../heat/judge-key.ts";
import { keyLoadsOf } from "../heat/key-load.ts";
import type { ReadRequest } from "../plans/plan.ts";
import { estimateRun, type RequestEstimate } from "../units/estimate.ts";
import { isWorthIt, type Priced } from "./bills.ts";
import { indexCandidates, longNames } from "./index-candidates.ts";
import type { LintContext } from "./lint-context.ts";
import { monthly } from "./money.ts";
import { whatIf } from "./what-if.ts";
import { listText, moneyText } from "./words.ts";

/**
 * Judges a read that goes through more items than it returns (a Scan, a filter, sorting by the caller) by the price of the
 * best index that would avoid it. Lint and checklist blame a design only where an index is better.
 */

export interface ReadVerdict {
  /**
   * `avoidable`: an index is cheaper, or answers in time. `cheapest`: every index costs more than it saves.
   * `unavoidable`: no plain index can answer it. `unpriced`: the pattern has no rate.
   */
  readonly kind: "avoidable" | "cheapest" | "unavoidable" | "unpriced";
  /** Dollars a month for the read as it is. */
  readonly perMonth: number | undefined;
  /** One sentence with both prices. */
  readonly text: string;
}

const verdicts = new WeakMap<LintContext, Map<ReadRequest, ReadVerdict>>();

export function readVerdictOf(
  context: LintContext,
  pattern: Pattern,
  request: ReadRequest,
  estimate: RequestEstimate,
): ReadVerdict {
  const known = verdicts.get(context) ?? new Map<ReadRequest, ReadVerdict>();
  verdicts.set(context, known);
  const verdict = known.get(request) ?? decideVerdict(context, pattern, request, estimate);
  known.set(request, verdict);
  return verdict;
}

interface Remedy {
  readonly key: string;
  /** Dollars a month that the whole design costs less; negative if it costs more. */
  readonly saved: number;
  /** It answers within the pattern's latency, and the read of today does not. */
  readonly isInTime: boolean;
  /** At peak, one of its keys gets more than a partition gives. */
  readonly isHot: () => boolean;
}

function decideVerdict(
  context: LintContext,
  pattern: Pattern,
  request: ReadRequest,
  estimate: RequestEstimate,
): ReadVerdict {
  const { average } = pattern.rps;
  const candidates = indexCandidates(context.model, pattern, request);
  if (average === undefined) {
    const text = "Its price is unknown, as the pattern has no average rate.";
    return { kind: "unpriced", perMonth: undefined, text };
  }
  const reads = average.value * estimate.read;
  const perMonth = monthly(context.prices, request.table, { reads });
  const today = `${request.operation}: ${moneyText(perMonth)}/month`;
  if (request.table.indexes.size >= globalIndexesMax || candidates.length === 0) {
    const long = longNames(pattern, request);
    const hash =
      long.length === 0
        ? ""
        : ` ${listText(long)} can be too long for a key: a GSI needs a hash of it in an attribute of its own.`;
    return { kind: "unavoidable", perMonth, text: `${today}; no GSI can answer it.${hash}` };
  }
  const isLate = isLateScan(pattern, request, estimate);
  const remedies = candidates.flatMap(({ key, model, index }): Remedy[] => {
    const { saved, after } = whatIf(context, request.table, model);
    const plan = after.plans.get(pattern.id);
    if (plan === undefined || plan.problem !== undefined) return [];
    const own = plan.requests.filter((one) => one.kind === "read");
    if (own.some((one) => one.operation === "Scan")) return [];
    // The planner does not take it: it costs its writes and serves nothing.
    const { read } = estimateRun(after.facts, plan.requests);
    if (read === context.estimate(pattern.id)?.read) return [];
    return [{ key, saved, isInTime: isLate, isHot: () => hasHotKey(after, index) }];
  });
  // A plain index has no shards, so none replaces the read where its hottest key is throttled.
  const best = remedies.toSorted((a, b) => b.saved - a.saved).find(({ isHot }) => !isHot());
  if (best === undefined) {
    return { kind: "cheapest", perMonth, text: `${today}; no GSI without shards reads less.` };
  }
  const instead = `GSI with ${best.key}: ${moneyText(perMonth - best.saved)}/month`;
  const isBetter = best.isInTime || isWorthIt(best.saved, context.design);
  return {
    kind: isBetter ? "avoidable" : "cheapest",
    perMonth,
    text: `${today}; ${instead} for its reads, writes and storage.`,
  };
}

function hasHotKey({ facts, plans }: Priced, { name }: Index): boolean {
  const load = keyLoadsOf(facts, plans).find(({ index }) => index?.name === name);
  return load?.families.some((one) => directions.some((way) => judgeKey(one, way).over)) ?? false;
}

const directions = ["read", "write"] as const;

/** How long one page of a Scan is taken to take. */
const pageMs = 10;

function isLateScan(
  { latencyMs }: Pattern,
  { operation }: ReadRequest,
  { bytes }: RequestEstimate,
): boolean {
  if (latencyMs === undefined || operation !== "Scan") return false;
  return Math.ceil(bytes / pageBytesMax) * pageMs > latencyMs;
}
