import { own } from "../../../base/record.ts";
import type { AttributeValue, Item } from "../../../item/attribute-value.ts";
import { equalValues } from "../../../item/compare.ts";
import type { KeyText } from "../../../model/key-text.ts";
import { shown } from "../../proof/compare.ts";
import type { StoredRecord } from "../../records/record.ts";
import { imageId, imagesOf, keyOf } from "./images.ts";
import type { Side } from "./side.ts";
import { sent, type World, writingOf } from "./world.ts";

/** A part of a key that is drawn or depends on the moment: another writing makes another one. */
export function isDrawn(text: KeyText): boolean {
  return text.segments.some((one) => one.kind === "shard" && one.by.kind !== "calculated");
}

/** Why the items of a kind cannot be worked out from an entity's values alone. */
export function whyNot({ role, table, key, attributes, name }: StoredRecord): string | undefined {
  if (role === "latest") return `${name} is a copy of the newest version`;
  if (table.periods !== undefined)
    return `${table.name} has a table for each ${table.periods.every}`;
  if (key.some(({ text }) => isDrawn(text))) return `the key of ${name} is drawn`;
  const inner = attributes.find(({ content }) => content.kind === "embedded");
  return inner === undefined ? undefined : `${inner.name} of ${name} holds other entities`;
}

export interface Compared {
  readonly items: number;
  /** What is not as it should be, in sentences. */
  readonly wrong: readonly string[];
}

const shownMax = 5;

/**
 * Holds every item of the tables of some designs against what they should hold. `strict`: nothing else may be there,
 * neither items nor attributes.
 */
export async function compareTables(
  world: World,
  sides: readonly Side[],
  strict: boolean,
): Promise<Compared> {
  const wrong: string[] = [];
  const tables = comparable(sides);
  const expected = new Map<string, Wanted>();
  for (const entity of entitiesOf(sides)) {
    for (const values of world.ledger.store.all(entity)) {
      for (const [id, image] of imagesOf(sides, entity, values, writingOf(world))) {
        const { table, item, kind } = image;
        if (tables.has(table)) expected.set(id, { entity, item, isPart: kind === "split" });
      }
    }
  }
  let items = 0;
  for (const [table, { key, drawn }] of tables) {
    for await (const item of itemsIn(world, table)) {
      items += 1;
      const id = imageId({ table, key: keyOf(item, key) });
      const wanted = expected.get(id);
      expected.delete(id);
      if (wanted === undefined) {
        if (strict)
          wrong.push(`${table} has an item that should not be there: ${textOf(item, key)}`);
        continue;
      }
      const differs = differing(wanted, item, drawn, strict);
      if (differs !== undefined) {
        wrong.push(`${wanted.entity} in ${table} under ${textOf(item, key)}: ${differs}`);
      }
    }
  }
  for (const [id, { entity, item }] of expected) {
    wrong.push(
      `${entity} is not in its table: ${id} should hold ${shown(new Map(Object.entries(item)), undefined)}`,
    );
  }
  const more = wrong.length - shownMax;
  return {
    items,
    wrong: [...wrong.slice(0, shownMax), ...(more > 0 ? [`… and ${more} more`] : [])],
  };
}

interface Wanted {
  readonly entity: string;
  readonly item: Item;
  readonly isPart: boolean;
}

function entitiesOf(sides: readonly Side[]): ReadonlySet<string> {
  return new Set(
    sides.flatMap((side) => [...side.model.entities.keys()].map((name) => side.common(name))),
  );
}

interface TableShape {
  readonly key: readonly (string | undefined)[];
  /** Attributes that are drawn when they are written. */
  readonly drawn: ReadonlySet<string>;
}

/** Tables whose items can be worked out, with their keys. */
function comparable(sides: readonly Side[]): ReadonlyMap<string, TableShape> {
  const tables = new Map<string, TableShape>();
  const out = new Set<string>();
  for (const { facts, model } of sides) {
    for (const record of facts.records) {
      if (whyNot(record) !== undefined) out.add(record.table.name);
    }
    for (const table of model.design?.tables.values() ?? []) {
      const drawn = facts.records
        .filter((one) => one.table.name === table.name)
        .flatMap(({ attributes }) =>
          attributes.flatMap(({ name, content }) =>
            content.kind === "key" && isDrawn(content.text) ? [name] : [],
          ),
        );
      const known = tables.get(table.name)?.drawn ?? [];
      tables.set(table.name, {
        key: [table.partition.name, table.sort?.name],
        drawn: new Set([...known, ...drawn]),
      });
    }
  }
  return new Map([...tables].filter(([name]) => !out.has(name)));
}

async function* itemsIn(world: World, TableName: string): AsyncGenerator<Item> {
  let start: Item | undefined;
  do {
    const page: { readonly Items?: readonly Item[]; readonly LastEvaluatedKey?: Item } = await sent(
      world,
      "Scan",
      { TableName, ConsistentRead: true, ...(start !== undefined && { ExclusiveStartKey: start }) },
    );
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

function differing(
  { item: wanted, isPart }: Wanted,
  item: Item,
  drawn: ReadonlySet<string>,
  strict: boolean,
): string | undefined {
  for (const name of new Set([...Object.keys(wanted), ...(strict ? Object.keys(item) : [])])) {
    const [is, should] = [own(item, name), own(wanted, name)];
    // A part that an update has made holds what was updated, and not whose it is: its key says so.
    if (isPart && is === undefined) continue;
    if (drawn.has(name) && is !== undefined && should !== undefined) continue;
    if (is !== undefined && should !== undefined && equalValues(is, should)) continue;
    if (text(name, is) !== text(name, should)) {
      return `${name} is ${JSON.stringify(is)}, and should be ${JSON.stringify(should)}`;
    }
  }
  return undefined;
}

function text(name: string, value: AttributeValue | undefined): string {
  return value === undefined ? "" : shown(new Map([[name, value]]), undefined);
}

function textOf(item: Item, key: readonly (string | undefined)[]): string {
  return JSON.stringify(keyOf(item, key));
}

/** Why a move cannot be rehearsed, in sentences. */
export function hindrances(sides: readonly Side[], moved: ReadonlySet<string>): readonly string[] {
  return sides.flatMap(({ facts, common }) =>
    facts.records.flatMap((record) => {
      const why = moved.has(common(record.entity.name)) ? whyNot(record) : undefined;
      return why === undefined ? [] : [why];
    }),
  );
}
