import type { AttributeValue } from "../../item/attribute-value.ts";
import { unitLength } from "../../model/formats.ts";
import type { Transform } from "../../model/key-text.ts";
import type { Attribute } from "../../model/requirements.ts";

/** A value that a key cannot be made of as its text asks. */
export class KeyValueError extends Error {}

/** Numbers that do not say how many digits they have. */
const assumedDigits = 10;

type Described = Pick<Attribute, "name" | "format" | "digits">;

/** The text that a value becomes in a key: as it is, or with what its transforms make of it. */
export function transformed(
  attribute: Described,
  transforms: readonly Transform[],
  value: AttributeValue,
): string {
  let text = scalarText(attribute, value);
  let isNumber = "N" in value;
  for (const transform of transforms) {
    switch (transform.kind) {
      case "pad":
        text = padded(attribute, text, transform.digits);
        isNumber = false;
        break;
      case "lower":
        text = text.toLowerCase();
        break;
      case "upper":
        text = text.toUpperCase();
        break;
      case "truncate":
        text = (isNumber ? isoOf(attribute, text) : text).slice(0, unitLength[transform.unit]);
        isNumber = false;
        break;
      case "descending":
        text = turnedRound(attribute, text, isNumber);
        isNumber = false;
        break;
    }
  }
  return text;
}

function scalarText({ name }: Described, value: AttributeValue): string {
  if ("S" in value) return value.S;
  if ("N" in value) return value.N;
  throw new KeyValueError(`'${name}' is neither text nor a number, so it cannot be part of a text`);
}

/** Zeros before a number make texts sort as numbers do; before a minus they would not. */
function padded({ name }: Described, number: string, digits: number): string {
  if (number.startsWith("-"))
    throw new KeyValueError(`'${name}' is ${number} and cannot be padded`);
  const point = number.indexOf(".");
  const whole = point < 0 ? number : number.slice(0, point);
  return whole.padStart(digits, "0") + number.slice(whole.length);
}

function isoOf({ name, format }: Described, number: string): string {
  const time = Number(number) * (format === "epoch-seconds" ? 1_000 : 1);
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) {
    throw new KeyValueError(`'${name}' is ${number}, which is no time`);
  }
  return new Date(time).toISOString();
}

/**
 * Every digit becomes what it lacks of nine: the text keeps its length, the order is reversed, and doing it
 * again gives the value back. Numbers of different length would not reverse, so they are padded first; nor
 * would fractions.
 */
function turnedRound(attribute: Described, text: string, isNumber: boolean): string {
  if (isNumber && text.includes(".")) {
    throw new KeyValueError(`'${attribute.name}' is ${text}; a fraction cannot be turned round`);
  }
  const whole = isNumber ? padded(attribute, text, digitsOf(attribute)) : text;
  return whole.replace(/[0-9]/g, (digit) => String(9 - Number(digit)));
}

function digitsOf({ format, digits }: Described): number {
  if (format === "epoch-seconds") return 10;
  if (format === "epoch-milliseconds") return 13;
  return digits ?? assumedDigits;
}
