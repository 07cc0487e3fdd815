import type { Need } from "./needs.ts";

/** What an index is sorted by: a partition, and an order in it. */
export interface IndexKey {
  readonly partition: readonly string[];
  readonly sort: readonly string[];
}

/**
 * Keys of the same attributes that find the same for everybody: whoever knows all values does not care which of them are
 * in the partition key. Of these the one with most of them there, because it spreads best; others are left out.
 */
export function unlike(
  keys: readonly IndexKey[],
  needs: readonly Need[],
  /** So many attributes the partition key may have. */
  most: number,
): readonly IndexKey[] {
  const found = new Map<string, IndexKey>();
  for (const key of keys) {
    if (key.partition.length > most) continue;
    const what = JSON.stringify([
      [...key.partition, ...key.sort].toSorted(),
      needs.map((need) => seenBy(need, key)),
    ]);
    const known = found.get(what);
    if (known === undefined || known.partition.length < key.partition.length) found.set(what, key);
  }
  return [...found.values()];
}

/** What a need has of a key: the values that are held fast, and the order of what is left. */
function seenBy(need: Need, { partition, sort }: IndexKey): unknown {
  const isKnown = (name: string): boolean => need.equal.includes(name);
  if (!partition.every(isKnown)) return "nothing";
  const open = sort.findIndex((name) => !isKnown(name));
  const known = open < 0 ? sort : sort.slice(0, open);
  const left = open < 0 ? [] : sort.slice(open);
  const isOrdered = need.order.length > 0 || need.ranged.length > 0;
  return [
    [...partition, ...known].toSorted(),
    isOrdered ? left : [],
    // Rights can be bound to values of the partition key alone.
    need.scope.filter((name) => partition.includes(name)),
  ];
}
