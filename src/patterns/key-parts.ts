import { numberText, ValueError } from "./numbers.ts";
import type { KeyValue } from "./values.ts";

/** What becomes of values in the text of a key. All of it sorts as texts the way that it is meant to. */

export type TimeUnit = "minute" | "hour" | "day" | "month" | "year";

/** What must be known of a part to turn its values into text. */
export interface PartFormat {
  /** What a number means if it is a time; milliseconds if nothing is said. */
  readonly format?: "epoch-seconds" | "epoch-milliseconds" | undefined;
  /** How many digits a number has at most. Ten if nothing is said, 10 or 13 for times. */
  readonly digits?: number | undefined;
}

/** A step on the way from a value to its text. */
export type PartTransform =
  | { readonly kind: "pad"; readonly digits: number }
  | { readonly kind: "lower" }
  | { readonly kind: "upper" }
  | { readonly kind: "cut"; readonly unit: TimeUnit }
  | { readonly kind: "descending" };

/** The length of a time that is cut off after a unit: `2026-11-16T09`. */
export const cutLength: Readonly<Record<TimeUnit, number>> = {
  minute: 16,
  hour: 13,
  day: 10,
  month: 7,
  year: 4,
};

const digitsIfNotSaid = 10;

/** A value as text: as it is, or as the service prints the number. */
export function keyText(value: KeyValue): string {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) throw new ValueError("binary cannot be part of a text");
  return numberText(value);
}

/** A number with zeros before it, so that texts sort as numbers do. Before a minus they would not. */
export function padded(value: KeyValue, digits: number): string {
  const number = keyText(value);
  if (number.startsWith("-")) throw new ValueError(`${number} is negative and cannot be padded`);
  const point = number.indexOf(".");
  const whole = point < 0 ? number : number.slice(0, point);
  return whole.padStart(digits, "0") + number.slice(whole.length);
}

/** A time without what is finer than the unit: an ISO text, or a number that is turned into one. */
export function cutTime(value: KeyValue, unit: TimeUnit, format: PartFormat = {}): string {
  const text = keyText(value);
  const iso = typeof value === "string" ? text : isoTime(text, format);
  return iso.slice(0, cutLength[unit]);
}

/**
 * Every digit becomes what it lacks of nine: the text keeps its length, the order is reversed, and doing it
 * again gives the text back. Numbers are padded first, for those of different length would not reverse.
 */
export function descending(value: KeyValue, format: PartFormat = {}): string {
  if (typeof value === "string") return ninesComplement(value);
  const number = keyText(value);
  if (number.includes(".")) throw new ValueError(`${number} has a fraction and cannot be reversed`);
  return ninesComplement(padded(number, digitsOfPart(format)));
}

/** The text of a value after all transforms, in their order. */
export function partText(
  value: KeyValue,
  transforms: readonly PartTransform[],
  format: PartFormat = {},
): string {
  let now: KeyValue = value;
  for (const transform of transforms) now = transformedPart(now, transform, format);
  return keyText(now);
}

function transformedPart(value: KeyValue, transform: PartTransform, format: PartFormat): KeyValue {
  switch (transform.kind) {
    case "pad":
      return padded(value, transform.digits);
    // A number has no case, and stays a number for what follows.
    case "lower":
      return typeof value === "string" ? value.toLowerCase() : value;
    case "upper":
      return typeof value === "string" ? value.toUpperCase() : value;
    case "cut":
      return cutTime(value, transform.unit, format);
    case "descending":
      return descending(value, format);
  }
}

function isoTime(number: string, { format }: PartFormat): string {
  const time = Number(number) * (format === "epoch-seconds" ? 1_000 : 1);
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) {
    throw new ValueError(`${number} is no time`);
  }
  return new Date(time).toISOString();
}

function ninesComplement(text: string): string {
  return text.replace(/[0-9]/g, (digit) => String(9 - Number(digit)));
}

function digitsOfPart({ format, digits }: PartFormat): number {
  if (format === "epoch-seconds") return 10;
  if (format === "epoch-milliseconds") return 13;
  return digits ?? digitsIfNotSaid;
}

/**
 * A text in which a separator cannot be mistaken for the one of the key: `%` and the characters that are
 * named become `%23` and so on. For parts that people type; the order of texts changes where one is met.
 */
export function escapePart(text: string, separators = "#"): string {
  const wanted = new Set(`%${separators}`);
  let escaped = "";
  for (const character of text) {
    escaped += wanted.has(character) ? percentText(character) : character;
  }
  return escaped;
}

function percentText(character: string): string {
  if (character.charCodeAt(0) > 0x7f) throw new ValueError("a separator is an ASCII character");
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** The text that `escapePart` was given. */
export function unescapePart(text: string): string {
  return text.replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
