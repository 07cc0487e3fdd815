import type { BillLine, PatternFacts } from "./bill.ts";
import { sumOf } from "./bill.ts";

/** What the bill depends on: everything else as it is. */
export interface Sensitivity {
  readonly largest: { readonly what: string; readonly dollars: number } | undefined;
  /** The requests per second above which a pattern is the largest line. */
  readonly overtakes: readonly {
    readonly pattern: string;
    readonly now: number;
    readonly above: number;
  }[];
  /** What twice as much of one thing adds to a month, the dearest first. */
  readonly doublings: readonly { readonly what: string; readonly dollars: number }[];
  /** What 1 % more of all requests and bytes adds. */
  readonly perPercent: number;
}

export function sensitivityOf(
  lines: readonly BillLine[],
  patterns: ReadonlyMap<string, PatternFacts>,
): Sensitivity {
  const groups = groupsOf(lines);
  const largest = groups.reduce<Group | undefined>(
    (best, group) => (best === undefined || group.dollars > best.dollars ? group : best),
    undefined,
  );
  const overtakes = groups.flatMap((group) => {
    const rps = group.pattern === undefined ? undefined : patterns.get(group.pattern)?.rps.average;
    if (rps === undefined || rps <= 0 || group.grows <= 0 || largest === undefined) return [];
    if (group === largest || group.pattern === undefined) return [];
    // Linear: a fixed part and a part for each request.
    const above = (largest.dollars - (group.dollars - group.grows)) / (group.grows / rps);
    return [{ pattern: group.pattern, now: rps, above }];
  });
  return {
    largest: largest && { what: largest.what, dollars: largest.dollars },
    overtakes: overtakes.toSorted((a, b) => a.above / a.now - b.above / b.now),
    doublings: groups
      .filter(({ grows }) => grows > 0)
      .map(({ what, grows }) => ({ what, dollars: grows }))
      .toSorted((a, b) => b.dollars - a.dollars),
    perPercent: groups.reduce((sum, { grows }) => sum + grows, 0) / 100,
  };
}

interface Group {
  readonly what: string;
  readonly pattern: string | undefined;
  readonly dollars: number;
  /** The part that doubles with its input. */
  readonly grows: number;
}

/** Lines as people speak of them: a pattern, what a table stores, a cache. */
function groupsOf(lines: readonly BillLine[]): readonly Group[] {
  const byName = new Map<string, { pattern: string | undefined; lines: BillLine[] }>();
  for (const line of lines) {
    const what =
      line.pattern !== undefined
        ? `the requests of pattern ${line.pattern}`
        : line.grows === "bytes"
          ? `what ${line.table} stores`
          : `the ${line.kind} of ${line.table}`;
    const group = byName.get(what) ?? { pattern: line.pattern, lines: [] };
    group.lines.push(line);
    byName.set(what, group);
  }
  return [...byName].map(([what, group]) => ({
    what,
    pattern: group.pattern,
    dollars: sumOf(group.lines).average,
    grows: sumOf(group.lines.filter(({ grows }) => grows !== "not")).average,
  }));
}
