import type { SeededRandom } from "../../base/random.ts";
import { emptyRecord } from "../../base/record.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import { normaliseNumber } from "../../item/number.ts";
import { type SetType, sortMembers } from "../../item/set.ts";
import type { FormatName } from "../../model/document-requirements.ts";
import type { Attribute } from "../../model/requirements.ts";
import { ksuid, ksuidText, ulid, ulidText, uuid, uuidText } from "./identifiers.ts";
import { syllables, type TextPurpose, textFor } from "./text-for.ts";

/** Numbers that do not say how many digits they have are taken to have so many. */
const assumedDigits = 10;
/** Texts whose size is an open question. */
const unknownBytes = 16;
const documentBytes = 3;
const elementBytes = 1;

/** What one value is drawn with. */
export interface Draw {
  readonly random: SeededRandom;
  readonly purpose: TextPurpose;
  /** Of the value, or of one element; undefined if the document does not say. */
  readonly bytes: () => number | undefined;
  /** How many elements a list, map or set has; undefined if it has a size as a whole. */
  readonly elements: number | undefined;
  /** The moment that a time or an identifier with time in it means. */
  readonly time: number;
}

/** A value of an attribute's type. Nothing where there is no such value: a set is never empty. */
export function drawValue(attribute: Attribute, draw: Draw): AttributeValue | undefined {
  const { type, format } = attribute;
  const { random, purpose, bytes } = draw;
  if (format !== undefined) return formatted(format, type === "B", draw);
  switch (type) {
    case "S":
      return { S: textFor(purpose, bytes() ?? unknownBytes, random) };
    case "N":
      return { N: numberOf(attribute.digits ?? assumedDigits, random) };
    case "B":
      return { B: base64(bytes() ?? unknownBytes, random) };
    case "BOOL":
      return { BOOL: random.unit() < 0.5 };
    case "NULL":
      return { NULL: true };
    case "L":
      return { L: listOf(draw) };
    case "M":
      return { M: mapOf(draw) };
    case "SS":
      return setOf(
        type,
        draw,
        (size) => textFor(purpose, size, random),
        (list) => ({ SS: list }),
      );
    case "NS": {
      const digits = attribute.digits ?? assumedDigits;
      return setOf(
        type,
        draw,
        () => numberOf(digits, random),
        (list) => ({ NS: list }),
      );
    }
    case "BS":
      return setOf(
        type,
        draw,
        (size) => base64(size, random),
        (list) => ({ BS: list }),
      );
  }
}

function formatted(format: FormatName, binary: boolean, { time, random }: Draw): AttributeValue {
  const identifier = (bytes: Uint8Array, text: (bytes: Uint8Array) => string): AttributeValue =>
    binary ? { B: Buffer.from(bytes).toString("base64") } : { S: text(bytes) };
  switch (format) {
    case "iso-date":
      return { S: new Date(time).toISOString().slice(0, 10) };
    case "iso-time":
      return { S: new Date(time).toISOString() };
    case "epoch-seconds":
      return { N: String(Math.floor(time / 1_000)) };
    case "epoch-milliseconds":
      return { N: String(Math.floor(time)) };
    case "ulid":
      return identifier(ulid(Math.floor(time), drawnBytes(10, random)), ulidText);
    case "ksuid":
      return identifier(ksuid(time, drawnBytes(16, random)), ksuidText);
    case "uuid":
      return identifier(uuid(drawnBytes(16, random)), uuidText);
  }
}

/** So many digits, the first and the last of which are not zero: each of them counts in its size. */
export function numberOf(digits: number, random: SeededRandom): string {
  let number = "";
  for (let place = 0; place < digits; place += 1) {
    const edge = place === 0 || place === digits - 1;
    number += edge ? 1 + random.below(9) : random.below(10);
  }
  return number;
}

/** The n-th number of so many digits that does not end with a zero, from the smallest on. */
export function serialNumber(digits: number, serial: number): string {
  const first = digits <= 1 ? 0 : 10 ** (digits - 1);
  const tens = Math.floor(serial / 9);
  return numberText(first + tens * 10 + (serial % 9) + 1);
}

function numberText(value: number): string {
  const number = normaliseNumber(String(value));
  return typeof number === "string" ? number : "1";
}

function listOf({ elements, bytes, random, purpose }: Draw): AttributeValue[] {
  const text = (size: number): AttributeValue => ({ S: textFor(purpose, size, random) });
  if (elements !== undefined) {
    return Array.from({ length: elements }, () => text(bytes() ?? unknownBytes));
  }
  return portions((bytes() ?? documentBytes + unknownBytes) - documentBytes, elementBytes).map(
    (size) => text(size),
  );
}

/** Room, shared out in pieces that each take some bytes besides. */
function portions(room: number, besides: number): number[] {
  const usual = 40;
  const sizes: number[] = [];
  let left = room;
  while (left > besides) {
    const size = left - besides <= 2 * usual ? left - besides : usual;
    sizes.push(size);
    left -= size + besides;
  }
  return sizes;
}

const addressFields = ["street", "city", "zipCode", "country", "note"];
const otherFields = ["name", "kind", "label", "place", "note"];
/** What a field of a map usually has, and what the last one has at least. */
const fieldBytes = new Map([
  ["street", 24],
  ["city", 8],
  ["zipCode", 5],
  ["country", 2],
  ["name", 16],
  ["kind", 8],
  ["label", 10],
  ["place", 8],
]);

function mapOf({ elements, bytes, random, purpose }: Draw): Record<string, AttributeValue> {
  const map = emptyRecord<AttributeValue>();
  if (elements !== undefined) {
    // The bytes of an element are those of its name and its value.
    for (let place = 0; place < elements; place += 1) {
      const size = bytes() ?? unknownBytes;
      const name = fieldName(place, size);
      map[name] = { S: textFor({ ...purpose, attribute: name }, size - name.length, random) };
    }
    return map;
  }
  let room = (bytes() ?? documentBytes + unknownBytes) - documentBytes;
  const fields = /address/i.test(purpose.attribute) ? addressFields : otherFields;
  for (const [place, field] of fields.entries()) {
    const overhead = elementBytes + field.length;
    const usual = fieldBytes.get(field) ?? 0;
    const isLast = place === fields.length - 1;
    // The rest must be enough for the last field, or nothing.
    if (!isLast && room < 2 * overhead + usual + elementBytes + 5) continue;
    if (room < overhead) break;
    const size = isLast ? room - overhead : usual;
    map[field] = { S: textFor({ ...purpose, attribute: field }, size, random) };
    room -= overhead + size;
  }
  if (room > elementBytes) {
    const name = fieldName(0, room - elementBytes);
    map[name] = { S: syllables(room - elementBytes - name.length, random) };
  }
  return map;
}

function fieldName(place: number, room: number): string {
  const name = `field${place + 1}`;
  return name.length <= room ? name : place.toString(36).slice(-Math.max(1, room));
}

function setOf(
  type: SetType,
  { elements, bytes }: Draw,
  member: (size: number) => string,
  value: (members: readonly string[]) => AttributeValue,
): AttributeValue | undefined {
  const sizes =
    elements === undefined
      ? portions(bytes() ?? unknownBytes, 0)
      : Array.from({ length: elements }, () => bytes() ?? unknownBytes);
  const members = new Set<string>();
  for (const size of sizes) {
    // A few draws find another member, as long as there are enough of that size.
    for (let attempt = 0, before = members.size; attempt < 50; attempt += 1) {
      members.add(member(size));
      if (members.size > before) break;
    }
  }
  const sorted = [...members];
  sortMembers(type, sorted);
  return sorted.length === 0 ? undefined : value(sorted);
}

function base64(bytes: number, random: SeededRandom): string {
  return Buffer.from(drawnBytes(bytes, random)).toString("base64");
}

function drawnBytes(count: number, random: SeededRandom): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) bytes[at] = random.below(256);
  return bytes;
}
