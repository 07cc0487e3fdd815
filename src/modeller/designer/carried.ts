import type { DesignDocument, TableDocument } from "../../model/document-design.ts";
import { heldBy } from "./kept.ts";
import { record } from "./layouts.ts";

/** A new design with what only the old one says, and in words what has no place in it. */
export interface Carried {
  readonly design: DesignDocument;
  readonly lost: readonly string[];
}

/** How a table is run, whatever its key is. */
const settings = [
  "pitr",
  "backups",
  "encryption",
  "deletionProtection",
  "tags",
  "replicas",
  "stream",
  "consumers",
] as const;

/** What was made for the old keys, or is another choice today. */
const choices = ["versioning", "aggregates", "periods", "dax", "prewarm", "maximum"] as const;

/**
 * Tables that hold an entity of an old one are run as that was: their backups, streams, tags. What hangs on the keys of
 * the old design is told, not guessed.
 */
export function carriedOver(old: DesignDocument, next: DesignDocument): Carried {
  const lost: string[] = [];
  const before = Object.entries(old.tables);
  const tables = Object.entries(next.tables).map(([name, table]): [string, TableDocument] => {
    const guarded = Object.values(next.tables).flatMap(({ unique = [] }) =>
      unique.flatMap((one) => (one.table === name ? [one.entity] : [])),
    );
    const own = [...heldBy(table), ...guarded];
    const sources = before.filter(
      ([other, source]) => other === name || heldBy(source).some((one) => own.includes(one)),
    );
    const taken = sources.flatMap(([, source]) => [...takenFrom(source), ...ttlOf(source, table)]);
    // What the table says itself counts, and then the first that says something.
    const missing = taken.filter(([one]) => !Object.hasOwn(table, one)).toReversed();
    const olds = sources.map(([, source]) => source);
    const run = { ...table, ...Object.fromEntries(missing), ...readersOf(table, olds) };
    return [name, named(run, olds)];
  });
  for (const [name, table] of before) {
    const held = heldBy(table);
    const heirs = tables.filter(
      ([other, next]) => other === name || held.some((one) => heldBy(next).includes(one)),
    );
    const gone = choices.filter(
      (one) => table[one] !== undefined && !heirs.some(([, heir]) => heir[one] !== undefined),
    );
    if (gone.length > 0) lost.push(`${gone.join(", ")} of ${name}`);
    if (heirs.length === 0 && held.length > 0) lost.push(`how ${name} is run`);
  }
  const plans = Object.keys(old.plans ?? {});
  if (plans.length > 0) lost.push(`plans that were written down (${plans.join(", ")})`);
  const { services, tradeoffs } = old;
  return {
    design: {
      ...next,
      tables: record(tables),
      ...(services && { services: [...services, ...newServices(services, next)] }),
      ...(tradeoffs && { tradeoffs }),
    },
    lost,
  };
}

/** The services of the new design that the old one does not name. */
function newServices(
  old: NonNullable<DesignDocument["services"]>,
  { services = [] }: DesignDocument,
): NonNullable<DesignDocument["services"]> {
  return services.filter(({ name }) => !old.some((one) => one.name === name));
}

function takenFrom(source: TableDocument): readonly (readonly [string, unknown])[] {
  // Each table says it for itself: a document does not refer from one place to another.
  return settings.flatMap((one) =>
    source[one] === undefined ? [] : [[one, structuredClone(source[one])]],
  );
}

/** What attributes are stored as stays, except in keys, which are other ones now. */
function named(table: TableDocument, olds: readonly TableDocument[]): TableDocument {
  const keys = Object.values(table.indexes ?? {}).flatMap(({ key }) => [
    ...[key.partition ?? []].flat(),
    ...[key.sort ?? []].flat(),
  ]);
  const inKey = new Set([...Object.keys(table.key), ...keys]);
  const entities = Object.entries(table.entities ?? {}).map(([entity, placement]) => {
    const known = olds.flatMap((one) => Object.entries(one.entities?.[entity]?.names ?? {}));
    const names = known.filter(([attribute, name]) => !inKey.has(attribute) && !inKey.has(name));
    if (names.length === 0) return [entity, placement] as const;
    return [entity, { ...placement, names: { ...record(names), ...placement.names } }] as const;
  });
  return table.entities === undefined ? table : { ...table, entities: record(entities) };
}

/** Items expire by an attribute of theirs, in whatever table they lie. */
function ttlOf(
  { ttl, entities = {} }: TableDocument,
  { entities: own = {} }: TableDocument,
): readonly (readonly [string, unknown])[] {
  if (ttl === undefined) return [];
  const attribute = typeof ttl === "string" ? ttl : ttl.attribute;
  const expiring = (typeof ttl === "string" ? undefined : ttl.entities) ?? Object.keys(entities);
  const here = expiring.filter((one) => Object.hasOwn(own, one));
  return here.length === 0 ? [] : [["ttl", { attribute, entities: here }]];
}

/** Who reads the old streams reads on, beside those who keep numbers now. */
function readersOf(
  { stream, consumers = [] }: TableDocument,
  olds: readonly TableDocument[],
): Pick<TableDocument, "stream" | "consumers"> {
  if (stream === undefined || consumers.length === 0) return {};
  const known = new Set(consumers.map(({ name }) => name));
  const others = olds.flatMap((one) => one.consumers ?? []).filter(({ name }) => !known.has(name));
  const isSame = olds.every((one) => one.stream === undefined || one.stream === stream);
  return {
    stream: isSame ? stream : "new-and-old-images",
    consumers: [...consumers, ...structuredClone(others)],
  };
}
