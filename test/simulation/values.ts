/**
 * What the oracle knows of attribute values: numbers, order, equality, size. Written from the rules of
 * the service and apart from `src`, so that the two can contradict each other.
 */
export type Value =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: readonly Value[] }
  | { readonly M: Item };

export type Item = Readonly<Record<string, Value>>;

/** mantissa × 10^exponent. */
interface Decimal {
  readonly mantissa: bigint;
  readonly exponent: number;
}

function decimal(text: string): Decimal {
  const [digits = "", power = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = digits.replace("+", "").split(".");
  return { mantissa: BigInt(whole + fraction || "0"), exponent: Number(power) - fraction.length };
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  const raise = (d: Decimal) => d.mantissa * 10n ** BigInt(d.exponent - exponent);
  return [raise(a), raise(b), exponent];
}

export function compareNumbers(a: string, b: string): number {
  const [x, y] = aligned(decimal(a), decimal(b));
  return x < y ? -1 : x > y ? 1 : 0;
}

export function addNumbers(a: string, b: string, sign: 1n | -1n = 1n): string {
  const [x, y, exponent] = aligned(decimal(a), decimal(b));
  return decimalText({ mantissa: x + sign * y, exponent });
}

function decimalText({ mantissa, exponent }: Decimal): string {
  const negative = mantissa < 0n;
  let digits = (negative ? -mantissa : mantissa).toString();
  if (exponent >= 0) digits += "0".repeat(exponent);
  else {
    digits = digits.padStart(1 - exponent, "0");
    const fraction = digits.slice(exponent).replace(/0+$/, "");
    digits = digits.slice(0, exponent) + (fraction === "" ? "" : `.${fraction}`);
  }
  return (negative && /[1-9]/.test(digits) ? "-" : "") + (/[1-9]/.test(digits) ? digits : "0");
}

/** A value in the form in which the service answers it. */
export function canonical(value: Value): Value {
  if ("N" in value) return { N: decimalText(decimal(value.N)) };
  if ("NS" in value) {
    return { NS: value.NS.map((text) => decimalText(decimal(text))).sort(compareNumbers) };
  }
  if ("SS" in value) return { SS: [...value.SS].sort(compareTexts) };
  if ("BS" in value) return { BS: [...value.BS].sort(compareBinaries) };
  if ("L" in value) return { L: value.L.map(canonical) };
  if ("M" in value) return { M: canonicalItem(value.M) };
  return value;
}

export function canonicalItem(item: Item): Item {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, canonical(value)]));
}

export const compareTexts = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));

export const compareBinaries = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a, "base64"), Buffer.from(b, "base64"));

/** The order of two scalars of one type; nothing if they cannot be compared. */
export function compareScalars(a: Value, b: Value): number | undefined {
  if ("S" in a && "S" in b) return compareTexts(a.S, b.S);
  if ("N" in a && "N" in b) return compareNumbers(a.N, b.N);
  if ("B" in a && "B" in b) return compareBinaries(a.B, b.B);
  return undefined;
}

/** JSON with sorted members: equal texts are equal values. */
export function stable(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(stable).join()}]`;
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${stable(members[name])}`)
    .join()}}`;
}

/** Deep equality; a member that is undefined is as good as none. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((element, i) => same(element, b[i]));
  }
  const [one, two] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return (
    Object.keys(one).every((name) => same(one[name], two[name])) &&
    Object.keys(two).every((name) => two[name] === undefined || one[name] !== undefined)
  );
}

export const sameValue: (a: Value, b: Value) => boolean = same;

export const typeName = (value: Value): string => Object.keys(value)[0] as string;

export function sizeOfItem(item: Item): number {
  return Object.entries(item).reduce((sum, [name, v]) => sum + utf8(name) + sizeOfValue(v), 0);
}

const utf8 = (text: string): number => Buffer.from(text, "utf8").length;
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const rawBytes = (base64: string): number => Buffer.from(base64, "base64").length;

function sizeOfValue(value: Value): number {
  if ("S" in value) return utf8(value.S);
  if ("B" in value) return rawBytes(value.B);
  if ("N" in value) return sizeOfNumber(value.N);
  if ("SS" in value) return sum(value.SS.map(utf8));
  if ("NS" in value) return sum(value.NS.map(sizeOfNumber));
  if ("BS" in value) return sum(value.BS.map(rawBytes));
  if ("L" in value) return 3 + sum(value.L.map((element) => 1 + sizeOfValue(element)));
  if ("M" in value) {
    return 3 + sum(Object.entries(value.M).map(([name, v]) => 1 + utf8(name) + sizeOfValue(v)));
  }
  return 1;
}

/** Two digits a byte on either side of the point, zeros at the ends trimmed; one for the sign. */
function sizeOfNumber(text: string): number {
  const digits = text.replace("-", "");
  if (digits === "0") return 1;
  const [whole = "", fraction = ""] = digits.split(".");
  const left = fraction === "" ? whole.replace(/0+$/, "") : whole.replace(/^0+/, "");
  const right = left === "" ? fraction.replace(/^0+/, "") : fraction;
  return 1 + Math.ceil(left.length / 2) + Math.ceil(right.length / 2) + (text === digits ? 0 : 1);
}
