import { emptyRecord, own } from "../../base/record.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import type { StoredRecord } from "../records/record.ts";
import { holds } from "../values/holds.ts";
import { type EntityValues, renderKey, type Writing } from "../values/render-key.ts";

/** What an attribute of the entity is called in an item; nothing if the item does not hold it. */
export function storedName(record: StoredRecord, attribute: string): string | undefined {
  const found = record.attributes.find(
    ({ content }) =>
      (content.kind === "attribute" && content.attribute.name === attribute) ||
      (content.kind === "key" && content.text.native === attribute),
  );
  return found?.name;
}

/** The values of an entity that an item, or an index entry, holds. */
export function valuesIn(record: StoredRecord, item: Item): EntityValues {
  const values = new Map<string, AttributeValue>();
  for (const { name, content } of record.attributes) {
    const attribute =
      content.kind === "attribute"
        ? content.attribute.name
        : content.kind === "key"
          ? content.text.native
          : undefined;
    const value = own(item, name);
    if (attribute !== undefined && value !== undefined) values.set(attribute, value);
  }
  return values;
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
      const list = embedded(content.entity.name);
      item[name] = { L: list.map((one) => ({ M: recordOf(one) })) };
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

/** Indexes whose key attributes the item must not have: a condition fails, or a part of the key is missing. */
function absentIndexes(
  record: StoredRecord,
  values: EntityValues,
  writing: Writing,
): ReadonlySet<string> {
  const known = { entity: record.entity, values, writing };
  return new Set(
    record.memberships
      .filter(
        ({ only, partition, sort }) =>
          !holds(only, record.entity, values) ||
          [...partition, ...sort].some(({ text }) => renderKey(text, known) === undefined),
      )
      .map(({ index }) => index.name),
  );
}

function recordOf(values: EntityValues): Item {
  const record = emptyRecord<AttributeValue>();
  for (const [name, value] of values) record[name] = value;
  return record;
}

/** The key of an item, by the names in its table. */
export function keyOf(
  record: StoredRecord,
  values: EntityValues,
  writing: Writing,
): Item | undefined {
  const known = { entity: record.entity, values, writing };
  const key = emptyRecord<AttributeValue>();
  for (const { attribute, text } of record.key) {
    const value = renderKey(text, known);
    if (value === undefined) return undefined;
    key[attribute] = value;
  }
  return key;
}
