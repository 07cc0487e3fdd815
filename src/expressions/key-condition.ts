import {
  filterOnKey,
  hashEqualityRequired,
  keyConditionMissing,
  keyConditionType,
  keyConditionUnsupported,
  keyPathNotScalar,
  rangeEqualityRequired,
  tooManyKeyConditions,
} from "../api/errors/expression.ts";
import { emptyIndexKey, emptyKey, hashKeyTooLarge, rangeKeyTooLarge } from "../api/errors/item.ts";
import { keyConditionNotIndexable } from "../api/errors/legacy.ts";
import { partitionKeyBytesMax, sortKeyBytesMax } from "../api/limits.ts";
import { assert } from "../base/assert.ts";
import {
  type AttributeValue,
  type KeyType,
  type KeyValue,
  typeOf,
} from "../item/attribute-value.ts";
import type { KeyInterval } from "../item/key-encoding.ts";
import { valueSize } from "../item/size.ts";
import { pathsOf } from "./condition-paths.ts";
import type { Condition, KeyComparison, KeyCondition, Path } from "./tree.ts";

export interface KeyAttributeSchema {
  readonly name: string;
  readonly type: KeyType;
}

export interface KeyConditionSchema {
  readonly hash: readonly KeyAttributeSchema[];
  readonly range: readonly KeyAttributeSchema[];
}

/** What a query asks for: one partition, and in it a stretch of the sort order. */
export interface BoundKeyCondition {
  readonly hashValues: readonly KeyValue[];
  /** The leading range attributes that are asked for by equality. */
  readonly equalRange: readonly KeyValue[];
  /** The condition on the range attribute after those. */
  readonly last?: KeyInterval;
}

type Given = ReadonlyMap<string, KeyComparison | "unindexable">;

export interface Binding {
  /** The index that the schema is of. */
  readonly index?: string | undefined;
  /** Runs as each key attribute's turn comes: the start key is judged in the same round. */
  readonly before?: ((key: KeyAttributeSchema) => void) | undefined;
}

/**
 * Fits a key condition to a table or index. Key attributes are judged in the order of the schema, not
 * of the text: is there a condition, has it the right type, does it compare in a way that a key can.
 */
export function bindKeyCondition(
  condition: KeyCondition,
  schema: KeyConditionSchema,
  binding: Binding = {},
): BoundKeyCondition {
  const given = new Map<string, KeyComparison | "unindexable">();
  for (const { attribute, is } of condition.comparisons) given.set(attribute, is);
  for (const attribute of condition.unindexable ?? []) given.set(attribute, "unindexable");
  const hashValues: KeyValue[] = [];
  for (const key of schema.hash) {
    binding.before?.(key);
    if (hashValues.length === 0) checkHashConditions(schema, given);
    hashValues.push(bindHash(key, given, binding.index));
  }
  checkSize(hashValues, partitionKeyBytesMax, hashKeyTooLarge);
  return { hashValues, ...bindRange(schema, given, binding) };
}

/** How many conditions there are, and whether a hash key of several attributes is given whole. */
function checkHashConditions({ hash, range }: KeyConditionSchema, given: Given): void {
  const keys = hash.length + range.length;
  if (given.size > keys) {
    if (keys === 1) throw keyConditionUnsupported();
    throw tooManyKeyConditions(given.size, keys);
  }
  if (hash.length === 1) return;
  const without = hash.filter(({ name }) => {
    const is = given.get(name);
    return is === undefined || (is !== "unindexable" && is.op !== "=");
  });
  if (without.length > 0) throw hashEqualityRequired(without.map(({ name }) => name));
}

function bindHash(key: KeyAttributeSchema, given: Given, index: string | undefined): KeyValue {
  const is = comparisonOf(key, given);
  if (is === undefined) throw keyConditionMissing(key.name);
  checkTypes(key, is);
  if (is.op !== "=") throw keyConditionUnsupported();
  return keyValue(key, is.value, index);
}

function comparisonOf(key: KeyAttributeSchema, given: Given): KeyComparison | undefined {
  const is = given.get(key.name);
  if (is === "unindexable") throw keyConditionNotIndexable();
  return is;
}

function bindRange(
  { hash, range }: KeyConditionSchema,
  given: Given,
  { before, index }: Binding,
): Pick<BoundKeyCondition, "equalRange" | "last"> {
  const equalRange: KeyValue[] = [];
  let last: KeyInterval | undefined;
  const unequal: string[] = [];
  let bound = 0;
  for (const key of range) {
    before?.(key);
    const is = comparisonOf(key, given);
    if (is !== undefined) {
      if (unequal.length > 0) throw rangeEqualityRequired(unequal, key.name);
      checkTypes(key, is);
      bound++;
      if (is.op === "=") equalRange.push(keyValue(key, is.value, index));
      else last = keyInterval(key, is, index);
    }
    if (is?.op !== "=") unequal.push(key.name);
  }
  // A condition that fits no key attribute stands in the place of one that is missing.
  if (hash.length + bound < given.size) {
    const missing = range.find(({ name }) => !given.has(name));
    assert(missing !== undefined, "more key conditions than key attributes");
    throw keyConditionMissing(missing.name);
  }
  checkRangeSize(equalRange, last);
  return last === undefined ? { equalRange } : { equalRange, last };
}

function checkRangeSize(equal: readonly KeyValue[], last: KeyInterval | undefined): void {
  if (last === undefined) {
    checkSize(equal, sortKeyBytesMax, rangeKeyTooLarge);
  } else if (last.op === "between") {
    checkSize([...equal, last.low], sortKeyBytesMax, rangeKeyTooLarge);
    checkSize([...equal, last.high], sortKeyBytesMax, rangeKeyTooLarge);
  } else {
    checkSize([...equal, last.value], sortKeyBytesMax, rangeKeyTooLarge);
  }
}

function checkTypes({ type }: KeyAttributeSchema, is: KeyComparison): void {
  const fits =
    is.op === "between"
      ? typeOf(is.low) === type && typeOf(is.high) === type
      : typeOf(is.value) === type;
  if (!fits) throw keyConditionType();
}

function keyInterval(
  key: KeyAttributeSchema,
  is: KeyComparison,
  index: string | undefined,
): KeyInterval {
  if (is.op === "between") {
    const low = keyValue(key, is.low, index);
    return { op: "between", low, high: keyValue(key, is.high, index) };
  }
  return { op: is.op, value: keyValue(key, is.value, index) };
}

/** The type has been checked; no key is empty. */
function keyValue(
  { name }: KeyAttributeSchema,
  value: AttributeValue,
  index: string | undefined,
): KeyValue {
  const empty = "S" in value ? value.S === "" && "S" : "B" in value && value.B === "" && "B";
  if (empty !== false) {
    throw index === undefined ? emptyKey(name, empty) : emptyIndexKey(name, empty, index);
  }
  return value as KeyValue;
}

function checkSize(values: readonly KeyValue[], max: number, error: () => Error): void {
  let size = 0;
  for (const value of values) size += valueSize(value);
  if (size > max) throw error();
}

/** A filter may not name the keys of what is queried: that is what the key condition is for. */
export function checkFilterKeys(
  filter: Condition,
  schema: KeyConditionSchema,
  parameter: "Filter Expression" | "QueryFilter" = "Filter Expression",
): void {
  const heads = new Set<string>();
  for (const { steps } of pathsOf(filter)) heads.add(steps[0]);
  for (const { name } of [...schema.hash, ...schema.range]) {
    if (heads.has(name)) throw filterOnKey(parameter, name);
  }
}

/** Key attributes are scalars: no path may lead into one. */
export function checkKeyPaths(
  paths: Iterable<Path>,
  schema: KeyConditionSchema,
  owner: "Key" | "IndexKey",
): void {
  const nested = new Set<string>();
  for (const { steps } of paths) if (steps.length > 1) nested.add(steps[0]);
  if (nested.size === 0) return;
  for (const { name } of [...schema.hash, ...schema.range]) {
    if (nested.has(name)) throw keyPathNotScalar(owner, name);
  }
}
