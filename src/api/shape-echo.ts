import type { Shape } from "./shape.ts";

/** Values below so many levels are cut short. */
const echoDepthMax = 64;

type Json = Record<string, unknown>;

/**
 * The way the older wording shows a value: scalars as they are, lists in brackets, maps in braces, and
 * structures under their class name with every member, also the missing ones.
 */
export function echo(shape: Shape, value: unknown, depth = 0): string {
  if (value === undefined || value === null) return "null";
  if (depth > echoDepthMax) return "...";
  switch (shape.kind) {
    case "list":
      return bracketed(value as unknown[], (element) => echo(shape.element, element, depth + 1));
    case "map":
      return braced(value as Json, (element) => echo(shape.element, element, depth + 1));
    case "struct": {
      const members = shape.echo.map((name) => {
        const member = shape.members.get(name);
        const shown =
          member === undefined ? "null" : echo(member, (value as Json)[name], depth + 1);
        return `${lowerFirst(name)}=${shown}`;
      });
      return `${shape.className}(${members.join(", ")})`;
    }
    case "attributeValue":
      return echoAttributeValue(value as Json, depth);
    default:
      return String(value);
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

function echoAttributeValue(value: Json, depth: number): string {
  if (depth > echoDepthMax) return "...";
  const members = attributeValueMembers.map(
    (type) => `${lowerFirst(type)}=${echoContent(type, value[type], depth)}`,
  );
  return `AttributeValue(${members.join(", ")})`;
}

function echoContent(type: string, content: unknown, depth: number): string {
  if (content === undefined || content === null) return "null";
  switch (type) {
    case "B":
      return echoBytes(content);
    case "SS":
    case "NS":
      return bracketed(content as unknown[], String);
    case "BS":
      return bracketed(content as unknown[], echoBytes);
    case "L":
      return bracketed(content as unknown[], (value) =>
        echoAttributeValue(value as Json, depth + 1),
      );
    case "M":
      return braced(content as Json, (value) => echoAttributeValue(value as Json, depth + 1));
    default:
      return String(content);
  }
}

function echoBytes(base64: unknown): string {
  const length = Buffer.byteLength(String(base64), "base64");
  return `java.nio.HeapByteBuffer[pos=0 lim=${length} cap=${length}]`;
}

function bracketed(values: readonly unknown[], show: (value: unknown) => string): string {
  return `[${values.map(show).join(", ")}]`;
}

function braced(values: Json, show: (value: unknown) => string): string {
  return `{${Object.entries(values)
    .map(([name, value]) => `${name}=${show(value)}`)
    .join(", ")}}`;
}

export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
