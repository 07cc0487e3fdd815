import type { ServiceError } from "../api/errors/service-error.ts";
import type { IndexDescriptor, KeyAttribute, TableDescriptor } from "../engine/descriptor.ts";
import { checkKey } from "../engine/key-checks.ts";
import { tableKeyOf } from "../engine/keys.ts";
import { attribute, type Item, typeOf } from "../item/attribute-value.ts";

/** ExclusiveStartKey holds exactly the keys of the table and of the index, rightly typed. */
export function checkStartKey(
  table: TableDescriptor,
  index: IndexDescriptor | undefined,
  startKey: Item,
  invalid: () => ServiceError,
): void {
  const keys = new Map<string, KeyAttribute>();
  for (const schema of index === undefined ? [table.key] : [table.key, index.key]) {
    for (const key of [...schema.hash, ...schema.range]) keys.set(key.name, key);
  }
  if (Object.keys(startKey).length !== keys.size) throw invalid();
  for (const { name, type } of keys.values()) {
    const value = attribute(startKey, name);
    if (value === undefined || typeOf(value) !== type) throw invalid();
  }
  checkKey(table, tableKeyOf(table, startKey));
}
