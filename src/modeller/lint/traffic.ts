import type { Quantity } from "../../model/quantities.ts";
import type { Action, Pattern } from "../../model/requirements.ts";
import { amountText } from "./words.ts";

/** A sum of rates, as far as they are known. */
export interface Sum {
  readonly average: Quantity;
  readonly peak: Quantity;
  /** No rate was missing. */
  readonly whole: boolean;
}

/** The patterns that DynamoDB is to answer. */
export function isServed({ status }: Pattern): boolean {
  return status !== "declined" && status !== "alternative";
}

export interface PatternAction {
  readonly pattern: Pattern;
  readonly action: Action;
}

/** Items per second that some actions touch: several of a batch or a transaction count as several. */
export function sumOf(actions: readonly PatternAction[]): Sum {
  let [average, peak, assumed, whole] = [0, 0, false, true];
  for (const { pattern, action } of actions) {
    const { rps } = pattern;
    const times = action.average.value * (pattern.batch?.value ?? 1);
    average += (rps.average?.value ?? 0) * times;
    peak += (rps.peak ?? rps.average ?? { value: 0 }).value * times;
    assumed ||= [rps.average, rps.peak, action.average, pattern.batch].some((one) => one?.assumed);
    whole &&= rps.average !== undefined && rps.peak !== undefined;
  }
  return { average: { value: average, assumed }, peak: { value: peak, assumed }, whole };
}

export function rateText(rate: Quantity): string {
  return `${amountText(rate)} per second`;
}

/** What an update gives other values. */
export function changedBy({ changes, adds, appends, removes }: Action): readonly string[] {
  return [
    ...changes.map(({ attribute }) => attribute),
    ...adds.map(({ attribute }) => attribute),
    ...appends,
    ...removes,
  ];
}

/** What a condition looks at. */
export function conditionAttributes({ condition }: Action): readonly string[] {
  if (condition?.kind === "version") return [condition.attribute];
  if (condition?.kind === "where") return condition.predicates.map(({ attribute }) => attribute);
  return [];
}
