import { emptyRecord, own } from "../../base/record.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import type { Attribute } from "../../model/requirements.ts";
import { attributeName } from "../plans/index-contents.ts";
import type { InnerWrite } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import { nameInside } from "../values/embedded.ts";
import { type EntityValues, renderKey, type Writing } from "../values/render-key.ts";
import { boundValue, type Sources } from "./combinations.ts";
import { MissingValueError } from "./given.ts";

/** What an attribute of the entity is called in an item; nothing if the item does not hold it. */
export function storedName(record: StoredRecord, attribute: string): string | undefined {
  return record.attributes.find((one) => attributeName(one).includes(attribute))?.name;
}

/** The values of an entity that an item, or an index entry, holds. */
export function valuesIn(record: StoredRecord, item: Item): EntityValues {
  const values = new Map<string, AttributeValue>();
  for (const stored of record.attributes) {
    const value = own(item, stored.name);
    const [attribute] = attributeName(stored);
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

/** An item's place, as one text; keys name their attributes in the order of the record. */
export function placeOf(table: string, key: Item): string {
  return JSON.stringify([table, key]);
}

/** Where something lies inside of an item. */
export function innerPath({ as, by, entity }: InnerWrite, sources: Sources): readonly string[] {
  if (by === undefined) return [as];
  const attribute = entity.attributes.get(by.attribute) as Attribute;
  const value = boundValue(attribute, by.binding, sources);
  if (value === undefined) throw new MissingValueError(`${by.attribute} is not given`);
  return [as, nameInside(value)];
}
