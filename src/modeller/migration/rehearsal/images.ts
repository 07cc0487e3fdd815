import { emptyRecord, own } from "../../../base/record.ts";
import type { AttributeValue, Item } from "../../../item/attribute-value.ts";
import { equalValues } from "../../../item/compare.ts";
import type { Entity } from "../../../model/requirements.ts";
import { tableName } from "../../requests/table-requests.ts";
import { type ItemKind, itemsOf } from "../../values/item-of.ts";
import type { EntityValues, Writing } from "../../values/render-key.ts";
import type { Side } from "./side.ts";

/** One item of a table, as it should be or as it was read. */
export interface Image {
  readonly table: string;
  readonly kind: ItemKind;
  readonly key: Item;
  readonly item: Item;
  /** The designs that want it. */
  readonly of: readonly Side["which"][];
}

/** All items that designs keep for one entity, by table and key; where both keep one item, it has what both want. */
export function imagesOf(
  sides: readonly Side[],
  entity: string,
  values: EntityValues,
  writing: Writing,
): Map<string, Image> {
  const images = new Map<string, Image>();
  for (const side of sides) {
    const name = side.own(entity);
    const described = side.model.entities.get(name);
    if (described === undefined) continue;
    for (const one of imagesOn(side, described, side.toOwn(name, values), writing)) {
      const id = imageId(one);
      const known = images.get(id);
      images.set(
        id,
        known === undefined
          ? one
          : { ...known, item: merged(known.item, one.item), of: [...known.of, ...one.of] },
      );
    }
  }
  return images;
}

function imagesOn(
  side: Side,
  entity: Entity,
  values: EntityValues,
  writing: Writing,
): readonly Image[] {
  return itemsOf(side.model, entity, { values }, writing).map(({ table, period, kind, item }) => {
    const described = side.model.design?.tables.get(table);
    const names = [described?.partition.name ?? "", described?.sort?.name];
    const key = keyOf(item, names);
    return { table: tableName({ name: table }, period), kind, key, item, of: [side.which] };
  });
}

export function keyOf(item: Item, names: readonly (string | undefined)[]): Item {
  const key = emptyRecord<AttributeValue>();
  for (const name of names) {
    const value = name === undefined ? undefined : own(item, name);
    if (name !== undefined && value !== undefined) key[name] = value;
  }
  return key;
}

export function imageId({ table, key }: Pick<Image, "table" | "key">): string {
  return JSON.stringify([table, ...Object.values(key)]);
}

function merged(one: Item, other: Item): Item {
  const item = emptyRecord<AttributeValue>();
  for (const [name, value] of [...Object.entries(one), ...Object.entries(other)]) {
    const known = own(item, name);
    if (known !== undefined && !equalValues(known, value)) {
      throw new Error(`${name} would have to hold two things in one item`);
    }
    item[name] = value;
  }
  return item;
}

export function sameItem(one: Item, other: Item): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => {
      const value = own(other, name);
      return value !== undefined && equalValues(value, one[name] as AttributeValue);
    })
  );
}

/** That an item is still as it was read: each attribute that it had, and none of those that it may have besides. */
export function unchanged(
  key: Item,
  raw: Item | undefined,
  names: Iterable<string>,
): {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>;
} {
  const [partition = ""] = Object.keys(key);
  const attributeNames: Record<string, string> = { "#k": partition };
  if (raw === undefined) {
    return {
      ConditionExpression: "attribute_not_exists(#k)",
      ExpressionAttributeNames: attributeNames,
    };
  }
  const values: Record<string, AttributeValue> = {};
  const parts = ["attribute_exists(#k)"];
  for (const name of new Set([...Object.keys(raw), ...names])) {
    if (Object.hasOwn(key, name)) continue;
    const place = parts.length;
    attributeNames[`#a${place}`] = name;
    const value = own(raw, name);
    if (value === undefined) parts.push(`attribute_not_exists(#a${place})`);
    else {
      values[`:a${place}`] = value;
      parts.push(`#a${place} = :a${place}`);
    }
  }
  return {
    ConditionExpression: parts.join(" AND "),
    ExpressionAttributeNames: attributeNames,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}
