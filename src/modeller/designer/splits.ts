import type { PlacementDocument, TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Action, Attribute, Entity, Pattern } from "../../model/requirements.ts";
import { expiryAttributeOf } from "../expiry-attribute.ts";
import { attributeMax } from "../lint/largest.ts";
import { blobsOf } from "./blobs.ts";
import type { Layout } from "./drafts.ts";
import { joinedName, namedIn, openTexts } from "./keys.ts";
import { record } from "./layouts.ts";
import { servedPatterns, unique } from "./needs.ts";
import type { LayoutCost } from "./pricing.ts";
import { upkeepDifference } from "./read-cost.ts";

/** Attributes that would lie in an item of their own, and what it is called. */
interface Part {
  readonly name: string;
  readonly attributes: readonly string[];
}

/** What is written at most, and read at most, for one unit. */
const writeUnitBytes = 1_024;
const readUnitBytes = 4_096;
/** Less than this in each item of a list is not worth a second item. */
const listedBytesMin = 100;

/**
 * The same layouts with a part of the entity in items of their own: what is changed often apart from what is large,
 * or what lists do not show apart from what they do. Only what some pattern changes or shows by itself is looked at.
 */
export function splitLayouts(
  model: Model,
  entity: Entity,
  layouts: readonly Layout[],
): readonly Layout[] {
  // Only the item with the time in it would expire.
  if (expiryAttributeOf(entity) !== undefined) return [];
  const parts = partsOf(model, entity);
  return layouts.flatMap((layout) =>
    parts.flatMap((part) => splitLayout(entity, layout, part) ?? []),
  );
}

/**
 * Tables of several entities with what a list of one of them does not show in items of their own: what is read together
 * would be read with all of it.
 */
export function jointSplits(model: Model, layouts: readonly Layout[]): readonly Layout[] {
  return layouts.flatMap((layout) =>
    layout.entities.flatMap((name) => {
      const entity = model.entities.get(name);
      const part = listedPart(model, name, layout.entities);
      return entity === undefined || part === undefined
        ? []
        : (splitLayout(entity, layout, part) ?? []);
    }),
  );
}

/** What a list of an entity that is read with others does not show. */
export function listedPart(
  model: Model,
  name: string,
  others: readonly string[],
): Part | undefined {
  const entity = model.entities.get(name);
  if (entity === undefined || expiryAttributeOf(entity) !== undefined) return undefined;
  const listed = servedPatterns(model)
    .filter(({ actions }) => actions.some((one) => others.includes(one.entity)))
    .flatMap(({ together }) => together)
    .find((one) => one.entity === name && one.limit !== 1);
  const left = movableOf(model, entity).filter((one) => !listed?.returns.includes(one));
  if (listed === undefined || !isSteady(entity, left)) return undefined;
  if (!isShown(entity, listed, left, undefined)) return undefined;
  const [only = "", more] = left;
  return { name: more === undefined ? only : "details", attributes: left };
}

/** Parts that an entity could have, of which a table with others is not looked at. */
export function partsBeside(
  model: Model,
  name: string,
  others: readonly string[],
): readonly Part[] {
  const entity = model.entities.get(name);
  if (entity === undefined || expiryAttributeOf(entity) !== undefined) return [];
  const tried = JSON.stringify(listedPart(model, name, others)?.attributes);
  return partsOf(model, entity).filter((one) => JSON.stringify(one.attributes) !== tried);
}

function partsOf(model: Model, entity: Entity): readonly Part[] {
  const movable = movableOf(model, entity);
  const found = new Map<string, Part>();
  const add = (attributes: readonly string[], word: string): void => {
    const sorted = movable.filter((name) => attributes.includes(name));
    if (sorted.length < attributes.length || !isSteady(entity, sorted)) return;
    const [only = "", more] = sorted;
    const name = more === undefined ? only : word;
    const key = JSON.stringify(sorted);
    if (sorted.length > 0 && !found.has(key)) found.set(key, { name, attributes: sorted });
  };
  const own = servedPatterns(model).toSorted((a, b) => rateOf(b) - rateOf(a));
  const updates = isLarge(entity, writeUnitBytes)
    ? own.flatMap(({ actions }) => actions.filter((one) => isUpdate(one, entity)))
    : [];
  const sets = updates.map(touchedNames);
  const rest = (names: readonly string[]): readonly string[] =>
    movable.filter((name) => !names.includes(name));
  const [often = []] = sets;
  if (sets.length > 0) {
    const changed = unique(sets.flat()).filter((name) => movable.includes(name));
    add(often, wordOf(entity, often));
    add(changed, wordOf(entity, changed));
    add(rest(often), "details");
    add(rest(unique(sets.flat())), "details");
  }
  const [shown] = own.flatMap(({ actions, together, matches }) =>
    [...actions.filter(({ kind }) => kind === "read"), ...together].flatMap((one) =>
      one.entity === entity.name && isShown(entity, one, rest(one.returns), matches?.value)
        ? [one.returns]
        : [],
    ),
  );
  if (shown !== undefined) add(rest(shown), "details");
  return [...found.values()];
}

const rateOf = ({ rps }: Pattern): number => rps.average?.value ?? 0;

function isUpdate({ kind, entity }: Action, { name }: Entity): boolean {
  return kind === "update" && entity === name;
}

function touchedNames({ changes, adds, appends, removes }: Action): readonly string[] {
  return unique([
    ...[...changes, ...adds].map(({ attribute }) => attribute),
    ...appends,
    ...removes,
  ]);
}

/** Whether some item takes more than one unit. */
function isLarge({ attributes }: Entity, bytes: number): boolean {
  return [...attributes.values()].reduce((sum, one) => sum + weight(one), 0) > bytes;
}

const weight = (one: Attribute): number => one.name.length + attributeMax(one);

/** Whether somebody who reads would be spared something by not reading the rest. */
function isShown(
  entity: Entity,
  { where, limit }: Pick<Action, "where" | "limit">,
  left: readonly string[],
  matches: number | undefined,
): boolean {
  const bytes = left.reduce((sum, name) => {
    const attribute = entity.attributes.get(name);
    return attribute === undefined ? sum : sum + weight(attribute);
  }, 0);
  const equal = where.filter(({ operator }) => operator === "equals");
  const isOne =
    limit === 1 ||
    matches === 1 ||
    entity.id.every((name) => equal.some(({ attribute }) => attribute === name));
  return isOne ? isLarge(entity, readUnitBytes) && bytes > 0 : bytes > listedBytesMin;
}

/** What nobody asks about, compares or guards: a part is found by its key alone. */
function movableOf(model: Model, entity: Entity): readonly string[] {
  const fixed = new Set([
    ...entity.id,
    ...(entity.version === undefined ? [] : [entity.version]),
    ...blobsOf(model, entity).flatMap(({ attribute, pointer = attribute }) => [attribute, pointer]),
    ...servedPatterns(model).flatMap((pattern) => askedIn(pattern, entity)),
  ]);
  return (
    [...entity.attributes.values()]
      .filter(({ name, unique: isUnique }) => !isUnique && !fixed.has(name))
      // Who keeps a number or a copy changes the item itself.
      .filter(({ keeps, staleness }) => keeps === undefined && staleness !== "refused")
      .map(({ name }) => name)
  );
}

function askedIn({ actions, together }: Pattern, { name }: Entity): readonly string[] {
  const asked = [...actions, ...together]
    .filter(({ entity }) => entity === name)
    .flatMap(({ where, order }) => [...where, ...order].map(({ attribute }) => attribute));
  const conditions = actions
    .filter(({ entity }) => entity === name)
    .flatMap(({ condition }) => {
      if (condition?.kind === "version") return [condition.attribute];
      return condition?.kind === "where"
        ? condition.predicates.map(({ attribute }) => attribute)
        : [];
    });
  return [...asked, ...conditions];
}

/** Something in the part is always there: else what takes the place of an entity could leave its old part behind. */
function isSteady({ attributes }: Entity, names: readonly string[]): boolean {
  return names.some((name) => attributes.get(name)?.isOptional === false);
}

function wordOf({ attributes }: Entity, names: readonly string[]): string {
  return names.every((name) => attributes.get(name)?.type === "N") ? "counts" : "state";
}

function splitLayout(entity: Entity, layout: Layout, part: Part): Layout | undefined {
  const table = layout.tables.get(layout.main) as TableDocument;
  const placement = table.entities?.[entity.name] as PlacementDocument;
  const inKey = Object.values(placement.key).flatMap((text) => namedIn(entity, text));
  if (part.attributes.some((name) => inKey.includes(name))) return undefined;
  const keys = partKeys(entity, table, placement, part.name.toUpperCase());
  if (keys === undefined) return undefined;
  const [before = ""] = Object.keys(table.key);
  const [after = ""] = Object.keys(keys.key);
  const others = Object.entries(table.entities ?? {}).map(
    ([name, one]): readonly [string, PlacementDocument] => [
      name,
      {
        ...one,
        key: record(Object.entries(one.key).map(([k, v]) => [k === before ? after : k, v])),
      },
    ],
  );
  const document: TableDocument = {
    ...table,
    key: keys.key,
    entities: record([
      ...others,
      [
        entity.name,
        {
          ...placement,
          key: keys.own,
          split: [{ name: part.name, key: keys.part, attributes: part.attributes }],
        },
      ],
    ]),
  };
  const own = part.attributes.length === 1 ? "its" : "their";
  const open = keys.open.length === 0 ? "" : ` (no # may be in ${keys.open.join(", ")})`;
  const words = `${layout.words}, with ${part.attributes.join(", ")} in an item of ${own} own${open}`;
  return {
    ...layout,
    id: `${layout.main} ${words}`,
    idea: "split",
    plain: layout,
    words,
    tables: new Map([...layout.tables, [layout.main, document]]),
  };
}

/**
 * Whether anything at all is cheaper than without the split, as long as there are no indexes: these cost as much with it
 * as without, and who reads by them finds no more. Patterns may come so many times as often as they were priced for.
 */
export function isWorthwhile(
  split: LayoutCost,
  plain: LayoutCost,
  times: (pattern: string) => number,
): boolean {
  const { storage, writes } = upkeepDifference(plain.upkeep, split.upkeep);
  let gain = storage;
  for (const [id, dollars] of writes) gain += dollars * times(id);
  for (const [id, { dollars }] of plain.reads) {
    gain += Math.max(0, dollars - (split.reads.get(id)?.dollars ?? dollars)) * times(id);
  }
  return gain > 0;
}

interface PartKeys {
  readonly key: TableDocument["key"];
  readonly own: PlacementDocument["key"];
  readonly part: PlacementDocument["key"];
  /** Texts that must not hold what tells the part from the item itself. */
  readonly open: readonly string[];
}

/** Items beside each other under the id; where the table is sorted by something, parts lie under keys of their own. */
function partKeys(
  entity: Entity,
  { key }: TableDocument,
  placement: PlacementDocument,
  word: string,
): PartKeys | undefined {
  const [[partition = "", text = ""] = [], ...rest] = Object.entries(placement.key);
  if (rest.length === 0) {
    const name = ["part", "itemPart", "sortKey"].find((one) => !entity.attributes.has(one));
    if (name === undefined) return undefined;
    const under = (what: string): PlacementDocument["key"] =>
      record([
        [partition, text],
        [name, what],
      ]);
    return {
      key: record([...Object.entries(key), [name, "S"] as const]),
      own: under(entity.name.toUpperCase()),
      part: under(word),
      open: [],
    };
  }
  if (key[partition] !== "S") return undefined;
  // A part of the id would be hidden behind the key's text in items of parts.
  const name = entity.id.includes(partition) ? joinedName([partition, "part"]) : partition;
  if (name !== partition && entity.attributes.has(name)) return undefined;
  return {
    key: record([[name, "S"] as const, ...Object.entries(key).slice(1)]),
    own: record([[name, text] as const, ...rest]),
    part: record([[name, `${text}#${word}`] as const, ...rest]),
    open: openTexts(entity, [...namedIn(entity, text), word]),
  };
}
