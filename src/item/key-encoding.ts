import { hash } from "node:crypto";
import { assert } from "../base/assert.ts";
import { BoundedCache } from "../base/bounded-cache.ts";
import type { KeyValue } from "./attribute-value.ts";

/**
 * Key values as bytes whose unsigned order is the service's order (S by UTF-8 bytes, B by bytes, N by
 * value). No encoding is a prefix of another of the same type, so encodings can be strung together:
 * tuples then order component by component, and anything may follow a key.
 *
 * S and B: groups of eight bytes, the last one padded with zeros, each followed by a marker: how many
 * of the eight count, or `continues`. N: a sign, the exponent to base 100, then one byte for each
 * base-100 digit: its double, plus one if more digits follow. All but the sign is complemented in a
 * negative number.
 */
const groupBytes = 8;
const continues = 9;

const signNegative = 1;
const signZero = 2;
const signPositive = 3;
/** Makes the exponents to base 100, from -64 to 63, unsigned. */
const exponentBias = 64;
/** Sign, exponent and 38 digits that fill 20 pairs if they are not aligned. */
const numberBytesMax = 22;

export const partitionHashBytes = 16;

export interface ByteRange {
  /** Inclusive. */
  readonly start: Buffer;
  /** Exclusive. */
  readonly end: Buffer;
}

/** What a query may ask of the last key component that it names. */
export type KeyInterval =
  | { readonly op: "=" | "<" | "<=" | ">" | ">="; readonly value: KeyValue }
  | { readonly op: "begins_with"; readonly value: KeyValue }
  | { readonly op: "between"; readonly low: KeyValue; readonly high: KeyValue };

const noBytes = Buffer.alloc(0);

export function encodeKeyValue(value: KeyValue): Buffer {
  if ("S" in value) return encodeText(value.S);
  if ("N" in value) return encodeNumber(value.N);
  return encodeBytes(Buffer.from(value.B, "base64"));
}

export function encodeKeyTuple(values: readonly KeyValue[]): Buffer {
  const [first] = values;
  if (first === undefined) return noBytes;
  if (values.length === 1) return encodeKeyValue(first);
  return Buffer.concat(values.map(encodeKeyValue));
}

/** Where a partition key lies in the table's hash space. */
export function partitionHash(values: readonly KeyValue[]): Buffer {
  const [first] = values;
  if (values.length !== 1 || first === undefined || !("S" in first)) return hashOf(values);
  const text = first.S;
  if (text.length > cachedTextMax) return hashOf(values);
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const made = hashOf(values);
  hashes.set(text, made);
  return made;
}

/** Requests come back to the same partitions, and a look-up takes a tenth of a hash. */
const hashes = new BoundedCache<Buffer>(4_096);
const cachedTextMax = 128;

function hashOf(values: readonly KeyValue[]): Buffer {
  // A copy, or the cache would hold the whole digest and more.
  return Buffer.from(
    hash("sha256", encodeKeyTuple(values), "buffer").subarray(0, partitionHashBytes),
  );
}

/** All byte strings that begin with `prefix`. */
export function prefixRange(prefix: Uint8Array): ByteRange {
  return { start: Buffer.from(prefix), end: prefixEnd(prefix) };
}

/** The least byte string that is greater than everything that begins with `prefix`. */
export function prefixEnd(prefix: Uint8Array): Buffer {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length--;
  assert(length > 0, "nothing lies beyond a prefix of 0xFF bytes only");
  const end = Buffer.from(prefix.subarray(0, length));
  end[length - 1] = (end[length - 1] as number) + 1;
  return end;
}

/**
 * The keys that begin with `before` and go on with a component in the interval; whatever follows that
 * component in a key is included. The range is empty (`start` ≥ `end`) if the interval is.
 */
export function keyRange(before: Uint8Array, interval: KeyInterval): ByteRange {
  if (interval.op === "between") {
    return {
      start: Buffer.concat([before, encodeKeyValue(interval.low)]),
      end: prefixEnd(Buffer.concat([before, encodeKeyValue(interval.high)])),
    };
  }
  const bytes = Buffer.concat([before, encodeKeyValue(interval.value)]);
  switch (interval.op) {
    case "=":
      return prefixRange(bytes);
    case "<":
      return { start: Buffer.from(before), end: bytes };
    case "<=":
      return { start: Buffer.from(before), end: prefixEnd(bytes) };
    case ">":
      return { start: prefixEnd(bytes), end: prefixEnd(before) };
    case ">=":
      return { start: bytes, end: prefixEnd(before) };
    case "begins_with": {
      // Padding and marker go; what remains bounds the values from above. A shorter value whose padding
      // looks like the prefix sorts before `start`.
      const counted = bytes.length - 1 - groupBytes + (bytes[bytes.length - 1] as number);
      return { start: bytes, end: prefixEnd(bytes.subarray(0, counted)) };
    }
  }
}

function encodeText(text: string): Buffer {
  return encodePlainText(text) ?? encodeBytes(Buffer.from(text, "utf8"));
}

/** Up to here a loop over the characters is faster than calls into native code. */
const plainTextMax = 64;

/** Text of one byte a character, as most keys are, is written straight into its groups. */
function encodePlainText(text: string): Buffer | undefined {
  const { length } = text;
  if (length > plainTextMax) return undefined;
  const groups = length === 0 ? 1 : Math.ceil(length / groupBytes);
  const encoded = Buffer.allocUnsafe(groups * (groupBytes + 1));
  let to = 0;
  for (let from = 0; from < length; from += 1) {
    const code = text.charCodeAt(from);
    if (code > 0x7f) return undefined;
    encoded[to] = code;
    to += 1;
    if (to % (groupBytes + 1) === groupBytes) {
      encoded[to] = continues;
      to += 1;
    }
  }
  const last = encoded.length - 1;
  for (; to < last; to += 1) encoded[to] = 0;
  encoded[last] = length - (groups - 1) * groupBytes;
  return encoded;
}

function encodeBytes(bytes: Buffer): Buffer {
  const length = bytes.length;
  const groups = Math.max(1, Math.ceil(length / groupBytes));
  const encoded = Buffer.alloc(groups * (groupBytes + 1));
  let to = 0;
  for (let from = 0; from < length; from += groupBytes) {
    bytes.copy(encoded, to, from, Math.min(from + groupBytes, length));
    to += groupBytes + 1;
    encoded[to - 1] = continues;
  }
  encoded[encoded.length - 1] = length - (groups - 1) * groupBytes;
  return encoded;
}

function encodeNumber(number: string): Buffer {
  if (number === "0") return Buffer.of(signZero);
  const negative = number.charCodeAt(0) === 45;
  const start = negative ? 1 : 0;
  const point = number.indexOf(".");
  const wholeEnd = point < 0 ? number.length : point;
  const whole = number.charCodeAt(start) === 48 ? "" : number.slice(start, wholeEnd);
  const fraction = point < 0 ? "" : number.slice(point + 1);
  // Even counts on both sides of the point align the pairs with it.
  const digits =
    (whole.length % 2 === 0 ? whole : `0${whole}`) +
    (fraction.length % 2 === 0 ? fraction : `${fraction}0`);
  const pairsBeforePoint = (whole.length + 1) >> 1;
  let first = 0;
  while (pairAt(digits, first) === 0) first++;
  let last = digits.length / 2 - 1;
  while (pairAt(digits, last) === 0) last--;

  const encoded = Buffer.allocUnsafe(2 + last - first + 1);
  assert(encoded.length <= numberBytesMax, "a key number has at most 38 digits");
  const flip = negative ? 0xff : 0;
  encoded[0] = negative ? signNegative : signPositive;
  encoded[1] = (pairsBeforePoint - first + exponentBias) ^ flip;
  for (let pair = first; pair <= last; pair++) {
    const more = pair < last ? 1 : 0;
    encoded[2 + pair - first] = (pairAt(digits, pair) * 2 + more) ^ flip;
  }
  return encoded;
}

function pairAt(digits: string, pair: number): number {
  return (digits.charCodeAt(pair * 2) - 48) * 10 + digits.charCodeAt(pair * 2 + 1) - 48;
}
