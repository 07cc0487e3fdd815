import { indexNotReady } from "../api/errors/read.ts";
import { ServiceError } from "../api/errors/service-error.ts";
import { emptyRecord } from "../base/record.ts";
import { findIndex, type IndexDescriptor, type TableDescriptor } from "../engine/descriptor.ts";
import { lookup } from "../expressions/path.ts";
import type { AttributeValue, Item } from "../item/attribute-value.ts";
import type { Column } from "../partiql/operation.ts";
import type { Context } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

/** The table that a statement names, or why it cannot be used: what the statement says comes first. */
export async function findTable(
  context: Context,
  name: string,
): Promise<TableDescriptor | ServiceError> {
  try {
    return await context.database.table(context.namespace, tableNameOf(context, name));
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** The index that a compiled read names: it is there, but perhaps not yet filled. */
export function readableIndex(
  table: TableDescriptor,
  name: string | undefined,
): IndexDescriptor | undefined {
  const index = name === undefined ? undefined : findIndex(table, name);
  if (index?.ready === false) throw indexNotReady(index.name);
  return index;
}

/** What a SELECT shows of an item: unlike a projection, it is flat. */
export function selected(columns: readonly Column[], item: Item): Item {
  const row = emptyRecord<AttributeValue>();
  for (const { path, name } of columns) {
    const value = lookup(path, item);
    if (value !== undefined) row[name] = value;
  }
  return row;
}
