import type { Table } from "../../model/design.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { Identifiers } from "../output/identifiers.ts";
import type { StoredAttribute, StoredRecord } from "../records/record.ts";
import { defaultsOf } from "./defaults.ts";
import { type Names, withArticle } from "./names.ts";
import { runtimeNames } from "./runtime-names.ts";
import { docComment, literal, memberName, sentence, unionType } from "./source.ts";
import { attributeType, keyType } from "./types.ts";

/** The types of what is stored: entities as an application knows them, and the items that they become. */
export function entitiesFile(facts: Facts, names: Names): string {
  const { model } = facts;
  const parts = [
    documentTypes,
    ...[...model.entities.values()].flatMap((entity) => [
      entityType(entity, names),
      newType(facts, entity, names),
    ]),
    ...facts.records.map((record) => storedType(record, names)),
    ...tableTypes(facts, names),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

const documentTypes = `/** A value inside a list or a map. */
export type DocumentValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | Set<string>
  | Set<number>
  | Set<Uint8Array>
  | readonly DocumentValue[]
  | DocumentMap;

/** A map of which the model says nothing more. */
export type DocumentMap = { readonly [name: string]: DocumentValue };
`;

function entityType(entity: Entity, names: Names): string {
  const members = [...entity.attributes.values()].map(
    (attribute) =>
      docComment(attributeText(attribute)) +
      member(attribute.name, attributeType(attribute), attribute.isOptional),
  );
  return `${docComment(sentence(entity.description ?? `${entity.name}, as the application knows it`))}export interface ${names.entity(entity)} {
${lines(members)}}
`;
}

function attributeText({ description, format, copyOf, counter }: Attribute): string {
  const words = [
    ...(description === undefined ? [] : [description]),
    ...(format === undefined ? [] : [format]),
    ...(copyOf === undefined ? [] : [`a copy of ${copyOf.entity}.${copyOf.attribute}`]),
    ...(counter ? ["a counter"] : []),
  ];
  return words.join("; ");
}

/** What a caller hands in to make one: what the code knows by itself need not be said. */
function newType(facts: Facts, entity: Entity, names: Names): string {
  const defaults = defaultsOf(facts, entity);
  if (defaults.length === 0) return "";
  const type = names.entity(entity);
  const own = defaults.map(({ attribute }) => attribute.name);
  const which = unionType(own.map(literal));
  const text = defaults.map(({ attribute, text }) => `${attribute.name} is ${text}`).join(", ");
  return `${docComment(`${capital(withArticle(entity.name))} that is made. Unless it is said, ${text}.`)}export type New${type} = Omit<${type}, ${which}> &
  Partial<Pick<${type}, ${which}>>;
`;
}

function storedType(record: StoredRecord, names: Names): string {
  const { entity, table } = record;
  const members = record.attributes.map((one) =>
    member(one.name, storedAttributeType(one, entity, names), isSparse(one, record)),
  );
  return `${docComment(`${record.name} as it lies in ${table.name}.`)}export type ${names.stored(record)} = {
${lines(members)}};
`;
}

function storedAttributeType({ content }: StoredAttribute, entity: Entity, names: Names): string {
  switch (content.kind) {
    case "attribute":
      return attributeType(content.attribute);
    case "text":
      return literal(content.text);
    case "embedded": {
      const inner = `Partial<${names.entity(content.entity)}>`;
      if (content.one) return inner;
      return content.by === undefined
        ? `readonly ${inner}[]`
        : `{ readonly [name: string]: ${inner} }`;
    }
    case "key":
      return keyType(content.text, entity);
  }
}

function isSparse({ content, membership }: StoredAttribute, { entity }: StoredRecord): boolean {
  if (membership !== undefined) return true;
  if (content.kind === "attribute") return content.attribute.isOptional;
  if (content.kind === "embedded") return content.one;
  const native = content.kind === "key" ? content.text.native : undefined;
  const attribute = native === undefined ? undefined : entity.attributes.get(native);
  return attribute?.isOptional === true && content.kind !== "key";
}

/** All that can lie in a table: told apart by the discriminator, where there is one. */
function tableTypes(facts: Facts, names: Names): readonly string[] {
  const types = new Identifiers("pascal", [
    ...runtimeNames,
    ...[...facts.model.entities.values()].map((entity) => names.entity(entity)),
    ...facts.records.map((record) => names.stored(record)),
  ]);
  return [...(facts.model.design?.tables.values() ?? [])].flatMap((table: Table) => {
    const records = facts.records.filter((record) => record.table === table);
    if (records.length === 0) return [];
    const how =
      table.discriminator === undefined ? "" : ` \`${table.discriminator}\` tells what it is.`;
    const list = records.map((record) => names.stored(record));
    const union = list.length === 1 ? ` ${list[0]}` : `\n  | ${list.join("\n  | ")}`;
    return [
      `${docComment(`An item of ${table.name}.${how}`)}export type ${types.of(table.name, "item")} =${union};\n`,
    ];
  });
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function member(name: string, type: string, optional: boolean): string {
  return `readonly ${memberName(name)}${optional ? "?" : ""}: ${type};`;
}

function lines(members: readonly string[]): string {
  return members
    .flatMap((text) => text.split("\n"))
    .map((line) => `  ${line}\n`)
    .join("");
}
