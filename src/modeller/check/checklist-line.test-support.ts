import type { Swap } from "./check.test-support.ts";

/** A line that designers are told to go through, what carries it here, and a design that fails it. */
export interface ChecklistLine {
  /** Where it is from: `1r` requirements and `1d` design of the second collection, `1c` its manners; else the number. */
  readonly from: "0" | "1r" | "1d" | "1c" | "3" | "4";
  /** In our own words. */
  readonly line: string;
  readonly check: string;
  /** Changes of the sound design that break the line. */
  readonly bad: readonly Swap[];
  /** What is then said, each with its kind and path. */
  readonly points: readonly string[];
  /** Changes that come close and keep the line; the sound design always does. */
  readonly good?: readonly Swap[];
}
