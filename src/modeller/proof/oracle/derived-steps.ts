/** Steps that follow from the steps of a pattern: what is deleted with something, and copies that must not be stale. */
import type { Model } from "../../../model/model.ts";
import type { Action, Entity, Pattern, Predicate } from "../../../model/requirements.ts";
import { pairsBetween } from "./belonging.ts";
import { insideOf } from "./promises.ts";

const transactionMax = 100;

/** The pattern with all its steps. Nothing is left to follow: what is deleted with something is a step. */
export function withDerivedSteps(model: Model, pattern: Pattern): Pattern {
  if (pattern.kind === "read") return pattern;
  const deleted = deletedWith(model, pattern);
  const copies = strictCopies(model, pattern);
  return {
    ...pattern,
    transaction: pattern.transaction || copies.length > 0,
    actions: [...pattern.actions, ...deleted, ...copies],
  };
}

function deletedWith(model: Model, { actions, with: others }: Pattern): readonly Action[] {
  const [main] = actions;
  const own = model.entities.get(main?.entity ?? "");
  if (main?.kind !== "delete" || own === undefined) return [];
  return others.flatMap(({ entity }) => {
    const other = model.entities.get(entity);
    // What is stored inside of an item goes with it.
    if (other === undefined || insideOf(model, other)?.host === own) return [];
    const where = pairsBetween(model, own, other).flatMap((pair): readonly Predicate[] => {
      const named = main.where.find(
        ({ attribute, operator }) => attribute === pair.own && operator === "equals",
      );
      return named === undefined ? [] : [{ ...named, attribute: pair.other }];
    });
    if (where.length === 0) return [];
    return [{ ...main, entity, where, condition: undefined, follows: true as const }];
  });
}

/** Each copy takes the same change as its source. */
function strictCopies(model: Model, pattern: Pattern): readonly Action[] {
  return [...model.entities.values()].flatMap((entity) => copiesIn(model, pattern, entity));
}

/** One step for each step that changes a source: it takes the change to all copies in an entity. */
function copiesIn(model: Model, pattern: Pattern, entity: Entity): readonly Action[] {
  const steps = new Map<Action, Action>();
  for (const { name, copyOf, staleness } of entity.attributes.values()) {
    const source = model.entities.get(copyOf?.entity ?? "");
    if (copyOf === undefined || source === undefined || staleness !== "refused") continue;
    if (pattern.actions.some((one) => one.entity === entity.name && changes(one, name))) continue;
    const of = copyOf.attribute;
    const change = pattern.actions.find((one) => one.entity === source.name && changes(one, of));
    const link = change && linkFor(model, pattern, change, source, entity);
    if (change === undefined || link === undefined) continue;
    const renamed = <T extends { readonly attribute: string }>(list: readonly T[]): readonly T[] =>
      list.flatMap((one) => (one.attribute === of ? [{ ...one, attribute: name }] : []));
    const before = steps.get(change);
    steps.set(change, {
      ...change,
      entity: entity.name,
      where: [link],
      changes: [...(before?.changes ?? []), ...renamed(change.changes)],
      adds: [...(before?.adds ?? []), ...renamed(change.adds)],
      appends: [],
      removes: [...(before?.removes ?? []), ...(change.removes.includes(of) ? [name] : [])],
      condition: undefined,
      follows: true,
    });
  }
  return [...steps.values()];
}

function changes({ kind, changes: sets, adds, removes }: Action, name: string): boolean {
  if (kind !== "update") return false;
  return [...sets, ...adds].some(({ attribute }) => attribute === name) || removes.includes(name);
}

/** Which entities repeat what a step changes; nothing if one transaction cannot name and hold them all. */
function linkFor(
  model: Model,
  pattern: Pattern,
  { where, average }: Action,
  source: Entity,
  entity: Entity,
): Predicate | undefined {
  const [id = "", more] = source.id;
  const named = where.find(({ attribute, operator }) => attribute === id && operator === "equals");
  const pair = pairsBetween(model, source, entity).find(({ own }) => own === id);
  if (more !== undefined || entity === source || named === undefined || pair === undefined) {
    return undefined;
  }
  if ((pattern.batch?.value ?? 1) > 1 || average.value > 1) return undefined;
  const most = mostOf(model, source, entity);
  if (most === undefined || pattern.actions.length + most > transactionMax) return undefined;
  return { ...named, attribute: pair.other };
}

function mostOf({ relations }: Model, source: Entity, entity: Entity): number | undefined {
  const relation = relations.find(
    ({ from, to, via }) => from === source.name && to === entity.name && via === undefined,
  );
  return relation?.kind === "one-to-one" ? 1 : relation?.max?.value;
}
