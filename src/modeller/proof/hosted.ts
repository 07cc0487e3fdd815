import type { Entity } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { HostLink } from "../records/record.ts";
import type { EntityValues } from "../values/render-key.ts";
import { storedAttributes } from "../values/sample.ts";
import type { State } from "./oracle/state.ts";

/** What an entity lies inside of, and the attributes of its own that say which one. */
export interface Host {
  readonly entity: Entity;
  readonly links: readonly HostLink[];
  /** There is one at most. */
  readonly one: boolean;
}

/** Where an entity lies that has no items of its own. */
export function hostOf(facts: Facts, name: string): Host | undefined {
  if (facts.itemsOf(name).length > 0) return undefined;
  for (const { entity, attributes } of facts.hostsOf(name)) {
    for (const { content } of attributes) {
      if (content.kind !== "embedded" || content.entity.name !== name) continue;
      const { links, one } = content;
      if (links.length > 0) return { entity, links, one };
    }
  }
  return undefined;
}

/** Those that one more can lie in. */
export function roomyHosts(
  { entity: host, links, one }: Host,
  { name }: Entity,
  state: State,
): readonly EntityValues[] {
  const inside = one ? (state.get(name) ?? []) : [];
  const full = new Set(inside.map((values) => ownText(links, values)));
  return (state.get(host.name) ?? []).filter((values) => !full.has(hostText(links, values)));
}

/** The id of a host, as one text. */
export function hostText(links: readonly HostLink[], values: EntityValues): string {
  return JSON.stringify(links.map(({ host }) => values.get(host)));
}

/** The id of the host that an embedded entity names, as one text. */
export function ownText(links: readonly HostLink[], values: EntityValues): string {
  return JSON.stringify(links.map(({ own }) => values.get(own)));
}

/**
 * The part of a state that can be stored: no two entities have the same id or the same unique value, what is embedded has
 * its host, and attributes that another service stores have no value.
 */
export function storable(facts: Facts, state: State): Map<string, EntityValues[]> {
  const all = new Map(
    [...state].map(([name, list]) => {
      const entity = facts.model.entities.get(name);
      if (entity === undefined) return [name, [...list]];
      return [name, distinct(entity, list).map((one) => storedValues(facts, entity, one))];
    }),
  );
  for (const [name, list] of all) {
    const host = hostOf(facts, name);
    if (host === undefined) continue;
    const { links, entity } = host;
    const ids = new Set((all.get(entity.name) ?? []).map((one) => hostText(links, one)));
    all.set(
      name,
      list.filter((one) => ids.has(ownText(links, one))),
    );
  }
  return all;
}

/** An entity without the attributes that another service stores. */
export function storedValues({ model }: Facts, entity: Entity, values: EntityValues): EntityValues {
  const stored = new Set(storedAttributes(model, entity).map(({ name }) => name));
  const isWhole = [...values.keys()].every((name) => stored.has(name));
  return isWhole ? values : new Map([...values].filter(([name]) => stored.has(name)));
}

/** Without entities whose id or unique value one before them has. */
function distinct({ id, attributes }: Entity, list: readonly EntityValues[]): EntityValues[] {
  const unique = [...attributes.values()].filter((one) => one.unique).map(({ name }) => [name]);
  const taken = new Set<string>();
  return list.filter((one) => {
    const texts = [id, ...unique]
      .filter((names) => names.every((name) => one.has(name)))
      .map((names) => JSON.stringify([names, names.map((name) => one.get(name))]));
    const isNew = !texts.some((text) => taken.has(text));
    if (isNew) for (const text of texts) taken.add(text);
    return isNew;
  });
}
