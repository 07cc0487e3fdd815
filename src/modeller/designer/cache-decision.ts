import type { DecisionDocument } from "../../model/document-design.ts";
import { numberText } from "../lint/words.ts";
import { cache } from "./caches.ts";
import type { Component } from "./component.ts";
import type { LayoutOption } from "./options.ts";
import type { Choice } from "./pricing.ts";
import { isTaken } from "./worth.ts";

/** What a choice costs more in a month if some layouts are not to be had; nothing if there is no design then. */
export type MoreWithout = (ids: ReadonlySet<string>) => number | undefined;

/** Why a table has a cache: whom it answers, and at which share of answers it would stop paying for itself. */
export function cacheDecision(
  { options }: Component,
  { layout, indexes }: Choice,
  more: MoreWithout,
): readonly DecisionDocument[] {
  if (layout.cache === undefined) return [];
  const { patterns, hitRate, by } = layout.cache;
  const about = `design.tables.${layout.main}.dax`;
  const chosen = `${cache.nodes} × ${cache.node} for pattern ${patterns.join(", ")}, which may get answers of some minutes ago; it is assumed to answer ${percent(hitRate)} of their reads`;
  if (by === "heat") {
    const why = "at peak the hottest key is read more than one partition gives";
    return [{ about, chosen, why }];
  }
  const option = options.find((one) => one.layout.id === layout.id);
  const cached = options.filter((one) => one.layout.cache && sharesWith(one, layout.entities));
  const without = more(new Set(cached.map((one) => one.layout.id)));
  const reads = option === undefined ? 0 : readsOf(option, indexes, patterns) / (1 - hitRate);
  const edge = without === undefined || reads === 0 ? undefined : hitRate - without / reads;
  return [
    {
      about,
      chosen:
        edge === undefined || edge <= 0
          ? chosen
          : `${chosen}, and stops paying for itself below ${percent(edge)}`,
      ...(without !== undefined && { rejected: [{ what: "no cache", perMonth: cents(without) }] }),
      why: "it saves more reads than its nodes cost",
    },
  ];
}

/** The cache that was looked at for a table and not taken, with what it would cost more. */
export function rejectedCache(
  { options }: Component,
  { layout }: Choice,
  without: (
    ids: ReadonlySet<string>,
  ) => { readonly choices: readonly Choice[]; readonly more: number } | undefined,
): readonly { readonly what: string; readonly perMonth: number }[] {
  if (layout.cache !== undefined || layout.kept) return [];
  const near = options.filter((one) => sharesWith(one, layout.entities));
  if (!near.some((one) => one.layout.cache?.by === "price")) return [];
  const other = without(
    new Set(near.flatMap((one) => (one.layout.cache === undefined ? [one.layout.id] : []))),
  );
  const cached = other?.choices.find(
    (one) => one.layout.cache && one.layout.entities.some((name) => layout.entities.includes(name)),
  )?.layout.cache;
  if (other === undefined || cached === undefined) return [];
  const what = `with a cache of ${cache.nodes} × ${cache.node} for ${cached.patterns.join(", ")}, if it answers ${percent(cached.hitRate)} of their reads`;
  return [{ what, perMonth: cents(other.more) }];
}

function sharesWith({ layout }: LayoutOption, entities: readonly string[]): boolean {
  return layout.entities.some((one) => entities.includes(one));
}

/** What some patterns read for, with the indexes that were chosen. */
function readsOf(
  { ways }: LayoutOption,
  indexes: Choice["indexes"],
  patterns: readonly string[],
): number {
  const has = new Set(indexes.map(({ id }) => id));
  return patterns.reduce((sum, id) => {
    const open = (ways.get(id) ?? []).filter(({ needs }) => needs.every((one) => has.has(one)));
    const [first, ...rest] = open;
    if (first === undefined) return sum;
    return sum + rest.reduce((best, way) => (isTaken(way, best) ? way : best), first).dollars;
  }, 0);
}

function percent(share: number): string {
  return `${numberText(Math.round(share * 100))} %`;
}

function cents(dollars: number): number {
  return Math.max(0, Math.round(dollars * 100) / 100);
}
