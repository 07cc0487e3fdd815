import { absent, anyOf, atLeast, atMost, type Condition, present } from "./conditions.ts";
import { type AttributePath, UpdateBuilder } from "./expression.ts";
import { isNumberLike, sumNumbers, ValueError } from "./numbers.ts";
import { allShards, randomShard } from "./shard.ts";
import { type PutMember, putMember, type UpdateMember, updateMember } from "./transact.ts";
import { type Attributes, ownOf } from "./values.ts";

/** Numbers that many clients change at once. The service adds, so no change is lost and nobody reads first. */

export interface CountedWrite {
  readonly update: UpdateBuilder;
  readonly condition: Condition | undefined;
}

/** Adds to a counter, which is zero where it is not there. A retry adds again: see `countOnce`. */
export function increment(counter: AttributePath, by: number | bigint = 1): UpdateBuilder {
  return new UpdateBuilder().add(counter, by);
}

export interface CounterBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/**
 * Adds to a counter that must stay within bounds: a stock that is not sold twice, seats that are not
 * overbooked. A counter that is not there is taken to be zero.
 */
export function boundedIncrement(
  counter: AttributePath,
  by: number,
  { min, max }: CounterBounds,
): CountedWrite {
  const isZeroFine = (min === undefined || by >= min) && (max === undefined || by <= max);
  // ADD compares nothing, so what the counter may be before is worked out here.
  const before = (bound: number): number => Number(sumNumbers([bound, -by]));
  const low = min === undefined || by >= 0 ? undefined : atLeast(counter, before(min));
  const high = max === undefined || by <= 0 ? undefined : atMost(counter, before(max));
  const bound = low ?? high;
  const condition = isZeroFine
    ? bound && anyOf(absent(counter), bound)
    : (bound ?? present(counter));
  return { update: increment(counter, by), condition };
}

export interface OnceMarker {
  readonly table: string;
  /** The key of an item that stands for the event: `{ pk: "SEEN#<event id>" }`. */
  readonly key: Attributes;
  /** More that the item holds, such as the second when it may go. */
  readonly attributes?: Attributes | undefined;
}

/**
 * Counts an event once, however often it is delivered: in one transaction its mark is put and the counter
 * changed. If the first member fails, the event was counted before.
 */
export function countOnce(
  marker: OnceMarker,
  counter: { readonly table: string; readonly key: Attributes; readonly attribute: AttributePath },
  by: number | bigint = 1,
): [PutMember, UpdateMember] {
  const [partition] = Object.keys(marker.key);
  if (partition === undefined) throw new ValueError("a key has one attribute at least");
  return [
    putMember(marker.table, { ...marker.attributes, ...marker.key }, absent(partition)),
    updateMember(counter.table, counter.key, increment(counter.attribute, by)),
  ];
}

/** A counter that is too hot for one item: each change goes to one of several, and whoever reads adds them up. */
export interface ShardedCounter {
  readonly count: number;
  /** The key of the item of a shard. */
  readonly keyOf: (shard: string) => Attributes;
  readonly attribute: string;
}

/** The key of the item that this change goes to. */
export function shardForCount(counter: ShardedCounter, random?: () => number): Attributes {
  return counter.keyOf(randomShard(counter.count, random));
}

export function shardsOfCount({ count, keyOf }: ShardedCounter): readonly Attributes[] {
  return allShards(count).map(keyOf);
}

/** The sum of the shards that are there. */
export function sumOfShards(
  { attribute }: Pick<ShardedCounter, "attribute">,
  items: readonly (Attributes | undefined)[],
): number {
  const values = items.flatMap((item) => {
    const value = item === undefined ? undefined : ownOf(item, attribute);
    if (value === undefined) return [];
    if (!isNumberLike(value)) throw new ValueError(`'${attribute}' is no number`);
    return [value];
  });
  return Number(sumNumbers(values));
}
