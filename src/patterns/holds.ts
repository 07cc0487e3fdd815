import { type Attributes, compareKeyValues, isKeyValue, ownOf } from "./values.ts";

/** Conditions and orders on values that were read, as the service understands them. */

export type Comparison =
  | "equals"
  | "one-of"
  | "less"
  | "at-most"
  | "greater"
  | "at-least"
  | "between"
  | "begins-with"
  | "contains";

/** Whether a condition holds for a value. Nothing but its absence holds for one that is missing. */
export function holds(value: unknown, is: Comparison, ...operands: readonly unknown[]): boolean {
  if (value === undefined) return false;
  const [first, last] = operands;
  const order = orderOf(value, first);
  switch (is) {
    case "equals":
      return sameValue(value, first);
    case "one-of":
      return operands.some((one) => sameValue(value, one));
    case "less":
      return order !== undefined && order < 0;
    case "at-most":
      return order !== undefined && order <= 0;
    case "greater":
      return order !== undefined && order > 0;
    case "at-least":
      return order !== undefined && order >= 0;
    case "between": {
      const end = orderOf(value, last);
      return order !== undefined && order >= 0 && end !== undefined && end <= 0;
    }
    case "begins-with":
      if (value instanceof Uint8Array) return placeOfBytes(value, first) === 0;
      return typeof value === "string" && typeof first === "string" && value.startsWith(first);
    case "contains":
      return contains(value, first);
  }
}

function orderOf(a: unknown, b: unknown): number | undefined {
  if (!isKeyValue(a) || !isKeyValue(b) || kindOfKey(a) !== kindOfKey(b)) return undefined;
  return compareKeyValues(a, b);
}

function kindOfKey(value: unknown): string {
  return typeof value === "string" ? "S" : value instanceof Uint8Array ? "B" : "N";
}

/** Where bytes are first found in others; -1 if nowhere. */
function placeOfBytes(whole: Uint8Array, part: unknown): number {
  if (!(part instanceof Uint8Array)) return -1;
  for (let place = 0; place + part.length <= whole.length; place += 1) {
    if (part.every((byte, at) => whole[place + at] === byte)) return place;
  }
  return -1;
}

function contains(value: unknown, part: unknown): boolean {
  if (typeof value === "string") return typeof part === "string" && value.includes(part);
  if (value instanceof Uint8Array) return placeOfBytes(value, part) >= 0;
  if (value instanceof Set || Array.isArray(value)) {
    return [...value].some((one) => sameValue(one, part));
  }
  return false;
}

/** Equal as the service sees it: sets have no order, and maps neither. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const order = orderOf(a, b);
  if (order !== undefined) return order === 0;
  if (a instanceof Set && b instanceof Set) {
    return (
      a.size === b.size && [...a].every((one) => [...b].some((other) => sameValue(one, other)))
    );
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((one, place) => sameValue(one, b[place]));
  }
  if (!isPlainMap(a) || !isPlainMap(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameValue(ownOf(a, name), ownOf(b, name)))
  );
}

function isPlainMap(value: unknown): value is Attributes {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Set) &&
    !isKeyValue(value)
  );
}

/** Sorts by attributes, the first one first. What lacks one comes before all that have it. */
export function byAttributes(
  ...orders: readonly (readonly [name: string, direction: "ascending" | "descending"])[]
): (a: object, b: object) => number {
  return (a, b) => {
    for (const [name, direction] of orders) {
      const [one, other] = [ownOf(a as Attributes, name), ownOf(b as Attributes, name)];
      if (one === undefined || other === undefined) {
        if (one === other) continue;
        return one === undefined ? -1 : 1;
      }
      const order = orderOf(one, other) ?? 0;
      if (order !== 0) return direction === "ascending" ? order : -order;
    }
    return 0;
  };
}

/** Whether a text is made like a key: literals in their order, with anything where there is null. */
export function hasShape(value: unknown, ...parts: readonly (string | null)[]): boolean {
  if (typeof value !== "string") return false;
  let at = 0;
  for (const [place, part] of parts.entries()) {
    if (part === null) continue;
    const found = value.indexOf(part, at);
    if (found < 0 || (place === 0 && found !== 0)) return false;
    at = found + part.length;
  }
  const last = parts.at(-1);
  return last === null || last === undefined || value.endsWith(last);
}

/** Some attributes of an item under the names that the model gives them. What type they are is the model's word. */
export function taken<T = Record<string, unknown>>(
  item: Attributes,
  names: readonly (string | readonly [own: string, stored: string])[],
): T {
  return Object.fromEntries(
    names.flatMap((one) => {
      const [own, stored] = typeof one === "string" ? [one, one] : one;
      const value = ownOf(item, stored);
      return value === undefined ? [] : [[own, value]];
    }),
  ) as T;
}

/** Some members of an object, and no others. */
export function only<T extends object, K extends keyof T & string>(
  of: T,
  ...names: readonly K[]
): Pick<T, K> {
  return taken(of as Attributes, names);
}
