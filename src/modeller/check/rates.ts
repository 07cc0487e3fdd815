import type { Pattern } from "../../model/requirements.ts";

/** Requests per second of several patterns together. */
export interface TotalRates {
  readonly average: number;
  readonly peak: number;
  /** No rate is missing. */
  readonly isWhole: boolean;
}

export function totalRates(patterns: readonly Pattern[]): TotalRates {
  let [average, peak, isWhole] = [0, 0, true];
  for (const { rps } of patterns) {
    average += rps.average?.value ?? 0;
    peak += peakOf(rps);
    if (rps.average === undefined || rps.peak === undefined) isWhole = false;
  }
  return { average, peak, isWhole };
}

/** The most that is known of a rate. */
export function peakOf({ average, peak }: Pattern["rps"]): number {
  return peak?.value ?? average?.value ?? 0;
}
