import { type NumberProblem, normaliseNumber } from "./number.ts";

/** Exponents up to here are judged as all numbers are. */
const plainExponentMax = 10_000;
const intMax = 2_147_483_647;
const intMin = -2_147_483_648;

const parts = /^[+-]?(\d*)\.?(\d*)[eE]([+-]?\d+)$/;

/**
 * A number as PartiQL and the older layer of request validation read it: like Java's BigDecimal. An
 * exponent or a scale that does not fit 32 bits is no number at all; what fits is judged in 32 bits, too,
 * and so a huge number can come out as too small a one.
 */
export function readJavaNumber(text: string): string | NumberProblem {
  // What is in range is read alike by both; nearly all numbers are, and go no further.
  const plain = normaliseNumber(text);
  if (typeof plain === "string") return plain;
  const found = parts.exec(text);
  if (found === null) return plain;
  const [, whole = "", fraction = "", written = ""] = found;
  const exponent = Number(written);
  if (Math.abs(exponent) <= plainExponentMax) return plain;
  const scale = fraction.length - exponent;
  const digits = (whole + fraction).replace(/^0+/, "").length || 1;
  if (whole + fraction === "" || !fitsInt(exponent) || !fitsInt(scale)) {
    return { problem: "not-a-number" };
  }
  return { problem: ((digits - scale) | 0) > 0 ? "overflow" : "underflow" };
}

function fitsInt(value: number): boolean {
  return value >= intMin && value <= intMax;
}
