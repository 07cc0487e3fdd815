import type { Index, KeyPart, Placement, Table } from "../../model/design.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { Model } from "../../model/model.ts";
import type { Entity } from "../../model/requirements.ts";
import { Cardinality } from "./cardinality.ts";
import type { HostLink, MadeKey, Membership, StoredAttribute, StoredRecord } from "./record.ts";

/** All kinds of items that the design stores, by table in the order of the document. */
export function recordsOf(model: Model): readonly StoredRecord[] {
  return [...(model.design?.tables.values() ?? [])].flatMap((table) => recordsIn(model, table));
}

/** Those of one table. */
export function recordsIn(model: Model, table: Table): readonly StoredRecord[] {
  return [
    ...[...table.placements.values()].flatMap((placement) =>
      recordsOfPlacement(model, table, placement),
    ),
    ...uniqueRecords(model, table),
  ];
}

type Draft = Omit<StoredRecord, "memberships">;

function recordsOfPlacement(
  model: Model,
  table: Table,
  placement: Placement,
): readonly StoredRecord[] {
  const entity = model.entities.get(placement.entity) as Entity;
  const stored = placement.stores.flatMap((name) => attributeOf(entity, name, placement.names));
  const embedded = placement.embeds.map(
    ({ entity: name, as, by, one = false }): StoredAttribute => {
      const inner = model.entities.get(name) as Entity;
      const links = hostLinks(Cardinality.of(model), entity, inner);
      return { name: as, content: { kind: "embedded", entity: inner, by, one, links } };
    },
  );
  const kind = discriminator(table, entity.name);
  const own: Draft = {
    name: entity.name,
    role: "item",
    table,
    entity,
    key: placement.key,
    attributes: merged(keyContents(placement.key), kind, stored, embedded),
  };
  const drafts: Draft[] = [own];
  const ids = entity.id.flatMap((name) => attributeOf(entity, name, placement.names));
  for (const { name, key, attributes } of placement.splits) {
    const parts = attributes.flatMap((one) => attributeOf(entity, one, placement.names));
    drafts.push({
      ...own,
      name: `${entity.name}.${name}`,
      role: "split",
      key,
      attributes: merged(keyContents(key), kind, ids, parts),
    });
  }
  const { versioning } = table;
  if (versioning?.entity === entity.name && versioning.latest === "copy") {
    drafts.push({
      ...own,
      name: `${entity.name} (latest)`,
      role: "latest",
      key: versioning.key,
      attributes: merged(keyContents(versioning.key), kind, stored, embedded),
    });
  }
  return drafts.map((draft) => withMemberships(draft, placement.names));
}

/** The attributes by which an embedded entity states whose it is: one for each part of the host's id, or none at all. */
function hostLinks(cardinality: Cardinality, host: Entity, inner: Entity): readonly HostLink[] {
  const foreign = cardinality.foreignKeyOf(inner, host);
  if (foreign !== undefined) return foreign.map(({ own, id }) => ({ own, host: id }));
  const isWhole = host.id.every((name) => inner.attributes.has(name));
  return isWhole ? host.id.map((name) => ({ own: name, host: name })) : [];
}

/** Items that guard unique values, in the table that they lie in. */
function uniqueRecords(model: Model, table: Table): readonly StoredRecord[] {
  const all = [...(model.design?.tables.values() ?? [])].flatMap(({ unique }) => unique);
  return all
    .filter((unique) => unique.table === table.name)
    .map(({ entity: name, attribute, key }) => {
      const entity = model.entities.get(name) as Entity;
      const ids = entity.id.flatMap((one) => attributeOf(entity, one, new Map()));
      return withMemberships(
        {
          name: `${name}.${attribute}`,
          role: "unique",
          table,
          entity,
          key,
          attributes: merged(keyContents(key), discriminator(table, `${name}.${attribute}`), ids),
        },
        new Map(),
      );
    });
}

function discriminator(table: Table, text: string): readonly StoredAttribute[] {
  const { discriminator: name } = table;
  return name === undefined ? [] : [{ name, content: { kind: "text", text } }];
}

function attributeOf(
  entity: Entity,
  name: string,
  names: ReadonlyMap<string, string>,
): readonly StoredAttribute[] {
  const attribute = entity.attributes.get(name);
  if (attribute === undefined) return [];
  return [{ name: names.get(name) ?? name, content: { kind: "attribute", attribute } }];
}

function keyContents(parts: readonly KeyPart[]): readonly StoredAttribute[] {
  return parts.map(({ attribute, text }) => ({ name: attribute, content: { kind: "key", text } }));
}

/** Each name once; what comes first stays. */
function merged(...lists: readonly (readonly StoredAttribute[])[]): readonly StoredAttribute[] {
  const all = new Map<string, StoredAttribute>();
  for (const one of lists.flat()) if (!all.has(one.name)) all.set(one.name, one);
  return [...all.values()];
}

/** Finds the indexes that the item is in, and adds the attributes that are made for them. */
function withMemberships(draft: Draft, names: ReadonlyMap<string, string>): StoredRecord {
  const found = [...draft.table.indexes.values()].flatMap((index) => {
    const keys = indexKeys(draft, index, names);
    return keys === undefined ? [] : [{ index, ...keys }];
  });
  const made = found.flatMap(({ index, sets }) =>
    sets.map(
      ({ attribute, text }): StoredAttribute => ({
        name: attribute,
        content: { kind: "key", text },
        membership: index.name,
      }),
    ),
  );
  const attributes = merged(draft.attributes, made);
  const memberships = found.map(({ index, partition, sort, only, optional }): Membership => {
    const own = [...partition, ...sort].map(({ attribute, text }): StoredAttribute => {
      const stored = attributes.find(({ name }) => name === attribute.name);
      // Whoever made it, every entry has it: it is a key here.
      return {
        name: attribute.name,
        content: stored?.content ?? { kind: "key", text },
      };
    });
    return {
      index,
      partition,
      sort,
      only,
      optional,
      attributes: entryAttributes(index, attributes, own, keyContents(draft.key), names),
    };
  });
  return { ...draft, attributes, memberships };
}

function entryAttributes(
  index: Index,
  all: readonly StoredAttribute[],
  own: readonly StoredAttribute[],
  key: readonly StoredAttribute[],
  names: ReadonlyMap<string, string>,
): readonly StoredAttribute[] {
  const plain = (one: StoredAttribute): StoredAttribute =>
    one.membership === index.name ? { name: one.name, content: one.content } : one;
  const keys = merged(own, key);
  if (index.projection === "keys") return keys;
  if (index.projection === "all") return merged(keys, all.map(plain));
  const wanted = index.projection.map((name) => names.get(name) ?? name);
  return merged(
    keys,
    all.filter(({ name }) => wanted.includes(name)),
  );
}

type Keys = Pick<Membership, "partition" | "sort" | "only" | "optional"> & {
  readonly sets: readonly KeyPart[];
};

function indexKeys(
  draft: Draft,
  index: Index,
  names: ReadonlyMap<string, string>,
): Keys | undefined {
  // What is set for an index is set on the entity's own item alone.
  const isOwn = draft.role === "item" || draft.role === "latest";
  const member = draft.role === "item" ? index.members.get(draft.entity.name) : undefined;
  const sets = member?.sets ?? [];
  const optional = new Map<string, Keys["optional"][number]>();
  const make = (name: string): KeyText | undefined => {
    const set = sets.find((one) => one.attribute === name);
    if (set !== undefined) return set.text;
    const key = draft.key.find((one) => one.attribute === name);
    if (key !== undefined) return key.text;
    const attribute = draft.entity.attributes.get(name);
    const stored = draft.attributes.some(({ content }) => {
      return content.kind === "attribute" && content.attribute === attribute;
    });
    if (attribute === undefined || !stored) return undefined;
    if (!isOwn && !draft.entity.id.includes(name)) return undefined;
    if (attribute.isOptional) optional.set(name, attribute);
    return nativeText(name);
  };
  const side = (list: Index["partition"]): readonly MadeKey[] | undefined => {
    const keys = list.flatMap((attribute) => {
      const text = make(attribute.name);
      const stored = { ...attribute, name: names.get(attribute.name) ?? attribute.name };
      return text === undefined ? [] : [{ attribute: stored, text }];
    });
    return keys.length === list.length ? keys : undefined;
  };
  const partition = side(index.partition);
  const sort = side(index.sort);
  if (partition === undefined || sort === undefined) return undefined;
  return { partition, sort, only: member?.only ?? [], optional: [...optional.values()], sets };
}

export function nativeText(name: string): KeyText {
  return {
    text: `{${name}}`,
    segments: [{ kind: "attribute", attribute: name, transforms: [] }],
    offsets: [0],
    native: name,
  };
}
