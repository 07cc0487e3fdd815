import type { Table } from "../../model/design.ts";
import { filterMax } from "./service-limits.ts";

/** A function that reads the stream of a table. */
export interface Consumer {
  readonly name: string;
  readonly purpose: string | undefined;
  readonly batch: number;
  readonly windowSeconds: number;
  /** One pattern as JSON. */
  readonly filter: string | undefined;
  readonly start: "LATEST" | "TRIM_HORIZON";
  readonly parallel: number;
  readonly bisect: boolean;
  readonly retries: number | undefined;
  readonly maxAgeSeconds: number | undefined;
  readonly reportItemFailures: boolean;
  /** It does not try forever, so what it gives up has to be told to somebody: a queue. */
  readonly givesUp: boolean;
}

export function consumersOf({ consumers }: Table): readonly Consumer[] {
  return consumers.map((one) => ({
    name: one.name,
    purpose: one.purpose,
    batch: one.batch,
    windowSeconds: Math.ceil(one.windowMs / 1_000),
    filter: isTooLong(one.filter) ? undefined : one.filter && JSON.stringify(one.filter),
    start: one.start === "latest" ? "LATEST" : "TRIM_HORIZON",
    parallel: one.parallel,
    bisect: one.bisect,
    retries: one.retries,
    maxAgeSeconds: one.maxAgeMs === undefined ? undefined : Math.ceil(one.maxAgeMs / 1_000),
    reportItemFailures: one.reportItemFailures,
    givesUp: one.retries !== undefined || one.maxAgeMs !== undefined,
  }));
}

export function longFilters(table: Table): readonly string[] {
  return table.consumers.flatMap(({ name, filter }) =>
    isTooLong(filter)
      ? [
          `The filter of ${name} on ${table.name} is not in it: Lambda takes ${filterMax} characters. The function gets all changes.`,
        ]
      : [],
  );
}

function isTooLong(filter: object | undefined): boolean {
  return filter !== undefined && JSON.stringify(filter).length > filterMax;
}

/** What the role of the function has to allow before the stream can be mapped to it. */
export const streamActions = [
  "dynamodb:DescribeStream",
  "dynamodb:GetRecords",
  "dynamodb:GetShardIterator",
] as const;

/** A queue keeps what it is told for two weeks, the longest that there is. */
export const queueSeconds = 14 * 24 * 3_600;
