import { type Cron, nextCronTime, parseCron } from "./cron.ts";
import { TriggerOptionsError } from "./options-error.ts";

/** When a schedule runs: EventBridge's `rate(…)` or `cron(…)`. */
export type ScheduleExpression =
  | { readonly kind: "rate"; readonly everyMs: number }
  | { readonly kind: "cron"; readonly cron: Cron };

/** Seconds are not EventBridge's: they are for trying things out. */
const unitMs: ReadonlyMap<string, number> = new Map([
  ["second", 1_000],
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
]);

export function parseSchedule(text: string): ScheduleExpression {
  const [, kind, inner = ""] = /^(rate|cron)\((.*)\)$/s.exec(text.trim()) ?? [];
  if (kind === "cron") return { kind, cron: parseCron(inner) };
  if (kind === "rate") return { kind, everyMs: parseRate(inner) };
  throw new TriggerOptionsError(
    `a schedule is rate(5 minutes) or cron(0 12 * * ? *), not '${text}'`,
  );
}

function parseRate(text: string): number {
  const [, number = "", unit = ""] = /^\s*([1-9][0-9]{0,8})\s+([a-z]+?)s?\s*$/.exec(text) ?? [];
  const ms = unitMs.get(unit);
  if (ms === undefined) {
    throw new TriggerOptionsError(
      `a rate is a whole number above 0 and minutes, hours or days, such as rate(5 minutes), not 'rate(${text})'`,
    );
  }
  return Number(number) * ms;
}

/**
 * The first time after `after`; undefined if none is left. A rate counts from `since`, when the schedule
 * began: it keeps its rhythm however long its runs take.
 */
export function nextTime(
  expression: ScheduleExpression,
  since: number,
  after: number,
): number | undefined {
  if (expression.kind === "cron") return nextCronTime(expression.cron, after);
  const { everyMs } = expression;
  return since + (Math.floor((after - since) / everyMs) + 1) * everyMs;
}
