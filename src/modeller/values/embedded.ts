import { emptyRecord, own } from "../../base/record.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import type { Content } from "../records/record.ts";
import type { EntityValues } from "./render-key.ts";

export type Embedded = Extract<Content, { kind: "embedded" }>;

/** What an attribute holds if some entities lie inside; nothing where a single one is not there. */
export function embeddedValue(
  { by, one }: Pick<Embedded, "by" | "one">,
  list: readonly EntityValues[],
): AttributeValue | undefined {
  if (one) {
    const [only] = list;
    return only && { M: mapOf(only) };
  }
  if (by === undefined) return { L: list.map((values) => ({ M: mapOf(values) })) };
  const all = emptyRecord<AttributeValue>();
  for (const values of list) all[nameInside(values.get(by))] = { M: mapOf(values) };
  return { M: all };
}

/** The entities that lie in an attribute, each as its map. */
export function embeddedMaps(
  { by, one }: Pick<Embedded, "by" | "one">,
  value: AttributeValue | undefined,
): readonly Item[] {
  if (value === undefined) return [];
  if (one) return "M" in value ? [value.M] : [];
  const list =
    by === undefined ? ("L" in value ? value.L : []) : "M" in value ? Object.values(value.M) : [];
  return list.flatMap((map) => ("M" in map ? [map.M] : []));
}

/** Under which name an entity lies in a map: a text as it is, a number as it is printed. */
export function nameInside(value: AttributeValue | undefined): string {
  if (value === undefined) return "";
  return "S" in value ? value.S : "N" in value ? value.N : "";
}

export function mapOf(values: EntityValues): Item {
  const record = emptyRecord<AttributeValue>();
  for (const [name, value] of values) record[name] = value;
  return record;
}

/** What a host's item says of what lies inside of it: whose it is. */
export function toldOf(
  host: { readonly id: readonly string[] },
  inner: Embedded["entity"],
  values: EntityValues,
): readonly (readonly [string, AttributeValue])[] {
  return host.id.flatMap((name) => {
    const value = values.get(name);
    return value === undefined || !inner.attributes.has(name) ? [] : [[name, value] as const];
  });
}

/** The value of an item under which entities lie. */
export function heldIn(item: Item, name: string): AttributeValue | undefined {
  return own(item, name);
}
