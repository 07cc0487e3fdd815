import type { DecisionDocument } from "../../model/document-design.ts";
import type { Component } from "./component.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { indexNames } from "./emit.ts";
import type { Choice } from "./pricing.ts";
import type { Solver } from "./program.ts";

/** Why each table and index is there, and what it would cost in a month to do without. */
export function decisionsOf(
  component: Component,
  choices: readonly Choice[],
  total: number,
  solver: Solver,
): readonly DecisionDocument[] {
  const without = (ids: ReadonlySet<string>): Rejected[] => {
    const found = component.solve(solver, { without: ids });
    return found === undefined ? [] : [{ choices: found.choices, more: found.total - total }];
  };
  return choices.flatMap(({ layout, indexes }) => {
    const names = indexNames(indexes, layout);
    return [
      layoutDecision(component, layout, without),
      ...indexes.map((draft) =>
        indexDecision(component, layout, draft, names.get(draft) ?? draft.id, without),
      ),
    ];
  });
}

interface Rejected {
  readonly choices: readonly Choice[];
  readonly more: number;
}

type Without = (ids: ReadonlySet<string>) => readonly Rejected[];

function layoutDecision(
  { options }: Component,
  { id, main, words, entities, kept }: Layout,
  without: Without,
): DecisionDocument {
  const chosen = `${listed(entities)} ${words}`;
  if (kept) return { about: `design.tables.${main}`, chosen, why: "it was to be kept" };
  const same = options.filter(({ layout }) =>
    layout.entities.some((one) => entities.includes(one)),
  );
  const rejected = same.length < 2 ? [] : without(new Set([id]));
  return {
    about: `design.tables.${main}`,
    chosen,
    ...(rejected.length > 0 && {
      rejected: rejected.map(({ choices, more }) => ({
        what: choices
          .filter(({ layout }) => layout.entities.some((one) => entities.includes(one)))
          .map(({ layout }) => `${listed(layout.entities)} ${layout.words}`)
          .join("; "),
        perMonth: cents(more),
      })),
    }),
    why: rejected.length === 0 ? "nothing else can be as cheap" : "it is the cheapest",
  };
}

function indexDecision(
  { options }: Component,
  layout: Layout,
  draft: IndexDraft,
  name: string,
  without: Without,
): DecisionDocument {
  const all = options.find((one) => one.layout.id === layout.id)?.indexes ?? [];
  const key = keyText(draft);
  const alike = all.filter((one) => keyText(one.draft) === key).map((one) => one.draft.id);
  const others = [
    ...(alike.length > 1
      ? without(new Set([draft.id])).map((one) => ({
          what: otherProjection(one.choices, layout, key),
          more: one.more,
        }))
      : []),
    ...without(new Set(alike)).map((one) => ({
      what: `no index ${keyWords(draft)}`,
      more: one.more,
    })),
  ];
  return {
    about: `design.tables.${layout.main}.indexes.${name}`,
    chosen: draft.words,
    rejected: others.map(({ what, more }) => ({ what, perMonth: cents(more) })),
    why: !JSON.stringify(draft.document.sets ?? {}).includes("{shard:")
      ? "reads cost so much more without it than it costs to keep"
      : "reads cost so much more without it; at peak its hottest key would be more than one partition gives",
  };
}

function otherProjection(choices: readonly Choice[], { id }: Layout, key: string): string {
  const drafts = choices.find(({ layout }) => layout.id === id)?.indexes ?? [];
  const same = drafts.find((one) => keyText(one) === key);
  return same === undefined ? "a design without it" : same.words;
}

function keyText({ document }: IndexDraft): string {
  return JSON.stringify(document.key);
}

function keyWords({ words }: IndexDraft): string {
  return words.slice(0, words.lastIndexOf(" with "));
}

export function listed(names: readonly string[]): string {
  return names.join(" and ");
}

function cents(dollars: number): number {
  return Math.max(0, Math.round(dollars * 100) / 100);
}
