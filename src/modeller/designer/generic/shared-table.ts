import { indexKeyAttributesPerTypeMax, projectedAttributesMax } from "../../../api/limits.ts";
import type {
  IndexDocument,
  KeyTexts,
  PlacementDocument,
  TableDocument,
  UniqueDocument,
} from "../../../model/document-design.ts";
import type { Entity } from "../../../model/requirements.ts";
import type { StoredRecord } from "../../records/record.ts";
import { capital } from "../keys.ts";
import { record } from "../layouts.ts";
import { projectionOf, type Slot } from "./slots.ts";
import { partitionText, sortText } from "./texts.ts";
import type { Unit } from "./units.ts";

/** A table of the natural design that goes into the shared one. */
export interface Part {
  readonly name: string;
  readonly document: TableDocument;
  /** The items that it holds. */
  readonly records: readonly StoredRecord[];
}

/** What goes into the shared table, and what its indexes are. */
export interface Sharing {
  readonly parts: readonly Part[];
  readonly slots: readonly Slot[];
  /** Indexes that stay as they are, beside the shared ones. */
  readonly own: readonly Unit[];
  /** Names that mean something in the model. */
  readonly taken: ReadonlySet<string>;
}

/** The table that all share: texts before the keys keep those apart that were in tables of their own. */
export function sharedTable({ parts, slots, own, taken }: Sharing): TableDocument {
  const [pk, sk] = [freeName("PK", taken), freeName("SK", taken)];
  const guards = parts.flatMap(({ document }) => document.unique ?? []);
  const words = new Words();
  const isAlone = parts.length + guards.length === 1;
  const placements = parts.flatMap(({ document, records }) => {
    const word = words.next(records[0]?.entity.name ?? "");
    return records.map((one): [string, PlacementDocument] => {
      const placement = document.entities?.[one.entity.name];
      return [one.entity.name, { ...placement, key: keyOf(one, [pk, sk], isAlone ? "" : word) }];
    });
  });
  const unique = guards.map((guard): UniqueDocument => {
    const { entity, attribute, key } = guard;
    const word = words.next(`${entity}${capital(attribute)}`);
    const texts = Object.values(key).join("#");
    return {
      entity,
      attribute,
      key: record([[pk, `${word}#${texts}`] as const, [sk, `#${word}`]]),
    };
  });
  const ttl = parts.flatMap(({ document }) => document.ttl ?? [])[0];
  const entities = parts.flatMap(({ records }) => records.map(({ entity }) => entity));
  const indexes: (readonly [string, IndexDocument])[] = [
    ...slots.map((slot, i) => slotIndex(slot, i + 1, taken)),
    ...own.flatMap((unit): readonly (readonly [string, IndexDocument])[] => {
      const index = ownIndex(unit, entities, taken);
      return index === undefined ? [] : [[unit.name, index]];
    }),
  ];
  return {
    billing: "on-demand",
    key: record([[pk, "S"] as const, [sk, "S"] as const]),
    entities: record(placements),
    ...(indexes.length > 0 && { indexes: record(withinLimit(indexes)) }),
    ...(ttl !== undefined && { ttl }),
    ...(unique.length > 0 && { unique }),
  };
}

/** A table's indexes name so many attributes together at most: those that name the most hold all, then. */
function withinLimit(
  indexes: readonly (readonly [string, IndexDocument])[],
): readonly (readonly [string, IndexDocument])[] {
  const named = ({ projection = "all" }: IndexDocument): number =>
    typeof projection === "string" ? 0 : projection.length;
  const sum = indexes.reduce((count, [, one]) => count + named(one), 0);
  if (sum <= projectedAttributesMax) return indexes;
  const most = Math.max(...indexes.map(([, one]) => named(one)));
  const at = indexes.findIndex(([, one]) => named(one) === most);
  return withinLimit(
    indexes.map(([name, one], i) => [name, i === at ? { ...one, projection: "all" } : one]),
  );
}

/** Whether the keys of a kind of item can be written as texts. */
export function hasTexts({ entity, key: [partition, sort] }: StoredRecord): boolean {
  const made = (part: typeof partition) => (part === undefined ? [] : [madeOf(part)]);
  return (
    partitionText(entity, made(partition)) !== undefined &&
    sortText(entity, made(sort)) !== undefined
  );
}

function madeOf({ attribute, text }: StoredRecord["key"][number]) {
  return { attribute: { name: attribute, type: "S" as const }, text };
}

function keyOf(
  { entity, key: [partition, sort] }: StoredRecord,
  [pk, sk]: readonly [string, string],
  word: string,
): KeyTexts {
  const text = partition === undefined ? "" : partitionText(entity, [madeOf(partition)]);
  const then = sort === undefined ? `#${wordOf(entity.name)}` : sortText(entity, [madeOf(sort)]);
  return record([
    [pk, prefixed(entity, word, text ?? "")],
    [sk, then ?? ""],
  ]);
}

/** A text behind a word; without one if the text is enough by itself. */
function prefixed(entity: Entity, word: string, text: string): string {
  const isNumber = [...entity.attributes.values()].some(
    ({ name, type }) => type === "N" && text === `{${name}}`,
  );
  if (text === "") return word === "" ? wordOf(entity.name) : word;
  if (word !== "") return `${word}#${text}`;
  return isNumber ? `${wordOf(entity.name)}#${text}` : text;
}

function slotIndex(
  slot: Slot,
  number: number,
  taken: ReadonlySet<string>,
): readonly [string, IndexDocument] {
  const [pk, sk] = [freeName(`GSI${number}PK`, taken), freeName(`GSI${number}SK`, taken)];
  const isSorted = slot.some(({ members }) => members.some(({ sort }) => sort !== ""));
  const words = new Words();
  const sets: [string, KeyTexts][] = [];
  const only: [string, NonNullable<IndexDocument["only"]>[string]][] = [];
  for (const { members } of slot) {
    // Those who were in one index of the natural design may be read together, so they stay together.
    const word = slot.length === 1 ? "" : words.next(members[0]?.entity.name ?? "");
    for (const { entity, partition = "", sort = "", only: where } of members) {
      const texts: [string, string][] = [[pk, prefixed(entity, word, partition)]];
      if (isSorted) texts.push([sk, sort === "" ? "#" : sort]);
      sets.push([entity.name, record(texts)]);
      if (where !== undefined) only.push([entity.name, where]);
    }
  }
  return [
    `GSI${number}`,
    {
      key: { partition: pk, ...(isSorted && { sort: sk }) },
      projection: projectionOf(slot),
      sets: record(sets),
      ...(only.length > 0 && { only: record(only) }),
    },
  ];
}

/** An index as it is in the natural design, with a mark if others would be in it; nothing if that cannot be. */
export function ownIndex(
  { members, document }: Unit,
  entities: readonly Entity[],
  taken: ReadonlySet<string>,
): IndexDocument | undefined {
  const partition = [document.key.partition ?? []].flat();
  const names = [...partition, ...[document.key.sort ?? []].flat()];
  const [first, more] = members;
  if (first === undefined || more !== undefined) return undefined;
  const { entity, wanted } = first;
  const made = document.sets?.[entity.name] ?? {};
  const isThere = (one: Entity, sets: KeyTexts): boolean =>
    names.every((name) => one.attributes.has(name) || Object.hasOwn(sets, name));
  if (!isThere(entity, made)) return undefined;
  const projection = wanted.filter((name) => !names.includes(name));
  const plain: IndexDocument = {
    ...document,
    projection: projection.length === 0 ? "keys" : projection,
  };
  if (!entities.some((one) => one !== entity && isThere(one, {}))) return plain;
  if (partition.length >= indexKeyAttributesPerTypeMax) return undefined;
  const mark = freeName(`all${capital(entity.name)}`, new Set([...taken, ...Object.keys(made)]));
  return {
    ...plain,
    key: { ...document.key, partition: [...partition, mark] },
    sets: record([[entity.name, record([...Object.entries(made), [mark, "1"]])]]),
  };
}

function wordOf(name: string): string {
  return name.toUpperCase();
}

/** Words of which none is another one: what they stand before can never be the same. */
class Words {
  private readonly given = new Set<string>();

  next(name: string): string {
    let word = wordOf(name);
    for (let n = 2; this.given.has(word); n += 1) word = `${wordOf(name)}${n}`;
    this.given.add(word);
    return word;
  }
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n += 1) free = `${name}${n}`;
  return free;
}
