import type { UpdateBuilder } from "./expression.ts";
import type { KeyWriting } from "./key.ts";
import { bareRecord, type KeyValue } from "./values.ts";

/** Key attributes of indexes. An item is in an index exactly while it has all of them, so they come and go together. */

/** What makes a key attribute: a `compositeKey`, or any function of the item. */
export type IndexKeySource<T> =
  | { maybe(values: T, writing?: KeyWriting): KeyValue | undefined }
  | ((item: T) => KeyValue | undefined);

export interface IndexKeySpec<T> {
  /** The key attributes by name, and what makes each. */
  readonly attributes: Readonly<Record<string, IndexKeySource<T>>>;
  /** Which items are in the index; all that have the values if nothing is said. */
  readonly only?: ((item: T) => boolean) | undefined;
}

/** The attributes of one index for an item; nothing if the item is not to be in it. */
export function indexKey<T>(
  spec: IndexKeySpec<T>,
  item: T,
  writing?: KeyWriting,
): Record<string, KeyValue> | undefined {
  if (spec.only !== undefined && !spec.only(item)) return undefined;
  const made = bareRecord<KeyValue>();
  for (const [name, source] of Object.entries(spec.attributes)) {
    const value = typeof source === "function" ? source(item) : source.maybe(item, writing);
    // An index takes no empty text and no missing value; such an item is simply not in it.
    if (value === undefined || value === "") return undefined;
    made[name] = value;
  }
  return made;
}

/** The attributes of several indexes, for an item that is put. */
export function indexKeys<T>(
  specs: readonly IndexKeySpec<T>[],
  item: T,
  writing?: KeyWriting,
): Record<string, KeyValue> {
  const all = bareRecord<KeyValue>();
  for (const spec of specs) Object.assign(all, indexKey(spec, item, writing));
  return all;
}

/** Adds to an update what its changes mean for the indexes: keys are set, or removed where the item leaves. */
export function updateIndexKeys<T>(
  update: UpdateBuilder,
  specs: readonly IndexKeySpec<T>[],
  after: T,
  writing?: KeyWriting,
): UpdateBuilder {
  for (const spec of specs) {
    const made = indexKey(spec, after, writing);
    for (const name of Object.keys(spec.attributes)) {
      if (made === undefined) update.remove(name);
      else update.set(name, made[name]);
    }
  }
  return update;
}
