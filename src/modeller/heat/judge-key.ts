import { type Direction, partitionUnitsMax } from "../../capacity/throughput.ts";
import { isUnknown } from "./joint.ts";
import type { HottestKey, KeyFamily } from "./key-load.ts";
import { loadOf } from "./key-load.ts";
import type { Touch } from "./touch.ts";

/** The hottest key against what one partition can do. */
export interface KeyVerdict {
  readonly direction: Direction;
  readonly units: number;
  readonly ceiling: number;
  readonly over: boolean;
  /** Of what is asked of these keys at peak: the share that one partition has to refuse. */
  readonly throttledShare: number;
  /** The number is the worst case: nobody said how many values there are. */
  readonly uncertain: boolean;
}

export function judgeKey(family: KeyFamily, direction: Direction): KeyVerdict {
  const { units, share } = family.hottest[direction];
  const ceiling = partitionUnitsMax[direction];
  const over = units.peak > ceiling;
  return {
    direction,
    units: units.peak,
    ceiling,
    over,
    throttledShare: over ? share * (1 - ceiling / units.peak) : 0,
    uncertain: family.touches.some(
      (touch) => touch.direction === direction && touch.parts.some(isUnknown),
    ),
  };
}

/** How many shards the hottest key needs, and what they cost those who read. */
export interface ShardNeed {
  /** Write units per second at peak if the key had no shards. */
  readonly unsharded: number;
  /** One means none. */
  readonly needed: number;
  /** What there are, as far as they spread anything. */
  readonly present: number;
  /** Reads that do not know the shard ask all of them: read units per second on average, now and then. */
  readonly gathering: {
    readonly patterns: readonly string[];
    readonly now: number;
    readonly after: number;
  };
}

export function shardNeed(family: KeyFamily): ShardNeed {
  const { write } = family.hottest;
  const unsharded = unshardedUnits(family, write);
  const needed = Math.max(1, Math.ceil(unsharded / partitionUnitsMax.write - 1e-9));
  const shares = family.touches
    .filter(({ direction }) => direction === "write")
    .map(({ shardShare }) => 1 / shardShare);
  const present = shares.length === 0 ? family.shards : Math.round(Math.min(...shares));
  const reads = family.touches.filter(({ direction }) => direction === "read");
  // With shards that are there, only gatherings ask all; if there are none yet, everybody would, in doubt.
  const gathering = present > 1 ? reads.filter(({ gathers }) => gathers) : reads;
  const patterns = gathering.map(({ pattern, what }) => pattern ?? what);
  return {
    unsharded,
    needed,
    present,
    gathering: {
      patterns: [...new Set(patterns)],
      now: sum(gathering.map((one) => loadOf(one).average)),
      after: sum(gathering.map((one) => gatheredUnits(one, needed))),
    },
  };
}

function unshardedUnits(family: KeyFamily, { lines, units }: HottestKey): number {
  const writes = family.touches.filter(({ direction }) => direction === "write");
  if (writes.every(({ shardShare }) => shardShare === writes[0]?.shardShare)) {
    return units.peak / (writes[0]?.shardShare ?? 1);
  }
  return lines.reduce((total, line) => {
    const touch = writes.find(
      ({ pattern, what }) => pattern === line.pattern && what === line.what,
    );
    return total + line.units.peak / (touch?.shardShare ?? 1);
  }, 0);
}

/** The same items from so many keys: each query costs at least the least there is. */
function gatheredUnits({ rate, units, keys, uncached }: Touch, shards: number): number {
  const least = 0.5 * shards * keys;
  return (rate.average ?? 0) * uncached * Math.max(units, least);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}

/** Why the service cannot divide a collection that is hot; nothing if it may, after minutes. */
export function unsplittable(
  family: KeyFamily,
  localIndex: boolean,
): "rising sort key" | "falling sort key" | "local index" | "no sort key" | undefined {
  const [first] = family.touches;
  if (first === undefined) return undefined;
  const hasSort =
    first.index === undefined ? first.table.sort !== undefined : first.index.sort.length > 0;
  if (!hasSort && first.index === undefined) return "no sort key";
  if (localIndex) return "local index";
  const { lines } = family.hottest.write;
  const [most] = lines;
  const touch = family.touches.find(
    ({ pattern, what, direction }) =>
      direction === "write" && pattern === most?.pattern && what === most?.what,
  );
  return touch?.monotonic === undefined ? undefined : `${touch.monotonic} sort key`;
}
