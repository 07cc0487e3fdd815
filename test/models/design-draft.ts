import type {
  DesignDocument,
  IndexDocument,
  KeyTexts,
  KeyType,
  PlacementDocument,
  TableDocument,
} from "../../src/model/document-design.ts";
import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import type { Attribute, Entity, Pattern } from "../../src/model/requirements.ts";
import type { Random } from "../random.ts";

/** A document with a design, as the generators of variants and of sabotaged designs read and rewrite it. */

export interface Draft {
  readonly document: ModelDocument;
  readonly design: DesignDocument;
  readonly model: Model;
  readonly random: Random;
}

export interface Change {
  readonly document: ModelDocument;
  /** What was changed, with names, for reports. */
  readonly what: string;
}

export interface Transformation {
  readonly name: string;
  /** The changed document; undefined if the design has nothing that it applies to. */
  readonly apply: (draft: Draft) => Change | undefined;
}

/** Reads a document; undefined if the reader refuses it or it has no design. */
export function draftOf(document: ModelDocument, random: Random): Draft | undefined {
  const { model } = modelFrom(document);
  const { design } = document;
  return model === undefined || design === undefined
    ? undefined
    : { document, design, model, random };
}

export function withDesign({ document }: Draft, design: DesignDocument): ModelDocument {
  return { ...document, design };
}

/** The document with one table changed, or removed. */
export function withTable(
  draft: Draft,
  name: string,
  table: TableDocument | undefined,
): ModelDocument {
  const { [name]: _, ...others } = draft.design.tables;
  const tables = table === undefined ? others : { ...draft.design.tables, [name]: table };
  return withDesign(draft, { ...draft.design, tables });
}

/** The document with one index changed, added or removed. */
export function withIndex(
  draft: Draft,
  { table, document }: PlacedTable,
  name: string,
  index: IndexDocument | undefined,
): ModelDocument {
  const { [name]: _, ...others } = document.indexes ?? {};
  const indexes = index === undefined ? others : { ...document.indexes, [name]: index };
  const { indexes: __, ...rest } = document;
  const hasAny = Object.keys(indexes).length > 0;
  return withTable(draft, table, { ...rest, ...(hasAny && { indexes }) });
}

export function withPlacement(
  draft: Draft,
  { table, document, entity }: Placed,
  placement: PlacementDocument,
): ModelDocument {
  const entities = { ...document.entities, [entity.name]: placement };
  return withTable(draft, table, { ...document, entities });
}

export interface PlacedTable {
  readonly table: string;
  readonly document: TableDocument;
}

/** An entity in a table. */
export interface Placed extends PlacedTable {
  readonly entity: Entity;
  readonly placement: PlacementDocument;
}

/** An index of a table. */
export interface PlacedIndex extends PlacedTable {
  readonly name: string;
  readonly index: IndexDocument;
}

export function tablesOf({ design }: Draft): readonly PlacedTable[] {
  return Object.entries(design.tables).map(([table, document]) => ({ table, document }));
}

export function placedIn(draft: Draft): readonly Placed[] {
  return tablesOf(draft).flatMap((one) =>
    Object.entries(one.document.entities ?? {}).flatMap(([name, placement]): readonly Placed[] => {
      const entity = draft.model.entities.get(name);
      return entity === undefined ? [] : [{ ...one, entity, placement }];
    }),
  );
}

export function indexesOf(draft: Draft): readonly PlacedIndex[] {
  return tablesOf(draft).flatMap((one) =>
    Object.entries(one.document.indexes ?? {}).map(([name, index]) => ({ ...one, name, index })),
  );
}

/** The entities that can be in an index. */
export function membersOf({ model }: Draft, { table, name }: PlacedIndex): readonly Entity[] {
  const members = model.design?.tables.get(table)?.indexes.get(name)?.members ?? new Map();
  return [...members.keys()].flatMap((one) => model.entities.get(String(one)) ?? []);
}

/** One of several, in random order, for which something can be made. */
export function firstOf<T, Result>(
  { random }: Draft,
  candidates: readonly T[],
  make: (candidate: T) => Result | undefined,
): Result | undefined {
  for (const one of random.sample(candidates, candidates.length)) {
    const result = make(one);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Types that a key attribute can have. */
export function isKeyType({ type }: Attribute): boolean {
  return type === "S" || type === "N" || type === "B";
}

/** The most bytes that a value has; undefined if that is unknown. */
export function bytesMax({ type, size }: Attribute): number | undefined {
  if (type === "N") return 21;
  const distribution = size?.distribution;
  switch (distribution?.kind) {
    case "fixed":
      return distribution.bytes;
    case "uniform":
      return distribution.max;
    case "shares":
      return Math.max(...distribution.shares.map(({ bytes }) => bytes));
    default:
      return undefined;
  }
}

/** Whether its values are short enough for a sort key, together with others. */
export function isShort(attribute: Attribute): boolean {
  const bytes = bytesMax(attribute);
  return bytes !== undefined && bytes <= 150;
}

/** Attributes that every index can have as a key: short, of a key type, and of one type in the whole table. */
export function keyable(draft: Draft, { document, entity }: Placed): readonly Attribute[] {
  const placed = Object.keys(document.entities ?? {}).flatMap(
    (name) => draft.model.entities.get(name) ?? [],
  );
  const hasOneType = ({ name, type }: Attribute): boolean =>
    placed.every((one) => [undefined, type].includes(one.attributes.get(name)?.type)) &&
    [undefined, type].includes(document.key[name]);
  const stored = storedIn(draft, entity.name);
  return [...entity.attributes.values()].filter(
    (one) => isKeyType(one) && isShort(one) && hasOneType(one) && stored.has(one.name),
  );
}

/** Attributes of the entity's own item: not split out, not elsewhere. */
export function storedIn({ model }: Draft, entity: string): ReadonlySet<string> {
  const placements = [...(model.design?.tables.values() ?? [])].flatMap(
    ({ placements: all }) => all.get(entity) ?? [],
  );
  const names = placements.flatMap(({ stores }) => stores);
  const { id = [] } = model.entities.get(entity) ?? {};
  return new Set([...names, ...id]);
}

export function isAlways({ present }: Attribute): boolean {
  return present.value === 1;
}

/** Whether no value can have a separator in it, so that what follows it in a text is told from it. */
export function isClosed({ type, format, values }: Attribute): boolean {
  if (type === "N" || format !== undefined) return true;
  return values?.every(({ value }) => !String(value).includes("#")) ?? false;
}

export function attributeOf({ attributes }: Entity, name: string): Attribute {
  const attribute = attributes.get(name);
  if (attribute === undefined) throw new Error(`the entity has no attribute ${name}`);
  return attribute;
}

/** A name that no table, index or attribute of the document has. */
export function freshName({ document }: Draft, wanted: string): string {
  const text = JSON.stringify(document);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}${number}`;
    if (!text.includes(`"${name}"`)) return name;
  }
}

/** Words that begin the key of one entity and of no other one. */
export function prefixFor(entity: string): string {
  return `${entity.toUpperCase()}#`;
}

/** An attribute in a text: as it is, or transformed so that different values stay different. */
export function segmentFor({ random }: Draft, attribute: Attribute): string {
  const { name, type, format, digits, values, canBeNegative } = attribute;
  const isTime = format !== undefined && !["uuid", "ulid", "ksuid"].includes(format);
  if (isTime && random.chance(0.3)) return `{${name}|descending}`;
  const isNatural = type === "N" && digits !== undefined && values === undefined && !canBeNegative;
  if (isNatural && format === undefined) {
    return random.choose([
      [3, () => `{${name}|pad:${digits}}`],
      [1, () => `{${name}|pad:${Math.min(digits + 3, 38)}}`],
      [1, () => `{${name}}`],
    ]);
  }
  return `{${name}}`;
}

/** A text of several attributes from which each of them can be told; undefined if there is none. */
export function joinedText(
  draft: Draft,
  prefix: string,
  attributes: readonly Attribute[],
): string | undefined {
  if (attributes.some(({ type }) => type === "B")) return undefined;
  if (!attributes.slice(0, -1).every(isClosed)) return undefined;
  return `${prefix}${attributes.map((one) => segmentFor(draft, one)).join("#")}`;
}

export interface Layout {
  readonly key: Readonly<Record<string, KeyType>>;
  readonly texts: KeyTexts;
}

/** A key of an entity's own that has all attributes of the id and nothing else, so it identifies. */
export function randomLayout(draft: Draft, entity: Entity): Layout | undefined {
  const { random } = draft;
  const ids = random.sample(entity.id, entity.id.length).map((name) => attributeOf(entity, name));
  const cut = random.between(1, ids.length);
  const partition = sideOf(draft, ids.slice(0, cut), "pk", prefixFor(entity.name));
  const rest = ids.slice(cut);
  const isConstant = rest.length === 0 && random.chance(0.3);
  const sort = isConstant
    ? { name: "sk", type: "S" as const, text: "ITEM" }
    : sideOf(draft, rest, "sk", random.chance(0.5) ? prefixFor(entity.name) : "");
  if (partition === undefined || (sort === undefined && rest.length > 0)) return undefined;
  const sides = sort === undefined ? [partition] : [partition, sort];
  if (sides.some(({ name, text }) => entity.attributes.has(name) && text !== `{${name}}`)) {
    return undefined;
  }
  return {
    key: Object.fromEntries(sides.map(({ name, type }) => [name, type])),
    texts: Object.fromEntries(sides.map(({ name, text }) => [name, text])),
  };
}

interface Side {
  readonly name: string;
  readonly type: KeyType;
  readonly text: string;
}

function sideOf(
  draft: Draft,
  attributes: readonly Attribute[],
  name: string,
  prefix: string,
): Side | undefined {
  const [only, ...others] = attributes;
  if (only === undefined) return undefined;
  if (others.length === 0 && (only.type === "B" || draft.random.chance(0.5))) {
    return { name: only.name, type: only.type as KeyType, text: `{${only.name}}` };
  }
  const text = joinedText(draft, prefix, attributes);
  return text === undefined
    ? undefined
    : { name, type: "S", text: text === `{${only.name}}` ? `V#${text}` : text };
}

/** Read patterns about an entity. */
export function readsOf({ model }: Draft, entity: string): readonly Pattern[] {
  return [...model.patterns.values()].filter(
    ({ kind, actions }) => kind === "read" && actions.some((one) => one.entity === entity),
  );
}
