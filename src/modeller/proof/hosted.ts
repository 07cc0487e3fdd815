import type { Entity } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { EntityValues } from "../values/render-key.ts";
import type { State } from "./oracle.ts";

/** What an entity lies inside of, and the attribute of its own that says which one. */
export interface Host {
  readonly entity: Entity;
  readonly link: string;
  /** There is one at most. */
  readonly one: boolean;
}

/** Where an entity lies that has no items of its own. */
export function hostOf(facts: Facts, name: string): Host | undefined {
  const inner = facts.model.entities.get(name);
  if (inner === undefined || facts.itemsOf(name).length > 0) return undefined;
  for (const { entity, attributes } of facts.hostsOf(name)) {
    const link = [...inner.attributes.keys()].find(
      (one) => one === entity.id[0] || facts.cardinality.parentOf(inner, one) === entity,
    );
    const one = attributes.some(
      ({ content }) => content.kind === "embedded" && content.entity === inner && content.one,
    );
    if (link !== undefined) return { entity, link, one };
  }
  return undefined;
}

/** Those that one more can lie in. */
export function roomyHosts(
  { entity: host, link, one }: Host,
  { name }: Entity,
  state: State,
): readonly EntityValues[] {
  const inside = one ? (state.get(name) ?? []) : [];
  const full = new Set(inside.map((values) => JSON.stringify(values.get(link))));
  return (state.get(host.name) ?? []).filter((values) => !full.has(idOf(host, values)));
}

function idOf({ id }: Entity, values: EntityValues): string {
  return JSON.stringify(values.get(id[0] ?? ""));
}

/** Without those that would lie inside of something that is not there: nothing stores them. */
export function hosted(facts: Facts, state: State): Map<string, EntityValues[]> {
  return new Map(
    [...state].map(([name, list]) => {
      const host = hostOf(facts, name);
      if (host === undefined) return [name, [...list]];
      const ids = new Set((state.get(host.entity.name) ?? []).map((one) => idOf(host.entity, one)));
      return [name, list.filter((one) => ids.has(JSON.stringify(one.get(host.link))))];
    }),
  );
}
