import type { Action, Attribute, Entity, Pattern, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { Identifiers } from "../output/identifiers.ts";
import { hasListParameter } from "../requests/given.ts";
import { defaultsOf } from "./defaults.ts";
import { type Names, plural } from "./names.ts";
import { memberName } from "./source.ts";
import { attributeType, operandType } from "./types.ts";

/** What a caller hands in under a name. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  /** Several values, each for itself. */
  readonly isList: boolean;
}

/** Entities that a caller hands in to be made. */
export interface Created {
  readonly entity: Entity;
  readonly name: string;
  readonly type: string;
  readonly isList: boolean;
}

/** What the function of a pattern is handed. */
export interface Inputs {
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly created: ReadonlyMap<string, Created>;
  readonly groups: readonly KeyGroup[];
}

/** Parameters that belong together: the caller hands in one list, with a set of them for each thing that is named. */
export interface KeyGroup {
  readonly name: string;
  readonly of: readonly string[];
}

export function inputsOf(facts: Facts, pattern: Pattern, names: Names): Inputs {
  const parameters = new Map<string, Parameter>();
  const add = (name: string, type: string, isList: boolean): void => {
    const before = parameters.get(name);
    parameters.set(name, {
      name,
      type: before?.type ?? type,
      isList: isList || before?.isList === true,
    });
  };
  let groups: readonly KeyGroup[] = [];
  for (const action of pattern.actions) {
    const lists = listedIn(pattern, action);
    if (lists.length > 1) groups = withGroup(groups, { name: action.entity, of: lists });
    addAction(facts, action, new Set(lists), add);
  }
  for (const { entity, where } of pattern.together) {
    for (const predicate of where) addPredicate(facts, entity, predicate, new Set(), add);
  }
  const created = createdBy(facts, pattern, names, new Set(parameters.keys()));
  const taken = [...parameters.keys(), ...[...created.values()].map(({ name }) => name)];
  const words = new Identifiers("camel", taken);
  const named = groups.map(({ name, of }) => {
    const word = groups.length === 1 ? "keys" : `${names.entity(name)} keys`;
    return { name: words.of(word), of };
  });
  return { parameters, created, groups: named };
}

/** A parameter that two actions share has one list, so all that goes with it is one group. */
function withGroup(groups: readonly KeyGroup[], group: KeyGroup): readonly KeyGroup[] {
  const isShared = ({ of }: KeyGroup): boolean => of.some((one) => group.of.includes(one));
  const shared = groups.filter(isShared).flatMap(({ of }) => of);
  const all = [...new Set([...shared, ...group.of])];
  return [...groups.filter((one) => !isShared(one)), { ...group, of: all }];
}

type Add = (name: string, type: string, isList: boolean) => void;

/** Parameters that have a value for each of several things: the keys of a batch, or of several changes. */
function listedIn(pattern: Pattern, action: Action): readonly string[] {
  const batch = pattern.batch?.value ?? 1;
  const isMany = action.kind === "read" ? batch > 1 : action.average.value * batch > 1;
  if (!isMany || hasListParameter(action.where)) return [];
  return action.where.flatMap(({ operator, operands }) =>
    operator === "equals"
      ? operands.flatMap((one) => (one.kind === "parameter" ? [one.name] : []))
      : [],
  );
}

function addAction(facts: Facts, action: Action, lists: ReadonlySet<string>, add: Add): void {
  const { entity: name, where, condition, changes, appends } = action;
  const entity = facts.model.entities.get(name) as Entity;
  for (const predicate of where) addPredicate(facts, name, predicate, lists, add);
  for (const { attribute, to } of changes) {
    const described = entity.attributes.get(attribute);
    if (to.kind === "parameter" && described !== undefined) {
      add(to.name, attributeType(described), false);
    }
  }
  for (const attribute of appends) {
    const described = entity.attributes.get(attribute);
    if (described !== undefined) add(attribute, appendedType(described), false);
  }
  if (condition?.kind === "version") {
    const described = entity.attributes.get(condition.attribute);
    if (described !== undefined) add(condition.attribute, attributeType(described), false);
  }
  for (const predicate of condition?.kind === "where" ? condition.predicates : []) {
    addPredicate(facts, name, predicate, new Set(), add);
  }
}

function appendedType(attribute: Attribute): string {
  return attribute.type === "L" ? "readonly DocumentValue[]" : attributeType(attribute);
}

function addPredicate(
  facts: Facts,
  entity: string,
  predicate: Predicate,
  lists: ReadonlySet<string>,
  add: Add,
): void {
  const attribute = facts.model.entities.get(entity)?.attributes.get(predicate.attribute);
  if (attribute === undefined) return;
  for (const operand of predicate.operands) {
    if (operand.kind !== "parameter") continue;
    const isList = predicate.operator === "one-of" || lists.has(operand.name);
    add(operand.name, operandType(attribute, predicate), isList);
  }
}

function createdBy(
  facts: Facts,
  pattern: Pattern,
  names: Names,
  taken: ReadonlySet<string>,
): ReadonlyMap<string, Created> {
  const created = new Map<string, Created>();
  const batch = pattern.batch?.value ?? 1;
  const add = (name: string, isList: boolean): void => {
    const entity = facts.model.entities.get(name);
    if (entity === undefined) return;
    const type = names.entity(entity);
    const word = type.slice(0, 1).toLowerCase() + type.slice(1);
    const wanted = isList ? plural(word) : word;
    created.set(name, {
      entity,
      name: taken.has(wanted) ? `new${wanted.slice(0, 1).toUpperCase()}${wanted.slice(1)}` : wanted,
      type: defaultsOf(facts, entity).length === 0 ? type : `New${type}`,
      isList: isList || created.get(name)?.isList === true,
    });
  };
  for (const { kind, entity, average } of pattern.actions) {
    if (kind === "create") add(entity, average.value * batch > 1);
  }
  if (pattern.actions[0]?.kind === "create")
    for (const { entity } of pattern.with) add(entity, true);
  return created;
}

/** The members of the type of what a function is handed. */
export function inputMembers({ parameters, created, groups }: Inputs): readonly {
  readonly name: string;
  readonly type: string;
}[] {
  const grouped = new Set(groups.flatMap(({ of }) => of));
  const typeOf = ({ type, isList }: Parameter): string =>
    isList ? `readonly ${type.includes(" ") ? `(${type})` : type}[]` : type;
  const member = (name: string): string =>
    `readonly ${memberName(name)}: ${parameters.get(name)?.type ?? "never"}`;
  return [
    ...[...created.values()].map(({ name, type, isList }) => ({
      name,
      type: isList ? `readonly ${type}[]` : type,
    })),
    ...[...parameters.values()]
      .filter(({ name }) => !grouped.has(name))
      .map((one) => ({ name: one.name, type: typeOf(one) })),
    ...groups.map(({ name, of }) => ({
      name,
      type: `readonly { ${of.map(member).join("; ")} }[]`,
    })),
  ];
}
