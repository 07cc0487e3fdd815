import type { KeyText } from "../../model/key-text.ts";
import type { Attribute, Entity, Predicate } from "../../model/requirements.ts";
import { constantCode, literal, templateText, unionType } from "./source.ts";

/** Numbers beyond this many digits do not fit into a number of the language. */
const safeDigits = 15;

/** The type of an attribute's values. `DocumentValue` and `DocumentMap` stand for what a model says nothing about. */
export function attributeType({ type, values, digits }: Attribute): string {
  const only =
    values === undefined ? undefined : unionType(values.map((one) => valueType(type, one.value)));
  switch (type) {
    case "S":
      return only ?? "string";
    case "N":
      return only ?? numberType(digits);
    case "B":
      return "Uint8Array";
    case "BOOL":
      return "boolean";
    case "NULL":
      return "null";
    case "L":
      return "readonly DocumentValue[]";
    case "M":
      return "DocumentMap";
    case "SS":
      return `Set<${only ?? "string"}>`;
    case "NS":
      return `Set<${only ?? numberType(digits)}>`;
    case "BS":
      return "Set<Uint8Array>";
  }
}

function valueType(type: Attribute["type"], value: string | number): string {
  if (type === "N" || type === "NS") {
    const number = Number(value);
    return Number.isFinite(number) ? constantCode(number) : "number";
  }
  return literal(String(value));
}

function numberType(digits: number | undefined): string {
  return digits !== undefined && digits > safeDigits ? "number | bigint" : "number";
}

/** The type of what an attribute is compared with. */
export function operandType(attribute: Attribute, { operator }: Predicate): string {
  if (operator === "begins-with") return attribute.type === "B" ? "Uint8Array" : "string";
  if (operator !== "contains") return attributeType(attribute);
  switch (attribute.type) {
    case "SS":
      return "string";
    case "NS":
      return numberType(attribute.digits);
    case "B":
    case "BS":
      return "Uint8Array";
    case "L":
      return "DocumentValue";
    default:
      return attributeType(attribute);
  }
}

/** Types that a file has to import if a type's text names them. */
export const documentTypes = ["DocumentMap", "DocumentValue"] as const;

/** Anything, inside the type of a template. */
const anything = ["$", "{string}"].join("");

/** The type of a key attribute: what is fixed in its text, with anything between. */
export function keyType(text: KeyText, entity: Entity): string {
  const native = text.native === undefined ? undefined : entity.attributes.get(text.native);
  if (native !== undefined) return attributeType(native);
  if (text.segments.every(({ kind }) => kind === "text")) return literal(fixedText(text));
  const parts = text.segments.map((segment) =>
    segment.kind === "text" ? templateText(segment.text) : anything,
  );
  const joined = parts.join("");
  return /^(\$\{string\})+$/.test(joined) ? "string" : `\`${joined}\``;
}

/** All of a text that has no parts in braces. */
export function fixedText({ segments }: KeyText): string {
  return segments.map((segment) => (segment.kind === "text" ? segment.text : "")).join("");
}

/** Some attributes of an entity as a type; the entity itself if they are all. */
export function pickType(type: string, entity: Entity, names: readonly string[]): string {
  const wanted = [...entity.attributes.keys()].filter((name) => names.includes(name));
  const others = [...entity.attributes.keys()].filter((name) => !names.includes(name));
  if (others.length === 0) return type;
  if (wanted.length === 0) return "object";
  return others.length < 3 && others.length < wanted.length
    ? `Omit<${type}, ${unionType(others.map(literal))}>`
    : `Pick<${type}, ${unionType(wanted.map(literal))}>`;
}
