import { emptyRecord, own } from "../../base/record.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import { equalValues } from "../../item/compare.ts";
import type { Content } from "../records/record.ts";
import type { EntityValues } from "./render-key.ts";

export type Embedded = Extract<Content, { kind: "embedded" }>;

/** What an attribute holds if some entities lie inside; nothing where a single one is not there. */
export function embeddedValue(
  { by, one, links }: Pick<Embedded, "by" | "one" | "links">,
  list: readonly EntityValues[],
): AttributeValue | undefined {
  const told = new Set(links.map(({ own: name }) => name));
  const map = (values: EntityValues): AttributeValue => ({
    M: mapOf([...values].filter(([name]) => !told.has(name))),
  });
  if (one) {
    const [only] = list;
    return only && map(only);
  }
  if (by === undefined) return { L: list.map(map) };
  const all = emptyRecord<AttributeValue>();
  for (const values of list) all[nameInside(values.get(by))] = map(values);
  return { M: all };
}

/** Whether an entity belongs to a host. */
export function isInside(
  { links }: Pick<Embedded, "links">,
  host: EntityValues,
  values: EntityValues,
): boolean {
  return (
    links.length > 0 &&
    links.every((link) => {
      const [id, own] = [host.get(link.host), values.get(link.own)];
      return id !== undefined && own !== undefined && equalValues(id, own);
    })
  );
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

export function mapOf(values: Iterable<readonly [string, AttributeValue]>): Item {
  const record = emptyRecord<AttributeValue>();
  for (const [name, value] of values) record[name] = value;
  return record;
}

/** What a host's item says of what lies inside of it: whose it is. */
export function toldOf(
  { links }: Pick<Embedded, "links">,
  values: EntityValues,
): readonly (readonly [string, AttributeValue])[] {
  return links.flatMap((link) => {
    const value = values.get(link.host);
    return value === undefined ? [] : [[link.own, value] as const];
  });
}

/** The value of an item under which entities lie. */
export function heldIn(item: Item, name: string): AttributeValue | undefined {
  return own(item, name);
}
