import type { DecisionDocument } from "../../model/document-design.ts";
import { cacheDecision, rejectedCache } from "./cache-decision.ts";
import type { Chosen, Component } from "./component.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { indexNames } from "./emit.ts";
import { partsBetween } from "./flips.ts";
import { faultPenalty, type LayoutOption } from "./options.ts";
import type { Choice } from "./pricing.ts";
import type { Solver } from "./program.ts";
import { versionDecision } from "./versions.ts";
import { takenOf } from "./worth.ts";

/** Why each table and index is there, and what it would cost in a month to do without. */
export function decisionsOf(
  component: Component,
  chosen: Chosen,
  solver: Solver,
): readonly DecisionDocument[] {
  const without = (ids: ReadonlySet<string>): Rejected | undefined => {
    const found = component.solve(solver, { without: ids });
    if (found === undefined) return undefined;
    return {
      choices: found.choices,
      more: found.total - chosen.total,
      why: faultOf(found, chosen),
    };
  };
  const { choices } = chosen;
  const fine = (ids: ReadonlySet<string>): Rejected | undefined => {
    const found = without(ids);
    return found?.why === undefined ? found : undefined;
  };
  const more = (ids: ReadonlySet<string>): number | undefined => fine(ids)?.more;
  return choices.flatMap((choice) => {
    const names = indexNames(choice.indexes, choice.layout);
    const others = rejectedCache(component, choice, fine);
    return [
      withRejected(layoutDecision(component, choice.layout, without), others),
      ...cacheDecision(component, choice, more),
      ...versionDecision(component, choice, more),
      ...choice.indexes.map((draft) =>
        indexDecision({ component, choices, choice, without }, draft, names.get(draft) ?? draft.id),
      ),
    ];
  });
}

interface Rejected {
  readonly choices: readonly Choice[];
  readonly more: number;
  /** The rule that it breaks. */
  readonly why: string | undefined;
}

const lateText = "it takes longer than allowed";

function faultOf(found: Chosen, chosen: Chosen): string | undefined {
  if (found.outside > chosen.outside) return "callers would list more than they are bound to";
  return found.late > chosen.late ? lateText : undefined;
}

/** Less than a cent is the same design, told twice. */
const tinyMore = 0.005;

type Without = (ids: ReadonlySet<string>) => Rejected | undefined;
type RejectedDocument = NonNullable<DecisionDocument["rejected"]>[number];

function rejectedAs(what: string, { more, why }: Omit<Rejected, "choices">): RejectedDocument {
  return why === undefined ? { what, perMonth: cents(more) } : { what, why };
}

function layoutDecision(
  { options }: Component,
  layout: Layout,
  without: Without,
): DecisionDocument {
  const { main, words, entities, kept } = layout;
  const chosen = `${listed(entities)} ${words}`;
  if (kept) return { about: `design.tables.${main}`, chosen, why: "it was to be kept" };
  // What differs in something else than the key has a decision of its own, and so has the same idea elsewhere.
  const [key, { idea }] = [keyOf(layout), layout];
  const same = options.flatMap((one) =>
    keyOf(one.layout) === key || (idea !== undefined && one.layout.idea === idea)
      ? [one.layout.id]
      : [],
  );
  const other = without(new Set(same));
  const laidOut = other?.choices
    .filter((one) => one.layout.entities.some((name) => entities.includes(name)))
    .map((one) => `${listed(one.layout.entities)} ${one.layout.words}`);
  return {
    about: `design.tables.${main}`,
    chosen,
    ...(other && { rejected: [rejectedAs(laidOut?.join("; ") ?? "", other)] }),
    why: layoutReason(other),
  };
}

function layoutReason(other: Rejected | undefined): string {
  if (other === undefined) return "nothing else can be as cheap";
  return other.more < -0.005 ? "it is the best by what is weighed" : "it is the cheapest";
}

function keyOf({ id, variantOf = id }: Layout): string {
  return variantOf;
}

function withRejected(
  decision: DecisionDocument,
  others: readonly RejectedDocument[],
): DecisionDocument {
  const told = decision.rejected ?? [];
  return others.length === 0 ? decision : { ...decision, rejected: [...told, ...others] };
}

interface Around {
  readonly component: Component;
  readonly choices: readonly Choice[];
  readonly choice: Choice;
  readonly without: Without;
}

function indexDecision(
  { component, choices, choice, without }: Around,
  draft: IndexDraft,
  name: string,
): DecisionDocument {
  const { layout } = choice;
  const option = component.optionOf(layout);
  const key = keyText(draft);
  const alike = (option?.indexes ?? []).flatMap((one) =>
    keyText(one.draft) === key ? [one.draft.id] : [],
  );
  // By the same attributes in another order it is hardly another index; and the same table with a cache, or with a copy
  // of the newest, is no table without it.
  const isSame = (one: IndexDraft): boolean =>
    one.entity === draft.entity && foundBy(one) === foundBy(draft);
  const everywhere = component.options
    .filter((one) => keyOf(one.layout) === keyOf(layout))
    .flatMap(({ indexes }) => indexes.flatMap((one) => (isSame(one.draft) ? [one.draft.id] : [])));
  const rejected: RejectedDocument[] = [];
  const next = alike.length > 1 ? without(new Set([draft.id])) : undefined;
  const same = next?.choices
    .find((one) => one.layout.id === layout.id)
    ?.indexes.find((one) => keyText(one) === key);
  // If the next best has no index with this key, it is what comes below.
  if (next !== undefined && same !== undefined) {
    rejected.push(rejectedAs(`with ${heldText(same)} instead`, next));
  }
  const bare =
    draft.document.projection === "keys" ? undefined : component.keysAlone(choice, draft);
  const isTold = same?.document.projection === "keys";
  if (bare !== undefined && !isTold) {
    const what = "with keys alone, and a read of each item, instead";
    const why = bare > faultPenalty / 2 ? lateText : undefined;
    rejected.push(rejectedAs(what, { more: bare, why }));
  }
  const none = withoutIndex(component, layout, everywhere, without, isSame);
  if (none !== undefined) {
    rejected.push(rejectedAs(withoutText(option, choices, draft, none.choices, layout), none));
  }
  const buckets = (option?.indexes ?? []).flatMap((one) =>
    one.draft.bucket && keyText(one.draft) !== key ? [one.draft.id] : [],
  );
  const whole =
    draft.bucket && buckets.length > 0 ? without(new Set([...everywhere, ...buckets])) : undefined;
  if (whole !== undefined && whole.more - (none?.more ?? 0) > tinyMore) {
    const instead = withoutText(option, choices, draft, whole.choices, layout);
    rejected.push(rejectedAs(`without keys for parts of time, and ${instead}`, whole));
  }
  return {
    about: `design.tables.${layout.main}.indexes.${name}`,
    chosen: draft.words,
    ...(rejected.length > 0 && { rejected }),
    why: !JSON.stringify(draft.document.sets ?? {}).includes("{shard:")
      ? "reads cost so much more without it than it costs to keep"
      : "reads cost so much more without it; at peak its hottest key would be more than one partition gives",
  };
}

/** The best without an index: not the same one in another table, but this table without it. */
function withoutIndex(
  { options }: Component,
  layout: Layout,
  ids: readonly string[],
  without: Without,
  isSame: (draft: IndexDraft) => boolean,
): Rejected | undefined {
  const found = without(new Set(ids));
  if (found === undefined || !found.choices.some(({ indexes }) => indexes.some(isSame))) {
    return found;
  }
  const others = options.filter(
    (one) =>
      keyOf(one.layout) !== keyOf(layout) &&
      one.layout.entities.some((name) => layout.entities.includes(name)),
  );
  return without(new Set([...ids, ...others.map((one) => one.layout.id)])) ?? found;
}

/** What is there instead of an index; if nothing is, how its readers then read. */
function withoutText(
  option: LayoutOption | undefined,
  choices: readonly Choice[],
  draft: IndexDraft,
  then: readonly Choice[],
  { id }: Layout,
): string {
  const { come } = partsBetween(choices, then);
  if (come.length > 0) return `without it: ${come.join("; ")}`;
  const left = then.find(({ layout }) => layout.id === id)?.indexes ?? [];
  const has = new Set(left.map((one) => one.id));
  const before = new Set([...has, draft.id]);
  const ranks = [...(option?.ways ?? [])].flatMap(([pattern, ways]) => {
    const [was, is] = [takenOf(ways, before), takenOf(ways, has)];
    return was?.needs.includes(draft.id) && is !== undefined ? [{ pattern, rank: is.rank }] : [];
  });
  const how = ["by other keys", "sorted by the caller", "by a scan"].flatMap((words, rank) => {
    const those = ranks.filter((one) => one.rank === rank).map(({ pattern }) => pattern);
    // What the design does by itself has no id, but words.
    const own = those.filter((one) => !one.includes(" "));
    const others = those.filter((one) => one.includes(" "));
    return [
      ...(own.length === 0 ? [] : [`pattern ${listed(own)} ${words}`]),
      ...(others.length === 0 ? [] : [`what keeps ${listed(others)} reads ${words}`]),
    ];
  });
  return how.length === 0 ? "without it" : `without it: ${how.join(", ")}`;
}

/** What an index holds besides its keys. */
function heldText({ document: { projection = "all" } }: IndexDraft): string {
  if (projection === "keys") return "keys alone, and a read of each item,";
  return projection === "all" ? "all attributes" : projection.join(", ");
}

/** What has to be known to find something in an index; a mark that all items have is known anyway. */
function foundBy({ document: { key, local = false, sets = {}, only } }: IndexDraft): string {
  const made = new Map(Object.values(sets).flatMap((one) => Object.entries(one)));
  const names = [key.partition ?? []].flat().flatMap((name) => {
    const text = made.get(name);
    if (text?.includes("{")) return [text];
    return text !== undefined && only === undefined ? [] : [name];
  });
  return JSON.stringify([local, names.toSorted()]);
}

function keyText({ document }: IndexDraft): string {
  return JSON.stringify(document.key);
}

export function listed(names: readonly string[]): string {
  return names.join(" and ");
}

function cents(dollars: number): number {
  // With weights something may be rejected that is cheaper.
  return Math.round(dollars * 100) / 100 || 0;
}
