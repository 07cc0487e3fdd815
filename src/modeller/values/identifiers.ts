import type { AttributeValue } from "../../item/attribute-value.ts";

/** Identifiers with and without time in them, from bytes that are handed in. */

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ulidBytes = 16;
const ksuidBytes = 20;
const ksuidLength = 27;
/** KSUIDs count seconds from here, in seconds since 1970. */
const ksuidEpoch = 1_400_000_000;

/** 48 bits of milliseconds, then the 10 bytes. */
export function ulid(time: number, random: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(ulidBytes);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(time / 2 ** 32));
  view.setUint32(2, time % 2 ** 32);
  bytes.set(random.subarray(0, ulidBytes - 6), 6);
  return bytes;
}

export function ulidText(bytes: Uint8Array): string {
  return inBase(bytes, crockford, 26);
}

/** 32 bits of seconds, then the 16 bytes. */
export function ksuid(time: number, random: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(ksuidBytes);
  new DataView(bytes.buffer).setUint32(0, Math.floor(time / 1_000) - ksuidEpoch);
  bytes.set(random.subarray(0, ksuidBytes - 4), 4);
  return bytes;
}

export function ksuidText(bytes: Uint8Array): string {
  return inBase(bytes, base62, ksuidLength);
}

/** A random UUID of version 4. */
export function uuid(random: Uint8Array): Uint8Array {
  const bytes = random.slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}

export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

export function ulidTime(value: AttributeValue): number | undefined {
  const number = "S" in value ? fromBase(value.S, crockford, 26) : bigOf(value, ulidBytes);
  return number === undefined ? undefined : Number(number >> 80n);
}

export function ksuidTime(value: AttributeValue): number | undefined {
  const number = "S" in value ? fromBase(value.S, base62, ksuidLength) : bigOf(value, ksuidBytes);
  return number === undefined ? undefined : (Number(number >> 128n) + ksuidEpoch) * 1_000;
}

function inBase(bytes: Uint8Array, digits: string, length: number): string {
  const base = BigInt(digits.length);
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  while (text.length < length) {
    text = (digits[Number(rest % base)] as string) + text;
    rest /= base;
  }
  return text;
}

function fromBase(text: string, digits: string, length: number): bigint | undefined {
  if (text.length !== length) return undefined;
  let number = 0n;
  for (const character of text) {
    const digit = digits.indexOf(character);
    if (digit < 0) return undefined;
    number = number * BigInt(digits.length) + BigInt(digit);
  }
  return number;
}

function bigOf(value: AttributeValue, length: number): bigint | undefined {
  if (!("B" in value)) return undefined;
  const bytes = Buffer.from(value.B, "base64");
  return bytes.length === length ? BigInt(`0x${bytes.toString("hex")}`) : undefined;
}
