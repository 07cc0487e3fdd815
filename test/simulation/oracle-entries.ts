import type { OracleTable } from "./oracle.ts";
import { type IndexSpec, keyNames } from "./steps.ts";
import { type Item, sizeOfItem, typeName } from "./values.ts";

/** What an index holds of an item, if it holds it. */
export function entryOf({ spec }: OracleTable, index: IndexSpec, item: Item): Item | undefined {
  const keys = keyNames(index);
  for (const [name, type] of [...index.hash, ...index.range]) {
    const value = item[name];
    // Of another type: it was there before the index was, which then passes it over.
    if (value === undefined || typeName(value) !== type) return undefined;
  }
  if (index.holds === undefined) return item;
  const held = new Set([...keyNames(spec), ...keys, ...index.holds]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => held.has(name)));
}

/** Counts and sizes of a table and its indexes. */
export function describe(table: OracleTable): Record<string, unknown> {
  const items = [...table.items.values()];
  const sizes = (list: readonly Item[]) => list.reduce((sum, item) => sum + sizeOfItem(item), 0);
  const described = Object.fromEntries(
    table.indexes.map((index) => {
      const entries = items
        .map((item) => entryOf(table, index, item))
        .filter((entry) => entry !== undefined);
      return [index.name, { ItemCount: entries.length, IndexSizeBytes: sizes(entries) }];
    }),
  );
  return { ItemCount: items.length, TableSizeBytes: sizes(items), indexes: described };
}
