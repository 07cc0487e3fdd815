import { emptyRecord, own } from "../../base/record.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import type { StoredRecord } from "../records/record.ts";
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

/** The key in an item. */
export function keyIn({ key }: StoredRecord, item: Item): Item {
  const found = emptyRecord<AttributeValue>();
  for (const { attribute } of key) {
    const value = own(item, attribute);
    if (value !== undefined) found[attribute] = value;
  }
  return found;
}
