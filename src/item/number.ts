/**
 * The service's numbers: decimal, exact, at most 38 significant digits, magnitudes from 1E-130 to
 * 9.99…E+125. Inside the program a number is its normal form: plain decimal notation without
 * exponent, `+`, needless zeros or a negative zero. Two normal forms are equal as numbers exactly
 * if they are equal as texts.
 */
export interface NumberProblem {
  readonly problem: "not-a-number" | "too-many-digits" | "overflow" | "underflow";
}

const significantDigitsMax = 38;
/** Exponents of the leading digit. */
const exponentMax = 125;
const exponentMin = -130;

/** So many characters of plain decimal notation are exact in a double, and so is a sum of two. */
const exactCharactersMax = 15;

const notANumber: NumberProblem = { problem: "not-a-number" };
const tooManyDigits: NumberProblem = { problem: "too-many-digits" };
const overflow: NumberProblem = { problem: "overflow" };
const underflow: NumberProblem = { problem: "underflow" };

const zero = 48;
const nine = 57;
const minus = 45;
const plus = 43;
const dot = 46;

/** The normal form of what a client sent, or what is wrong with it. */
export function normaliseNumber(text: string): string | NumberProblem {
  return isShortInteger(text) ? text : parseNumber(text);
}

/** Integers of up to 15 digits that are in normal form already: nearly all numbers there are. */
function isShortInteger(text: string): boolean {
  const length = text.length;
  if (length === 0 || length > exactCharactersMax) return false;
  let at = 0;
  if (text.charCodeAt(0) === minus) at = 1;
  const first = text.charCodeAt(at);
  if (!(first > zero && first <= nine)) return length === 1 && first === zero;
  for (at++; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code < zero || code > nine) return false;
  }
  return true;
}

/** `sign? (digits '.'? digits?) | ('.' digits) (('e' | 'E') sign? digits)?`, and nothing else. */
function parseNumber(text: string): string | NumberProblem {
  const length = text.length;
  let at = 0;
  const negative = text.charCodeAt(0) === minus;
  if (negative || text.charCodeAt(0) === plus) at = 1;
  const start = at;
  let dotAt = -1;
  for (; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === dot && dotAt < 0) dotAt = at;
    else if (code < zero || code > nine) break;
  }
  const end = at;
  if (end - start - (dotAt < 0 ? 0 : 1) === 0) return notANumber;
  let exponent = 0;
  if (at < length) {
    const written = parseExponent(text, at);
    if (written === undefined) return notANumber;
    exponent = written;
  }
  const fraction = dotAt < 0 ? "" : text.slice(dotAt + 1, end);
  const digits = text.slice(start, dotAt < 0 ? end : dotAt) + fraction;
  return formatNumber(negative, digits, fraction.length - exponent);
}

/**
 * The exponent that begins at the `e`. The service reads it as a 64-bit integer; what does not fit
 * is not a number at all, what fits is out of range long before doubles lose digits.
 */
function parseExponent(text: string, from: number): number | undefined {
  const letter = text.charCodeAt(from);
  if (letter !== 101 && letter !== 69) return undefined;
  let at = from + 1;
  const sign = text.charCodeAt(at);
  if (sign === minus || sign === plus) at++;
  if (at === text.length) return undefined;
  for (let digit = at; digit < text.length; digit++) {
    const code = text.charCodeAt(digit);
    if (code < zero || code > nine) return undefined;
  }
  while (text.charCodeAt(at) === zero && at < text.length - 1) at++;
  if (text.length - at > 19) return undefined;
  const magnitude = BigInt(text.slice(at));
  const exponent = sign === minus ? -magnitude : magnitude;
  return BigInt.asIntN(64, exponent) === exponent ? Number(exponent) : undefined;
}

/** The normal form of `digits` × 10^-`scale`, if it is in range. */
function formatNumber(negative: boolean, digits: string, scale: number): string | NumberProblem {
  let start = 0;
  while (start < digits.length && digits.charCodeAt(start) === zero) start++;
  if (start === digits.length) {
    // Zero, too, is judged by the exponent that it was written with: `0e126` overflows.
    if (-scale > exponentMax) return overflow;
    if (-scale < exponentMin) return underflow;
    return "0";
  }
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === zero) end--;
  const pointAt = digits.length - scale - start;
  if (pointAt - 1 > exponentMax) return overflow;
  if (pointAt - 1 < exponentMin) return underflow;
  const count = end - start;
  if (count > significantDigitsMax) return tooManyDigits;
  const significant = digits.slice(start, end);
  const sign = negative ? "-" : "";
  if (pointAt <= 0) return `${sign}0.${"0".repeat(-pointAt)}${significant}`;
  if (pointAt >= count) return sign + significant + "0".repeat(pointAt - count);
  return `${sign}${significant.slice(0, pointAt)}.${significant.slice(pointAt)}`;
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`; on normal forms. */
export function compareNumbers(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length <= exactCharactersMax && b.length <= exactCharactersMax) {
    return Number(a) - Number(b);
  }
  const aNegative = a.charCodeAt(0) === minus;
  const bNegative = b.charCodeAt(0) === minus;
  if (aNegative !== bNegative) return aNegative ? -1 : 1;
  const order = compareMagnitudes(a, b, aNegative ? 1 : 0);
  return aNegative ? -order : order;
}

/** With integer parts of the same length the texts order as the numbers do. */
function compareMagnitudes(a: string, b: string, start: number): number {
  const aPoint = a.indexOf(".");
  const bPoint = b.indexOf(".");
  const difference = (aPoint < 0 ? a.length : aPoint) - (bPoint < 0 ? b.length : bPoint);
  if (difference !== 0) return difference;
  const aDigits = start === 0 ? a : a.slice(start);
  const bDigits = start === 0 ? b : b.slice(start);
  return aDigits < bDigits ? -1 : 1;
}

/** The exact sum of two normal forms. A sum of more than 38 digits is an overflow to the service. */
export function addNumbers(a: string, b: string): string | NumberProblem {
  if (a.length <= exactCharactersMax && b.length <= exactCharactersMax) {
    const aNumber = Number(a);
    const bNumber = Number(b);
    if (Number.isInteger(aNumber) && Number.isInteger(bNumber)) return String(aNumber + bNumber);
  }
  return addScaled(a, b, false);
}

/** The exact difference `a` − `b` of two normal forms. */
export function subtractNumbers(a: string, b: string): string | NumberProblem {
  if (a.length <= exactCharactersMax && b.length <= exactCharactersMax) {
    const aNumber = Number(a);
    const bNumber = Number(b);
    if (Number.isInteger(aNumber) && Number.isInteger(bNumber)) return String(aNumber - bNumber);
  }
  return addScaled(a, b, true);
}

function addScaled(a: string, b: string, subtract: boolean): string | NumberProblem {
  const scale = Math.max(fractionDigits(a), fractionDigits(b));
  const aScaled = scaled(a, scale);
  const bScaled = scaled(b, scale);
  const result = subtract ? aScaled - bScaled : aScaled + bScaled;
  if (result === 0n) return "0";
  const negative = result < 0n;
  const formatted = formatNumber(negative, String(negative ? -result : result), scale);
  return formatted === tooManyDigits ? overflow : formatted;
}

function fractionDigits(number: string): number {
  const point = number.indexOf(".");
  return point < 0 ? 0 : number.length - point - 1;
}

function scaled(number: string, scale: number): bigint {
  const point = number.indexOf(".");
  const digits = point < 0 ? number : number.slice(0, point) + number.slice(point + 1);
  return BigInt(digits + "0".repeat(scale - fractionDigits(number)));
}
