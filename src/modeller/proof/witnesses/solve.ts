import type { AttributeValue } from "../../../item/attribute-value.ts";
import { compareValues } from "../../../item/compare.ts";
import type { Attribute, Entity, Operand, Predicate } from "../../../model/requirements.ts";
import { compares, constantValue } from "../../values/holds.ts";
import type { EntityValues } from "../../values/render-key.ts";
import type { Parameters } from "../oracle/state.ts";
import { type Candidate, domainOf } from "./domain.ts";

/**
 * Finds an entity and parameters for which stated predicates hold and all others of a list fail: backtracking over the
 * attributes, with the values of their domains.
 */
export interface Goal {
  readonly entity: Entity;
  /** The entity that keeps all attributes which no predicate names. */
  readonly like: EntityValues;
  readonly known: readonly EntityValues[];
  readonly where: readonly Predicate[];
  /** Predicates of `where` that must fail. */
  readonly fails: ReadonlySet<Predicate>;
  /** Attributes that keep the value of `like`. */
  readonly fixed?: ReadonlySet<string>;
  /** Attributes that only take values of existing entities. */
  readonly pinned: ReadonlySet<string>;
  /** Parameters that have their values. */
  readonly parameters?: Parameters;
}

export interface Solution {
  readonly values: EntityValues;
  readonly parameters: Parameters;
}

/** Combinations of one attribute that are considered. */
const choicesMax = 4_000;

export function solve(goal: Goal): Solution | undefined {
  const names = [...new Set(goal.where.map(({ attribute }) => attribute))];
  return extend(goal, names, new Map(goal.like), new Map(goal.parameters));
}

function extend(
  goal: Goal,
  [name, ...rest]: readonly string[],
  values: ReadonlyMap<string, AttributeValue>,
  parameters: Parameters,
): Solution | undefined {
  if (name === undefined) return { values, parameters };
  for (const choice of choicesFor(goal, name, parameters)) {
    const next = new Map(values);
    if (choice.value === undefined) next.delete(name);
    else next.set(name, choice.value);
    const found = extend(goal, rest, next, choice.parameters);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Choice {
  readonly value: Candidate;
  readonly parameters: Parameters;
}

/** Values of one attribute with parameters, widest ranges first. */
function choicesFor(goal: Goal, name: string, parameters: Parameters): readonly Choice[] {
  const { entity, like, known, where, fails, fixed, pinned } = goal;
  const attribute = entity.attributes.get(name);
  if (attribute === undefined) return [];
  const own = where.filter((one) => one.attribute === name);
  const domain = domainOf(entity, attribute, where, [like, ...known], pinned.has(name));
  const values = fixed?.has(name) ? [like.get(name)] : domain;
  const choices: (Choice & { readonly width: number })[] = [];
  for (const given of assignments(attribute, own, domain, parameters)) {
    if (choices.length > choicesMax) break;
    const having = (failing: ReadonlySet<Predicate>): readonly Candidate[] =>
      values.filter((value) =>
        own.every((one) => holdsFor(attribute, one, value, given) !== failing.has(one)),
      );
    const matching = having(fails);
    // Beside many that fail there are many that do not.
    const hits = own.some((one) => fails.has(one)) ? having(new Set()).length : matching.length;
    const width = Math.min(matching.length, hits);
    for (const value of matching) choices.push({ value, parameters: given, width });
  }
  return choices.toSorted((a, b) => b.width - a.width);
}

export function holdsFor(
  attribute: Attribute,
  predicate: Predicate,
  value: Candidate,
  parameters: Parameters,
): boolean {
  const operands = predicate.operands.flatMap((one) => valuesOf(attribute, one, parameters));
  const isAny = predicate.operator === "equals" && operands.length > 1;
  return compares(isAny ? { ...predicate, operator: "one-of" } : predicate, value, operands);
}

function valuesOf(
  attribute: Attribute,
  operand: Operand,
  parameters: Parameters,
): readonly AttributeValue[] {
  if (operand.kind === "parameter") return parameters.get(operand.name) ?? [];
  const value = constantValue(attribute, operand.value);
  return value === undefined ? [] : [value];
}

/** Every way to give values to the parameters of predicates on one attribute. */
function* assignments(
  attribute: Attribute,
  [predicate, ...rest]: readonly Predicate[],
  domain: readonly Candidate[],
  parameters: Parameters,
): Generator<Parameters> {
  if (predicate === undefined) {
    yield parameters;
    return;
  }
  const open = predicate.operands.flatMap((one) =>
    one.kind === "parameter" && !parameters.has(one.name) ? [one.name] : [],
  );
  const values = operandsFrom(predicate, domain);
  const lists = predicate.operator === "one-of" ? listsOf(values) : values.map((one) => [one]);
  for (const given of filled(open, lists, parameters)) {
    if (!isUpsideDown(attribute, predicate, given)) {
      yield* assignments(attribute, rest, domain, given);
    }
  }
}

function* filled(
  [name, ...rest]: readonly string[],
  lists: readonly (readonly AttributeValue[])[],
  parameters: Parameters,
): Generator<Parameters> {
  if (name === undefined) {
    yield parameters;
    return;
  }
  for (const list of lists) yield* filled(rest, lists, new Map(parameters).set(name, list));
}

/** Lists of two different values, then of one. */
function listsOf(values: readonly AttributeValue[]): readonly (readonly AttributeValue[])[] {
  const pairs = values.slice(1).map((value, i) => [values[i] as AttributeValue, value]);
  return [...pairs, ...values.map((one) => [one])];
}

/** What a parameter of the predicate may be. */
function operandsFrom(
  { operator }: Predicate,
  domain: readonly Candidate[],
): readonly AttributeValue[] {
  const values = domain.flatMap((one) => (one === undefined ? [] : [one]));
  if (operator === "begins-with") return values.flatMap(beginnings);
  return operator === "contains" ? values.flatMap(partsOf) : values;
}

function beginnings(value: AttributeValue): readonly AttributeValue[] {
  if (!("S" in value)) return [value];
  const half = Math.min(10, Math.ceil(value.S.length / 2));
  return [{ S: value.S.slice(0, half) }, { S: value.S.slice(0, 1) }];
}

function partsOf(value: AttributeValue): readonly AttributeValue[] {
  if ("SS" in value) return value.SS.map((S) => ({ S }));
  if ("NS" in value) return value.NS.map((N) => ({ N }));
  if ("BS" in value) return value.BS.map((B) => ({ B }));
  if ("L" in value) return value.L;
  if (!("S" in value)) return [value];
  const half = Math.ceil(value.S.length / 2);
  return [value, { S: value.S.slice(0, half) }, { S: value.S.slice(0, 1) }];
}

/** The service refuses a range whose end lies before its beginning. */
function isUpsideDown(
  attribute: Attribute,
  { operator, operands }: Predicate,
  parameters: Parameters,
): boolean {
  if (operator !== "between") return false;
  const [low, high] = operands.flatMap((one) => valuesOf(attribute, one, parameters));
  return low === undefined || high === undefined || (compareValues(low, high) ?? 0) > 0;
}
