import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Action, Entity, Predicate } from "../../../model/requirements.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { idText, otherValue } from "../identity.ts";
import type { State } from "../oracle/state.ts";
import type { Inputs } from "../trial.ts";
import type { Wanted, WitnessContext } from "./context.ts";
import type { MutantOperator } from "./witness.ts";

/** States and parameters in which the mistake of a write may show. */

/** What one action is tried with: a state, and the entities of it that the actions are about. */
export interface Setting {
  readonly state: State;
  readonly targets: readonly EntityValues[];
  readonly parameters: Inputs["parameters"];
  /** Entities that are created, where they are not drawn. */
  readonly items?: ReadonlyMap<string, readonly EntityValues[]>;
  /** Of this entity two are created that differ in one attribute alone. */
  readonly twins?: { readonly entity: Entity; readonly attribute: string };
}

interface Settings {
  readonly list: readonly Setting[];
  readonly reason?: string | undefined;
}

export function settingsFor(
  context: WitnessContext,
  action: Action,
  entity: Entity,
  operator: MutantOperator,
): Settings {
  if (operator.kind === "condition") return conditionSettings(context, action, entity);
  if (operator.kind === "beyond the key") {
    const asked = action.where.filter(({ attribute }) => operator.attributes.includes(attribute));
    return failingSettings(context, action, entity, asked);
  }
  if (operator.kind === "change" || operator.kind === "index key") {
    return changeSettings(context, action, entity, operator.attributes);
  }
  const names = "attributes" in operator ? operator.attributes : [];
  return {
    list: [
      ...fullSettings(context, entity, names),
      ...createdSettings(context, action, entity, names),
      ...settingOf(context, action, entity, {}),
    ],
  };
}

function conditionSettings(context: WitnessContext, action: Action, entity: Entity): Settings {
  const { condition } = action;
  if (condition?.kind === "where") {
    return failingSettings(context, action, entity, condition.predicates);
  }
  const created = createdSettings(context, action, entity, []);
  return { list: [...created, ...settingOf(context, action, entity, {})] };
}

/** A target for each predicate that it alone fails. */
function failingSettings(
  context: WitnessContext,
  action: Action,
  entity: Entity,
  asked: readonly Predicate[],
): Settings {
  const list = asked.flatMap((one) =>
    settingOf(context, action, entity, { fails: new Set([one]) }),
  );
  const always = asked.every(({ attribute, operator, exists }) => {
    const described = entity.attributes.get(attribute);
    return operator === "exists" && exists && described?.isOptional === false;
  });
  const names = [...new Set(asked.map(({ attribute }) => attribute))].join(" and ");
  const reason =
    list.length === 0 && always && asked.length > 0
      ? `every ${entity.name} has ${names}, so the condition always holds`
      : undefined;
  return { list, reason };
}

/** A target that has another value than the one that it gets. */
function changeSettings(
  context: WitnessContext,
  action: Action,
  entity: Entity,
  names: readonly string[],
): Settings {
  const list: Setting[] = [];
  const reasons: string[] = [];
  for (const name of names) {
    const attribute = entity.attributes.get(name);
    const change = action.changes.find((one) => one.attribute === name);
    if (attribute === undefined || change === undefined) {
      list.push(...settingOf(context, action, entity, {}));
      continue;
    }
    const { to } = change;
    if (to.kind === "constant") {
      const same: Predicate = { attribute: name, operator: "equals", operands: [to], exists: true };
      const made = settingOf(context, action, entity, { fails: new Set([same]) }, [same]);
      list.push(...made);
      continue;
    }
    for (const setting of settingOf(context, action, entity, {})) {
      const own = setting.targets[0]?.get(name);
      const value = own === undefined ? undefined : differing(context, entity, name, own);
      const parameters = new Map(setting.parameters);
      if (value !== undefined && !parameters.has(to.name)) parameters.set(to.name, [value]);
      list.push({ ...setting, parameters });
    }
    const isOne = attribute.values?.length === 1 && !attribute.isOptional;
    if (isOne) reasons.push(`${name} of ${entity.name} has only one value`);
  }
  return { list, reason: reasons.length === names.length ? reasons[0] : undefined };
}

export function differing(
  context: WitnessContext,
  entity: Entity,
  name: string,
  own: AttributeValue,
): AttributeValue | undefined {
  const attribute = entity.attributes.get(name);
  const isOther = (one: AttributeValue): boolean => JSON.stringify(one) !== JSON.stringify(own);
  const known = context.matching(entity, name, [], new Map([[name, own]]), new Map()).find(isOther);
  if (known !== undefined && !attribute?.unique) return known;
  if (attribute === undefined) return undefined;
  const drawn = Array.from({ length: 20 }, () => otherValue(attribute, own, context.making.random));
  return drawn.find(isOther);
}

/** The trial's entities, one of which the action is about. */
function settingOf(
  context: WitnessContext,
  action: Action,
  entity: Entity,
  wanted: Wanted,
  more: readonly Predicate[] = [],
): readonly Setting[] {
  if (action.kind === "create") return [];
  const found = context.solve(entity, [...conditionsOf(action), ...more], wanted);
  if (found === undefined) return [];
  const lists = new Map([[entity.name, [found.values]]]);
  const targets = [found.values];
  let { parameters } = found;
  // The other actions are about entities that the same parameters name.
  for (const other of context.job.plan.pattern.actions) {
    const their = context.entity(other.entity);
    if (other === action || other.kind === "create" || their === undefined) continue;
    if (lists.has(their.name)) continue;
    const next = context.solve(their, conditionsOf(other), { parameters });
    if (next === undefined) continue;
    parameters = next.parameters;
    lists.set(their.name, [next.values]);
    targets.push(next.values);
  }
  const state = context.stateWith(
    new Map([...lists].map(([name, list]) => [name, withOthers(context, name, list)])),
  );
  return [{ state, targets, parameters }];
}

function conditionsOf({ where, condition }: Action): readonly Predicate[] {
  return condition?.kind === "where" ? [...where, ...condition.predicates] : where;
}

/** Beside the entities those of the trial that have another id and other unique values. */
function withOthers(
  context: WitnessContext,
  name: string,
  list: readonly EntityValues[],
): readonly EntityValues[] {
  const entity = context.entity(name);
  if (entity === undefined) return list;
  const unique = [...entity.attributes.values()].filter((one) => one.unique);
  const isSame = (one: EntityValues, other: EntityValues): boolean =>
    idText(entity, one) === idText(entity, other) ||
    unique.some((attribute) => {
      const value = one.get(attribute.name);
      return value !== undefined && text(value) === text(other.get(attribute.name));
    });
  const others = context.entitiesOf(name).filter((one) => !list.some((own) => isSame(one, own)));
  return [...list, ...others];
}

function text(value: AttributeValue | undefined): string {
  return JSON.stringify(value) ?? "";
}

/** One entity is taken out of the trial's, and is what is created; or two that differ in one attribute alone are. */
function createdSettings(
  context: WitnessContext,
  { kind }: Action,
  entity: Entity,
  names: readonly string[],
): readonly Setting[] {
  const isMain = kind === "create";
  const all = context.entitiesOf(entity.name);
  const created = all.toSorted((a, b) => b.size - a.size)[0];
  if (!isMain || created === undefined) return [];
  const setting = (list: readonly EntityValues[], items: readonly EntityValues[]): Setting => ({
    state: context.stateWith(new Map([[entity.name, list]])),
    targets: [],
    parameters: new Map(),
    items: new Map([[entity.name, items]]),
  });
  const others = all.filter((one) => one !== created);
  const twins = names.flatMap((name): readonly EntityValues[] => {
    const own = created.get(name);
    const value = own === undefined ? undefined : differing(context, entity, name, own);
    return value === undefined
      ? []
      : [context.withNewUnique(entity, new Map(created).set(name, value))];
  });
  return [
    setting(others, [created]),
    ...twins.map((twin) =>
      setting(
        withOthers(context, entity.name, [created]).filter(
          (one) => idText(entity, one) !== idText(entity, twin),
        ),
        [twin],
      ),
    ),
  ];
}

/** All entities of a kind have the attributes that one can have, so what is made like them has, too. */
function fullSettings(
  context: WitnessContext,
  entity: Entity,
  names: readonly string[],
): readonly Setting[] {
  const list = context.entitiesOf(entity.name);
  const full = list.map((one) => {
    const item = new Map(one);
    for (const name of names) {
      const attribute = entity.attributes.get(name);
      if (item.has(name) || attribute === undefined || attribute.unique) continue;
      const [value] = context.matching(entity, name, [], one, new Map());
      if (value !== undefined) item.set(name, value);
    }
    return item;
  });
  const state = context.stateWith(new Map([[entity.name, full]]));
  return [{ state, targets: [], parameters: new Map() }];
}
