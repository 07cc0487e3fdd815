/** What a write makes of all entities, as docs/model.md states it ("What a write does"): no keys, no requests, no plan. */
import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Model } from "../../../model/model.ts";
import type {
  Action,
  Attribute,
  Condition,
  Entity,
  Pattern,
  Predicate,
} from "../../../model/requirements.ts";
import { belongsTo } from "./belonging.ts";
import { foldedIn, inOneCase, lowered } from "./case.ts";
import { changedValues, keepNumbers } from "./changes.ts";
import { withDerivedSteps } from "./derived-steps.ts";
import { isAskedFor, isSame, normalForm } from "./meaning.ts";
import { insideOf, isHost, keptBy, uniqueIn } from "./promises.ts";
import type { CallerInputs, EntityValues, Parameters, State } from "./state.ts";
import { questionsOf, targetsOf } from "./targets.ts";

export type Effect =
  | { readonly kind: "done"; readonly state: State }
  | { readonly kind: "refused"; readonly why: string }
  /** Nothing changes. The model reference leaves open whether the caller is refused. */
  | { readonly kind: "unchanged"; readonly why: string }
  /** The model reference leaves open what happens, and says so. */
  | { readonly kind: "untried"; readonly why: string };

/** What a write of a document makes of all entities. */
export function effectOf(
  model: Model,
  pattern: Pattern,
  inputs: CallerInputs,
  state: State,
): Effect {
  return effectOfSteps(model, withDerivedSteps(model, pattern), inputs, state);
}

/** The same of a pattern that has all its steps. */
export function effectOfSteps(
  model: Model,
  pattern: Pattern,
  inputs: CallerInputs,
  state: State,
): Effect {
  const deeds = deedsOf(model, pattern, inputs, state);
  const isAtomic = pattern.transaction || pattern.actions.length > 1 || pattern.with.length > 0;
  if (isAtomic || deeds.length < 2) return carriedOut(model, pattern, deeds, state);
  // Items of a batch are written one by one. Those before a refused one stay written.
  let next = state;
  const refused: Effect[] = [];
  for (const deed of deeds) {
    const effect = carriedOut(model, pattern, [deed], next);
    if (effect.kind === "untried" || effect.kind === "unchanged") {
      return untried(`one of a batch: ${effect.why}`);
    }
    if (effect.kind === "done") next = effect.state;
    else refused.push(effect);
  }
  const [first] = refused;
  if (first === undefined) return { kind: "done", state: next };
  return refused.length === deeds.length ? first : untried("only some of a batch are refused");
}

/** One thing that a step does to one entity, or to nothing. */
interface Deed {
  readonly action: Action;
  readonly entity: Entity;
  readonly parameters: Parameters;
  /** What is created. */
  readonly item?: EntityValues;
  /** What is there under the id; several if the step does not name an id. */
  readonly target?: EntityValues | undefined;
}

const refusal = (why: string): Effect => ({ kind: "refused", why });
const untried = (why: string): Effect => ({ kind: "untried", why });

const unkept = {
  missing: refusal("the entity with the aggregate is missing"),
  overflow: untried("a number overflows"),
};

function deedsOf(
  model: Model,
  pattern: Pattern,
  inputs: CallerInputs,
  state: State,
): readonly Deed[] {
  const [main] = pattern.actions;
  const others = main?.kind === "create" ? pattern.with : [];
  // What is created with something new is new, too.
  const condition = main?.condition?.kind === "absent" ? main.condition : undefined;
  const created = others.map(({ entity }) => ({ ...(main as Action), entity, condition }));
  return [...pattern.actions, ...created].flatMap((action): readonly Deed[] => {
    const entity = model.entities.get(action.entity);
    if (entity === undefined) return [];
    const { parameters } = inputs;
    const all = state.get(entity.name) ?? [];
    if (action.kind === "create") {
      return inputs.items(entity.name).map((item) => {
        const target = all.find((one) => hasSameId(model, entity, one, item));
        return { action, entity, parameters, item, target };
      });
    }
    return questionsOf(action, entity, parameters).flatMap((own): readonly Deed[] => {
      const targets = targetsOf(model, entity, own.action, own.parameters, all);
      const deed = { ...own, entity };
      return targets.length === 0 ? [deed] : targets.map((target) => ({ ...deed, target }));
    });
  });
}

type Growing = Map<string, EntityValues[]>;

/** Does several things at once, or none of them. */
function carriedOut(model: Model, pattern: Pattern, deeds: readonly Deed[], state: State): Effect {
  const next: Growing = new Map([...state].map(([name, list]) => [name, [...list]]));
  const named = new Map<string, Deed>();
  const claimed: Deed[] = [];
  for (const deed of deeds) {
    const { action, entity, item, target } = deed;
    const obstacle = obstacleTo(model, pattern, deed, state);
    if (obstacle?.kind === "unchanged" && deeds.length > 1) return untried(obstacle.why);
    if (obstacle !== undefined) return obstacle;
    const about = item ?? target;
    if (pattern.transaction && about !== undefined) {
      const name = `${entity.name} ${idText(model, entity, about)}`;
      const other = named.get(name);
      if (other !== undefined && !isSameCheck(other, deed)) {
        return refusal("a transaction names an item twice");
      }
      named.set(name, deed);
    }
    if (item !== undefined) {
      put(model, entity, item, next);
      const kept = { action, before: target, after: item };
      const problem = keepNumbers(model, pattern, entity, kept, next);
      if (problem !== undefined) return unkept[problem];
      claimed.push(deed);
    } else if (target !== undefined && action.kind !== "check") {
      const written = write(model, pattern, deed, target, next);
      if (written !== undefined) return written;
      claimed.push(deed);
    }
  }
  const taken = claimed.some(({ entity, item, target }) => {
    const about = item ?? target;
    return about !== undefined && isTaken(model, entity, about, next);
  });
  if (taken) return refusal("another one has a unique value");
  const isLost = claimed.some(({ entity, item }) => item && !hasHost(model, entity, item, next));
  return isLost
    ? untried("there is nothing that it is embedded in")
    : { kind: "done", state: next };
}

/** Whether a check that several items of a transaction share is the same: it is sent once. */
function isSameCheck(one: Deed, other: Deed): boolean {
  const isOne = one.action.kind === "check" && one.action.path === other.action.path;
  return isOne && JSON.stringify([...one.parameters]) === JSON.stringify([...other.parameters]);
}

/** Whether the entity that another one is embedded in is there. */
function hasHost(model: Model, entity: Entity, item: EntityValues, next: Growing): boolean {
  const inside = insideOf(model, entity);
  if (inside === undefined) return true;
  const hosts = next.get(inside.host.name) ?? [];
  return hosts.some((one) => belongsTo(inside.pairs, one, item));
}

/** Updates or deletes what is there; why not, if it cannot be. */
function write(
  model: Model,
  pattern: Pattern,
  { action, entity, parameters }: Deed,
  target: EntityValues,
  next: Growing,
): Effect | undefined {
  const list = next.get(entity.name) ?? [];
  const at = list.findIndex((one) => hasSameId(model, entity, one, target));
  const before = list[at];
  if (before === undefined) return undefined;
  if (action.kind === "delete") {
    list.splice(at, 1);
    takeAway(model, entity, before, next);
    const gone = { action, before, after: undefined };
    const problem = keepNumbers(model, pattern, entity, gone, next);
    return problem && unkept[problem];
  }
  const after = changedValues(action, entity, parameters, before);
  if (after === undefined) return untried("a number overflows");
  list[at] = after;
  const problem = keepNumbers(model, pattern, entity, { action, before, after }, next);
  return problem && unkept[problem];
}

/** Why a thing is not done. */
function obstacleTo(model: Model, pattern: Pattern, deed: Deed, state: State): Effect | undefined {
  const { action, entity, parameters, item, target } = deed;
  if (item !== undefined) {
    if (target !== undefined && action.condition === undefined) {
      return isHost(model, entity) ? refusal("what is there is not replaced") : undefined;
    }
    return holds(action.condition, entity, parameters, target)
      ? undefined
      : refusal("the condition does not hold");
  }
  if (target !== undefined) {
    return holds(action.condition, entity, parameters, target)
      ? undefined
      : refusal("the condition does not hold");
  }
  if (action.follows) return undefined;
  return missingObstacle(model, pattern, deed, state);
}

/** Nothing is there that a step names. Deleting it changes nothing, and a condition may ask for just that. */
function missingObstacle(
  model: Model,
  pattern: Pattern,
  { action, entity, parameters }: Deed,
  state: State,
): Effect | undefined {
  const { kind, condition, where } = action;
  if (condition !== undefined && !holds(condition, entity, parameters, undefined)) {
    return refusal("the condition does not hold for nothing");
  }
  const isId = ({ attribute }: Predicate): boolean => entity.id.includes(attribute);
  const more = where.filter((one) => !isId(one));
  const isOther =
    more.length > 0 &&
    entity.id.every((name) => where.some(({ attribute }) => attribute === name)) &&
    targetsOf(
      model,
      entity,
      { ...action, where: where.filter(isId) },
      parameters,
      state.get(entity.name) ?? [],
    ).length > 0;
  if (kind === "update") {
    const isRefused = isOther || more.some(needsItem);
    return isRefused || needsOldValues(model, pattern, action)
      ? refusal("there is nothing to update")
      : untried("an update without a condition creates what is missing");
  }
  // A design that looks the key up finds nothing; one that knows the key has what is asked beside it as a condition.
  if (kind === "delete" && more.length > 0) {
    return { kind: "unchanged", why: "more than an id is asked of a delete" };
  }
  // The item that it would be embedded in may be missing, too, and then the update of that item is refused.
  if (kind === "delete" && insideOf(model, entity) !== undefined) {
    return { kind: "unchanged", why: "a delete of what is not embedded" };
  }
  const counts = keptBy(model, pattern, entity.name).length > 0;
  return kind === "delete" && counts
    ? refusal("what is not there cannot be taken off a number")
    : undefined;
}

/** Whether an update depends on values that only the item has: a unique value that it releases, what an aggregate counts. */
export function needsOldValues(
  model: Model,
  pattern: Pattern,
  { entity, changes, adds, removes }: Action,
): boolean {
  const touched = new Set([...[...changes, ...adds].map(({ attribute }) => attribute), ...removes]);
  const unique = [...(model.design?.tables.values() ?? [])].flatMap((one) => one.unique);
  return (
    unique.some((one) => one.entity === entity && touched.has(one.attribute)) ||
    keptBy(model, pattern, entity).some(({ attribute }) => touched.has(attribute ?? ""))
  );
}

/** Whether something that is not there never fulfils it. */
function needsItem({ operator, exists }: Predicate): boolean {
  return operator !== "exists" || exists;
}

function holds(
  condition: Condition | undefined,
  entity: Entity,
  parameters: Parameters,
  target: EntityValues | undefined,
): boolean {
  switch (condition?.kind) {
    case undefined:
      return true;
    case "absent":
      return target === undefined;
    case "exists":
      return target !== undefined;
    case "version": {
      const [asked] = parameters.get(condition.attribute) ?? [];
      const value = target?.get(condition.attribute);
      return asked !== undefined && value !== undefined && isSame(asked, value);
    }
    case "where":
      return isAskedFor(entity.attributes, condition.predicates, parameters, target ?? new Map());
  }
}

function put(model: Model, entity: Entity, item: EntityValues, next: Growing): void {
  const list = next.get(entity.name) ?? [];
  next.set(entity.name, list);
  const isListed = insideOf(model, entity)?.isList === true;
  const at = isListed ? -1 : list.findIndex((one) => hasSameId(model, entity, one, item));
  if (at < 0) list.push(item);
  else list[at] = item;
}

/** What is stored inside of an item goes with it. */
function takeAway(model: Model, host: Entity, gone: EntityValues, next: Growing): void {
  for (const [name, list] of next) {
    const entity = model.entities.get(name);
    const inside = entity && insideOf(model, entity);
    if (inside?.host !== host) continue;
    next.set(
      name,
      list.filter((one) => !belongsTo(inside.pairs, gone, one)),
    );
  }
}

/** Ids that differ only in a case that the design does not keep are the same. */
function hasSameId(model: Model, entity: Entity, a: EntityValues, b: EntityValues): boolean {
  const folded = foldedIn(model, entity);
  return entity.id.every((name) => {
    const [one, other] = [a.get(name), b.get(name)];
    if (one === undefined || other === undefined) return false;
    return folded.has(name) ? isSame(lowered(one), lowered(other)) : isSame(one, other);
  });
}

function idText(model: Model, entity: Entity, values: EntityValues): string {
  const seen = inOneCase(values, foldedIn(model, entity));
  return JSON.stringify(entity.id.map((name) => textOf(seen.get(name))));
}

function textOf(value: AttributeValue | undefined): string | undefined {
  return value && normalForm(value);
}

/** Whether another entity has a unique value of one that was written. */
function isTaken(model: Model, entity: Entity, about: EntityValues, next: Growing): boolean {
  const folded = foldedIn(model, entity);
  const list = next.get(entity.name) ?? [];
  const written = list.find((one) => hasSameId(model, entity, one, about));
  if (written === undefined) return false;
  return uniqueIn(entity).some((name) => {
    const own = uniqueText(written, entity.attributes.get(name), folded);
    if (own === undefined) return false;
    return list.some(
      (one) => one !== written && uniqueText(one, entity.attributes.get(name), folded) === own,
    );
  });
}

function uniqueText(
  values: EntityValues,
  attribute: Attribute | undefined,
  folded: ReadonlySet<string>,
): string | undefined {
  const value = values.get(attribute?.name ?? "");
  if (value === undefined || attribute === undefined) return undefined;
  return normalForm(folded.has(attribute.name) ? lowered(value) : value);
}
