import { partitionUnitsMax } from "../../capacity/throughput.ts";
import { formats, type TimeUnit, timeUnits } from "../../model/formats.ts";
import type { Model } from "../../model/model.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import { unitsKept } from "../plans/read-numbers.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { capital, joinedName, plural } from "./keys.ts";
import { record } from "./layouts.ts";
import type { Need } from "./needs.ts";
import { draftsOf } from "./projections.ts";
import { attributeMean } from "./weights.ts";

/** Somebody reads what lies between two moments. */
export interface SpanNeed {
  readonly need: Need;
  readonly pattern: Pattern;
  /** The attribute that says when. */
  readonly time: string;
  /** Other attributes that are known by one value. */
  readonly known: readonly string[];
  /** How many units of time it is long, for each unit. */
  readonly length: ReadonlyMap<TimeUnit, number>;
}

/** Who reads between two moments, where it is said how many there are: else nobody can know how long a span is. */
export function spanNeeds(
  model: Model,
  entity: Entity,
  needs: readonly Need[],
): readonly SpanNeed[] {
  const { cardinality } = Facts.of(model);
  return needs.flatMap((need): SpanNeed[] => {
    const pattern = model.patterns.get(need.pattern);
    const [action, more] = pattern?.actions ?? [];
    if (need.entity !== entity.name || need.locates || pattern?.kind !== "read") return [];
    if (action?.entity !== entity.name || more !== undefined) return [];
    const span = action.where.find(
      ({ attribute, operator }) => operator === "between" && isCut(entity, attribute),
    );
    const { matches } = pattern;
    if (span === undefined || matches === undefined) return [];
    const known = action.where.flatMap(({ attribute, operator }) =>
      operator === "equals" ? [attribute] : [],
    );
    const all =
      known.length === 0 ? cardinality.count(entity) : cardinality.itemsPer(entity, known);
    if (all === undefined || all.value <= 0) return [];
    const length = new Map(
      timeUnits.map((unit) => {
        const units = unitsKept(entity.retentionMs, unit, [], entity.name);
        return [unit, (matches.value / all.value) * units] as const;
      }),
    );
    return [{ need, pattern, time: span.attribute, known, length }];
  });
}

/** A time that every item has for ever, and that can be cut off. */
function isCut(entity: Entity, name: string): boolean {
  const { format, mutable, present } = entity.attributes.get(name) ?? {};
  const finest = format && formats[format].finest;
  return finest !== undefined && !mutable && present?.value === 1;
}

/** The unit that a span is not longer than, and the next finer one: few keys are asked, and few items beside the span. */
export function unitsFor(entity: Entity, { time, length }: SpanNeed): readonly TimeUnit[] {
  const { format } = entity.attributes.get(time) ?? {};
  const finest = timeUnits.indexOf((format && formats[format].finest) ?? "minute");
  const coarse = timeUnits.findIndex((unit) => (length.get(unit) ?? 0) <= 1);
  const first = coarse < 0 ? timeUnits.length - 1 : coarse;
  return [first, first - 1].flatMap((i) => (i < finest ? [] : (timeUnits[i] ?? [])));
}

/** More keys than these are not asked for one answer. */
const bucketsMax = 100;

/**
 * Indexes by a part of time (`{createdAt|day}`): for those who want what lies between two moments in another order than
 * that of time, and where so many read at once that one key for all would be too hot. What is written now goes under one
 * key nevertheless, so that a key that is hot by writes needs shards besides.
 */
export function bucketDrafts(
  model: Model,
  entity: Entity,
  layout: Layout,
  needs: readonly Need[],
  taken: ReadonlySet<string>,
): readonly IndexDraft[] {
  const spans = spanNeeds(model, entity, needs).filter(({ need }) => !need.strong);
  const found = new Map<string, IndexDraft>();
  for (const span of spans) {
    if (!isSortedOtherwise(span) && !isReadMuch(entity, span)) continue;
    for (const unit of unitsFor(entity, span)) {
      if (1 + (span.length.get(unit) ?? 0) > bucketsMax) continue;
      const users = spans.filter(
        ({ time, known }) => time === span.time && span.known.every((name) => known.includes(name)),
      );
      for (const draft of draftsFor(entity, layout, span, users, unit, taken)) {
        found.set(draft.id, draft);
      }
    }
  }
  return [...found.values()];
}

/** A page of some in the order of something else: who asks by time would have to sort all of them. */
function isSortedOtherwise({ need, time, pattern }: SpanNeed): boolean {
  const [first] = need.order;
  const limit = pattern.actions[0]?.limit;
  const matches = pattern.matches?.value ?? 0;
  return (
    first !== undefined && first.attribute !== time && typeof limit === "number" && matches > limit
  );
}

/** At peak more may be read of all items than one key gives. */
function isReadMuch(entity: Entity, { need, pattern, known }: SpanNeed): boolean {
  if (known.length > 0) return false;
  const limit = pattern.actions[0]?.limit;
  const matches = pattern.matches?.value ?? 0;
  const items = typeof limit === "number" ? Math.min(limit, matches) : matches;
  const bytes = [...entity.attributes.values()].reduce((sum, one) => sum + attributeMean(one), 0);
  const units = Math.max(1, Math.ceil((items * bytes) / 4_096)) * (need.strong ? 1 : 0.5);
  const rate = pattern.rps.peak ?? pattern.rps.average;
  return (rate?.value ?? 0) * units > partitionUnitsMax.read;
}

function draftsFor(
  entity: Entity,
  layout: Layout,
  { time, known, need }: SpanNeed,
  users: readonly SpanNeed[],
  unit: TimeUnit,
  taken: ReadonlySet<string>,
): readonly IndexDraft[] {
  const attribute = joinedName([time, unit]);
  if (taken.has(attribute)) return [];
  const order = need.order.map((one) => one.attribute).filter((name) => !known.includes(name));
  const sort = order.length === 0 ? [time] : order;
  const readers = users.map((one) => one.need);
  const partition = known.toSorted();
  const drafts = draftsOf(entity, layout, readers, {
    partition,
    sort,
    users: readers,
    byName: true,
  });
  const text = `{${time}|${unit}}`;
  const words = `by ${[...partition, `${unit} of ${time}`].join(", ")}, sorted by ${sort.join(", ")}`;
  return drafts.map((draft) => {
    const { document } = draft;
    const held = draft.words.slice(draft.words.indexOf(" with "));
    return {
      ...draft,
      id: `${draft.id} in a key for each ${unit} of ${time}`,
      words: `${words}${held}`,
      bucket: true,
      makes: JSON.stringify([attribute, text]),
      label: `${plural(entity.name)}Of${capital(unit)}`,
      readers: new Set(users.map((one) => one.need.pattern)),
      document: {
        ...document,
        key: {
          ...document.key,
          partition: partition.length === 0 ? attribute : [...partition, attribute],
        },
        sets: record([[entity.name, record([[attribute, text]])]]),
      },
    };
  });
}
