import { transactionActionsMax } from "../../../api/limits.ts";
import type { Pattern } from "../../../model/requirements.ts";
import { counted, numberText, shareText } from "../../lint/words.ts";
import { type CheckContext, patternName } from "../check-context.ts";
import { peakOf } from "../rates.ts";
import { type Criterion, type Exception, judged } from "./criterion.ts";

/** What a request by a key takes, from the same Region, at the slow end of the usual. */
const requestMs = 10;
/** Below this the network and the service take longer than is asked for. */
const fastestMs = 2;

export const latency: Criterion = {
  id: "latency",
  title: "A few milliseconds for each request are fast enough",
  judge(context) {
    const wishes = context.served.flatMap((pattern) =>
      pattern.latencyMs === undefined ? [] : [{ pattern, ms: pattern.latencyMs }],
    );
    if (wishes.length === 0) return judged("neutral", ["Nobody says how fast it has to be."]);
    const exceptions = wishes.flatMap(({ pattern, ms }): Exception[] => {
      const rounds = Math.max(1, roundsOf(context, pattern));
      const isCached = context.tables.some(({ dax }) => dax?.patterns.includes(pattern.id));
      if (isCached || (ms >= fastestMs && ms >= requestMs * (rounds - 1))) return [];
      return [
        {
          path: pattern.path,
          text: `${patternName(pattern)} should take ${numberText(ms)} ms, with ${counted(rounds, "request")} after each other.`,
          instead: "cache in memory",
          service: undefined,
        },
      ];
    });
    const least = Math.min(...wishes.map(({ ms }) => ms));
    const evidence = [
      `A time is asked of ${counted(wishes.length, "pattern")}; the shortest is ${numberText(least)} ms.`,
    ];
    return judged(exceptions.length > 0 ? "exception" : "for", evidence, { exceptions });
  },
};

/** Requests that have to wait for the answer of another. */
function roundsOf(context: CheckContext, pattern: Pattern): number {
  const { requests } = context.plan(pattern);
  const waiting = requests.filter(
    (one) =>
      one.kind === "read" && [...one.bindings.values()].some(({ kind }) => kind === "result"),
  );
  const writes = requests.some(({ kind }) => kind === "write") && context.reads(pattern).length > 0;
  return 1 + waiting.length + (writes ? 1 : 0);
}

export const consistency: Criterion = {
  id: "consistency",
  title: "Where the newest state is needed, a table can give it",
  judge(context) {
    const strong = context.served.filter(
      ({ kind, consistency: need }) => kind === "read" && need === "strong",
    );
    if (strong.length === 0) return judged("neutral", ["No read needs the newest state."]);
    const exceptions = strong.flatMap((pattern): Exception[] => {
      if (context.design === undefined) return [];
      const { requests, problem } = context.plan(pattern);
      const isLost =
        problem !== undefined || requests.some(({ operation }) => operation === "Scan");
      return isLost
        ? [
            {
              path: pattern.path,
              text: `${patternName(pattern)} needs the newest state by something that only a global index knows, which is always behind.`,
              instead: "relational database",
              service: undefined,
            },
          ]
        : [];
    });
    const evidence = [`${counted(strong.length, "read")} with strong consistency.`];
    return judged(exceptions.length > 0 ? "exception" : "for", evidence, { exceptions });
  },
};

export const eventualReads: Criterion = {
  id: "eventual-reads",
  title: "Most reads may be a moment behind",
  judge({ served }) {
    const reads = served.filter(({ kind }) => kind === "read");
    const total = reads.reduce((sum, { rps }) => sum + peakOf(rps), 0);
    if (total === 0) return judged("neutral", ["No read rates are known."]);
    const eventual = reads.filter((one) => one.consistency === "eventual");
    const share = eventual.reduce((sum, { rps }) => sum + peakOf(rps), 0) / total;
    return judged(share >= 0.5 ? "for" : "neutral", [
      `${shareText(share)} of the read rate at peak may be behind, at half the price.`,
    ]);
  },
};

export const transactionWidth: Criterion = {
  id: "transaction-width",
  title: "What has to happen together is small",
  judge(context) {
    const widths = context.served
      .filter(({ kind }) => kind === "write")
      .map((pattern) => ({ pattern, width: widthOf(context, pattern) }))
      .filter(({ width }) => width > 1);
    if (widths.length === 0) return judged("neutral", ["Nothing has to happen together."]);
    const widest = Math.max(...widths.map(({ width }) => width));
    const over = widths.filter(({ width }) => width > transactionActionsMax);
    const evidence = [
      `In transactions: ${counted(widths.length, "pattern")} with at most ${numberText(widest)} of ${transactionActionsMax} items.`,
    ];
    const exceptions = over.map(
      ({ pattern, width }): Exception => ({
        path: pattern.path,
        text: `${patternName(pattern)} changes ${numberText(width)} items at once; a transaction has at most ${transactionActionsMax}.`,
        instead: "relational database",
        service: undefined,
      }),
    );
    if (over.length * 2 > widths.length) {
      return judged("against", evidence, { exceptions, instead: ["relational database"] });
    }
    return judged(over.length > 0 ? "exception" : "for", evidence, { exceptions });
  },
};

/** Items that one run writes in a transaction. */
function widthOf(context: CheckContext, pattern: Pattern): number {
  const writes = context.writes(pattern);
  if (writes.length > 0) {
    return writes
      .filter(({ operation }) => operation === "TransactWriteItems")
      .reduce((sum, { actions }) => sum + actions.reduce((all, { count }) => all + count, 0), 0);
  }
  if (!pattern.transaction) return 0;
  const batch = pattern.batch?.value ?? 1;
  return pattern.actions.reduce((sum, { average }) => sum + average.value, 0) * batch;
}
