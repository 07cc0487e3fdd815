import {
  type AttributePath,
  type ExpressionMembers,
  Placeholders,
  type UpdateBuilder,
} from "./expression.ts";
import type { KeyRange } from "./key-range.ts";
import { ValueError } from "./numbers.ts";
import { identityOf, isKeyValue } from "./values.ts";

/**
 * Conditions as pieces that are put together before they are written down. Whoever writes one down hands in the
 * placeholders of the request, so pieces of different origin cannot clash.
 */
export interface Condition {
  /** How tightly it binds: a choice inside an AND needs brackets. */
  readonly binds: "one" | "all" | "any" | "not";
  /** What is joined by AND or OR. */
  readonly parts?: readonly Condition[];
  readonly write: (placeholders: Placeholders) => string;
}

function single(write: (placeholders: Placeholders) => string): Condition {
  return { binds: "one", write };
}

function compared(path: AttributePath, sign: string, value: unknown): Condition {
  return single((place) => `${place.path(path)} ${sign} ${place.value(value)}`);
}

export const equalTo = (path: AttributePath, value: unknown): Condition =>
  compared(path, "=", value);
export const notEqualTo = (path: AttributePath, value: unknown): Condition =>
  compared(path, "<>", value);
export const lessThan = (path: AttributePath, value: unknown): Condition =>
  compared(path, "<", value);
export const atMost = (path: AttributePath, value: unknown): Condition =>
  compared(path, "<=", value);
export const greaterThan = (path: AttributePath, value: unknown): Condition =>
  compared(path, ">", value);
export const atLeast = (path: AttributePath, value: unknown): Condition =>
  compared(path, ">=", value);

export function between(path: AttributePath, from: unknown, to: unknown): Condition {
  return single(
    (place) => `${place.path(path)} BETWEEN ${place.value(from)} AND ${place.value(to)}`,
  );
}

/** Any of these values; a value that is listed twice is sent once. */
export function oneOf(path: AttributePath, values: readonly unknown[]): Condition {
  const byIdentity = new Map(
    values.map((value) => [isKeyValue(value) ? identityOf(value) : value, value]),
  );
  const distinct = [...byIdentity.values()];
  if (distinct.length === 0 || distinct.length > 100) {
    throw new ValueError(`IN takes 1 to 100 values, not ${distinct.length}`);
  }
  return single((place) => {
    const name = place.path(path);
    return `${name} IN (${distinct.map((value) => place.value(value)).join(", ")})`;
  });
}

export function beginsWith(path: AttributePath, prefix: unknown): Condition {
  return single((place) => `begins_with(${place.path(path)}, ${place.value(prefix)})`);
}

export function containing(path: AttributePath, part: unknown): Condition {
  return single((place) => `contains(${place.path(path)}, ${place.value(part)})`);
}

/** The attribute is there. Asked of a part of the key, it means that the item is. */
export function present(path: AttributePath): Condition {
  return single((place) => `attribute_exists(${place.path(path)})`);
}

/** The attribute is not there. Asked of a part of the key, it means that there is no such item. */
export function absent(path: AttributePath): Condition {
  return single((place) => `attribute_not_exists(${place.path(path)})`);
}

/** The attribute has the value that was read before, or is still missing: then no other write has changed it since. */
export function unchanged(path: AttributePath, value: unknown): Condition {
  return value === undefined ? absent(path) : equalTo(path, value);
}

/** The item is as it was read, in these attributes, or is still missing. */
export function asRead(
  partition: string,
  item: Readonly<Record<string, unknown>> | undefined,
  names: readonly string[],
): Condition {
  if (item === undefined) return absent(partition);
  const same = names.map((name) => unchanged(name, item[name]));
  const isSure = names.some((name) => item[name] !== undefined);
  return allOf(...(isSure ? [] : [present(partition)]), ...same) ?? present(partition);
}

/** The item must be new: nothing is overwritten. */
export const createOnly = (partition: string): Condition => absent(partition);

/** The item must be there: an update makes none by mistake. */
export const mustExist = (partition: string): Condition => present(partition);

/** All of them, each once; those that are not given do not count. */
export function allOf(first: Condition, ...more: readonly (Condition | undefined)[]): Condition;
export function allOf(...conditions: readonly (Condition | undefined)[]): Condition | undefined;
export function allOf(...conditions: readonly (Condition | undefined)[]): Condition | undefined {
  return combined("all", " AND ", conditions);
}

/** One of them at least. */
export function anyOf(...conditions: readonly (Condition | undefined)[]): Condition | undefined {
  return combined("any", " OR ", conditions);
}

export function not(condition: Condition): Condition {
  return {
    binds: "not",
    write: (place) =>
      `NOT ${condition.binds === "one" ? condition.write(place) : bracketed(condition, place)}`,
  };
}

function combined(
  binds: "all" | "any",
  word: string,
  conditions: readonly (Condition | undefined)[],
): Condition | undefined {
  const parts = conditions
    .filter((condition) => condition !== undefined)
    .flatMap((one) => (one.binds === binds ? (one.parts ?? []) : [one]));
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first;
  return {
    binds,
    parts,
    write: (place) => {
      const texts = parts.map((one) =>
        one.binds === "one" || one.binds === "not" ? one.write(place) : bracketed(one, place),
      );
      return [...new Set(texts)].join(word);
    },
  };
}

function bracketed(condition: Condition, place: Placeholders): string {
  return `(${condition.write(place)})`;
}

/** The condition on a sort key that a range stands for. */
export function inRange(name: string, range: KeyRange): Condition {
  switch (range.kind) {
    case "begins":
      return beginsWith(name, range.text);
    case "between":
      return between(name, range.from, range.to);
    case "less":
      return lessThan(name, range.text);
    case "at-most":
      return atMost(name, range.text);
    case "greater":
      return greaterThan(name, range.text);
    case "at-least":
      return atLeast(name, range.text);
  }
}

/** What expressions a request has. */
export interface ExpressionParts {
  readonly keyCondition?: Condition | undefined;
  readonly update?: UpdateBuilder | undefined;
  readonly condition?: Condition | undefined;
  readonly filter?: Condition | undefined;
  /** Attributes to return. */
  readonly projection?: readonly AttributePath[] | undefined;
}

export interface WrittenExpressions extends ExpressionMembers {
  KeyConditionExpression?: string;
  UpdateExpression?: string;
  ConditionExpression?: string;
  FilterExpression?: string;
  ProjectionExpression?: string;
}

/** The members of a request for all its expressions, with one set of names and values. */
export function expressionsOf(parts: ExpressionParts): WrittenExpressions {
  const { keyCondition, update, condition, filter, projection } = parts;
  // An update has placeholders already, so the others go on from there; it can be written down again as it is.
  const place = update?.placeholders.copy() ?? new Placeholders();
  const written: WrittenExpressions = {};
  if (keyCondition !== undefined) written.KeyConditionExpression = keyCondition.write(place);
  if (update !== undefined && !update.isEmpty) written.UpdateExpression = update.text();
  if (condition !== undefined) written.ConditionExpression = condition.write(place);
  if (filter !== undefined) written.FilterExpression = filter.write(place);
  if (projection !== undefined && projection.length > 0) {
    written.ProjectionExpression = projection.map((path) => place.path(path)).join(", ");
  }
  return { ...written, ...place.members() };
}
