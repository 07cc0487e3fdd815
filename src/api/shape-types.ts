import { nullInSet } from "./errors/request.ts";
import {
  base64Character,
  base64Length,
  blobNotString,
  scalarMismatch,
  unexpectedArray,
  unexpectedElement,
  unexpectedField,
  unexpectedNestedCollection,
  unexpectedStructure,
  unexpectedToken,
} from "./errors/wire.ts";
import { javaType, type Shape, type StructShape } from "./shape.ts";

/**
 * Attribute values below so many levels are not looked at: the check of values refuses everything
 * beyond 32 levels, and a body of a hundred thousand levels must not use up the stack.
 */
export const typeDepthMax = 64;

type Json = Record<string, unknown>;

/**
 * The first stage after `JSON.parse`: every member has the JSON type of its shape, or a
 * SerializationException is thrown. Answers the same object, in which members that are null are
 * removed (null means absent), spelt-out booleans have become booleans, fractions of integers are
 * cut off, and null in place of an attribute value has become an empty one, which the check of values
 * refuses. Members that the shape does not name are removed: nobody after this has looked at them.
 */
export function checkTypes<T>(shape: StructShape<T>, body: unknown): T {
  if (body === undefined || body === null) return {} as T;
  checkStruct(shape, body, true);
  return body as T;
}

/** `element`: inside a list or map, where the service words some failures differently. */
function checkStruct(shape: StructShape<unknown>, value: unknown, element: boolean): void {
  if (typeof value !== "object") throw element ? unexpectedElement() : unexpectedField();
  if (Array.isArray(value)) throw unexpectedArray(`class ${javaType(shape)}`);
  const body = value as Json;
  for (const name in body) {
    const member = shape.members.get(name);
    const content = body[name];
    if (member === undefined || content === null) delete body[name];
    else if (member.kind === "string") {
      if (typeof content !== "string") throw notString(content);
    } else checkMember(member, body, name, content, false);
  }
}

function checkMember(
  shape: Shape,
  holder: Json,
  name: string,
  content: unknown,
  element: boolean,
): void {
  switch (shape.kind) {
    case "string":
      if (typeof content !== "string") throw notString(content);
      return;
    case "integer":
    case "long":
      if (typeof content !== "number") throw notNumber(shape, content);
      if (!Number.isInteger(content)) holder[name] = whole(content);
      return;
    case "double":
    case "timestamp":
      if (typeof content !== "number") throw notNumber(shape, content);
      return;
    case "boolean":
      if (typeof content !== "boolean") holder[name] = spelledBoolean(content);
      return;
    case "blob":
      checkBlob(content);
      return;
    case "attributeValue":
      checkAttributeValue(content, element, 1);
      return;
    case "list":
      checkList(shape, content, element);
      return;
    case "map":
      checkMap(shape, content, element);
      return;
    case "struct":
      checkStruct(shape, content, element);
      return;
  }
}

/** JSON can write numbers that no double holds: they stand for the largest or smallest integer. */
function whole(number: number): number {
  if (Number.isFinite(number)) return Math.trunc(number);
  return number > 0 ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
}

function checkList(shape: Shape & { kind: "list" }, value: unknown, element: boolean): void {
  if (!Array.isArray(value)) throw notList(value, element);
  const { element: inner } = shape;
  const holder = value as unknown as Json;
  for (let index = 0; index < value.length; index++) {
    const content: unknown = value[index];
    if (content !== null) checkMember(inner, holder, index as unknown as string, content, true);
    else if (inner.kind === "attributeValue") value[index] = {};
  }
}

function checkMap(shape: Shape & { kind: "map" }, value: unknown, element: boolean): void {
  if (typeof value !== "object") throw element ? unexpectedNestedCollection() : unexpectedField();
  if (Array.isArray(value)) throw unexpectedArray(javaType(shape));
  const { element: inner } = shape;
  const holder = value as Json;
  if (inner.kind === "attributeValue") {
    for (const name in holder) {
      const content = holder[name];
      if (content === null) holder[name] = {};
      else checkAttributeValue(content, true, 1);
    }
    return;
  }
  for (const name in holder) {
    const content = holder[name];
    if (content !== null) checkMember(inner, holder, name, content, true);
  }
}

const attributeValueType = "com.amazonaws.dynamodb.v20120810.AttributeValue";

function checkAttributeValue(value: unknown, element: boolean, depth: number): void {
  if (typeof value !== "object") throw element ? unexpectedElement() : unexpectedField();
  if (Array.isArray(value)) throw unexpectedArray(`class ${attributeValueType}`);
  const members = value as Json;
  for (const type in members) {
    const content = members[type];
    if (content === null) {
      delete members[type];
      continue;
    }
    switch (type) {
      case "S":
      case "N":
        if (typeof content !== "string") throw notString(content);
        break;
      case "B":
        checkBlob(content);
        break;
      case "BOOL":
      case "NULL":
        if (typeof content !== "boolean") members[type] = spelledBoolean(content);
        break;
      case "SS":
      case "NS":
      case "BS":
        checkSet(type, content);
        break;
      case "L":
        checkValues(content, depth);
        break;
      case "M":
        checkAttributes(content, depth);
        break;
      default:
        delete members[type];
    }
  }
}

function checkSet(type: "SS" | "NS" | "BS", content: unknown): void {
  if (!Array.isArray(content)) throw notList(content, false);
  for (let index = 0; index < content.length; index++) {
    const member: unknown = content[index];
    if (member === null) throw nullInSet(type);
    if (type === "BS") checkBlob(member);
    else if (typeof member !== "string") throw notString(member);
  }
}

function checkValues(content: unknown, depth: number): void {
  if (!Array.isArray(content)) throw notList(content, false);
  if (depth >= typeDepthMax) return;
  for (let index = 0; index < content.length; index++) {
    const value: unknown = content[index];
    if (value === null) content[index] = {};
    else checkAttributeValue(value, true, depth + 1);
  }
}

function checkAttributes(content: unknown, depth: number): void {
  if (typeof content !== "object") throw unexpectedField();
  if (Array.isArray(content)) {
    throw unexpectedArray(`java.util.Map<java.lang.String, ${attributeValueType}>`);
  }
  if (depth >= typeDepthMax) return;
  const attributes = content as Json;
  for (const name in attributes) {
    const value = attributes[name];
    if (value === null) attributes[name] = {};
    else checkAttributeValue(value, true, depth + 1);
  }
}

const longText = 256;
const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;
/** The last character before one `=` carries two unused bits, before two `=` four; they must be 0. */
const base64TailOne = /[AEIMQUYcgkosw048]=$/;
const base64TailTwo = /[AQgw]==$/;

function checkBlob(content: unknown): void {
  if (typeof content !== "string") {
    if (typeof content !== "object") throw blobNotString();
    throw collectionMismatch("java.nio.ByteBuffer", content);
  }
  const { length } = content;
  // The platform's decoder is several times as fast as a pattern. It accepts more, but writes only what is right.
  if (length > longText && Buffer.from(content, "base64").toString("base64") === content) return;
  if (length % 4 !== 0) throw base64Length(length);
  if (!base64Text.test(content)) throw base64Character();
  if (length === 0 || content.charCodeAt(length - 1) !== 61) return;
  const tail = content.charCodeAt(length - 2) === 61 ? base64TailTwo : base64TailOne;
  if (!tail.test(content.slice(-4))) throw base64Character();
}

function spelledBoolean(content: unknown): boolean {
  if (typeof content === "string") {
    switch (content.toUpperCase()) {
      case "TRUE":
      case "1":
      case "YES":
        return true;
      case "FALSE":
      case "0":
      case "NO":
        return false;
      default:
        throw unexpectedToken();
    }
  }
  if (typeof content === "object") throw collectionMismatch("java.lang.Boolean", content);
  throw scalarMismatch(content, "Boolean");
}

function notString(content: unknown): Error {
  if (typeof content === "object") return collectionMismatch("java.lang.String", content);
  return scalarMismatch(content, "String");
}

function notNumber(shape: Shape, content: unknown): Error {
  const type = javaType(shape);
  if (typeof content === "object") return collectionMismatch(type, content);
  return scalarMismatch(content, type.slice(type.lastIndexOf(".") + 1));
}

function collectionMismatch(type: string, content: unknown): Error {
  return Array.isArray(content) ? unexpectedArray(`class ${type}`) : unexpectedStructure();
}

function notList(content: unknown, element: boolean): Error {
  if (typeof content === "object") return unexpectedStructure();
  return element ? unexpectedNestedCollection() : unexpectedField();
}
