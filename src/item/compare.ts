import { own } from "../base/record.ts";
import type { AttributeValue, Item } from "./attribute-value.ts";
import { compareNumbers } from "./number.ts";

/**
 * Equality and order of canonical values. Normal forms make equal numbers and equal binaries equal as
 * texts, so equality never parses anything.
 */
export function equalValues(a: AttributeValue, b: AttributeValue): boolean {
  if (a === b) return true;
  if ("S" in a) return "S" in b && a.S === b.S;
  if ("N" in a) return "N" in b && a.N === b.N;
  if ("B" in a) return "B" in b && a.B === b.B;
  if ("M" in a) return "M" in b && itemsEqual(a.M, b.M);
  if ("L" in a) return "L" in b && equalLists(a.L, b.L);
  if ("BOOL" in a) return "BOOL" in b && a.BOOL === b.BOOL;
  if ("NULL" in a) return "NULL" in b;
  if ("SS" in a) return "SS" in b && equalSets(a.SS, b.SS);
  if ("NS" in a) return "NS" in b && equalSets(a.NS, b.NS);
  return "BS" in b && equalSets(a.BS, b.BS);
}

/** The same attributes with equal values, in whatever order. */
export function itemsEqual(a: Item, b: Item): boolean {
  if (a === b) return true;
  let missing = 0;
  for (const name in a) {
    const other = own(b, name);
    if (other === undefined || !equalValues(a[name] as AttributeValue, other)) return false;
    missing++;
  }
  for (const _ in b) missing--;
  return missing === 0;
}

/** The order of two values of the same ordered type; undefined if the service knows none. */
export function compareValues(a: AttributeValue, b: AttributeValue): number | undefined {
  if ("S" in a) return "S" in b ? compareTexts(a.S, b.S) : undefined;
  if ("N" in a) return "N" in b ? compareNumbers(a.N, b.N) : undefined;
  if ("B" in a) return "B" in b ? compareBinaries(a.B, b.B) : undefined;
  return undefined;
}

/**
 * The order of the UTF-8 bytes. It is the order of code points, which UTF-16 keeps except that it puts
 * surrogates before the code units from U+E000 on.
 */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

function codePointRank(codeUnit: number): number {
  if (codeUnit < 0xd800) return codeUnit;
  return codeUnit < 0xe000 ? codeUnit + 0x2000 : codeUnit - 0x800;
}

/**
 * The order of the bytes that two canonical base64 texts stand for. Each character is six bits, so the
 * first difference decides; the padding character ranks below all others, as an end does.
 */
export function compareBinaries(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return (sixBits[left] ?? 0) - (sixBits[right] ?? 0);
  }
  return a.length - b.length;
}

/** By character code; one more than the six bits, so that zero is left for padding. */
const sixBits = new Uint8Array(128);
for (const [index, character] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  sixBits[character.charCodeAt(0)] = index + 1;
}

function equalLists(a: readonly AttributeValue[], b: readonly AttributeValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (!equalValues(a[index] as AttributeValue, b[index] as AttributeValue)) return false;
  }
  return true;
}

/** Sets are kept in the service's order, so members mostly stand side by side. */
function equalSets(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  if (a.every((member, index) => member === b[index])) return true;
  const members = new Set(a);
  return b.every((member) => members.has(member));
}
