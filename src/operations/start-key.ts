import type { Dialect } from "../api/dialect.ts";
import { emptyIndexKey, emptyKey, keySchemaMismatch } from "../api/errors/item.ts";
import { startKeyInvalid, startKeyValueInvalid } from "../api/errors/read.ts";
import { ServiceError } from "../api/errors/service-error.ts";
import type { ValueLayer } from "../api/errors/value.ts";
import { checkItem } from "../api/values.ts";
import type { IndexDescriptor, KeyAttribute, TableDescriptor } from "../engine/descriptor.ts";
import { checkKey, emptiness } from "../engine/key-checks.ts";
import { tableKeyOf } from "../engine/keys.ts";
import { attribute, type Item, typeOf } from "../item/attribute-value.ts";

/** The values of ExclusiveStartKey by themselves. The older layer says of some what they are part of. */
export function checkStartKeyValues(key: Item | undefined, layer: ValueLayer): void {
  if (key === undefined) return;
  if (layer === "current") {
    checkItem(key, layer);
    return;
  }
  try {
    checkItem(key, layer);
  } catch (error) {
    throw error instanceof ServiceError ? startKeyValueInvalid(error) : error;
  }
}

/**
 * ExclusiveStartKey holds exactly the keys of the table and of the index, rightly typed. Its parts are
 * judged at different moments: how many there are, each key attribute of what is read, and at the end
 * the table's key. Since 2026-10 most complaints read the same.
 */
export class StartKey {
  readonly item: Item;
  readonly #table: TableDescriptor;
  readonly #index: IndexDescriptor | undefined;
  readonly #older: boolean;

  constructor(
    table: TableDescriptor,
    index: IndexDescriptor | undefined,
    item: Item,
    dialect: Dialect,
    /** What is said of a wrong number of attributes in the older dialect. */
    miscounted: () => ServiceError = startKeyInvalid,
  ) {
    this.item = item;
    this.#table = table;
    this.#index = index;
    this.#older = dialect === "2026-05";
    if (Object.keys(item).length !== keyNames(table, index).size) {
      throw this.#older ? miscounted() : startKeyInvalid();
    }
  }

  /** One key attribute of the table or index that is read. */
  checkPart({ name, type }: KeyAttribute): void {
    const value = attribute(this.item, name);
    if (value === undefined) throw startKeyInvalid();
    if (typeOf(value) !== type) throw this.#older ? keySchemaMismatch() : startKeyInvalid();
    const empty = emptiness(value);
    if (empty === undefined) return;
    throw this.#index === undefined
      ? emptyKey(name, empty)
      : emptyIndexKey(name, empty, this.#index.name);
  }

  checkTableKey(): void {
    const { hash, range } = this.#table.key;
    if (![...hash, ...range].every((key) => this.#fits(key))) {
      throw this.#older ? startKeyInvalid(keySchemaMismatch().message) : startKeyInvalid();
    }
    checkKey(this.#table, tableKeyOf(this.#table, this.item));
  }

  #fits({ name, type }: KeyAttribute): boolean {
    const value = attribute(this.item, name);
    return value !== undefined && typeOf(value) === type;
  }
}

function keyNames(table: TableDescriptor, index: IndexDescriptor | undefined): Set<string> {
  const names = new Set<string>();
  for (const { hash, range } of index === undefined ? [table.key] : [table.key, index.key]) {
    for (const { name } of hash) names.add(name);
    for (const { name } of range) names.add(name);
  }
  return names;
}
