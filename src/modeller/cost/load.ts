import type { Billing, TableClass } from "../../model/design.ts";

/** Of units, requests or changes. */
export interface PerSecond {
  readonly average: number;
  readonly peak: number;
}

/** What one pattern asks of one table or index. */
export interface LoadLine {
  /** The pattern's id; nothing for what the design does by itself (a scheduled aggregate). */
  readonly pattern: string | undefined;
  /** What it does there, in a few words: `Query`, `index entry of Order`. */
  readonly what: string;
  /** Before a cache has taken anything away. */
  readonly reads: PerSecond;
  readonly writes: PerSecond;
  /** A cache could answer these reads: they are neither strong nor transactional. */
  readonly cacheable: boolean;
  /** A rate or a size that they were worked out from is assumed. */
  readonly assumed: boolean;
}

/** What is asked of a table, or of one of its indexes, and what lies in it. */
export interface Load {
  readonly table: string;
  /** Nothing for the table itself. */
  readonly index: string | undefined;
  /** A local index has bytes of its own; its units are in the load of the table. */
  readonly local: boolean;
  /** Tables of periods: the one that is written to, or all that are older, together. */
  readonly period: "current" | "older" | undefined;
  readonly class: TableClass;
  /** A global index of a provisioned table has its own throughput here. */
  readonly billing: Billing;
  readonly lines: readonly LoadLine[];
  readonly items: number;
  /** As it is billed: with 100 B for each item or entry, and 48 B more in a global table. */
  readonly storageBytes: number;
  readonly storageAssumed: boolean;
  /** Units of GetRecords that are not Lambda's, which are free. */
  readonly streamReads: PerSecond;
}

export const none: PerSecond = { average: 0, peak: 0 };

/** What is billed for an item or an index entry besides its bytes. */
export const itemOverheadBytes = 100;
export const globalTableOverheadBytes = 48;

export function sumOfLines(
  lines: readonly LoadLine[],
  pick: (line: LoadLine) => PerSecond,
): PerSecond {
  let [average, peak] = [0, 0];
  for (const line of lines) {
    const one = pick(line);
    average += one.average;
    peak += one.peak;
  }
  return { average, peak };
}
