import type { Entity, Predicate } from "../../model/requirements.ts";
import { linkOf } from "../plans/links.ts";
import type { Plan } from "../plans/plan.ts";
import { passes } from "../requests/given.ts";
import { constantValue } from "../values/holds.ts";
import type { EntityValues } from "../values/render-key.ts";
import { findable, ownReads, sparseIn } from "./findable.ts";
import { storable } from "./hosted.ts";
import type { Identity } from "./identity.ts";
import { Near } from "./near.ts";
import type { State } from "./oracle/state.ts";

/** Data around a pattern, and what to ask about: entities that its conditions do not tell apart. */
export interface Focus {
  readonly state: State;
  readonly groups: readonly (readonly EntityValues[])[];
  /** By entity: some whose ids are nearly the same, so that none of them may take another one's place. */
  readonly watched: ReadonlyMap<string, readonly EntityValues[]>;
}

/** Answers with a limit beyond this are not filled. */
export const limitMax = 200;
const groupMin = 16;
/** More shards than this are not filled. */
const shardsMax = 64;
const togetherCount = 7;

/**
 * Adds what is near to an answer: others that fulfil the same conditions, tie or differ in digits and length, more of
 * them than one page takes and in every shard; beside them such that miss one condition by a little.
 */
export function focusOn(making: Identity, plan: Plan, state: State): Focus {
  const next = new Map([...state].map(([name, list]) => [name, [...list]]));
  const groups: (readonly EntityValues[])[] = [];
  const watched = new Map<string, readonly EntityValues[]>();
  const { actions, together } = plan.pattern;
  for (const action of actions) {
    const entity = making.facts.model.entities.get(action.entity);
    const list = next.get(action.entity);
    if (entity === undefined || list === undefined) continue;
    if (plan.pattern.kind === "write")
      watched.set(entity.name, neighbours(making, plan, entity, list));
    if (action.kind === "create") continue;
    const near = new Near(making, plan, entity, action.where, action.order, list);
    const limit = typeof action.limit === "number" ? action.limit : 0;
    const enough = Math.max(groupMin, Math.ceil(1.5 * shardsIn(plan)));
    const wanted = limit <= limitMax ? Math.max(enough, Math.ceil(1.5 * limit)) : enough;
    const { condition } = action;
    // What may be written has to be there, too.
    const allowed = condition?.kind === "where" ? condition.predicates : [];
    const asked = [...action.where, ...allowed];
    const [first, second] = anchors(making, plan, entity, asked, list);
    if (first === undefined) continue;
    groups.push(near.around(first, wanted));
    if (second !== undefined) groups.push(near.around(second, groupMin / 2));
    for (const one of together) children(making, plan, entity, first, one, next);
  }
  return there(making, { state: next, groups, watched });
}

/** Only what can be stored. */
function there({ facts }: Identity, { state: all, groups, watched }: Focus): Focus {
  const state = storable(facts, all);
  const stored = new Set([...state.values()].flat());
  const those = (list: readonly EntityValues[]): readonly EntityValues[] =>
    list.filter((one) => stored.has(one));
  return {
    state,
    groups: groups.map(those).filter(({ length }) => length > 0),
    watched: new Map([...watched].map(([name, list]) => [name, those(list)])),
  };
}

/** One entity that has all that one can have, and others with nearly the same id. */
function neighbours(
  making: Identity,
  plan: Plan,
  entity: Entity,
  list: EntityValues[],
): readonly EntityValues[] {
  const [fullest] = list.toSorted((a, b) => b.size - a.size);
  if (fullest === undefined) return [];
  const { length } = list;
  new Near(making, plan, entity, [], [], list, new Set(entity.id)).misses(fullest);
  return [fullest, ...list.slice(length)];
}

/** So many shards are drawn when something is written; calculated ones are chosen. */
function shardsIn(plan: Plan): number {
  const counts = ownReads(plan).flatMap(({ partition }) =>
    partition.flatMap(({ text }) =>
      text.segments.flatMap((one) =>
        one.kind === "shard" && one.by.kind !== "calculated" ? [one.count] : [],
      ),
    ),
  );
  return Math.max(0, ...counts.filter((count) => count <= shardsMax));
}

/** Entities that the plan can find, and that fulfil what is asked of them in any case. */
function anchors(
  { random }: Identity,
  plan: Plan,
  entity: Entity,
  where: readonly Predicate[],
  list: EntityValues[],
): readonly EntityValues[] {
  const constant = where.filter(({ operands }) =>
    operands.every(({ kind }) => kind === "constant"),
  );
  const nothing = { parameters: new Map(), items: () => [], writing: { shard: () => 0, now: 0 } };
  const fitting = findable(plan, list).filter(
    (one) =>
      passes(nothing, entity.attributes, constant, one) &&
      where.every(({ attribute, operator }) => operator === "exists" || one.has(attribute)),
  );
  const all = fitting.length > 0 ? fitting : made(plan, entity, where, list);
  const first = all[random.below(all.length)];
  if (first === undefined) return [];
  // The other one is another answer.
  const asked = (one: EntityValues): string =>
    JSON.stringify(where.map(({ attribute }) => one.get(attribute)));
  const others = all.filter((one) => asked(one) !== asked(first));
  const second = others[random.below(others.length)];
  return second === undefined ? [first] : [first, second];
}

/** Where none of the entities fulfils what is asked, or is in a sparse index, one of them is made so. */
function made(
  plan: Plan,
  entity: Entity,
  where: readonly Predicate[],
  list: EntityValues[],
): readonly EntityValues[] {
  const [like] = list;
  if (like === undefined) return [];
  const item = new Map(like);
  for (const { attribute, operator, operands } of [...where, ...sparseIn(plan)]) {
    const described = entity.attributes.get(attribute);
    const [constant] = operands.flatMap((one) => (one.kind === "constant" ? [one.value] : []));
    if (described === undefined || constant === undefined) continue;
    if (operator !== "equals" && operator !== "one-of") continue;
    const value = constantValue(described, constant);
    if (value !== undefined) item.set(attribute, value);
  }
  const found = findable(plan, [item]);
  if (found.length > 0) list[0] = item;
  return found;
}

/** What belongs to an entity, so that there is more of it than one page takes. */
function children(
  making: Identity,
  plan: Plan,
  own: Entity,
  anchor: EntityValues,
  { entity: name, where, order }: Plan["pattern"]["together"][number],
  next: Map<string, EntityValues[]>,
): void {
  const entity = making.facts.model.entities.get(name);
  const list = next.get(name);
  const like = list?.[making.random.below(list.length)];
  if (entity === undefined || list === undefined || like === undefined) return;
  const links = [...linkOf(making.facts, own, entity, [], new Map(), 0)].flatMap(
    ([theirs, binding]) => {
      const value = binding.kind === "result" ? anchor.get(binding.attribute) : undefined;
      return value === undefined ? [] : [[theirs, value] as const];
    },
  );
  const first = new Map([...like, ...links]);
  const fixed = new Set(links.map(([theirs]) => theirs));
  const near = new Near(making, plan, entity, where, order, list, fixed);
  near.around(first, togetherCount);
}
