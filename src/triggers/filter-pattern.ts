import { isScalar, parseRule, type Rule, ruleHolds, ruleNames } from "./filter-rule.ts";
import { filterCharactersMax } from "./limits.ts";
import { TriggerOptionsError } from "./options-error.ts";

/**
 * A pattern of Lambda's event filtering: a JSON object with the shape of a record, whose leaves are
 * lists of rules. All names must match, of a list any rule; `$or` holds if any of its objects does.
 */
export interface FilterPattern {
  readonly fields: readonly Field[];
  /** Of each `$or` one must match. */
  readonly alternatives: readonly (readonly FilterPattern[])[];
}

interface Field {
  readonly name: string;
  readonly want: FilterPattern | readonly Rule[];
}

/** From JSON text, or from an object as YAML or a program has it. */
export function parseFilter(source: unknown): FilterPattern {
  const text = typeof source === "string" ? source : (JSON.stringify(source) ?? "");
  if (text.length > filterCharactersMax) {
    throw new TriggerOptionsError(
      `a filter has ${text.length} characters; Lambda takes up to ${filterCharactersMax}`,
    );
  }
  let pattern: unknown;
  try {
    pattern = JSON.parse(text);
  } catch {
    throw new TriggerOptionsError(`a filter is not JSON: ${text.slice(0, 60)}`);
  }
  if (!isObject(pattern)) {
    throw new TriggerOptionsError('a filter is an object such as {"eventName": ["INSERT"]}');
  }
  return parseObject(pattern, "");
}

function parseObject(pattern: Readonly<Record<string, unknown>>, path: string): FilterPattern {
  const fields: Field[] = [];
  const alternatives: (readonly FilterPattern[])[] = [];
  const entries = Object.entries(pattern);
  if (entries.length === 0) {
    throw new TriggerOptionsError(`a filter is empty at ${path === "" ? "its top" : path}`);
  }
  for (const [name, value] of entries) {
    const where = path === "" ? name : `${path}.${name}`;
    if (name === "$or" && isAlternatives(value)) {
      alternatives.push(value.map((one, index) => parseObject(one, `${where}[${index}]`)));
    } else fields.push({ name, want: parseWant(value, where) });
  }
  return { fields, alternatives };
}

function parseWant(value: unknown, where: string): Field["want"] {
  if (isObject(value)) return parseObject(value, where);
  if (!Array.isArray(value)) {
    throw new TriggerOptionsError(
      `a filter is wrong at ${where}: rules stand in a list, such as ["INSERT"]`,
    );
  }
  if (value.length === 0) {
    throw new TriggerOptionsError(`a filter is wrong at ${where}: the list of rules is empty`);
  }
  return value.map((rule) => parseRule(rule, where));
}

/** Two objects or more that are no rules; anything else called `$or` is a name like another. */
function isAlternatives(value: unknown): value is Readonly<Record<string, unknown>>[] {
  return (
    Array.isArray(value) &&
    value.length >= 2 &&
    value.every((one) => isObject(one) && !Object.keys(one).some((name) => ruleNames.has(name)))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function filterMatches(pattern: FilterPattern, record: unknown): boolean {
  // Of a list it is enough that one element matches, but that one in all names.
  if (Array.isArray(record) && record.length > 0) {
    return record.some((element) => filterMatches(pattern, element));
  }
  const members = isObject(record) ? record : {};
  return (
    pattern.fields.every(({ name, want }) => wantHolds(want, memberOf(members, name))) &&
    pattern.alternatives.every((some) => some.some((one) => filterMatches(one, members)))
  );
}

function memberOf(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function wantHolds(want: Field["want"], value: unknown): boolean {
  if (!isRules(want)) return filterMatches(want, value);
  const leaves = leavesOf(value);
  // Only leaves exist: what has members of its own counts as missing, as in the service.
  if (leaves.length === 0) return want.some((rule) => rule.kind === "exists" && !rule.wanted);
  return want.some((rule) => leaves.some((leaf) => ruleHolds(rule, leaf)));
}

function isRules(want: Field["want"]): want is readonly Rule[] {
  return Array.isArray(want);
}

function leavesOf(value: unknown): readonly (string | number | boolean | null)[] {
  if (isScalar(value)) return [value];
  return Array.isArray(value) ? value.flatMap(leavesOf) : [];
}

/**
 * The places where `numeric` is asked of a number attribute. Such a rule never matches, there or in
 * Lambda: numbers of items are strings in a record.
 */
export function uselessNumericPlaces(pattern: FilterPattern, path = ""): string[] {
  const places = pattern.alternatives.flat().flatMap((one) => uselessNumericPlaces(one, path));
  for (const { name, want } of pattern.fields) {
    const where = path === "" ? name : `${path}.${name}`;
    if (!isRules(want)) places.push(...uselessNumericPlaces(want, where));
    else if (name === "N" && want.some(({ kind }) => kind === "numeric")) places.push(where);
  }
  return places;
}
