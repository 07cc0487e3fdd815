/**
 * Systematic cases of a write: a small state in which all steps succeed, and that state changed in one place each time. A target
 * is missing or fails one predicate alone, an id or a unique value is taken, an optional attribute is missing, an entity has
 * nearly the same id. The oracle says what each case does, so no kind of mutant has cases of its own.
 */
import type { AttributeValue } from "../../../item/attribute-value.ts";
import { attributesOf } from "../../../model/key-text.ts";
import type { Action, Entity, Predicate } from "../../../model/requirements.ts";
import { addedToId } from "../../key-identity.ts";
import type { StoredRecord } from "../../records/record.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { hostOf, storable, storedValues } from "../hosted.ts";
import { idsOf, idText } from "../identity.ts";
import { pairsBetween } from "../oracle/belonging.ts";
import { changedValues } from "../oracle/changes.ts";
import { effectOf } from "../oracle/effects.ts";
import { uniqueIn } from "../oracle/promises.ts";
import type { Parameters, State } from "../oracle/state.ts";
import type { Inputs } from "../trial.ts";
import type { WitnessContext } from "./context.ts";
import { type Cast, castsFor, type NamedEntity, otherValueOf, type Role } from "./write-cast.ts";
import { conditionsOf, pinnedIn, stepsOf } from "./write-steps.ts";

export interface WriteCase {
  readonly state: State;
  readonly inputs: Inputs;
}

/** A cast with one change. */
export interface Change {
  /** Entities of the cast, and what is there, or handed in, instead of them; nothing if they are left out. */
  readonly replaced?: ReadonlyMap<EntityValues, EntityValues | undefined>;
  /** More entities that are there. */
  readonly there?: readonly NamedEntity[];
  /** More entities that are created. */
  readonly created?: readonly NamedEntity[];
  readonly parameters?: Parameters;
}

export function writeCases(context: WitnessContext): readonly WriteCase[] {
  const cast = castOf(context);
  // Of several entities some may be refused, and nothing is known of the others: so there is a case of one, too.
  const single = cast === undefined || cast.count === 1 ? undefined : castOf(context, 1);
  const casts = [cast, single].flatMap((one) => (one === undefined ? [] : [one]));
  return [
    ...casts.flatMap((one) =>
      [{}, ...changesOf(context, one)].map((change) => caseOf(context, one, change)),
    ),
    ...otherCasts(context, cast?.count).map((one) => caseOf(context, one, {})),
  ].filter((one) => isTold(effectIn(context, one)));
}

/** A cast for which the write succeeds, if there is one. */
export function castOf(context: WitnessContext, most?: number): Cast | undefined {
  const casts = [...castsFor(context, {}, most)];
  const isDone = (one: Cast): boolean => effectIn(context, caseOf(context, one, {})) === "done";
  return casts.find(isDone) ?? casts[0];
}

/** What the model reference says that a write does. */
function effectIn({ job }: WitnessContext, { state, inputs }: WriteCase): EffectKind {
  const { model } = job.right;
  const pattern = model.patterns.get(job.plan.pattern.id) ?? job.plan.pattern;
  const items = (name: string): readonly EntityValues[] => inputs.items.get(name) ?? [];
  const given = { parameters: inputs.parameters, items };
  try {
    return effectOf(model, pattern, given, state).kind;
  } catch {
    return "untried";
  }
}

type EffectKind = ReturnType<typeof effectOf>["kind"];

const isTold = (kind: EffectKind): boolean => kind !== "untried";

export function caseOf(
  { job }: WitnessContext,
  { roles, parameters, support }: Cast,
  { replaced = new Map(), there = [], created = [], parameters: others }: Change,
): WriteCase {
  const state = new Map([...job.focus.state.keys()].map((name) => [name, [] as EntityValues[]]));
  const items = new Map<string, EntityValues[]>();
  const add = (
    lists: Map<string, EntityValues[]>,
    entity: Entity,
    values: EntityValues | undefined,
  ): void => {
    const one = values !== undefined && replaced.has(values) ? replaced.get(values) : values;
    if (one === undefined) return;
    lists.set(entity.name, [
      ...(lists.get(entity.name) ?? []),
      storedValues(job.right, entity, one),
    ]);
  };
  for (const { entity, before, item } of roles) {
    add(state, entity, before);
    add(items, entity, item);
  }
  for (const { entity, values } of [...support, ...there]) add(state, entity, values);
  for (const { entity, values } of created) {
    // A request names an item once.
    const taken = idsOf(entity, items.get(entity.name) ?? []);
    if (!taken.has(idText(entity, values))) add(items, entity, values);
  }
  const told = new Map([...parameters, ...(others ?? [])]);
  return { state: storable(job.right, state), inputs: { parameters: told, items } };
}

function changesOf(context: WitnessContext, cast: Cast): readonly Change[] {
  const near = [...cast.roles, ...cast.support.map(asRole)];
  const alike = near.flatMap((role) => neighboursOf(context, role, "alike"));
  const neighbours = near.flatMap((role) => neighboursOf(context, role));
  return [
    ...[neighbours, alike].flatMap((there) => (there.length === 0 ? [] : [{ there }])),
    ...cast.absent.map((one) => ({ there: [one] })),
    ...cast.support.flatMap((one) => supportChanges(context, cast, one)),
    ...cast.roles.flatMap((role) => [
      ...targetChanges(role),
      ...createdChanges(context, role),
      ...uniqueChanges(context, cast, role),
    ]),
  ];
}

/** What has an aggregate is missing, or belongs to something else by an attribute outside its id. */
function supportChanges(
  context: WitnessContext,
  { roles }: Cast,
  { entity, values }: NamedEntity,
): readonly Change[] {
  const { model } = context.job.right;
  const links = roles.flatMap((role) => pairsBetween(model, role.entity, entity));
  const names = new Set(
    links.map(({ other }) => other).filter((name) => !entity.id.includes(name)),
  );
  const others = [...names].flatMap((name): readonly EntityValues[] => {
    const other = otherValueOf(context, entity, name, values.get(name));
    return other === undefined ? [] : [new Map(values).set(name, other)];
  });
  return [undefined, ...others].map((one) => ({ replaced: new Map([[values, one]]) }));
}

/** What is there is missing, or has an optional attribute less. */
function targetChanges({ entity, before }: Role): readonly Change[] {
  if (before === undefined) return [];
  return [
    { replaced: new Map([[before, undefined]]) },
    ...lackingOf(entity, before).map((one) => ({ replaced: new Map([[before, one]]) })),
  ];
}

/** The id is taken, an optional attribute is missing, or a second one has nearly the same id. */
function createdChanges(
  context: WitnessContext,
  { action, entity, before, item }: Role,
): readonly Change[] {
  if (item === undefined) return [];
  const { pattern } = context.job.plan;
  const isMany =
    pattern.batch !== undefined ||
    action.average.value > 1 ||
    pattern.with.some((one) => one.entity === entity.name);
  const other = otherInAll(context, entity, item, action);
  const twins = isMany ? neighboursOf(context, { entity, before, item }, "alike") : [];
  return [
    ...(before === undefined
      ? [{ there: [{ entity, values: item }] }, { there: [{ entity, values: other }] }]
      : [{ replaced: new Map([[item, other]]) }]),
    ...lackingOf(entity, item).map((one) => ({ replaced: new Map([[item, one]]) })),
    ...twins.map((twin) => ({ created: [twin] })),
  ];
}

/** Another entity has the unique value that one gets, or the entity has it itself. */
function uniqueChanges(context: WitnessContext, cast: Cast, role: Role): readonly Change[] {
  const { action, entity, before, item } = role;
  const after = item ?? (before && changedValues(action, entity, cast.parameters, before));
  return uniqueIn(entity).flatMap((name): readonly Change[] => {
    const [own, given] = [before?.get(name), after?.get(name)];
    if (given === undefined) return [];
    const [other] = neighboursOf(context, role);
    const taken = other && { entity, values: new Map(other.values).set(name, given) };
    const isOther = JSON.stringify(own) !== JSON.stringify(given);
    return [
      ...(taken && isOther ? [{ there: [taken] }] : []),
      ...(own === undefined ? [] : sameValue(role, name, own)),
    ];
  });
}

/** The unique value that an entity gets is the one that it has. */
function sameValue({ action, item }: Role, name: string, own: AttributeValue): readonly Change[] {
  if (item !== undefined) return [{ replaced: new Map([[item, new Map(item).set(name, own)]]) }];
  const to = action.changes.find(({ attribute }) => attribute === name)?.to;
  return to?.kind === "parameter" ? [{ parameters: new Map([[to.name, [own]]]) }] : [];
}

/** The same entity without one of the attributes that it need not have. */
function lackingOf({ attributes, id }: Entity, values: EntityValues): readonly EntityValues[] {
  return [...attributes.values()].flatMap(({ name, isOptional }) =>
    isOptional && values.has(name) && !id.includes(name)
      ? [new Map([...values].filter(([own]) => own !== name))]
      : [],
  );
}

/**
 * The same id with other values of all that does not belong to it. What never changes is the same as before, unless an action
 * is tried that needs a new id.
 */
export function otherInAll(
  context: WitnessContext,
  entity: Entity,
  values: EntityValues,
  action?: Action,
): EntityValues {
  const { right, plan } = context.job;
  // BatchWriteItem replaces what has the same table key, not what has the same id.
  const keys = plan.requests.flatMap((one) =>
    one.kind === "write" && one.operation === "BatchWriteItem"
      ? one.actions.flatMap(({ record }) => attributesOfKey(record))
      : [],
  );
  const mustBeNew = action?.condition?.kind === "absent";
  const free = addedToId(right.model, entity, entity.attributes.keys()).filter(
    (name) => !keys.includes(name) && (mustBeNew || entity.attributes.get(name)?.mutable !== false),
  );
  // A new item under an id that is taken has unique values of its own, or these alone would refuse it.
  const inKey = right.itemsOf(entity.name).flatMap(attributesOfKey);
  const unique = mustBeNew ? uniqueIn(entity).filter((name) => !inKey.includes(name)) : [];
  const other = new Set([...free, ...unique]);
  return new Map(
    [...values].map(([name, own]): [string, AttributeValue] => [
      name,
      other.has(name) ? (otherValueOf(context, entity, name, own) ?? own) : own,
    ]),
  );
}

function attributesOfKey({ key }: Pick<StoredRecord, "key">): readonly string[] {
  return key.flatMap(({ text }) => attributesOf(text).map(({ attribute }) => attribute));
}

/** Where an entity is that no step names. */
function asRole({ entity, values }: NamedEntity): Pick<Role, "entity" | "before" | "item"> {
  return { entity, before: values, item: undefined };
}

/**
 * Entities whose id differs from that of another one in one part alone. All else that nothing decides differs, too, so that one
 * does not look like the other, unless they are to be alike.
 */
export function neighboursOf(
  context: WitnessContext,
  { entity, before, item }: Pick<Role, "entity" | "before" | "item">,
  likeness: "alike" | "unlike" = "unlike",
): readonly NamedEntity[] {
  const values = item ?? before;
  if (values === undefined) return [];
  const inside = hostOf(context.job.right, entity.name)?.links.map(({ own }) => own) ?? [];
  const kept = new Set([...entity.id, ...inside, ...pinnedIn(context)]);
  const free = [...entity.attributes.values()].flatMap(({ name, unique, keeps, copyOf }) =>
    unique || keeps !== undefined || copyOf !== undefined || kept.has(name) ? [] : [name],
  );
  return entity.id.flatMap((name) => {
    const own = values.get(name);
    const value = own && otherValueOf(context, entity, name, own);
    if (value === undefined || JSON.stringify(value) === JSON.stringify(own)) return [];
    const made = new Map(values).set(name, value);
    for (const other of likeness === "alike" ? [] : free) {
      const old = made.get(other);
      if (old !== undefined) made.set(other, otherValueOf(context, entity, other, old) ?? old);
    }
    return [{ entity, values: context.withNewUnique(entity, made) }];
  });
}

/** Casts in which one predicate alone fails, an attribute has another value than the one it gets, or an index has what is created. */
function otherCasts(context: WitnessContext, count: number | undefined): readonly Cast[] {
  return stepsOf(context).flatMap((action) => {
    const demands = [
      ...failingPredicates(context, action).map((one) => ({ action, fails: [one] })),
      ...constantChanges(action).map((one) => ({ action, more: [one], fails: [one] })),
      ...membershipsOf(context, action).map((more) => ({ action, more })),
    ];
    return demands.flatMap((demand) => castsFor(context, demand, count).next().value ?? []);
  });
}

function failingPredicates(context: WitnessContext, action: Action): readonly Predicate[] {
  const { id = [] } = context.entity(action.entity) ?? {};
  return conditionsOf(action).filter(
    ({ attribute, operator }) => operator !== "equals" || !id.includes(attribute),
  );
}

function constantChanges({ kind, changes }: Action): readonly Predicate[] {
  if (kind !== "update") return [];
  return changes.flatMap(({ attribute, to }) =>
    to.kind === "constant"
      ? [{ attribute, operator: "equals" as const, operands: [to], exists: true }]
      : [],
  );
}

/** What holds for all that a sparse index has. */
function membershipsOf(
  { job }: WitnessContext,
  { entity }: Action,
): readonly (readonly Predicate[])[] {
  return job.right
    .itemsOf(entity)
    .flatMap(({ memberships }) => memberships.map(({ only }) => only))
    .filter(({ length }) => length > 0);
}
