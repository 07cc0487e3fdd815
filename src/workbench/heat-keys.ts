import type { KeyFamily } from "../modeller/heat/key-load.ts";
import { hottestShare, type Spread } from "../modeller/heat/spread.ts";
import type { Touch } from "../modeller/heat/touch.ts";
import type { Draw, PartitionKeys } from "./simulate-workload.ts";

/** Keys that have names of their own are told apart up to so many combinations of values. */
const namedMax = 500;
/** If only the share of the hottest value is known, the rest is spread over so many. */
const othersAssumed = 1_000;
const countMax = 1e9;
/** Hot keys come first in the order of their numbers, so names are looked for among the first. */
const namesMax = 10_000;

/**
 * How a touch draws its partition keys. All touches of a family draw from the same keys: the first is the hottest
 * of all of them.
 */
export function partitionKeys(family: KeyFamily, touch: Touch): PartitionKeys {
  const named = isNamed(family);
  return {
    draw: named ? namedDraw(family, touch) : countedDraw(touch),
    prefix: `${family.text} no. `,
    shards: shardsOf(touch),
    namesMax,
  };
}

function shardsOf(touch: Touch): PartitionKeys["shards"] {
  const { shards, shardShare, gathers, direction } = touch;
  // Where the number of the shard follows from the key or the time, all is in one place.
  if (shards === 1 || shardShare === 1) return undefined;
  const by = direction === "write" || gathers ? "random" : "calculated";
  return { count: shards, by };
}

/** All keys are known by name: every part is a constant, one of a few values, or the time that it is. */
function isNamed({ touches }: KeyFamily): boolean {
  const parts = touches[0]?.parts.length ?? 0;
  if (parts === 0) return true;
  let size = 1;
  for (let i = 0; i < parts; i += 1) {
    const spreads = touches.flatMap((touch) => touch.parts[i]?.spread ?? []);
    if (spreads.some(({ kind }) => kind !== "values" && kind !== "single")) return false;
    const names = new Set(spreads.flatMap((spread) => [...sharesOf(spread).keys()]));
    size *= Math.max(1, names.size);
  }
  return size <= namedMax;
}

function sharesOf(spread: Spread): ReadonlyMap<string, number> {
  if (spread.kind === "values") return spread.shares;
  return new Map([[spread.kind === "single" ? (spread.value ?? "") : "", 1]]);
}

function namedDraw({ text }: KeyFamily, { parts }: Touch): Draw {
  let weights = new Map<string, number>([[text, 1]]);
  for (const { spread } of parts) {
    const next = new Map<string, number>();
    for (const [name, weight] of weights) {
      for (const [value, share] of sharesOf(spread)) {
        next.set(value === "" ? name : `${name} ${value}`, weight * share);
      }
    }
    weights = next;
  }
  return weights.size === 1
    ? { kind: "fixed", name: [...weights.keys()][0] ?? text }
    : { kind: "weights", weights };
}

function countedDraw({ parts }: Touch): Draw {
  const spreads = parts.map(({ spread }) => spread);
  const [one, ...others] = spreads.filter((spread) => hottestShare(spread) < 1);
  if (one === undefined) return { kind: "hot", count: 1, keys: 1, share: 1 };
  if (others.length === 0 && one.kind === "zipf") {
    return {
      kind: "zipf",
      count: Math.min(countMax, Math.round(one.count)),
      exponent: one.exponent,
    };
  }
  const all = [one, ...others];
  const count = Math.round(
    Math.min(
      countMax,
      all.reduce((product, spread) => product * countOf(spread), 1),
    ),
  );
  const share = all.reduce((product, spread) => product * hottestShare(spread), 1);
  if (all.every(({ kind }) => kind === "even"))
    return { kind: "uniform", count: Math.max(1, count) };
  return { kind: "hot", count: Math.max(2, count), keys: 1, share };
}

function countOf(spread: Spread): number {
  switch (spread.kind) {
    case "even":
    case "zipf":
      return spread.count;
    case "hottest":
      return spread.count ?? othersAssumed;
    case "values":
      return spread.shares.size;
    case "single":
      return 1;
  }
}
