import type { Price, RegionPrices } from "../prices/price.ts";
import type { Load, LoadLine, PerSecond } from "./load.ts";
import type { Month } from "./month.ts";
import { addDollars, type Dollars } from "./throughput.ts";

/** What a table has besides its loads, as far as it is paid for. */
export interface TableFacts {
  readonly name: string;
  /** The table and its indexes, all of one period. */
  readonly loads: readonly Load[];
  readonly pointInTimeRecovery: boolean;
  readonly backups: { readonly everyMs: number; readonly keepMs: number } | undefined;
  readonly replicas: readonly string[];
  readonly dax:
    | {
        readonly node: string;
        readonly nodes: number;
        readonly hitRate: number | undefined;
        readonly hitRateAssumed: boolean;
        readonly patterns: readonly string[];
      }
    | undefined;
  /** Lambda functions that read its stream. */
  readonly streamFunctions: number;
}

export interface PatternFacts {
  readonly id: string;
  readonly name: string;
  /** Requests per second. */
  readonly rps: PerSecond;
  readonly assumed: boolean;
}

export interface CostInput {
  readonly tables: readonly TableFacts[];
  readonly patterns: ReadonlyMap<string, PatternFacts>;
  readonly prices: RegionPrices;
  readonly pricesOf: (region: string) => RegionPrices | undefined;
  readonly month: Month;
}

export type LineKind =
  | "reads"
  | "writes"
  | "replicated writes"
  | "storage"
  | "point-in-time recovery"
  | "backups"
  | "stream reads"
  | "cache";

export interface BillLine {
  readonly kind: LineKind;
  readonly table: string;
  readonly index: string | undefined;
  readonly period: Load["period"];
  /** A replica's; nothing for the model's own Region. */
  readonly replica: string | undefined;
  /** Nothing for what no pattern causes. */
  readonly pattern: string | undefined;
  /** How it was worked out, in words: most bills are made to be compared, and nobody reads them. */
  readonly how: () => string;
  readonly price: Price;
  readonly dollars: Dollars;
  /** What it grows with: requests, stored bytes, or neither. */
  readonly grows: "requests" | "bytes" | "not";
  readonly assumed: boolean;
}

/** What is not in the bill, or what to know of it. */
export interface Note {
  readonly table: string | undefined;
  readonly text: string;
}

export interface Lines {
  readonly lines: readonly BillLine[];
  readonly notes: readonly Note[];
}

export function sumOf(lines: readonly BillLine[]): Dollars {
  return addDollars(...lines.map(({ dollars }) => dollars));
}

/** The parts of a line that say where it belongs. */
export function placeOf(
  { table, index, period }: Load,
  replica?: string,
): Pick<BillLine, "table" | "index" | "period" | "replica"> {
  return { table, index, period, replica };
}

/** What a cache leaves to be read; nothing is known without a share of hits. */
export function afterCache(loads: readonly Load[], dax: TableFacts["dax"]): readonly Load[] {
  if (dax?.hitRate === undefined) return loads;
  const { hitRate, hitRateAssumed, patterns } = dax;
  const through = new Set(patterns);
  return loads.map((load) => ({
    ...load,
    lines: load.lines.map((line): LoadLine => {
      const isCached = line.cacheable && line.pattern !== undefined && through.has(line.pattern);
      if (!isCached) return line;
      const reads = times(line.reads, 1 - hitRate);
      return { ...line, reads, assumed: line.assumed || hitRateAssumed };
    }),
  }));
}

export function times({ average, peak }: PerSecond, factor: number): PerSecond {
  return { average: average * factor, peak: peak * factor };
}
