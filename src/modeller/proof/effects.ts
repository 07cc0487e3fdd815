import type { AttributeValue } from "../../item/attribute-value.ts";
import { equalValues } from "../../item/compare.ts";
import type { Aggregate } from "../../model/design.ts";
import type { Action, Attribute, Entity, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { linkOf } from "../plans/links.ts";
import type { StoredRecord } from "../records/record.ts";
import {
  type Given,
  givenApart,
  listedParameters,
  operandValues,
  passes,
} from "../requests/given.ts";
import { signed, sumOf } from "../requests/write.ts";
import { isInside } from "../values/embedded.ts";
import type { EntityValues } from "../values/render-key.ts";
import { foldedIn, inOneCase, parametersIn } from "./folding.ts";
import { hostOf } from "./hosted.ts";
import { idText } from "./identity.ts";
import type { State } from "./oracle.ts";

/** What a write makes of all entities; nothing if it must be refused. */
export function effectOf(
  facts: Facts,
  pattern: Pattern,
  given: Given,
  state: State,
): State | undefined {
  const next = new Map([...state].map(([name, list]) => [name, [...list]]));
  const written = new Set<string>();
  for (const action of pattern.actions) {
    const touched = apply(facts, pattern, action, given, state, next);
    if (touched === undefined) return undefined;
    const entity = facts.model.entities.get(action.entity) as Entity;
    for (const values of pattern.transaction ? touched : []) {
      const item = `${entity.name} ${idText(entity, inOneCase(values, foldedIn(facts, entity)))}`;
      // A transaction names an item once.
      if (written.has(item)) return undefined;
      written.add(item);
    }
  }
  const [main] = pattern.actions;
  for (const { entity } of main?.kind === "create" ? pattern.with : []) {
    const action = { ...(main as Action), entity, condition: undefined };
    if (apply(facts, pattern, action, given, state, next) === undefined) return undefined;
  }
  return isUnique(facts, next) ? next : undefined;
}

type Growing = Map<string, EntityValues[]>;

/** Does one action; answers with the entities that it names, or nothing if it must be refused. */
function apply(
  facts: Facts,
  pattern: Pattern,
  action: Action,
  given: Given,
  before: State,
  next: Growing,
): readonly EntityValues[] | undefined {
  const entity = facts.model.entities.get(action.entity) as Entity;
  if (action.kind === "create") {
    const items = given.items(action.entity);
    for (const item of items) {
      const there = find(facts, entity, before, item);
      if (there !== undefined && isKept(facts, pattern, action)) return undefined;
      if (!mayCreate(action, entity, given, there)) return undefined;
      put(facts, action.entity, [item], next);
      keep(facts, pattern, action, item, 1, next);
    }
    return items;
  }
  const folded = foldedIn(facts, entity);
  const equal = action.where.flatMap(({ operator, operands }) =>
    operator === "equals" ? operands : [],
  );
  const named: EntityValues[] = [];
  for (const own of givenApart(given, listedParameters(given, equal))) {
    const parameters = parametersIn(own.parameters, action.where, folded, "one case");
    const targets = (before.get(action.entity) ?? []).filter((values) =>
      passes({ ...own, parameters }, entity.attributes, action.where, inOneCase(values, folded)),
    );
    for (const target of targets) {
      if (!allowed(action, entity, own, target)) return undefined;
      named.push(target);
      if (action.kind === "check") continue;
      const list = next.get(action.entity) ?? [];
      const at = list.findIndex((one) => sameId(facts, entity, one, target));
      if (action.kind === "delete") {
        if (at >= 0) list.splice(at, 1);
        takeAway(facts, entity, target, next);
        keep(facts, pattern, action, target, -1, next);
      } else if (at >= 0) {
        const after = changed(action, entity, own, list[at] ?? target);
        list[at] = after;
        keep(facts, pattern, action, target, -1, next);
        keep(facts, pattern, action, after, 1, next);
      }
    }
    if (targets.length > 0 || action.follows) continue;
    if (!mayBeMissing(facts, pattern, action, entity, own)) return undefined;
  }
  return named;
}

/**
 * Deleting what is not there changes nothing, and a check may ask for just that. A condition on it looks at nothing: that
 * something is not there holds.
 */
function mayBeMissing(
  facts: Facts,
  pattern: Pattern,
  action: Action,
  entity: Entity,
  given: Given,
): boolean {
  if (action.kind === "update" || !holdsForNothing(action, entity, given)) return false;
  // Where a number is kept in the same transaction, what is not there cannot be taken off it.
  return action.condition !== undefined || keptWith(facts, pattern, action).length === 0;
}

/** Whether an item must not be replaced: the design keeps unique values, aggregates or embedded entities of it. */
function isKept(facts: Facts, pattern: Pattern, action: Action): boolean {
  return (
    keptWith(facts, pattern, action).length > 0 ||
    facts.records.some(
      ({ role, entity, attributes }) =>
        entity.name === action.entity &&
        (role === "unique" || attributes.some(({ content }) => content.kind === "embedded")),
    )
  );
}

/** Whether an item may be put where there is another one, or nothing. */
function mayCreate(
  { condition }: Action,
  entity: Entity,
  given: Given,
  there: EntityValues | undefined,
): boolean {
  switch (condition?.kind) {
    case undefined:
      return true;
    case "absent":
      return there === undefined;
    case "exists":
      return there !== undefined;
    case "version":
      return same(given.parameters.get(condition.attribute)?.[0], there?.get(condition.attribute));
    case "where":
      return passes(given, entity.attributes, condition.predicates, there ?? new Map());
  }
}

/** What lies in a list of an item, not in a map. */
function lists(name: string): (host: StoredRecord) => boolean {
  return ({ attributes }) =>
    attributes.some(
      ({ content }) =>
        content.kind === "embedded" &&
        content.entity.name === name &&
        content.by === undefined &&
        !content.one,
    );
}

/** What lies inside of an item goes with it. */
function takeAway(facts: Facts, host: Entity, target: EntityValues, next: Growing): void {
  for (const [name, list] of next) {
    const place = hostOf(facts, name);
    if (place?.entity !== host) continue;
    next.set(
      name,
      list.filter((one) => !isInside(place, target, one)),
    );
  }
}

function put(facts: Facts, name: string, items: readonly EntityValues[], next: Growing): void {
  const entity = facts.model.entities.get(name) as Entity;
  const list = next.get(name) ?? [];
  next.set(name, list);
  // A list inside of another item does not know who is in it already.
  const isListed = facts.itemsOf(name).length === 0 && facts.hostsOf(name).some(lists(name));
  for (const item of items) {
    const at = isListed ? -1 : list.findIndex((one) => sameId(facts, entity, one, item));
    if (at < 0) list.push(item);
    else list[at] = item;
  }
}

function find(
  facts: Facts,
  entity: Entity,
  state: State,
  item: EntityValues,
): EntityValues | undefined {
  return (state.get(entity.name) ?? []).find((one) => sameId(facts, entity, one, item));
}

/** Ids that differ only in a case that the design does not keep are the same. */
function sameId(facts: Facts, entity: Entity, a: EntityValues, b: EntityValues): boolean {
  const folded = foldedIn(facts, entity);
  const [one, other] = [inOneCase(a, folded), inOneCase(b, folded)];
  return entity.id.every((name) => same(one.get(name), other.get(name)));
}

function same(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return a !== undefined && b !== undefined && equalValues(a, b);
}

function allowed(action: Action, entity: Entity, given: Given, target: EntityValues): boolean {
  const { condition } = action;
  if (condition?.kind === "absent") return false;
  if (condition?.kind === "version") {
    return same(given.parameters.get(condition.attribute)?.[0], target.get(condition.attribute));
  }
  return (
    condition?.kind !== "where" || passes(given, entity.attributes, condition.predicates, target)
  );
}

function changed(
  { changes, adds, appends, removes, condition }: Action,
  entity: Entity,
  given: Given,
  before: EntityValues,
): EntityValues {
  const after = new Map(before);
  for (const { attribute, to } of changes) {
    const [value] = operandValues(given, entity.attributes.get(attribute) as Attribute, to);
    if (value !== undefined) after.set(attribute, value);
  }
  for (const { attribute, amount } of adds)
    after.set(attribute, sumOf(after.get(attribute), amount, undefined));
  if (condition?.kind === "version") {
    after.set(condition.attribute, sumOf(after.get(condition.attribute), 1, undefined));
  }
  for (const attribute of appends) {
    const [value] = given.parameters.get(attribute) ?? [];
    if (value !== undefined) after.set(attribute, joined(after.get(attribute), value));
  }
  for (const attribute of removes) after.delete(attribute);
  return after;
}

function joined(before: AttributeValue | undefined, more: AttributeValue): AttributeValue {
  if ("L" in more)
    return { L: [...(before !== undefined && "L" in before ? before.L : []), ...more.L] };
  if ("SS" in more) {
    return {
      SS: [...new Set([...(before !== undefined && "SS" in before ? before.SS : []), ...more.SS])],
    };
  }
  if ("NS" in more) {
    return {
      NS: [...new Set([...(before !== undefined && "NS" in before ? before.NS : []), ...more.NS])],
    };
  }
  return more;
}

/** Numbers that are kept in the same transaction as what they count, unless the pattern changes them itself. */
function keep(
  facts: Facts,
  pattern: Pattern,
  action: Action,
  item: EntityValues,
  sign: 1 | -1,
  next: Growing,
): void {
  for (const { of, into, what, attribute } of keptWith(facts, pattern, action)) {
    const own = facts.model.entities.get(of) as Entity;
    const holder = facts.model.entities.get(into.entity) as Entity;
    const pairs = [...linkOf(facts, own, holder, [], new Map(), 0)];
    const list = next.get(into.entity) ?? [];
    const at = list.findIndex((one) =>
      pairs.every(
        ([theirs, binding]) =>
          binding.kind !== "result" || same(one.get(theirs), item.get(binding.attribute)),
      ),
    );
    const target = list[at];
    if (target === undefined) continue;
    const value = attribute === undefined ? undefined : item.get(attribute);
    if (what === "sum" && value === undefined) continue;
    const step =
      value !== undefined && "N" in value && what === "sum" ? { N: signed(value.N, 1) } : undefined;
    const sum = sumOf(target.get(into.attribute), sign, step);
    list[at] = new Map([...target, [into.attribute, sum]]);
  }
}

function keptWith(facts: Facts, pattern: Pattern, action: Action): readonly Aggregate[] {
  return [...(facts.model.design?.tables.values() ?? [])].flatMap(({ aggregates }) =>
    aggregates.filter(
      ({ of, by, into }) =>
        of === action.entity &&
        by === "transaction" &&
        !pattern.actions.some(
          (one) =>
            one.entity === into.entity &&
            (one.kind === "create" ||
              one.kind === "delete" ||
              [...one.adds, ...one.changes].some(({ attribute }) => attribute === into.attribute) ||
              one.removes.includes(into.attribute)),
        ),
    ),
  );
}

/** No two entities have the same value where the design guards one. */
function isUnique(facts: Facts, state: State): boolean {
  const guards = facts.records.filter(({ role }) => role === "unique");
  return guards.every(({ entity, name }) => {
    const attribute = name.slice(entity.name.length + 1);
    const isFolded = foldedIn(facts, entity).has(attribute);
    const values = (state.get(entity.name) ?? []).flatMap((one) => {
      const value = one.get(attribute);
      if (value === undefined) return [];
      const text = JSON.stringify(value);
      return [isFolded ? text.toLowerCase() : text];
    });
    return new Set(values).size === values.length;
  });
}

function holdsForNothing({ condition }: Action, entity: Entity, given: Given): boolean {
  if (condition === undefined || condition.kind === "absent") return true;
  return (
    condition.kind === "where" && passes(given, entity.attributes, condition.predicates, new Map())
  );
}
