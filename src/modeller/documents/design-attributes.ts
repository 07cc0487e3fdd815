import { textSize } from "../../item/size.ts";
import type { Index, Table } from "../../model/design.ts";
import type { Attribute } from "../../model/requirements.ts";
import { bytesText, counted, listText } from "../lint/words.ts";
import type { StoredAttribute, StoredRecord } from "../records/record.ts";
import { attributeBytes } from "../sizes/attribute-size.ts";
import type { ByteDistribution } from "../sizes/distribution.ts";
import { keyBytes } from "../sizes/key-size.ts";
import { type Block, code, type Line, table as tableBlock } from "./markdown.ts";
import type { Material } from "./material.ts";
import { notStated, percentOf, stated, typeWords } from "./words.ts";

interface Use {
  readonly record: StoredRecord;
  readonly attribute: StoredAttribute;
}

/** Every attribute that items of a table have, under its name there. */
export function attributesTable(material: Material, table: Table): Block {
  const uses = new Map<string, Use[]>();
  for (const record of material.facts.records) {
    if (record.table !== table) continue;
    for (const attribute of record.attributes) {
      const known = uses.get(attribute.name);
      if (known === undefined) uses.set(attribute.name, [{ record, attribute }]);
      else known.push({ record, attribute });
    }
  }
  return tableBlock(
    ["Attribute", "Type", "In items of", "Bytes of the value", "There in", "What it is"],
    [...uses].map(([name, own]) => rowOf(table, name, own)),
    { otherwise: "It has no attributes." },
  );
}

function rowOf(table: Table, name: string, uses: readonly Use[]): readonly Line[] {
  const distinct = (of: (use: Use) => string): string => [...new Set(uses.map(of))].join("; ");
  return [
    code(name),
    distinct((use) => typeText(table, name, use)),
    listText([...new Set(uses.map(({ record }) => record.name))]),
    distinct(bytesOf),
    distinct(presentText),
    meaning(table, name, uses).join("; ") || "data",
  ];
}

/** The entity's attribute that it is: also of a key that is one as it is. */
function attributeOf({ record, attribute: { content } }: Use): Attribute | undefined {
  if (content.kind === "attribute") return content.attribute;
  const native = content.kind === "key" ? content.text.native : undefined;
  return native === undefined ? undefined : record.entity.attributes.get(native);
}

function typeText(table: Table, name: string, use: Use): string {
  const { content } = use.attribute;
  const attribute = attributeOf(use);
  if (attribute !== undefined) {
    const { type, format } = attribute;
    return `${typeWords[type]}${format === undefined ? "" : `, ${format}`}`;
  }
  if (content.kind === "embedded") {
    if (content.one) return "map";
    return content.by === undefined ? "list of maps" : `map of maps by ${content.by}`;
  }
  if (content.kind === "text") return "string";
  return typeWords[keyTypeOf(table, name)];
}

function keyTypeOf({ partition, sort, indexes }: Table, name: string): "S" | "N" | "B" {
  const keys = [
    partition,
    ...(sort === undefined ? [] : [sort]),
    ...[...indexes.values()].flatMap((index) => [...index.partition, ...index.sort]),
  ];
  return keys.find((one) => one.name === name)?.type ?? "S";
}

function bytesOf({ record, attribute: { content } }: Use): string {
  switch (content.kind) {
    case "attribute": {
      const { size } = content.attribute;
      return `${rangeText(attributeBytes(content.attribute))}${size?.from === "assumed" ? " (assumed)" : ""}`;
    }
    case "text":
      return bytesText(textSize(content.text));
    case "embedded":
      return "as many as there are";
    case "key":
      return rangeText(keyBytes(record.entity.attributes, content.text));
  }
}

function rangeText(bytes: ByteDistribution | undefined): string {
  if (bytes === undefined) return notStated;
  return bytes.min === bytes.max
    ? bytesText(bytes.min)
    : `${bytesText(bytes.min)} to ${bytesText(bytes.max)}`;
}

const valuesMax = 6;

function valuesText({ values, elements, digits }: Attribute): readonly string[] {
  const lines: string[] = [];
  if (values !== undefined) {
    const shown = values.slice(0, valuesMax);
    const texts = shown.map(({ value, share }) => `${value} (${percentOf(share)})`);
    const more = values.length - shown.length;
    lines.push(`${texts.join(", ")}${more > 0 ? ` and ${more} more` : ""}`);
  }
  if (elements !== undefined) {
    lines.push(`${stated(elements.average)} elements on average, at most ${stated(elements.max)}`);
  }
  if (digits !== undefined) lines.push(counted(digits, "digit"));
  return lines;
}

function presentText({ record, attribute: { content, membership } }: Use): string {
  if (membership !== undefined) return `those in ${membership}`;
  if (content.kind !== "attribute" || record.entity.id.includes(content.attribute.name)) {
    return "all";
  }
  const { value, assumed } = content.attribute.present;
  if (value === 1) return "all";
  const whole = record.role === "split" ? ` of ${record.entity.name}` : "";
  return `${percentOf(value)}${whole}${assumed ? " (assumed)" : ""}`;
}

/** What is to be known of it; of whom, if that does not hold for all that have it. */
function meaning(table: Table, name: string, uses: readonly Use[]): readonly string[] {
  const entities = new Set(uses.map(({ record }) => record.entity.name));
  const notes = new Map<string, Set<string>>();
  for (const use of uses) {
    const attribute = attributeOf(use);
    const { record } = use;
    for (const note of attribute === undefined ? [] : notesOn(record, name, attribute)) {
      notes.set(note, (notes.get(note) ?? new Set()).add(record.entity.name));
    }
  }
  const told = [...notes].map(([note, of]) =>
    of.size === entities.size || note.startsWith("id of ")
      ? note
      : `${note} (${listText([...of])})`,
  );
  return [...keyNotes(table, name), ...told];
}

function keyNotes({ partition, sort, indexes, discriminator, ttl }: Table, name: string) {
  const notes: string[] = [];
  if (name === partition.name) notes.push("partition key");
  if (name === sort?.name) notes.push("sort key");
  for (const index of indexes.values()) {
    const has = (keys: Index["sort"]): boolean => keys.some((one) => one.name === name);
    if (has(index.partition) && !index.local) notes.push(`partition key of ${index.name}`);
    if (has(index.sort)) notes.push(`sort key of ${index.name}`);
  }
  if (name === discriminator) notes.push("tells kinds of items apart");
  if (name === ttl?.attribute) notes.push("the time after which the item goes");
  return notes;
}

function notesOn({ entity }: StoredRecord, name: string, attribute: Attribute): readonly string[] {
  const { unique, counter, personal, copyOf, description } = attribute;
  return [
    ...(entity.id.includes(attribute.name) ? [`id of ${entity.name}`] : []),
    ...(entity.version === attribute.name ? ["raised with every change"] : []),
    ...(unique ? ["unique"] : []),
    ...(counter ? ["counter"] : []),
    ...(personal ? ["personal"] : []),
    ...(copyOf === undefined ? [] : [`copy of ${copyOf.entity}.${copyOf.attribute}`]),
    ...(attribute.name === name ? [] : [`${entity.name}.${attribute.name}`]),
    ...valuesText(attribute),
    ...(description === undefined ? [] : [description]),
  ];
}
