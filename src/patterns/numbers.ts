/** The numbers of the service: decimal, exact, of at most 38 digits. */

/** A value that nothing can be done with as asked. */
export class ValueError extends Error {
  override readonly name: string = "ValueError";
}

/** A number that keeps all its digits: the client's `NumberValue` has this shape. */
export interface WrappedNumber {
  readonly value: string;
}

export type NumberLike = number | bigint | WrappedNumber;

export function isNumberLike(value: unknown): value is NumberLike {
  if (typeof value === "number" || typeof value === "bigint") return true;
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    "value" in value &&
    typeof value.value === "string"
  );
}

/** A number as the service prints it: plain decimals without exponent or needless zeros. */
export function numberText(value: NumberLike): string {
  const written = typeof value === "object" ? value.value : String(value);
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(written);
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match ?? [];
  if (whole + fraction === "") throw new ValueError(`'${written}' is no number`);
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return "0";
  const leading = (whole + fraction).length - digits.length;
  const pointAt = whole.length + Number(exponent) - leading;
  const significant = digits.replace(/0+$/, "");
  if (significant.length > 38 || pointAt > 126 || pointAt < -129) {
    throw new ValueError(`${written} is more than a number of the service can hold`);
  }
  const minus = sign === "-" ? "-" : "";
  if (pointAt <= 0) return `${minus}0.${"0".repeat(-pointAt)}${significant}`;
  if (pointAt >= significant.length) return minus + significant.padEnd(pointAt, "0");
  return `${minus}${significant.slice(0, pointAt)}.${significant.slice(pointAt)}`;
}

export function compareNumbers(a: NumberLike, b: NumberLike): number {
  if (typeof a !== "object" && typeof b !== "object") return a < b ? -1 : a > b ? 1 : 0;
  const { digits } = scaledTo([a, b]);
  const [left = 0n, right = 0n] = digits;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The sum of decimals, which doubles would get wrong: a tenth and two tenths are three tenths. */
export function sumNumbers(values: readonly NumberLike[]): string {
  const { digits, scale } = scaledTo(values);
  const sum = digits.reduce((before, one) => before + one, 0n);
  return numberText({ value: `${sum}e-${scale}` });
}

/** Each number is one of `digits` × 10^-`scale`. */
function scaledTo(values: readonly NumberLike[]): {
  readonly digits: readonly bigint[];
  readonly scale: number;
} {
  const parts = values.map((value) => numberText(value).split("."));
  const scale = Math.max(0, ...parts.map(([, fraction = ""]) => fraction.length));
  const digits = parts.map(([whole = "", fraction = ""]) =>
    BigInt(whole + fraction.padEnd(scale, "0")),
  );
  return { digits, scale };
}
