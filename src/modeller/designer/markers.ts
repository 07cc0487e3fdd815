import { indexKeyAttributesPerTypeMax } from "../../api/limits.ts";
import type { OperatorsDocument, WhereDocument } from "../../model/document-parts.ts";
import type { Entity, Predicate } from "../../model/requirements.ts";
import { unlike } from "./alike.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { isAnswered, joinedMarkers } from "./joined-marks.ts";
import { capital, plural } from "./keys.ts";
import { record } from "./layouts.ts";
import type { Need } from "./needs.ts";
import { draftsOf } from "./projections.ts";
import { commonKnown, sortSequences } from "./sequences.ts";

/**
 * A key attribute that is made for an index and always holds the same text. On items that fulfil some conditions alone it
 * keeps all others out of the index; on all items it puts all of an entity under one key, in any order that is asked for.
 */
export interface Marker {
  readonly attribute: string;
  /** What the marked items fulfil; nothing if all are marked. */
  readonly only: readonly Predicate[];
  /** `OpenOrders`. */
  readonly label: string;
  /** `of those with status open`. */
  readonly words: string;
  /** What it holds, if that is not always the same: the value of an attribute. */
  readonly text?: string;
}

export const mark = "1";

/** Markers that a pattern calls for: its conditions with constants, or that it reads a part of all in an order. */
export function markersOf(
  entity: Entity,
  needs: readonly Need[],
  taken: ReadonlySet<string>,
): readonly Marker[] {
  const sets = new Map<string, readonly Predicate[]>();
  for (const need of needs) {
    const told = need.constants.filter(({ operator }) => operator !== "exists");
    if (told.length > 0) sets.set(JSON.stringify(told), told);
    if (told.length > 1) for (const one of told) sets.set(JSON.stringify([one]), [one]);
    if (need.equal.length === 0 && isPart(need)) sets.set("[]", []);
  }
  const names = new Set(taken);
  return [...sets.values()].map((only) => {
    const marker = markerOf(entity, only, names);
    names.add(marker.attribute);
    return marker;
  });
}

/** A mark for what fulfils some conditions, with a name that is free. */
export function markerOf(
  entity: Entity,
  only: readonly Predicate[],
  taken: ReadonlySet<string>,
): Marker {
  const word = only.length === 0 ? "all" : wordOf(only);
  let attribute = `${word}${capital(entity.name)}`;
  for (let n = 2; taken.has(attribute); n += 1) attribute = `${word}${capital(entity.name)}${n}`;
  return {
    attribute,
    only,
    label: `${capital(word)}${plural(entity.name)}`,
    words: only.length === 0 ? "of all" : `of those with ${only.map(predicateWords).join(", ")}`,
  };
}

/** The mark that all of an entity have: the one that patterns call for anyway, or one of the same kind. */
export function allMarker(
  entity: Entity,
  needs: readonly Need[],
  taken: ReadonlySet<string>,
): Marker {
  const known = markersOf(entity, needs, taken);
  const names = new Set([...taken, ...known.map(({ attribute }) => attribute)]);
  return known.find(({ only }) => only.length === 0) ?? markerOf(entity, [], names);
}

/** An index brings less than a scan does: a page in an order, or what lies between bounds. */
function isPart({ order, limited, ranged }: Need): boolean {
  return (order.length > 0 && limited) || ranged.length > 0;
}

/** `open` for what is open, `marked` where the value makes no good name. */
function wordOf(only: readonly Predicate[]): string {
  const values = only.flatMap(({ operator, operands }) =>
    operator === "equals" || operator === "one-of"
      ? operands.map((one) => (one.kind === "constant" ? one.value : ""))
      : [""],
  );
  const isPlain = values.every((one) => typeof one === "string" && /^[A-Za-z]\w{0,19}$/.test(one));
  if (!isPlain || values.length > 2) return "marked";
  const [first = "", ...rest] = values.map(String);
  return [first.toLowerCase(), ...rest.map((one) => capital(one.toLowerCase()))].join("Or");
}

function predicateWords({ attribute, operator, operands }: Predicate): string {
  const values = operands.map((one) => (one.kind === "constant" ? String(one.value) : ""));
  const how = operator === "equals" ? "" : `${operator} `;
  return `${attribute} ${how}${values.join(", ")}`;
}

/** Indexes over marked items: behind the marker, or beside it, what those know who ask for marked items alone. */
export function markedDrafts(
  entity: Entity,
  layout: Layout,
  needs: readonly Need[],
  changing: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): readonly IndexDraft[] {
  const markers = [...markersOf(entity, needs, taken), ...joinedMarkers(entity, needs, taken)];
  return markers.flatMap((marker) => {
    const { only } = marker;
    const askers = needs.filter((need) => holds(marker, need));
    const users = askers.map((need) => (only.length === 0 ? need : without(need, only)));
    // Who knows nothing else reads all that is marked.
    const plain = users.filter(({ equal }) => equal.length === 0);
    const known =
      only.length === 0
        ? []
        : commonKnown(entity, users, changing, indexKeyAttributesPerTypeMax - 1);
    const keys = [...(plain.length > 0 ? [[]] : []), ...known].flatMap((partition) =>
      sortSequences(entity, partition, partition.length === 0 ? plain : users).map((sort) => ({
        partition,
        sort,
      })),
    );
    const drafts = unlike(keys, users, indexKeyAttributesPerTypeMax - 1).flatMap((key) =>
      draftsOf(entity, layout, users, { ...key, byName: true }),
    );
    const all = marker.text === undefined ? copies(entity, layout, marker, askers) : [];
    return [...drafts, ...all].map((draft) => marked(draft, entity, marker, users));
  });
}

/** Whether all that a need asks for is marked. */
function holds(marker: Marker, need: Need): boolean {
  if (marker.text !== undefined) return isAnswered(marker, need);
  const own = need.constants.map((one) => JSON.stringify(one));
  return marker.only.every((one) => own.includes(JSON.stringify(one)));
}

/** All that is marked under keys of their own: nobody can take it for an index by what the marker says. */
function copies(
  entity: Entity,
  layout: Layout,
  { only }: Marker,
  needs: readonly Need[],
): readonly IndexDraft[] {
  const [first] = entity.id;
  if (first === undefined || only.length === 0) return [];
  const key = { partition: [first], sort: [], users: needs, byName: true };
  return draftsOf(entity, layout, needs, key);
}

/** What is left to ask of marked items: what the marker says is answered. */
function without(need: Need, only: readonly Predicate[]): Need {
  const gone = only.map(({ attribute }) => attribute);
  const left = (names: readonly string[]): readonly string[] =>
    names.filter((name) => !gone.includes(name));
  return { ...need, equal: left(need.equal), ranged: left(need.ranged), asked: left(need.asked) };
}

function marked(
  draft: IndexDraft,
  entity: Entity,
  marker: Marker,
  users: readonly Need[],
): IndexDraft {
  const { document } = draft;
  const { attribute, only, label, words, text = mark } = marker;
  const sorted = [document.key.partition ?? []].flat();
  return {
    ...draft,
    id: `${draft.id} ${words}`,
    words: `${words} ${draft.words}`.replace(/ {2}/g, " "),
    makes: JSON.stringify([attribute, only]),
    label,
    ...(marker.text !== undefined && { joins: true as const }),
    ...(only.length > 0 && { readers: new Set(users.map(({ pattern }) => pattern)) }),
    document: {
      ...document,
      key: { ...document.key, partition: sorted.length === 0 ? attribute : [...sorted, attribute] },
      sets: record([[entity.name, record([[attribute, text]])]]),
      ...(only.length > 0 && { only: record([[entity.name, whereOf(only)]]) }),
    },
  };
}

function whereOf(only: readonly Predicate[]): WhereDocument {
  const where = new Map<string, Record<string, unknown>>();
  for (const { attribute, operator, operands } of only) {
    const values = operands.flatMap((one) => (one.kind === "constant" ? [one.value] : []));
    const isList = operator === "one-of" || operator === "between";
    const known = where.get(attribute) ?? {};
    where.set(attribute, { ...known, [operator]: isList ? values : values[0] });
  }
  return record([...where] as (readonly [string, OperatorsDocument])[]);
}
