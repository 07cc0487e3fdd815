import type { Design, Index, Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import type { Pattern } from "../../model/requirements.ts";
import { type Priced, priced } from "./bills.ts";
import type { LintContext } from "./lint-context.ts";

/** A design with one thing otherwise. */

export function withTable(model: Model, table: Table): Model {
  const design = model.design as Design;
  return { ...model, design: { ...design, tables: replaced(design.tables, table.name, table) } };
}

export function withIndex(model: Model, table: Table, index: Index): Model {
  return withTable(model, { ...table, indexes: replaced(table.indexes, index.name, index) });
}

export function withoutIndex(model: Model, table: Table, index: Index): Model {
  const indexes = new Map(table.indexes);
  indexes.delete(index.name);
  return withTable(model, { ...table, indexes });
}

export function withPattern(model: Model, pattern: Pattern): Model {
  return { ...model, patterns: replaced(model.patterns, pattern.id, pattern) };
}

/** In its old place. */
function replaced<V>(map: ReadonlyMap<string, V>, name: string, value: V): ReadonlyMap<string, V> {
  return new Map([...map].map(([key, old]) => [key, key === name ? value : old]));
}

/** What a month costs less with the change, and the changed design. */
export function whatIf(
  { design, prices }: LintContext,
  model: Model,
): { readonly saved: number; readonly after: Priced } {
  const after = priced(model, prices);
  return { saved: design.total - after.total, after };
}
