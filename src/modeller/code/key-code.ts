import { attributesOf, type KeyText, type Segment, type Transform } from "../../model/key-text.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import type { StoredRecord } from "../records/record.ts";
import type { Names } from "./names.ts";
import { literal, memberOf, objectCode, property, templateText } from "./source.ts";
import { fixedText } from "./types.ts";

/** Takes a helper of the runtime into a file, and answers its name there. */
export type Use = (helper: string) => string;

/** The code of an attribute's value; nothing if it is not known. */
export type ValueCode = (attribute: string) => string | undefined;

/** The attributes that a text is made of, each once. */
export function namesIn(text: KeyText): readonly string[] {
  return [...new Set(attributesOf(text).map(({ attribute }) => attribute))];
}

/** Whether a text has shards that are drawn, or that the time of writing tells. */
export function needsWriting({ segments }: KeyText): boolean {
  return segments.some((segment) => segment.kind === "shard" && segment.by.kind !== "calculated");
}

/** Shards that nobody knows who only knows these attributes. */
export function openShards(
  { segments }: KeyText,
  isKnown: (attribute: string) => boolean,
): readonly (Segment & { kind: "shard" })[] {
  return segments.flatMap((segment) =>
    segment.kind === "shard" && (segment.by.kind !== "calculated" || !isKnown(segment.by.attribute))
      ? [segment]
      : [],
  );
}

/** What a key attribute is made of, as an expression. `shard` gives the code of a shard that is not calculated. */
export function keyTextCode(
  text: Pick<KeyText, "segments" | "native">,
  entity: Entity,
  codeFor: ValueCode,
  shard: (segment: Segment & { kind: "shard" }) => string | undefined,
  use: Use,
): string {
  const value = (attribute: string): string => codeFor(attribute) ?? "undefined";
  if (text.native !== undefined) return value(text.native);
  if (text.segments.every(({ kind }) => kind === "text")) {
    return literal(fixedText({ ...text, text: "", offsets: [] }));
  }
  const parts = text.segments.map((segment) => {
    if (segment.kind === "text") return { text: segment.text };
    if (segment.kind === "attribute") {
      const attribute = entity.attributes.get(segment.attribute) as Attribute;
      return { code: transformedCode(attribute, segment.transforms, value(attribute.name), use) };
    }
    const given = shard(segment);
    if (given !== undefined) return { code: given };
    const { by, count } = segment;
    if (by.kind !== "calculated") return { code: "undefined" };
    const attribute = entity.attributes.get(by.attribute) as Attribute;
    const code =
      by.transforms.length === 0
        ? value(attribute.name)
        : transformedCode(attribute, by.transforms, value(attribute.name), use);
    return { code: `${use("calculatedShard")}(${code}, ${count})` };
  });
  const [only] = parts;
  if (parts.length === 1 && only?.code !== undefined) return only.code;
  const texts = parts.map((part) =>
    part.code === undefined ? templateText(part.text) : `\${${part.code}}`,
  );
  return `\`${texts.join("")}\``;
}

/** The shards that the one who writes decides: drawn, or by the clock of `access`. */
export function writtenShard(
  use: Use,
): (segment: Segment & { kind: "shard" }) => string | undefined {
  return ({ by, count }) => {
    if (by.kind === "random") return `${use("shardText")}(access.shard(${count}), ${count})`;
    if (by.kind === "time") return `${use("timeShard")}("${by.unit}", ${count}, access.now())`;
    return undefined;
  };
}

/** The text that a value becomes in a key. */
export function transformedCode(
  attribute: Attribute,
  transforms: readonly Transform[],
  value: string,
  use: Use,
): string {
  let code = value;
  let isText = attribute.type === "S";
  const format = formatCode(attribute);
  for (const transform of transforms) {
    switch (transform.kind) {
      case "pad":
        code = `${use("padded")}(${code}, ${transform.digits})`;
        isText = true;
        break;
      // A number has no case.
      case "lower":
        if (isText) code = `${code}.toLowerCase()`;
        break;
      case "upper":
        if (isText) code = `${code}.toUpperCase()`;
        break;
      case "truncate":
        code = `${use("cutTime")}(${code}, "${transform.unit}"${isText || format === "" ? "" : `, ${format}`})`;
        isText = true;
        break;
      case "descending":
        code = `${use("descending")}(${code}${isText || format === "" ? "" : `, ${format}`})`;
        isText = true;
        break;
    }
  }
  return isText ? code : `${use("keyText")}(${code})`;
}

function formatCode({ format, digits }: Attribute): string {
  const members = [
    ...(format === "epoch-seconds" || format === "epoch-milliseconds"
      ? [`format: "${format}"`]
      : []),
    ...(digits === undefined ? [] : [`digits: ${digits}`]),
  ];
  return members.length === 0 ? "" : `{ ${members.join(", ")} }`;
}

/** The type of what a function that makes a key is handed. */
export function valuesType(type: string, entity: Entity, names: readonly string[]): string {
  const picked = `Pick<${type}, ${names.map(literal).join(" | ")}>`;
  const some = names.some((name) => {
    const attribute = entity.attributes.get(name);
    return attribute?.isOptional === true;
  });
  return some ? `Required<${picked}>` : picked;
}

/** The object that holds all these values under their names: one that is there, or one that is made. */
export function holderCode(names: readonly string[], codeFor: ValueCode): string {
  const codes = names.map((name) => ({ name, code: codeFor(name) ?? "undefined" }));
  const [first] = codes;
  if (first !== undefined) {
    const member = memberOf("", first.name);
    const holder = first.code.endsWith(member) ? first.code.slice(0, -member.length) : "";
    if (/^[A-Za-z_$][\w$]*(\([A-Za-z_$][\w$]*\))?(\.[A-Za-z_$][\w$]*)*$/.test(holder)) {
      if (codes.every(({ name, code }) => code === memberOf(holder, name))) return holder;
    }
  }
  return objectCode(codes.map(({ name, code }) => property(name, code)));
}

/** A call of the function that makes one key attribute; the attribute itself or its text if that is all. */
export function keyCall(
  names: Names,
  record: StoredRecord,
  attribute: string,
  text: KeyText,
  codeFor: ValueCode,
  useKey: Use,
): string {
  if (text.native !== undefined) return codeFor(text.native) ?? "undefined";
  if (text.segments.every(({ kind }) => kind === "text")) return literal(fixedText(text));
  const own = namesIn(text);
  const values = [
    ...(own.length === 0 ? [] : [holderCode(own, codeFor)]),
    ...(needsWriting(text) ? ["access"] : []),
  ];
  return `${useKey(names.of(record, attribute))}(${values.join(", ")})`;
}

/** A call of the function that makes the whole key of a kind of item in its table. */
export function recordKeyCall(
  names: Names,
  record: StoredRecord,
  codeFor: ValueCode,
  useKey: Use,
  /** No attribute of the entity that the values are from is missing. */
  isWhole = true,
): string {
  const own = [...new Set(record.key.flatMap(({ text }) => namesIn(text)))];
  const { attributes } = record.entity;
  // That an attribute is there is known of itself, and not of the object that it is in.
  const isSure = isWhole && own.every((name) => attributes.get(name)?.isOptional === false);
  const given = own.map((name) => property(name, codeFor(name) ?? "undefined"));
  const values = [
    ...(own.length === 0 ? [] : [isSure ? holderCode(own, codeFor) : objectCode(given)]),
    ...(record.key.some(({ text }) => needsWriting(text)) ? ["access"] : []),
  ];
  return `${useKey(names.of(record, "key"))}(${values.join(", ")})`;
}
