import type { Path } from "../../document/path.ts";
import type { Index, KeyAttribute, KeyPart, Placement, Table } from "../../model/design.ts";
import type { KeyType } from "../../model/document-design.ts";
import { type KeyText, parseKeyText } from "../../model/key-text.ts";
import type { Model } from "../../model/model.ts";
import type { Entity } from "../../model/requirements.ts";

/** One attribute of a key, for one entity. */
export interface KeySide {
  readonly attribute: string;
  readonly type: KeyType;
  readonly text: KeyText;
  /** Where the text is written, or the attribute is named. */
  readonly path: Path;
  /** The text itself is at the path and can be set there. */
  readonly written: boolean;
}

/** The key of one entity's items in a table or an index. */
export interface EntityKey {
  /** The main item, one beside it, an item that keeps a value unique, or an entry of an index. */
  readonly kind: "item" | "split" | "unique" | "latest" | "index";
  readonly table: Table;
  readonly index: Index | undefined;
  readonly entity: Entity;
  /** The attribute that an item keeps unique. */
  readonly guarded?: string;
  readonly partition: readonly KeySide[];
  readonly sort: readonly KeySide[];
  /** "the key of Order in Shop". */
  readonly what: string;
  readonly path: Path;
}

export function keysOfTable(table: Table, model: Model): readonly EntityKey[] {
  const keys: EntityKey[] = [];
  for (const placement of table.placements.values()) {
    const entity = model.entities.get(placement.entity);
    if (entity === undefined) continue;
    keys.push(...keysOfPlacement(table, entity, placement));
    for (const index of table.indexes.values()) {
      const key = indexKey(table, index, entity, placement);
      if (key !== undefined) keys.push(key);
    }
  }
  keys.push(...uniqueKeys(table, model));
  return keys;
}

function keysOfPlacement(table: Table, entity: Entity, placement: Placement): EntityKey[] {
  const { versioning } = table;
  const keys = [
    tableKey(table, entity, "item", placement.key, `the key of ${entity.name} in ${table.name}`, [
      ...placement.path,
      "key",
    ]),
    ...placement.splits.map(({ name, key }, i) =>
      tableKey(
        table,
        entity,
        "split",
        key,
        `the key of ${name} of ${entity.name} in ${table.name}`,
        [...placement.path, "split", i, "key"],
      ),
    ),
  ];
  if (versioning?.entity === entity.name && versioning.latest === "copy") {
    const what = `the key of the newest ${entity.name} in ${table.name}`;
    const at = [...table.path, "versioning", "key"];
    keys.push(tableKey(table, entity, "latest", versioning.key, what, at));
  }
  return keys;
}

/** The look-up items that lie in this table, whichever table asked for them. */
function uniqueKeys(table: Table, model: Model): EntityKey[] {
  return [...(model.design?.tables.values() ?? [])].flatMap((asking) =>
    asking.unique.flatMap((unique) => {
      const entity = model.entities.get(unique.entity);
      if (entity === undefined || unique.table !== table.name) return [];
      const what = `the key that keeps ${unique.entity}.${unique.attribute} unique in ${table.name}`;
      const path = [...unique.path, "key"];
      const key = tableKey(table, entity, "unique", unique.key, what, path);
      return [{ ...key, guarded: unique.attribute }];
    }),
  );
}

function tableKey(
  table: Table,
  entity: Entity,
  kind: EntityKey["kind"],
  parts: readonly KeyPart[],
  what: string,
  path: Path,
): EntityKey {
  const side = (key: KeyAttribute | undefined): readonly KeySide[] =>
    parts
      .filter(({ attribute }) => attribute === key?.name)
      .map((part) => ({ ...part, type: key?.type ?? "S", written: true }));
  return {
    kind,
    table,
    index: undefined,
    entity,
    partition: side(table.partition),
    sort: side(table.sort),
    what,
    path,
  };
}

function indexKey(
  table: Table,
  index: Index,
  entity: Entity,
  placement: Placement,
): EntityKey | undefined {
  const member = index.members.get(entity.name);
  if (member === undefined) return undefined;
  const side = (role: "partition" | "sort"): readonly KeySide[] =>
    index[role].map(({ name, type }, i) => {
      const set = member.sets.find(({ attribute }) => attribute === name);
      if (set !== undefined) return { ...set, type, written: true };
      const own = placement.key.find(({ attribute }) => attribute === name);
      // The table's key, or an attribute as it is.
      const text = own?.text ?? parseKeyText(`{${name}}`, () => undefined);
      const inList = index[role].length > 1 ? [i] : [];
      const path =
        index.local && role === "partition" ? index.path : [...index.path, "key", role, ...inList];
      return { attribute: name, type, text, path, written: false };
    });
  return {
    kind: "index",
    table,
    index,
    entity,
    partition: side("partition"),
    sort: side("sort"),
    what: `the key of ${entity.name} in index ${index.name} of ${table.name}`,
    path: [...index.path, "key"],
  };
}
