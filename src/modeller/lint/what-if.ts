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

/**
 * What a month costs less with the change of a table, and the part of the design that it concerns, changed. The rest
 * costs what it costs before and after.
 */
export function whatIf(
  context: LintContext,
  table: Table,
  model: Model,
): { readonly saved: number; readonly after: Priced } {
  const { part, total } = beforeOf(context, table);
  const after = priced(partially(model, part), context.prices);
  return { saved: total - after.total, after };
}

interface Before {
  readonly part: Part;
  readonly total: number;
}

const known = new WeakMap<LintContext, Map<Table, Before>>();

function beforeOf(context: LintContext, table: Table): Before {
  const all = known.get(context) ?? new Map<Table, Before>();
  known.set(context, all);
  const before = all.get(table);
  if (before !== undefined) return before;
  const part = partOf(context, table);
  const { total } = priced(partially(context.model, part), context.prices);
  all.set(table, { part, total });
  return { part, total };
}

interface Part {
  readonly patterns: ReadonlySet<string>;
  readonly tables: ReadonlySet<string>;
}

function partially(model: Model, { patterns, tables }: Part): Model {
  const design = model.design as Design;
  return {
    ...model,
    patterns: chosen(model.patterns, patterns),
    design: { ...design, tables: chosen(design.tables, tables) },
  };
}

function chosen<V>(
  map: ReadonlyMap<string, V>,
  names: ReadonlySet<string>,
): ReadonlyMap<string, V> {
  return new Map([...map].filter(([name]) => names.has(name)));
}

/** The patterns that go to a table or make it change by itself, and the tables of all that they are about. */
function partOf(context: LintContext, table: Table): Part {
  const sources = sourcesOf(context, table);
  const patterns = [...context.model.patterns.values()].filter(({ id, actions, ...rest }) => {
    const about = [...actions, ...rest.with].map(({ entity }) => entity);
    const run = context.estimate(id);
    return (
      (run?.arms.some((arm) => arm.table === table) ?? true) ||
      about.some((entity) => sources.has(entity))
    );
  });
  const entities = new Set(
    patterns.flatMap(({ actions, together, ...rest }) =>
      [...actions, ...together, ...rest.with].map(({ entity }) => entity),
    ),
  );
  for (const entity of table.placements.keys()) entities.add(entity);
  const tables = context.tables.filter(
    (one) =>
      one === table ||
      [...one.placements.keys()].some((entity) => entities.has(entity)) ||
      one.unique.some(({ entity }) => entities.has(entity)) ||
      context.tables.some(({ unique }) =>
        unique.some((guard) => guard.table === one.name && entities.has(guard.entity)),
      ),
  );
  return {
    patterns: new Set(patterns.map(({ id }) => id)),
    tables: new Set(tables.map(({ name }) => name)),
  };
}

/** Entities whose changes the design follows up in a table: what is counted or copied there. */
function sourcesOf({ tables, model }: LintContext, table: Table): ReadonlySet<string> {
  const counted = tables.flatMap(({ aggregates }) =>
    aggregates.filter(({ into }) => table.placements.has(into.entity)).map(({ of }) => of),
  );
  const copied = [...table.placements.keys()].flatMap((name) =>
    [...(model.entities.get(name)?.attributes.values() ?? [])].flatMap(({ copyOf }) =>
      copyOf === undefined ? [] : [copyOf.entity],
    ),
  );
  return new Set([...counted, ...copied]);
}
