import { emptyRecord } from "../../base/record.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import type { KeyPart, Placement, Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import type { Entity } from "../../model/requirements.ts";
import { Cardinality } from "../records/cardinality.ts";
import { holds } from "./holds.ts";
import { type EntityValues, type Known, renderKey, type Writing } from "./render-key.ts";
import { periodName, timeOf } from "./time-of.ts";

/** Why an item is there: for the entity itself, or beside it. */
export type ItemKind = "main" | "split" | "unique" | "latest";

export interface StoredItem {
  readonly table: string;
  /** Which of the table's periods it lies in, such as 2026-11; nothing if the table has none. */
  readonly period: string | undefined;
  readonly entity: string;
  readonly kind: ItemKind;
  readonly item: Item;
}

/** One entity that is stored. */
export interface Instance {
  readonly values: EntityValues;
  /** The entities that lie inside its item, by their name. */
  readonly embedded?: (entity: string) => readonly EntityValues[];
  /** Whether it is the newest of its versions, which may be copied. */
  readonly latest?: boolean;
}

/** All items that a design keeps for one entity. */
export function itemsOf(
  model: Model,
  entity: Entity,
  instance: Instance,
  writing: Writing,
): readonly StoredItem[] {
  const tables = [...(model.design?.tables.values() ?? [])];
  const known: Known = { entity, values: instance.values, writing };
  return tables.flatMap((table) => {
    const placement = table.placements.get(entity.name);
    return [
      ...(placement === undefined
        ? []
        : placedItems({ model, table, placement, entity, instance, known })),
      ...uniqueItems(model, table, entity, known),
    ];
  });
}

interface Placed {
  readonly model: Model;
  readonly table: Table;
  readonly placement: Placement;
  readonly entity: Entity;
  readonly instance: Instance;
  readonly known: Known;
}

function placedItems(placed: Placed): readonly StoredItem[] {
  const { table, placement, entity, instance, known } = placed;
  const { versioning } = table;
  const stored = (kind: ItemKind, item: Item | undefined): readonly StoredItem[] =>
    item === undefined
      ? []
      : [{ table: table.name, period: periodOf(table, known), entity: entity.name, kind, item }];
  const isCopied =
    versioning?.entity === entity.name && versioning.latest === "copy" && instance.latest === true;
  return [
    ...stored("main", mainItem(placed, placement.key, true)),
    // The copy is found by its key; what is made for indexes is made for the versions alone.
    ...(isCopied ? stored("latest", mainItem(placed, versioning.key, false)) : []),
    ...placement.splits.flatMap(({ key, attributes }) =>
      attributes.some((name) => known.values.has(name))
        ? stored("split", splitItem(placed, key, attributes))
        : [],
    ),
  ];
}

function periodOf({ periods }: Table, { entity, values }: Known): string | undefined {
  if (periods === undefined) return undefined;
  const attribute = entity.attributes.get(periods.attribute);
  const time = attribute && timeOf(attribute, values.get(periods.attribute));
  return time === undefined ? undefined : periodName(periods.every, time);
}

function mainItem(placed: Placed, key: readonly KeyPart[], indexed: boolean): Item | undefined {
  const { model, table, placement, entity, instance, known } = placed;
  const item = keyedItem(key, table, entity.name, known);
  if (item === undefined) return undefined;
  for (const index of indexed ? table.indexes.values() : []) {
    const member = index.members.get(entity.name);
    if (member === undefined) continue;
    if (member.only !== undefined && !holds(member.only, entity, known.values)) continue;
    const parts = member.sets.map(({ attribute, text }) => [attribute, renderKey(text, known)]);
    // An item that lacks a part of an index's key is not in the index, so the other parts are of no use.
    if (parts.some(([, value]) => value === undefined)) continue;
    for (const [name, value] of parts) put(item, name as string, value as AttributeValue);
  }
  putAttributes(item, placement.stores, placement, known.values);
  for (const { entity: inner, as } of placement.embeds) {
    const link = linkOf(model, entity, inner);
    const list = instance.embedded?.(inner) ?? [];
    put(item, as, { L: list.map((values) => ({ M: recordOf(values, link) })) });
  }
  return item;
}

function splitItem(
  { table, placement, entity, known }: Placed,
  key: readonly KeyPart[],
  attributes: readonly string[],
): Item | undefined {
  const item = keyedItem(key, table, entity.name, known);
  if (item !== undefined) {
    putAttributes(item, [...attributes, ...entity.id], placement, known.values);
  }
  return item;
}

function uniqueItems(
  model: Model,
  table: Table,
  entity: Entity,
  known: Known,
): readonly StoredItem[] {
  return table.unique.flatMap((unique) => {
    const target = model.design?.tables.get(unique.table);
    if (unique.entity !== entity.name || target === undefined) return [];
    if (!known.values.has(unique.attribute)) return [];
    const item = keyedItem(unique.key, target, `${entity.name}.${unique.attribute}`, known);
    if (item === undefined) return [];
    putAttributes(item, entity.id, undefined, known.values);
    return [
      { table: target.name, period: undefined, entity: entity.name, kind: "unique" as const, item },
    ];
  });
}

type Growing = Record<string, AttributeValue>;

function keyedItem(
  key: readonly KeyPart[],
  { discriminator }: Table,
  kind: string,
  known: Known,
): Growing | undefined {
  const item = emptyRecord<AttributeValue>();
  for (const { attribute, text } of key) {
    const value = renderKey(text, known);
    if (value === undefined) return undefined;
    put(item, attribute, value);
  }
  if (discriminator !== undefined) put(item, discriminator, { S: kind });
  return item;
}

function putAttributes(
  item: Growing,
  names: readonly string[],
  placement: Placement | undefined,
  values: EntityValues,
): void {
  for (const name of names) {
    const value = values.get(name);
    if (value !== undefined) put(item, placement?.names.get(name) ?? name, value);
  }
}

/** What is there already stays: keys come first, and one attribute is stored once. */
function put(item: Growing, name: string, value: AttributeValue): void {
  if (!Object.hasOwn(item, name)) item[name] = value;
}

function recordOf(values: EntityValues, without: string | undefined): Item {
  const record = emptyRecord<AttributeValue>();
  for (const [name, value] of values) if (name !== without) record[name] = value;
  return record;
}

const cardinalities = new WeakMap<Model, Cardinality>();

/** What lies inside an item need not say again whose it is. */
function linkOf(model: Model, host: Entity, inner: string): string | undefined {
  const cardinality = cardinalities.get(model) ?? new Cardinality(model);
  cardinalities.set(model, cardinality);
  const embedded = model.entities.get(inner);
  return [...(embedded?.attributes.keys() ?? [])].find(
    (name) => name === host.id[0] || (embedded && cardinality.parentOf(embedded, name) === host),
  );
}
