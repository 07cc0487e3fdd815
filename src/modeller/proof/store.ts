import type { Item } from "../../item/attribute-value.ts";
import type { Entity } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { HostLink } from "../records/record.ts";
import { tableName } from "../requests/table-requests.ts";
import { itemsOf, type StoredItem } from "../values/item-of.ts";
import type { EntityValues, Writing } from "../values/render-key.ts";
import { currentPeriods, periodName, timeOf } from "../values/time-of.ts";
import { hostText, ownText } from "./hosted.ts";
import { versionOf } from "./identity.ts";
import type { State } from "./oracle/state.ts";

/** Items by the table that they lie in and by their key. */
export type Stored = ReadonlyMap<string, ReadonlyMap<string, Item>>;

/** All items that a design keeps for the entities there are, in some of its tables. */
export function storedFor(
  facts: Facts,
  state: State,
  tables: ReadonlySet<string>,
  writing: Writing,
): Stored {
  const stored = new Map<string, Map<string, Item>>();
  for (const [name, list] of state) {
    const entity = facts.model.entities.get(name);
    if (entity === undefined || !isIn(facts, name, tables)) continue;
    for (const values of list) {
      for (const one of itemsFor(facts, entity, values, state, writing)) {
        if (!tables.has(one.table)) continue;
        const { table, key } = placeOf(facts, one);
        const items = stored.get(table) ?? new Map<string, Item>();
        stored.set(table, items);
        // Two items with one key are one, as they would be if an application wrote both.
        items.set(key, one.item);
      }
    }
  }
  return stored;
}

function isIn({ records }: Facts, entity: string, tables: ReadonlySet<string>): boolean {
  return records.some((one) => one.entity.name === entity && tables.has(one.table.name));
}

/** The items of one entity. */
export function itemsFor(
  facts: Facts,
  entity: Entity,
  values: EntityValues,
  state: State,
  writing: Writing,
): readonly StoredItem[] {
  const instance = {
    values,
    latest: isLatest(facts, entity, values, state),
    embedded: (inner: string) => insideOf(facts, entity, values, inner, state),
  };
  return itemsOf(facts.model, entity, instance, writing);
}

/** The table's name with its period, and the item's key as one text. */
export function placeOf(
  { model }: Facts,
  { table: name, period, item }: StoredItem,
): { readonly table: string; readonly key: string; readonly names: readonly string[] } {
  const table = model.design?.tables.get(name);
  const names = [table?.partition.name ?? "", table?.sort?.name ?? ""].filter((one) => one !== "");
  const key = JSON.stringify(names.map((one) => item[one]));
  return { table: tableName({ name }, period), key, names };
}

/** The periods that a table is there for: the current ones, and those of all entities that there are; newest first. */
export function openPeriods(
  { model }: Facts,
  name: string,
  state: State,
  now: number,
): readonly string[] {
  const table = model.design?.tables.get(name);
  if (table?.periods === undefined) return [];
  const { every, attribute } = table.periods;
  const open = new Set(currentPeriods(every, now));
  for (const entity of table.placements.keys()) {
    const described = model.entities.get(entity)?.attributes.get(attribute);
    if (described === undefined) continue;
    for (const values of state.get(entity) ?? []) {
      const time = timeOf(described, values.get(attribute));
      if (time !== undefined) open.add(periodName(every, time));
    }
  }
  return [...open].toSorted((a, b) => (a < b ? 1 : -1));
}

function isLatest(facts: Facts, entity: Entity, values: EntityValues, state: State): boolean {
  const version = versionOf(facts, entity.name);
  if (version === undefined) return false;
  const rest = entity.id.filter((one) => one !== version);
  const number = (one: EntityValues): number => {
    const value = one.get(version);
    return value !== undefined && "N" in value ? Number(value.N) : 0;
  };
  return (state.get(entity.name) ?? [])
    .filter((one) => rest.every((name) => text(one, name) === text(values, name)))
    .every((one) => number(one) <= number(values));
}

/** The entities that lie inside the item of one. Lists of a state do not change: the next state has others. */
export function insideOf(
  facts: Facts,
  host: Entity,
  values: EntityValues,
  inner: string,
  state: State,
): readonly EntityValues[] {
  const links = facts
    .hostsOf(inner)
    .flatMap(({ entity, attributes }) =>
      entity === host
        ? attributes.flatMap(({ content }) =>
            content.kind === "embedded" && content.entity.name === inner ? [content.links] : [],
          )
        : [],
    )[0];
  if (links === undefined || links.length === 0) return [];
  return groupsBy(state.get(inner) ?? [], links).get(hostText(links, values)) ?? [];
}

const groups = new WeakMap<readonly EntityValues[], Map<string, Groups>>();
type Groups = ReadonlyMap<string, readonly EntityValues[]>;

/** A list by the host that each names; every host asks for its own. */
function groupsBy(list: readonly EntityValues[], links: readonly HostLink[]): Groups {
  const known = groups.get(list) ?? new Map<string, Groups>();
  groups.set(list, known);
  const name = links.map(({ own }) => own).join();
  const there = known.get(name);
  if (there !== undefined) return there;
  const made = new Map<string, EntityValues[]>();
  for (const one of list) {
    const key = ownText(links, one);
    const same = made.get(key);
    if (same === undefined) made.set(key, [one]);
    else same.push(one);
  }
  known.set(name, made);
  return made;
}

function text(values: EntityValues, name: string): string {
  return JSON.stringify(values.get(name));
}
