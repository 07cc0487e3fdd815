import { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Model } from "../../model/model.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import { dealSizes } from "./decks.ts";
import { drawValue } from "./draw-value.ts";
import { type Instance, itemsOf, type StoredItem } from "./item-of.ts";
import { referencesOf } from "./references.ts";
import { fillColumn } from "./sample-columns.ts";
import { type About, ownersFirst, sampleCounts } from "./sample-counts.ts";
import { childrenOf, copySources, keepAggregates } from "./sample-links.ts";
import type { Making, Row } from "./sample-making.ts";
import { idOf, makeRows, referLate, textOf } from "./sample-rows.ts";
import { fnv1a } from "./shard-hash.ts";
import { isNumbered, serialText } from "./text-for.ts";

export interface SampleOptions {
  /** About how many items there are at most; at least one of every entity is made. */
  readonly items?: number;
  readonly seed?: number;
  readonly about?: About;
  /** The moment that the sample is of, in milliseconds. */
  readonly now: number;
  /** The share of items that have expired already. */
  readonly expired?: number;
}

export interface Sample {
  readonly entities: ReadonlyMap<string, readonly Instance[]>;
  readonly items: readonly StoredItem[];
  /** Fan-outs that are not as stated, because the sample is too small for them. */
  readonly cuts: readonly Cut[];
}

export interface Cut {
  readonly from: string;
  readonly to: string;
  readonly stated: number;
  readonly made: number;
}

export const usualSampleItems = 1_000;
export const usualSeed = 1;

/** Data that looks as the model says it does: the same for the same seed and moment. */
export function sampleOf(model: Model, options: SampleOptions): Sample {
  const { items = usualSampleItems, seed = usualSeed, now, expired = 0, about } = options;
  const references = referencesOf(model);
  const counts = sampleCounts(model, references, items, about);
  const random = (entity: string, attribute: string): SeededRandom =>
    new SeededRandom(seed, fnv1a(JSON.stringify([entity, attribute])));
  const rows = new Map<string, readonly Row[]>();
  const pools = new Map<string, readonly AttributeValue[]>();
  const making: Making = {
    model,
    now,
    references,
    counts,
    rows,
    random,
    versionOf: (entity) => versionOf(model, entity),
    pool: (_, attribute) => {
      if (attribute.distinct === undefined) return undefined;
      const key = JSON.stringify([attribute.name, attribute.type, attribute.size]);
      const pool = pools.get(key) ?? makePool(making, attribute);
      pools.set(key, pool);
      return pool;
    },
  };
  const entities = ownersFirst(model, references);
  for (const entity of entities) {
    rows.set(entity.name, makeRows(making, entity));
    for (const attribute of storedAttributes(model, entity)) {
      fillColumn(making, entity, attribute, expired);
    }
  }
  for (const entity of entities) referLate(making, entity);
  copySources(making);
  keepAggregates(making);
  for (const entity of entities) {
    const stored = new Set(storedAttributes(model, entity).map(({ name }) => name));
    for (const { values } of rows.get(entity.name) ?? []) {
      // A reference or a copy gives a value to an attribute that another service stores.
      for (const name of [...values.keys()]) if (!stored.has(name)) values.delete(name);
    }
  }
  return { ...storedRows(making, entities), cuts: cutsOf(making) };
}

/** What rounding alone does to an average. */
const closeEnough = 0.05;

function cutsOf({ references, rows }: Making): readonly Cut[] {
  return [...references.values()].flatMap(({ all }) =>
    all.flatMap((reference) => {
      const { entity: to, target: from, average: stated } = reference;
      const parents = rows.get(from)?.length ?? 0;
      if (stated === undefined || parents === 0) return [];
      const referring = rows.get(to)?.filter(({ targets }) => targets.has(reference)) ?? [];
      const made = referring.length / parents;
      const isClose = Math.abs(made - stated) <= Math.max(closeEnough * stated, 1 / parents);
      return isClose ? [] : [{ from, to, stated, made }];
    }),
  );
}

/** The attributes of an entity without those that another service stores: these are not made. */
export function storedAttributes(model: Model, entity: Entity): readonly Attribute[] {
  const away = new Set(
    [...(model.design?.tables.values() ?? [])].flatMap(
      ({ placements }) =>
        placements.get(entity.name)?.elsewhere.map(({ attribute }) => attribute) ?? [],
    ),
  );
  return [...entity.attributes.values()].filter(({ name }) => !away.has(name));
}

function versionOf(model: Model, { name }: Entity): string | undefined {
  for (const { versioning } of model.design?.tables.values() ?? []) {
    if (versioning?.entity === name) return versioning.attribute;
  }
  return undefined;
}

/** So few different values make a small sample look as a large one does. */
const valuesMin = 3;

function makePool(making: Making, attribute: Attribute): readonly AttributeValue[] {
  const { name, type, format, size, values } = attribute;
  const stated = attribute.distinct?.value ?? 1;
  const wanted = Math.min(stated, Math.max(valuesMin, shownValues(making, attribute)));
  // A stated average need not be a whole number.
  const count = Math.ceil(Math.max(1, wanted));
  const random = making.random("", name);
  const sizes = size && dealSizes(size.distribution, count, random);
  const pool = new Map<string, AttributeValue>();
  for (let serial = 1; pool.size < count && serial < 20 * count; serial += 1) {
    const bytes = sizes?.[serial % count];
    const isSerial = type === "S" && format === undefined && isNumbered(name);
    const value = isSerial
      ? { S: serialText(name, bytes ?? 12, serial) }
      : drawValue(
          { ...attribute, values },
          {
            random,
            purpose: { entity: "", attribute: name, personal: attribute.personal },
            bytes: () => bytes,
            elements: undefined,
            time: making.now - serial * 86_400_000,
          },
        );
    if (value !== undefined) pool.set(textOf(value), value);
  }
  return [...pool.values()];
}

/** As many values as keep the number of entities for one of them, in the entity that has most of them. */
function shownValues({ model, counts }: Making, { name, distinct }: Attribute): number {
  let shown = 0;
  for (const entity of model.entities.values()) {
    const stated = entity.attributes.get(name)?.distinct?.value;
    const all = entity.count?.value;
    if (stated === undefined || all === undefined || all === 0) continue;
    const made = counts.expected.get(entity.name) ?? 0;
    shown = Math.max(shown, Math.ceil((stated * made) / all));
  }
  return Math.min(shown, distinct?.value ?? shown);
}

function storedRows(
  making: Making,
  entities: readonly Entity[],
): Pick<Sample, "entities" | "items"> {
  const children = childrenOf(making);
  const instances = new Map<string, readonly Instance[]>();
  const items: StoredItem[] = [];
  for (const entity of entities) {
    const rows = making.rows.get(entity.name) ?? [];
    const newest = newestOf(rows, making.versionOf(entity));
    const random = making.random(entity.name, "shards");
    const made = rows.map((row): Instance => {
      const embedded = (inner: string): readonly Instance["values"][] =>
        (children.get(row) ?? []).flatMap((one) =>
          one.row.entity.name === inner ? [one.row.values] : [],
        );
      return { values: row.values, embedded, latest: newest.has(row) };
    });
    instances.set(entity.name, made);
    for (const [place, instance] of made.entries()) {
      const now = rows[place]?.born ?? making.now;
      const writing = { shard: (count: number) => random.below(count), now };
      items.push(...itemsOf(making.model, entity, instance, writing));
    }
  }
  return { entities: instances, items };
}

/** Those rows that no other version comes after. */
function newestOf(rows: readonly Row[], version: string | undefined): ReadonlySet<Row> {
  if (version === undefined) return new Set(rows);
  const newest = new Map<string, Row>();
  for (const row of rows) {
    const values = new Map([...row.values].filter(([name]) => name !== version));
    const key = idOf({ ...row, values });
    const other = newest.get(key);
    const isLater =
      Number(textOf(row.values.get(version))) > Number(textOf(other?.values.get(version)));
    if (other === undefined || isLater) newest.set(key, row);
  }
  return new Set(newest.values());
}
