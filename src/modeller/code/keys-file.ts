import type { KeyText } from "../../model/key-text.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import {
  keyTextCode,
  namesIn,
  needsWriting,
  openShards,
  type Use,
  valuesType,
  writtenShard,
} from "./key-code.ts";
import type { Names } from "./names.ts";
import { homeOf } from "./runtime-names.ts";
import {
  docComment,
  functionCode,
  Imports,
  literal,
  memberName,
  memberOf,
  objectCode,
  property,
  typeCode,
} from "./source.ts";
import { fixedText, keyType } from "./types.ts";

/** The functions that make the keys of items and of their entries in indexes. */
export function keysFile(facts: Facts, names: Names): string {
  const imports = new Imports();
  const use: Use = (helper) => imports.value(helper, `./runtime/${homeOf(helper)}.js`);
  const parts = facts.records.flatMap((record) => [
    ...partsOf(record).flatMap((part) => partFunctions(record, part, names, imports, use)),
    keyFunction(record, names, imports),
  ]);
  return imports.text() + parts.join("\n");
}

interface Part {
  readonly attribute: string;
  readonly text: KeyText;
  readonly where: string;
}

/** The key attributes that are made of something, each once. */
export function partsOf(record: StoredRecord): readonly Part[] {
  const all = new Map<string, Part>();
  const add = (attribute: string, text: KeyText, where: string): void => {
    const isMade = text.native === undefined && text.segments.some(({ kind }) => kind !== "text");
    if (isMade && !all.has(attribute)) all.set(attribute, { attribute, text, where });
  };
  for (const { attribute, text } of record.key) add(attribute, text, record.table.name);
  for (const { index, partition, sort } of record.memberships) {
    for (const { attribute, text } of [...partition, ...sort]) {
      add(attribute.name, text, `${record.table.name}.${index.name}`);
    }
  }
  return [...all.values()];
}

function parameters(
  record: StoredRecord,
  own: readonly string[],
  isWriting: boolean,
  names: Names,
  imports: Imports,
): readonly string[] {
  const type = names.entity(record.entity);
  if (own.length > 0) imports.type(type, "./entities.js");
  if (isWriting) imports.type("AccessBase", "./runtime/access.js");
  return [
    ...(own.length === 0 ? [] : [`values: ${valuesType(type, record.entity, own)}`]),
    ...(isWriting ? ['access: Pick<AccessBase, "now" | "shard">'] : []),
  ];
}

function partFunctions(
  record: StoredRecord,
  { attribute, text, where }: Part,
  names: Names,
  imports: Imports,
  use: Use,
): readonly string[] {
  const { entity } = record;
  const codeFor = (name: string): string => memberOf("values", name);
  const name = names.of(record, attribute);
  const type = keyType(text, entity);
  const code = keyTextCode(text, entity, codeFor, writtenShard(use), use);
  const made = `${docComment(`${attribute} of ${record.name} in ${where}: ${text.text}`)}${functionCode(name, parameters(record, namesIn(text), needsWriting(text), names, imports), type, [`return ${code};`])}`;
  const open = openShards(text, () => false);
  if (open.length === 0) return [made];
  // Who reads does not know the shards, nor what they are calculated from.
  const known = namesIn({
    ...text,
    segments: text.segments.filter(({ kind }) => kind !== "shard"),
  });
  const shards = open.map((_, i) => (open.length === 1 ? "shard" : `shard${i + 1}`));
  const each = keyTextCode(text, entity, codeFor, (segment) => shards[open.indexOf(segment)], use);
  const lists = open.reduceRight(
    (inner, { count }, i) =>
      `${use("allShards")}(${count}).${i === open.length - 1 ? "map" : "flatMap"}((${shards[i]}) => ${inner})`,
    `${each}${type === "string" ? "" : " as const"}`,
  );
  const all = `${docComment(`${attribute} of ${record.name} in ${where}, for every shard.`)}${functionCode(names.of(record, attribute, "shards"), parameters(record, known, false, names, imports), `readonly ${type.includes(" ") ? `(${type})` : type}[]`, [`return ${lists};`])}`;
  return [made, all];
}

function keyFunction(record: StoredRecord, names: Names, imports: Imports): string {
  const { entity, key, table } = record;
  const own = [...new Set(key.flatMap(({ text }) => namesIn(text)))];
  const isWriting = key.some(({ text }) => needsWriting(text));
  const values = key.map(({ attribute, text }) => {
    if (text.native !== undefined) return property(attribute, memberOf("values", text.native));
    if (text.segments.every(({ kind }) => kind === "text")) {
      return property(attribute, literal(fixedText(text)));
    }
    const inner = [
      ...(namesIn(text).length === 0 ? [] : ["values"]),
      ...(needsWriting(text) ? ["access"] : []),
    ];
    return property(attribute, `${names.of(record, attribute)}(${inner.join(", ")})`);
  });
  const types = key.map(
    ({ attribute, text }) => `readonly ${memberName(attribute)}: ${keyType(text, entity)}`,
  );
  return `${docComment(`The key of ${record.name} in ${table.name}.`)}${functionCode(names.of(record, "key"), parameters(record, own, isWriting, names, imports), typeCode(types), [`return ${objectCode(values)};`])}`;
}
