import type { Entity } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { HostLink } from "../records/record.ts";
import type { EntityValues } from "../values/render-key.ts";
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

/** Without those that would lie inside of something that is not there: nothing stores them. */
export function hosted(facts: Facts, state: State): Map<string, EntityValues[]> {
  return new Map(
    [...state].map(([name, list]) => {
      const host = hostOf(facts, name);
      if (host === undefined) return [name, [...list]];
      const { links, entity } = host;
      const ids = new Set((state.get(entity.name) ?? []).map((one) => hostText(links, one)));
      return [name, list.filter((one) => ids.has(ownText(links, one)))];
    }),
  );
}
