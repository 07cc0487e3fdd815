import type { AttributeValue, Item } from "./attribute-value.ts";

/**
 * Sizes in bytes as the service counts them, for its limits and for capacity. All functions take
 * canonical values.
 */
const documentOverhead = 3;
const elementOverhead = 1;

/** The sum of names and values. */
export function itemSize(item: Item): number {
  let size = 0;
  for (const name in item) size += textSize(name) + valueSize(item[name] as AttributeValue);
  return size;
}

export function valueSize(value: AttributeValue): number {
  if ("S" in value) return textSize(value.S);
  if ("N" in value) return numberSize(value.N);
  if ("M" in value) return mapSize(value.M);
  if ("L" in value) return listSize(value.L);
  if ("B" in value) return binarySize(value.B);
  if ("SS" in value) return sumOf(value.SS, textSize);
  if ("NS" in value) return sumOf(value.NS, numberSize);
  if ("BS" in value) return sumOf(value.BS, binarySize);
  return 1;
}

/** Up to here a loop over the characters is faster than the call into native code. */
const shortTextCharactersMax = 24;

/** UTF-8 bytes. */
export function textSize(text: string): number {
  const length = text.length;
  if (length > shortTextCharactersMax) return Buffer.byteLength(text, "utf8");
  for (let at = 0; at < length; at++) {
    if (text.charCodeAt(at) > 0x7f) return Buffer.byteLength(text, "utf8");
  }
  return length;
}

/** Decoded bytes of canonical base64. */
export function binarySize(base64: string): number {
  const length = base64.length;
  if (length === 0) return 0;
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (length / 4) * 3 - padding;
}

/**
 * One byte, one for each two significant digits before the decimal point and after it (each side
 * rounded up), one for a minus sign. Zeros at either end of the number are not significant.
 */
export function numberSize(number: string): number {
  const length = number.length;
  const negative = number.charCodeAt(0) === 45;
  const start = negative ? 1 : 0;
  if (number.charCodeAt(start) === 48 && length === start + 1) return 1;
  const point = number.indexOf(".");
  const sign = negative ? 1 : 0;
  if (point < 0) {
    let end = length;
    while (number.charCodeAt(end - 1) === 48) end--;
    return 1 + ((end - start + 1) >> 1) + sign;
  }
  let whole = point - start;
  let fractionFrom = point + 1;
  if (number.charCodeAt(start) === 48) {
    // Below one, the zeros behind the point are leading zeros.
    whole = 0;
    while (number.charCodeAt(fractionFrom) === 48) fractionFrom++;
  }
  return 1 + ((whole + 1) >> 1) + ((length - fractionFrom + 1) >> 1) + sign;
}

function mapSize(map: Item): number {
  let size = documentOverhead;
  for (const name in map) {
    size += elementOverhead + textSize(name) + valueSize(map[name] as AttributeValue);
  }
  return size;
}

function listSize(list: readonly AttributeValue[]): number {
  let size = documentOverhead;
  for (const element of list) size += elementOverhead + valueSize(element);
  return size;
}

function sumOf(members: readonly string[], sizeOf: (member: string) => number): number {
  let size = 0;
  for (const member of members) size += sizeOf(member);
  return size;
}
