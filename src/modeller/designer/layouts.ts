import { emptyRecord } from "../../base/record.ts";
import type {
  KeyTexts,
  KeyType,
  TableDocument,
  UniqueDocument,
} from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Entity } from "../../model/requirements.ts";
import { parentIds } from "../key-identity.ts";
import { blobWords, elsewhereOf } from "./blobs.ts";
import type { Layout } from "./drafts.ts";
import { ttlOf } from "./expiry.ts";
import { capital, evenFirst, type MadePart, openTexts, partOf, plural } from "./keys.ts";
import { lookedAt, type Need, servedPatterns, unique } from "./needs.ts";
import { commonKnown, sortSequences } from "./sequences.ts";

/** Ways to lay one entity out in a table of its own: by its id, or by what it is asked for together with its id. */
export function ownLayouts(
  model: Model,
  entity: Entity,
  needs: readonly Need[],
): readonly Layout[] {
  const own = needs.filter((need) => need.entity === entity.name);
  const found = new Map<string, Layout>();
  const given = new Set([...entity.id, ...parentIds(model, entity)]);
  const add = ({ partition: known, sort }: KeyLists, lenient: boolean): void => {
    const partition = evenFirst(entity, known, given);
    if (!isSafe(model, entity, [...partition, ...sort])) return;
    const lists = [partition, sort].filter(({ length }) => length > 0);
    const made = lists.flatMap(
      (list) => partOf(entity, list, { lenient, isPartition: list === partition }) ?? [],
    );
    if (made.length < lists.length) return;
    const open = lists.flatMap((list) => openTexts(entity, list));
    const layout = layoutOf(model, entity, made, open);
    if (!found.has(layout.id)) found.set(layout.id, layout);
  };
  const lists = keyLists(entity, own);
  for (const list of lists) add(list, false);
  // An id of several texts is put together, whatever is in them: who gives out ids can leave the separator out of them.
  for (const list of lists) {
    const partition = evenFirst(entity, list.partition, given);
    const { sort } = list;
    const open = [...openTexts(entity, partition), ...(openTexts(entity, sort)[0] ? sort : [])];
    if (found.size === 0 || open.every((name) => given.has(name))) add(list, true);
  }
  return [...found.values()];
}

interface KeyLists {
  readonly partition: readonly string[];
  readonly sort: readonly string[];
}

function keyLists(entity: Entity, needs: readonly Need[]): readonly KeyLists[] {
  const { id } = entity;
  const [first = ""] = id;
  const plain: KeyLists[] = [{ partition: [first], sort: id.slice(1) }];
  // Long ids that do not go into one sort key are the partition key together.
  if (id.length > 1) plain.push({ partition: id, sort: [] });
  const single = unique([...needs.flatMap(({ equal }) => equal), ...id]).map((name) => [name]);
  const partitions = [
    ...single,
    ...commonKnown(entity, needs, new Set()).filter(({ length }) => length > 1),
  ];
  return [
    ...plain,
    ...sortedForLocals(entity, needs),
    ...partitions.flatMap((partition) =>
      sortSequences(entity, partition, needs).map((sequence) => ({
        partition,
        sort: [
          ...sequence,
          ...id.filter((name) => !partition.includes(name) && !sequence.includes(name)),
        ],
      })),
    ),
  ];
}

/**
 * Who must see what was just written, and looks for something else than an id, may read all of a local index for less
 * than all of the table. Local indexes take a table with a sort key, whatever that is.
 */
function sortedForLocals({ id }: Entity, needs: readonly Need[]): readonly KeyLists[] {
  const [only = "", more] = id;
  const isOfUse = needs.some(({ strong, equal }) => strong && !equal.includes(only));
  if (more !== undefined || !isOfUse) return [];
  return unique(needs.flatMap(lookedAt))
    .filter((name) => name !== only)
    .map((name) => ({ partition: [only], sort: [name] }));
}

/**
 * A key with more than the id in it lets two items with the same id be side by side. That cannot happen where what is
 * added belongs to the id for ever, and nobody relies on the key to find out whether the id is taken.
 */
export function isSafe(model: Model, entity: Entity, names: readonly string[]): boolean {
  if (!entity.id.every((name) => names.includes(name))) return false;
  const parents = parentIds(model, entity);
  if (names.every((name) => entity.id.includes(name) || parents.has(name))) return true;
  return servedPatterns(model).every(({ actions }) =>
    actions.every(
      ({ entity: name, kind, condition }) =>
        name !== entity.name || kind !== "create" || condition?.kind !== "absent",
    ),
  );
}

function layoutOf(
  model: Model,
  entity: Entity,
  key: readonly MadePart[],
  /** Texts that must not hold the separator. */
  open: readonly string[],
): Layout {
  const main = plural(entity.name);
  const guards = guardTables(model, [entity], main);
  const document: TableDocument = {
    billing: "on-demand",
    key: record(key.map(({ name, type }): [string, KeyType] => [name, type])),
    entities: record([[entity.name, { key: textsOf(key), ...elsewhereOf(model, entity) }]]),
    ...ttlOf([entity]),
    ...(guards.unique.length > 0 && { unique: guards.unique }),
  };
  const said = open.length === 0 ? "" : ` (no # may be in ${open.join(", ")})`;
  const words = `by ${key.map(({ name }) => name).join(", then ")}${said}${blobWords(model, [entity])}`;
  return {
    id: `${main} ${words}`,
    entities: [entity.name],
    main,
    tables: new Map([[main, document], ...guards.tables]),
    words,
  };
}

export function textsOf(key: readonly MadePart[]): KeyTexts {
  return record(key.map(({ name, text }): [string, string] => [name, text]));
}

export function record<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const made = emptyRecord<T>();
  for (const [name, value] of entries) made[name] = value;
  return made;
}

/** An index does not keep values unique; an item under the value does, and it tells the id. */
export function guardTables(
  model: Model,
  entities: readonly Entity[],
  main: string,
): {
  readonly tables: readonly (readonly [string, TableDocument])[];
  readonly unique: readonly UniqueDocument[];
} {
  const tables: [string, TableDocument][] = [];
  const guards: UniqueDocument[] = [];
  for (const entity of entities) {
    for (const { name, type, unique: isUnique } of entity.attributes.values()) {
      if (!isUnique || (entity.id.length === 1 && entity.id[0] === name)) continue;
      const table = `${entity.name}${plural(capital(name))}`;
      if (model.entities.has(table) || table === main) continue;
      tables.push([
        table,
        {
          purpose: `no two ${plural(entity.name)} with one ${name}`,
          billing: "on-demand",
          key: record([[name, type as KeyType]]),
        },
      ]);
      guards.push({
        entity: entity.name,
        attribute: name,
        table,
        key: record([[name, `{${name}}`]]),
      });
    }
  }
  return { tables, unique: guards };
}
