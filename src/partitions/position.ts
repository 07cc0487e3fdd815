/**
 * A place in the key space of a table or index: where the partition key's hash lies, then the sort
 * key's bytes. One hash holds a whole item collection.
 */
export interface Position {
  /** The first 48 bits of the hash: as many as a number can do arithmetic with. */
  readonly hash: number;
  /** Order-preserving; without bytes: the beginning of the collection. */
  readonly sort: Uint8Array;
}

export const hashSpace = 2 ** 48;
export const noSort: Uint8Array = new Uint8Array(0);
export const spaceStart: Position = { hash: 0, sort: noSort };
export const spaceEnd: Position = { hash: hashSpace, sort: noSort };

/** Negative if `a` comes before `b`. */
export function comparePositions(a: Position, b: Position): number {
  if (a.hash !== b.hash) return a.hash - b.hash;
  return compareSort(a.sort, b.sort);
}

export function compareSort(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The place right behind a position: nothing lies between the two. */
export function after({ hash, sort }: Position): Position {
  const longer = new Uint8Array(sort.length + 1);
  longer.set(sort);
  return { hash, sort: longer };
}

/** The hash of a partition key, as the first six of its bytes say. */
export function hashOfBytes(bytes: Uint8Array, from = 0): number {
  let hash = 0;
  for (let i = from; i < from + 6; i += 1) hash = hash * 256 + (bytes[i] as number);
  return hash;
}
