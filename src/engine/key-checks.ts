import {
  emptyIndexKey,
  emptyKey,
  emptyUpdatedIndexKey,
  hashKeyTooLarge,
  indexKeyTypeMismatch,
  keyMissing,
  keySchemaMismatch,
  keyTypeMismatch,
  rangeKeyTooLarge,
  updatedIndexKeyTooLarge,
  updatedIndexKeyTypeUnsupported,
} from "../api/errors/item.ts";
import { partitionKeyBytesMax, sortKeyBytesMax } from "../api/limits.ts";
import type { Update, UpdateAction } from "../expressions/tree.ts";
import { actionType } from "../expressions/update-statics.ts";
import { type AttributeValue, attribute, type Item, typeOf } from "../item/attribute-value.ts";
import { valueSize } from "../item/size.ts";
import type { IndexDescriptor, KeyAttribute, TableDescriptor } from "./descriptor.ts";

/** A `Key` parameter: exactly the table's key attributes, rightly typed, neither empty nor too large. */
export function checkKey(table: TableDescriptor, key: Item): void {
  const expected = table.key.hash.length + table.key.range.length;
  let found = 0;
  for (const _name in key) found += 1;
  if (found !== expected) throw keySchemaMismatch();
  checkKeyWithin(table, key);
}

/** The key in an item, complained of as if it were a key by itself. */
export function checkKeyWithin(table: TableDescriptor, item: Item): void {
  for (const { name, type } of table.key.hash) checkKeyElement(item, name, type);
  for (const { name, type } of table.key.range) checkKeyElement(item, name, type);
  checkKeySizes(table, item);
}

function checkKeyElement(key: Item, name: string, type: string): void {
  const value = attribute(key, name);
  if (value === undefined || typeOf(value) !== type) throw keySchemaMismatch();
  refuseEmpty(name, value);
}

/** An item to put: its table key attributes. */
export function checkItemKey(table: TableDescriptor, item: Item): void {
  for (const attribute_ of table.key.hash) checkItemKeyAttribute(item, attribute_);
  for (const attribute_ of table.key.range) checkItemKeyAttribute(item, attribute_);
  checkKeySizes(table, item);
}

function checkItemKeyAttribute(item: Item, { name, type }: KeyAttribute): void {
  const value = attribute(item, name);
  if (value === undefined) throw keyMissing(name);
  const actual = typeOf(value);
  if (actual !== type) throw keyTypeMismatch(name, type, actual);
  refuseEmpty(name, value);
}

/** The empty key values of an item or key, which are refused before anything else about keys. */
export function refuseEmptyKeys(table: TableDescriptor, item: Item): void {
  for (const { name } of table.key.hash) refuseEmptyNamed(item, name);
  for (const { name } of table.key.range) refuseEmptyNamed(item, name);
}

function refuseEmptyNamed(item: Item, name: string): void {
  const value = attribute(item, name);
  if (value !== undefined) refuseEmpty(name, value);
}

function refuseEmpty(name: string, value: AttributeValue): void {
  const empty = emptiness(value);
  if (empty !== undefined) throw emptyKey(name, empty);
}

/** The type of an empty text or binary. */
export function emptiness(value: AttributeValue): "S" | "B" | undefined {
  if ("S" in value) return value.S === "" ? "S" : undefined;
  if ("B" in value) return value.B === "" ? "B" : undefined;
  return undefined;
}

function checkKeySizes(table: TableDescriptor, item: Item): void {
  for (const { name, type } of table.key.hash) {
    if (type !== "N" && valueSize(item[name] as AttributeValue) > partitionKeyBytesMax) {
      throw hashKeyTooLarge();
    }
  }
  for (const { name, type } of table.key.range) {
    if (type !== "N" && valueSize(item[name] as AttributeValue) > sortKeyBytesMax) {
      throw rangeKeyTooLarge();
    }
  }
}

/** Index key attributes that an item holds must be rightly typed, neither empty nor too large. */
export function checkIndexKeys(table: TableDescriptor, item: Item): void {
  for (const index of globalFirst(table)) {
    for (const key of keysOf(index)) {
      const value = attribute(item, key.name);
      if (value === undefined) continue;
      const actual = typeOf(value);
      if (actual !== key.type) {
        throw indexKeyTypeMismatch(key.name, key.type, actual, index.name);
      }
      refuseEmptyIndexKey(index, key.name, value);
    }
    checkIndexKeySizes(index, item);
  }
}

/** Only the empty index key values: a transaction refuses them as a whole. */
export function refuseEmptyIndexKeys(table: TableDescriptor, item: Item): void {
  for (const index of globalFirst(table)) {
    for (const { name } of keysOf(index)) {
      const value = attribute(item, name);
      if (value !== undefined) refuseEmptyIndexKey(index, name, value);
    }
  }
}

function refuseEmptyIndexKey(index: IndexDescriptor, name: string, value: AttributeValue): void {
  const empty = emptiness(value);
  if (empty !== undefined) throw emptyIndexKey(name, empty, index.name);
}

function checkIndexKeySizes(
  { key }: IndexDescriptor,
  item: Item,
  hashError = hashKeyTooLarge,
  rangeError = rangeKeyTooLarge,
): void {
  if (sizeOf(key.hash, item) > partitionKeyBytesMax) throw hashError();
  if (sizeOf(key.range, item) > sortKeyBytesMax) throw rangeError();
}

function sizeOf(attributes: readonly KeyAttribute[], item: Item): number {
  let bytes = 0;
  for (const { name, type } of attributes) {
    const value = attribute(item, name);
    if (value !== undefined && type !== "N") bytes += valueSize(value);
  }
  return bytes;
}

/** What an update is bound to make of index key attributes, whatever the item. */
export function checkUpdateOfIndexKeys(table: TableDescriptor, update: Update): void {
  for (const index of globalFirst(table)) {
    for (const { name, type } of keysOf(index)) {
      const action = actionOn(update, name);
      const actual = action === undefined ? undefined : actionType(action);
      if (actual !== undefined && actual !== type) {
        throw indexKeyTypeMismatch(name, type, actual, index.name);
      }
    }
  }
  refuseEmptyUpdatesOfIndexKeys(table, update);
}

/** Only the empty values that an update sets: a transaction refuses them as a whole. */
export function refuseEmptyUpdatesOfIndexKeys(table: TableDescriptor, update: Update): void {
  for (const index of globalFirst(table)) {
    for (const { name } of keysOf(index)) {
      const action = actionOn(update, name);
      if (action?.kind === "set" && action.value.kind === "value") {
        refuseEmptyUpdate(action.value.value);
      }
    }
  }
}

function actionOn(update: Update, name: string): UpdateAction | undefined {
  return update.actions.find(({ path: { steps } }) => steps.length === 1 && steps[0] === name);
}

function refuseEmptyUpdate(value: AttributeValue): void {
  const empty = emptiness(value);
  if (empty !== undefined) throw emptyUpdatedIndexKey(empty);
}

/**
 * The index keys among the attributes that an update has touched. A value that came from the item
 * itself is refused with another text; one that was wrong before there was the index may stay.
 */
export function checkUpdatedIndexKeys(
  table: TableDescriptor,
  item: Item,
  touched: readonly string[],
): void {
  for (const index of globalFirst(table)) {
    let changed = false;
    for (const { name, type } of keysOf(index)) {
      const value = touched.includes(name) ? attribute(item, name) : undefined;
      if (value === undefined) continue;
      changed = true;
      if (typeOf(value) !== type) throw updatedIndexKeyTypeUnsupported();
      refuseEmptyUpdate(value);
    }
    if (changed) {
      checkIndexKeySizes(index, item, updatedIndexKeyTooLarge, updatedIndexKeyTooLarge);
    }
  }
}

/** Global indexes are named before local ones. */
function globalFirst(table: TableDescriptor): readonly IndexDescriptor[] {
  if (table.indexes.length < 2) return table.indexes;
  return [
    ...table.indexes.filter((index) => index.kind === "global"),
    ...table.indexes.filter((index) => index.kind === "local"),
  ];
}

function* keysOf(index: IndexDescriptor): Generator<KeyAttribute> {
  if (index.kind === "global") yield* index.key.hash;
  yield* index.key.range;
}
