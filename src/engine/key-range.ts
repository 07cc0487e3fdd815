import type { BoundKeyCondition } from "../expressions/key-condition.ts";
import type { Item, KeyValue } from "../item/attribute-value.ts";
import { encodeKeyTuple, keyRange, partitionHash, prefixRange } from "../item/key-encoding.ts";
import type { KeyRange } from "../storage/store.ts";
import type { IndexDescriptor, TableDescriptor } from "./descriptor.ts";
import { indexEntryKey, itemAddress } from "./keys.ts";
import { dataKey } from "./layout.ts";
import { afterKey } from "./read.ts";

/** The stored keys that a key condition asks for, in a table or index named by its id. */
export function conditionRange(id: number, condition: BoundKeyCondition): KeyRange {
  const before = dataKey(
    id,
    partitionHash(condition.hashValues),
    encodeKeyTuple(condition.equalRange),
  );
  if (condition.last === undefined) return prefixRange(before);
  // The binding has checked that the values are key values.
  return keyRange(before, condition.last as Parameters<typeof keyRange>[1]);
}

/** What is left of a range after the key on which the last page ended; nothing if that key is outside. */
export function rangeAfter(
  range: KeyRange,
  table: TableDescriptor,
  index: IndexDescriptor | undefined,
  startKey: Item,
  reverse: boolean,
): KeyRange | undefined {
  const key =
    index === undefined ? itemAddress(table, startKey).key : indexEntryKey(table, index, startKey);
  if (key === undefined) return undefined;
  if (Buffer.compare(key, range.start) < 0 || Buffer.compare(key, range.end) >= 0) return undefined;
  return reverse ? { start: range.start, end: key } : { start: afterKey(key), end: range.end };
}

export function samePartition(a: readonly KeyValue[], b: readonly KeyValue[]): boolean {
  return partitionHash(a).equals(partitionHash(b));
}

/** Whether range key values satisfy the condition, whatever their partition. */
export function keyMatches(values: readonly KeyValue[], condition: BoundKeyCondition): boolean {
  const { start, end } = conditionRange(0, condition);
  const key = dataKey(0, partitionHash(condition.hashValues), encodeKeyTuple(values));
  return Buffer.compare(key, start) >= 0 && Buffer.compare(key, end) < 0;
}
