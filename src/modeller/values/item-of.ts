import { emptyRecord } from "../../base/record.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import type { Table } from "../../model/design.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { Model } from "../../model/model.ts";
import type { Entity, Predicate } from "../../model/requirements.ts";
import type { StoredRecord } from "../records/record.ts";
import { recordsOf } from "../records/records.ts";
import { embeddedValue } from "./embedded.ts";
import { holds } from "./holds.ts";
import { type EntityValues, renderKey, type Writing } from "./render-key.ts";
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
  const { values, latest = false } = instance;
  const records = recordsByEntity(model);
  return (records.get(entity.name) ?? []).flatMap((record) => {
    const { role, table } = record;
    if (role === "latest" && !latest) return [];
    if (role === "split" && !holdsPart(record, values)) return [];
    const item = itemFor(record, values, writing, instance.embedded);
    if (item === undefined) return [];
    const period = role === "unique" ? undefined : periodOf(table, entity, values);
    const kind = role === "item" ? ("main" as const) : role;
    return [{ table: table.name, period, entity: entity.name, kind, item }];
  });
}

/** The item of one kind for an entity's values; nothing if its key cannot be made of them. */
export function itemFor(
  record: StoredRecord,
  values: EntityValues,
  writing: Writing,
  embedded: (entity: string) => readonly EntityValues[] = () => [],
): Item | undefined {
  const known = { entity: record.entity, values, writing };
  const item = emptyRecord<AttributeValue>();
  const absent = absentIndexes(record, values, writing);
  for (const { name, content, membership } of record.attributes) {
    if (content.kind === "text") item[name] = { S: content.text };
    else if (content.kind === "embedded") {
      const value = embeddedValue(content, embedded(content.entity.name));
      if (value !== undefined) item[name] = value;
    } else if (content.kind === "attribute") {
      const value = values.get(content.attribute.name);
      if (value !== undefined) item[name] = value;
    } else if (membership === undefined || !absent.has(membership)) {
      const value = renderKey(content.text, known);
      if (value !== undefined) item[name] = value;
      else if (membership === undefined) return undefined;
    }
  }
  return item;
}

/** Whether an entity has any of what lies in a part of its own: without that there is no such part. */
export function holdsPart(record: StoredRecord, values: EntityValues): boolean {
  return record.attributes.some(
    ({ content }) =>
      content.kind === "attribute" &&
      !record.entity.id.includes(content.attribute.name) &&
      values.has(content.attribute.name),
  );
}

/** Indexes whose key attributes the item must not have: a condition fails, or a part of the key is missing. */
function absentIndexes(
  { entity, memberships }: StoredRecord,
  values: EntityValues,
  writing: Writing,
): ReadonlySet<string> {
  const absent = memberships.filter(({ only, partition, sort }) => {
    const texts = [...partition, ...sort].map(({ text }) => text);
    return !isInIndex(entity, only, texts, values, writing);
  });
  return new Set(absent.map(({ index }) => index.name));
}

/** Whether an item is in an index: its conditions hold, and every part of the key has a value. */
export function isInIndex(
  entity: Entity,
  only: readonly Predicate[],
  texts: readonly KeyText[],
  values: EntityValues,
  { now }: Writing,
): boolean {
  // Whether there is a key does not depend on the shard, so none is drawn.
  const known = { entity, values, writing: { shard: () => 0, now } };
  return holds(only, entity, values) && texts.every((text) => renderKey(text, known) !== undefined);
}

/** Which of a table's periods an entity lies in. */
export function periodOf(
  { periods }: Table,
  entity: Entity,
  values: EntityValues,
): string | undefined {
  if (periods === undefined) return undefined;
  const attribute = entity.attributes.get(periods.attribute);
  const time = attribute && timeOf(attribute, values.get(periods.attribute));
  return time === undefined ? undefined : periodName(periods.every, time);
}

const known = new WeakMap<Model, ReadonlyMap<string, readonly StoredRecord[]>>();

/** The records of each entity, worked out once for a model and not for every item. */
function recordsByEntity(model: Model): ReadonlyMap<string, readonly StoredRecord[]> {
  const there = known.get(model);
  if (there !== undefined) return there;
  const records = new Map<string, StoredRecord[]>();
  for (const record of recordsOf(model)) {
    const same = records.get(record.entity.name) ?? [];
    same.push(record);
    records.set(record.entity.name, same);
  }
  known.set(model, records);
  return records;
}
