import { emptyRecord } from "../base/record.ts";
import { type AttributeValue, attribute, type Item } from "../item/attribute-value.ts";
import { itemsEqual } from "../item/compare.ts";
import { itemSize } from "../item/size.ts";
import type { Bytes } from "../storage/store.ts";
import type { IndexDescriptor, TableDescriptor } from "./descriptor.ts";
import { indexEntryKey } from "./keys.ts";

/** What an index stores of one item. */
export interface IndexEntry {
  readonly key: Bytes;
  readonly item: Item;
  readonly size: number;
}

/** How a write changes one index. Absent sides: the item was not, or is no longer, in the index. */
export interface IndexChange {
  readonly index: IndexDescriptor;
  readonly before: IndexEntry | undefined;
  readonly after: IndexEntry | undefined;
  /** Both sides are there under the same key. */
  readonly sameKey: boolean;
}

export function indexEntry(
  table: TableDescriptor,
  index: IndexDescriptor,
  item: Item,
): IndexEntry | undefined {
  const key = indexEntryKey(table, index, item);
  if (key === undefined) return undefined;
  const projected = projectEntry(table, index, item);
  return { key, item: projected, size: itemSize(projected) };
}

/** The changes a write makes to the table's indexes; an index whose entry stays the same is left out. */
export function indexChanges(
  table: TableDescriptor,
  before: Item | undefined,
  after: Item | undefined,
): IndexChange[] {
  const changes: IndexChange[] = [];
  for (const index of table.indexes) {
    const old = before === undefined ? undefined : indexEntry(table, index, before);
    const now = after === undefined ? undefined : indexEntry(table, index, after);
    if (old === undefined && now === undefined) continue;
    const sameKey =
      old !== undefined && now !== undefined && Buffer.compare(old.key, now.key) === 0;
    if (sameKey && itemsEqual(old.item, now.item)) continue;
    changes.push({ index, before: old, after: now, sameKey });
  }
  return changes;
}

function projectEntry(table: TableDescriptor, index: IndexDescriptor, item: Item): Item {
  if (index.projection.type === "ALL") return item;
  const entry = emptyRecord<AttributeValue>();
  for (const name of projectedNames(table, index)) {
    const value = attribute(item, name);
    if (value !== undefined) entry[name] = value;
  }
  return entry;
}

/** The attributes an index holds; nothing if it holds all. */
export function projectedNames(
  table: TableDescriptor,
  index: IndexDescriptor,
): ReadonlySet<string> {
  let names = namesCache.get(index);
  if (names === undefined) {
    names = new Set([
      ...table.key.hash.map(({ name }) => name),
      ...table.key.range.map(({ name }) => name),
      ...index.key.hash.map(({ name }) => name),
      ...index.key.range.map(({ name }) => name),
      ...index.projection.attributes,
    ]);
    namesCache.set(index, names);
  }
  return names;
}

const namesCache = new WeakMap<IndexDescriptor, ReadonlySet<string>>();
