import {
  compareNumbers,
  isNumberLike,
  type NumberLike,
  numberText,
  ValueError,
} from "./numbers.ts";

/** Values as the document client takes and gives them, and their order in the service. */

/** A value that a key attribute can have. */
export type KeyValue = string | NumberLike | Uint8Array;

/** Attributes by name. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Names may be `__proto__`, so a record that is built from names has no prototype. */
export function bareRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** What a record itself holds under a name. */
export function ownOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * The order in which the service sorts key values of one type: texts by their UTF-8 bytes, which is not how
 * JavaScript compares them, numbers by size, binaries by unsigned bytes.
 */
export function compareKeyValues(a: KeyValue, b: KeyValue): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (isNumberLike(a) && isNumberLike(b)) return compareNumbers(a, b);
  throw new ValueError("values of different types have no order");
}

function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return codeUnitRank(left) - codeUnitRank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for what comes after all other code units. */
function codeUnitRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (a[at] as number) - (b[at] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Equal values have equal texts, and only they: to find an item by its key. */
export function identityOf(value: KeyValue): string {
  if (typeof value === "string") return `S${value}`;
  if (value instanceof Uint8Array) return `B${value.join(",")}`;
  return `N${numberText(value)}`;
}

export function isKeyValue(value: unknown): value is KeyValue {
  return typeof value === "string" || value instanceof Uint8Array || isNumberLike(value);
}

/** One text for a whole key, whatever the order of its attributes. */
export function keyIdentity(key: Attributes): string {
  const parts = Object.keys(key)
    .sort()
    .map((name) => {
      const value = ownOf(key, name);
      if (!isKeyValue(value)) throw new ValueError(`'${name}' has no value that a key can have`);
      return [name, identityOf(value)];
    });
  return JSON.stringify(parts);
}

/** Some attributes of an item. Those that it does not have are left out. */
export function pickAttributes(
  item: Attributes,
  names: readonly string[],
): Record<string, unknown> {
  const picked = bareRecord<unknown>();
  for (const name of names) {
    const value = ownOf(item, name);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
