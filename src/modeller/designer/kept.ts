import { nearest } from "../../document/nearest.ts";
import type { DesignDocument, IndexDocument, TableDocument } from "../../model/document-design.ts";
import type { Layout } from "./drafts.ts";
import { record } from "./layouts.ts";

/** Tables and indexes of a design that have to stay as they are. */
export interface Kept {
  readonly style: DesignDocument["style"];
  /** As the design has them, without indexes that need not stay. */
  readonly tables: ReadonlyMap<string, TableDocument>;
}

/** What `all` or `Orders, Orders.OrdersByCustomer` means in a design; a sentence if it means nothing. */
export function keptOf(design: DesignDocument, text: string): Kept | string {
  const tables = new Map(Object.entries(design.tables));
  const { style } = design;
  if (text.trim() === "all") return { style, tables };
  const kept = new Map<string, Map<string, IndexDocument>>();
  for (const name of text.split(",").map((one) => one.trim())) {
    if (name === "") continue;
    const found = placeOf(tables, name);
    if (found === undefined) {
      const near = nearest(name, namesOf(tables));
      return `The design has no table or index '${name}'.${near === undefined ? "" : ` Did you mean '${near}'?`}`;
    }
    const indexes = kept.get(found.table) ?? new Map<string, IndexDocument>();
    kept.set(found.table, indexes);
    if (found.index !== undefined) indexes.set(...found.index);
  }
  if (kept.size === 0) return "Nothing is said that could be kept.";
  // What guards a unique value is of no use without the table that it is for, and the other way round.
  for (const name of kept.keys()) {
    for (const { table = name } of tables.get(name)?.unique ?? []) {
      if (!kept.has(table)) kept.set(table, new Map());
    }
  }
  return {
    style,
    tables: new Map(
      [...kept].map(([name, own]): [string, TableDocument] => {
        const { indexes: _all, ...table } = tables.get(name) as TableDocument;
        return [name, own.size === 0 ? table : { ...table, indexes: record([...own]) }];
      }),
    ),
  };
}

/** A table may have a dot in its name, so all places where it could end are tried. */
function placeOf(
  tables: ReadonlyMap<string, TableDocument>,
  name: string,
):
  | { readonly table: string; readonly index: readonly [string, IndexDocument] | undefined }
  | undefined {
  if (tables.has(name)) return { table: name, index: undefined };
  for (const [table, { indexes = {} }] of tables) {
    for (const entry of Object.entries(indexes)) {
      if (name === `${table}.${entry[0]}`) return { table, index: entry };
    }
  }
  return undefined;
}

function namesOf(tables: ReadonlyMap<string, TableDocument>): readonly string[] {
  return [...tables].flatMap(([name, { indexes = {} }]) => [
    name,
    ...Object.keys(indexes).map((one) => `${name}.${one}`),
  ]);
}

/** Layouts of what is kept: tables that hold parts of the same entities are one. */
export function keptLayouts({ tables }: Kept): readonly Layout[] {
  const groups: { names: string[]; about: Set<string> }[] = [];
  for (const [name, table] of tables) {
    const about = new Set([`table ${name}`, ...heldBy(table).map((one) => `entity ${one}`)]);
    for (const { table: other = name, entity } of table.unique ?? []) {
      about.add(`table ${other}`).add(`entity ${entity}`);
    }
    const met = groups.filter((one) => [...about].some((what) => one.about.has(what)));
    for (const one of met) groups.splice(groups.indexOf(one), 1);
    groups.push({
      names: [...met.flatMap(({ names }) => names), name],
      about: new Set([...met.flatMap((one) => [...one.about]), ...about]),
    });
  }
  return groups.flatMap(({ names }): Layout[] => {
    const held = [...new Set(names.flatMap((name) => heldBy(tables.get(name))))];
    const [main] = names.filter((name) => heldBy(tables.get(name)).length > 0);
    if (main === undefined) return [];
    return [
      {
        id: `${main} kept`,
        entities: held,
        main,
        tables: new Map(
          [main, ...names.filter((name) => name !== main)].map((name) => [
            name,
            onDemand(tables.get(name) as TableDocument),
          ]),
        ),
        words: "as it is",
        kept: true,
      },
    ];
  });
}

/** The entities of a table, also those that lie inside of others. */
export function heldBy({ entities = {} }: Partial<TableDocument> = {}): readonly string[] {
  return Object.entries(entities).flatMap(([name, { embeds = [] }]) => [
    name,
    ...embeds.map(({ entity }) => entity),
  ]);
}

/** Designs are weighed by what requests cost, whatever a table is paid by. */
function onDemand(document: TableDocument): TableDocument {
  const { billing: _billing, class: _class, indexes, ...table } = document;
  const plain = Object.entries(indexes ?? {}).map(
    ([name, { throughput: _units, ...index }]): [string, IndexDocument] => [name, index],
  );
  return { ...table, billing: "on-demand", ...(indexes && { indexes: record(plain) }) };
}

/** What is kept is put back as it was; new indexes stay beside it. */
export function restored(design: DesignDocument, { style, tables }: Kept): DesignDocument {
  const all = Object.entries(design.tables).map(([name, table]): [string, TableDocument] => {
    const before = tables.get(name);
    if (before === undefined) return [name, table];
    const indexes = [
      ...Object.entries(before.indexes ?? {}),
      ...Object.entries(table.indexes ?? {}).filter(
        ([one]) => !Object.hasOwn(before.indexes ?? {}, one),
      ),
    ];
    return [
      name,
      { ...before, ...keeping(table), ...(indexes.length > 0 && { indexes: record(indexes) }) },
    ];
  });
  const own = design.style === "generic" ? undefined : style;
  return { ...design, ...(own && { style: own }), tables: record(all) };
}

/** What keeps numbers is added to what is there. */
function keeping({ aggregates, stream, consumers }: TableDocument): Partial<TableDocument> {
  return {
    ...(aggregates && { aggregates }),
    ...(stream && { stream }),
    ...(consumers && { consumers }),
  };
}
