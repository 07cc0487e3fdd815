import type { Shape } from "./shape.ts";

/** Values below so many levels are cut short. */
const echoDepthMax = 64;

/**
 * About so many characters of a value are shown. A body of 16 MB may hold a million values, each of
 * which takes two hundred characters to show, and several failures may show the same value.
 */
export const echoCharactersMax = 65_536;

type Json = Record<string, unknown>;

/** How many characters may still be shown. */
interface Room {
  left: number;
}

/**
 * The way the older wording shows a value: scalars as they are, lists in brackets, maps in braces, and
 * structures under their class name with every member, also the missing ones.
 */
export function echo(shape: Shape, value: unknown): string {
  return echoValue(shape, value, 0, { left: echoCharactersMax });
}

/** Shows the value as JSON. */
export function echoJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= echoCharactersMax ? text : `${text.slice(0, echoCharactersMax)}...`;
}

function echoValue(shape: Shape, value: unknown, depth: number, room: Room): string {
  if (value === undefined || value === null) return "null";
  if (depth > echoDepthMax) return "...";
  switch (shape.kind) {
    case "list":
      return bracketed(value as unknown[], room, (element) =>
        echoValue(shape.element, element, depth + 1, room),
      );
    case "map":
      return braced(value as Json, room, (element) =>
        echoValue(shape.element, element, depth + 1, room),
      );
    case "struct": {
      const members = shape.echo.map((name) => {
        const member = shape.members.get(name);
        const content = (value as Json)[name];
        const shown = member === undefined ? "null" : echoValue(member, content, depth + 1, room);
        return `${lowerFirst(name)}=${shown}`;
      });
      room.left -= shape.className.length + 12 * members.length;
      return `${shape.className}(${members.join(", ")})`;
    }
    case "attributeValue":
      return echoAttributeValue(value as Json, depth, room);
    default:
      return scalar(String(value), room);
  }
}

/** The members in the order of the service's class; some of them no client can send. */
const attributeValueMembers = [
  "S",
  "N",
  "B",
  "INT",
  "DECIMAL",
  "DOUBLE",
  "SS",
  "NS",
  "BS",
  "INTSET",
  "DECIMALSET",
  "DOUBLESET",
  "M",
  "L",
  "NULL",
  "BOOL",
];

/** What an attribute value takes without its content. */
const attributeValueCharacters = 190;

function echoAttributeValue(value: Json, depth: number, room: Room): string {
  if (depth > echoDepthMax) return "...";
  room.left -= attributeValueCharacters;
  const members = attributeValueMembers.map(
    (type) => `${lowerFirst(type)}=${echoContent(type, value[type], depth, room)}`,
  );
  return `AttributeValue(${members.join(", ")})`;
}

function echoContent(type: string, content: unknown, depth: number, room: Room): string {
  if (content === undefined || content === null) return "null";
  switch (type) {
    case "B":
      return echoBytes(content);
    case "SS":
    case "NS":
      return bracketed(content as unknown[], room, (text) => scalar(String(text), room));
    case "BS":
      return bracketed(content as unknown[], room, (bytes) => scalar(echoBytes(bytes), room));
    case "L":
      return bracketed(content as unknown[], room, (value) =>
        echoAttributeValue(value as Json, depth + 1, room),
      );
    case "M":
      return braced(content as Json, room, (value) =>
        echoAttributeValue(value as Json, depth + 1, room),
      );
    default:
      return scalar(String(content), room);
  }
}

function echoBytes(base64: unknown): string {
  const length = Buffer.byteLength(String(base64), "base64");
  return `java.nio.HeapByteBuffer[pos=0 lim=${length} cap=${length}]`;
}

function scalar(text: string, room: Room): string {
  const shown = text.length <= echoCharactersMax ? text : `${text.slice(0, echoCharactersMax)}...`;
  room.left -= shown.length;
  return shown;
}

function bracketed(
  values: readonly unknown[],
  room: Room,
  show: (value: unknown) => string,
): string {
  const shown: string[] = [];
  for (const value of values) {
    if (room.left <= 0) {
      shown.push("...");
      break;
    }
    room.left -= 2;
    shown.push(show(value));
  }
  return `[${shown.join(", ")}]`;
}

function braced(values: Json, room: Room, show: (value: unknown) => string): string {
  const shown: string[] = [];
  for (const name in values) {
    if (room.left <= 0) {
      shown.push("...");
      break;
    }
    room.left -= 3;
    shown.push(`${scalar(name, room)}=${show(values[name])}`);
  }
  return `{${shown.join(", ")}}`;
}

export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
