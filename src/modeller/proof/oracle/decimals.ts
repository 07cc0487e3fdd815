/** Decimal numbers as DynamoDB has them: exact, up to 38 significant digits, from 1E-130 to 9.99…E+125. The oracle's own arithmetic. */

const significantDigitsMax = 38;
const magnitudeMax = 125;
const magnitudeMin = -130;

/** An integer that a double holds exactly. */
const smallInteger = /^-?\d{1,15}$/;

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Below 0 if the first number is less, above 0 if it is greater. */
export function compareDecimals(a: string, b: string): number {
  if (smallInteger.test(a) && smallInteger.test(b)) return Number(a) - Number(b);
  const [left, right] = scaledAlike(decimalOf(a), decimalOf(b));
  return left === right ? 0 : left < right ? -1 : 1;
}

/** The exact sum; nothing if DynamoDB cannot store it. */
export function addDecimals(a: string, b: string): string | undefined {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  const [left, right, exponent] = scaledAlike(one, other);
  return decimalText({ digits: left + right, exponent });
}

export function negated(number: string): string {
  return number.startsWith("-") ? number.slice(1) : `-${number}`;
}

/** One text for all writings of a number. */
export function normalDecimal(text: string): string {
  const { digits, exponent } = withoutZeros(decimalOf(text));
  return digits === 0n ? "0" : `${digits}e${exponent}`;
}

function decimalOf(text: string): Decimal {
  const [mantissa = "0", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(`${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}

function scaledAlike(one: Decimal, other: Decimal): readonly [bigint, bigint, number] {
  const exponent = Math.min(one.exponent, other.exponent);
  const scaled = (number: Decimal): bigint =>
    number.digits * 10n ** BigInt(number.exponent - exponent);
  return [scaled(one), scaled(other), exponent];
}

function withoutZeros({ digits, exponent }: Decimal): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  let [short, power] = [digits, exponent];
  while (short % 10n === 0n) {
    short /= 10n;
    power += 1;
  }
  return { digits: short, exponent: power };
}

/** Plain notation, as DynamoDB answers it. */
function decimalText(number: Decimal): string | undefined {
  const { digits, exponent } = withoutZeros(number);
  if (digits === 0n) return "0";
  const text = String(digits < 0n ? -digits : digits);
  const magnitude = text.length + exponent - 1;
  if (text.length > significantDigitsMax) return undefined;
  if (magnitude > magnitudeMax || magnitude < magnitudeMin) return undefined;
  const sign = digits < 0n ? "-" : "";
  if (exponent >= 0) return sign + text + "0".repeat(exponent);
  const point = text.length + exponent;
  return point > 0
    ? `${sign}${text.slice(0, point)}.${text.slice(point)}`
    : `${sign}0.${"0".repeat(-point)}${text}`;
}
