import { partitionKeyBytesMax, sortKeyBytesMax } from "../api/limits.ts";
import { attribute, type Item, type KeyValue, typeOf } from "../item/attribute-value.ts";
import { encodeKeyTuple, partitionHash } from "../item/key-encoding.ts";
import { valueSize } from "../item/size.ts";
import type { Bytes } from "../storage/store.ts";
import type { IndexDescriptor, KeyAttribute, TableDescriptor } from "./descriptor.ts";
import { dataKey } from "./layout.ts";

/** Where an item of a table lives. */
export interface ItemAddress {
  readonly key: Bytes;
  /** The partition: hash of the partition key. */
  readonly hash: Bytes;
}

/** The item must hold the table's key attributes, rightly typed. */
export function itemAddress(table: Pick<TableDescriptor, "id" | "key">, item: Item): ItemAddress {
  const hash = partitionHash(keyValues(table.key.hash, item));
  const sort =
    table.key.range.length === 0 ? undefined : encodeKeyTuple(keyValues(table.key.range, item));
  return { hash, key: dataKey(table.id, hash, sort) };
}

/** Where the item's entry in the index lives; nothing if the index does not hold the item. */
export function indexEntryKey(
  table: TableDescriptor,
  index: IndexDescriptor,
  item: Item,
): Bytes | undefined {
  if (!hasKey(index.key.hash, item, partitionKeyBytesMax)) return undefined;
  if (!hasKey(index.key.range, item, sortKeyBytesMax)) return undefined;
  const hash = partitionHash(keyValues(index.key.hash, item));
  const sort =
    index.key.range.length === 0 ? undefined : encodeKeyTuple(keyValues(index.key.range, item));
  return dataKey(index.id, hash, sort, baseKeyHash(table, item));
}

/** Tells entries apart that are equal in all index keys. */
export function baseKeyHash(table: TableDescriptor, item: Item): Bytes {
  const values = keyValues(table.key.hash, item);
  return partitionHash(
    table.key.range.length === 0 ? values : [...values, ...keyValues(table.key.range, item)],
  );
}

export function keyValues(attributes: readonly KeyAttribute[], item: Item): KeyValue[] {
  return attributes.map(({ name }) => item[name] as KeyValue);
}

/** Items that were there before an index may hold values in its place that can be no key. */
function hasKey(attributes: readonly KeyAttribute[], item: Item, bytesMax: number): boolean {
  let bytes = 0;
  for (const { name, type } of attributes) {
    const value = attribute(item, name);
    if (value === undefined || typeOf(value) !== type || isEmptyKey(value as KeyValue))
      return false;
    if (type !== "N") bytes += valueSize(value);
  }
  return bytes <= bytesMax;
}

function isEmptyKey(value: KeyValue): boolean {
  return ("S" in value && value.S === "") || ("B" in value && value.B === "");
}

/** The key attributes of a table, taken out of an item. */
export function tableKeyOf(table: TableDescriptor, item: Item): Item {
  const key: Record<string, KeyValue> = {};
  for (const { name } of table.key.hash) define(key, name, item[name] as KeyValue);
  for (const { name } of table.key.range) define(key, name, item[name] as KeyValue);
  return key;
}

/** What a page ends on: the index's keys and the table's. */
export function pageKeyOf(
  table: TableDescriptor,
  index: IndexDescriptor | undefined,
  item: Item,
): Item {
  const key = tableKeyOf(table, item) as Record<string, KeyValue>;
  if (index === undefined) return key;
  for (const { name } of [...index.key.hash, ...index.key.range]) {
    define(key, name, item[name] as KeyValue);
  }
  return key;
}

function define(record: Record<string, KeyValue>, name: string, value: KeyValue): void {
  if (name === "__proto__") {
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true });
  } else {
    record[name] = value;
  }
}
