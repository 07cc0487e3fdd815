import { own } from "../../base/record.ts";
import type { Item } from "../../item/attribute-value.ts";
import { equalValues, itemsEqual } from "../../item/compare.ts";
import type { Entity } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Execute } from "../requests/run.ts";
import type { StoredItem } from "../values/item-of.ts";
import type { EntityValues } from "../values/render-key.ts";
import { storedIdText } from "./identity.ts";
import { loadedAt, loadedMoments } from "./loading.ts";
import type { State } from "./oracle/state.ts";
import { readable } from "./readable.ts";
import { insideOf, itemsFor, placeOf } from "./store.ts";
import type { TriedDesign } from "./trial.ts";

/** In more places than this an item is not looked for. */
const candidatesMax = loadedMoments;

export interface Audit {
  readonly what: string;
  readonly expected: readonly string[];
  readonly got: readonly string[];
}

/**
 * Looks at the items of entities that were written: all that the design keeps for them is there and as it should be, and
 * nothing is left of what was. So a key of an index that nobody reads yet is right, too.
 */
export async function audit(
  { facts, tables, now }: TriedDesign,
  before: State,
  after: State,
  execute: Execute,
): Promise<Audit | undefined> {
  for (const [name, list] of after) {
    const entity = facts.model.entities.get(name);
    if (entity === undefined) continue;
    const old = before.get(name) ?? [];
    const [were, are] = [new Set(old), new Set(list)];
    const gone = old.filter((one) => !are.has(one));
    const changed = innerOf(facts, entity).filter((one) => before.get(one) !== after.get(one));
    const come = list.filter(
      (one) => !were.has(one) || isOtherInside(facts, entity, one, changed, before, after),
    );
    if (gone.length + come.length === 0) continue;
    const look = new Look(facts, entity, tables, execute, now);
    for (const values of [...come, ...bystanders(entity, list, come, [...gone, ...come])]) {
      const found = await look.isThere(values, after);
      if (found !== undefined) return found;
    }
    for (const values of gone) {
      const found = await look.isGone(values, before, after);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Looks at the items of some entities. */
export async function auditStored(
  { facts, tables, now }: TriedDesign,
  state: State,
  watched: ReadonlyMap<string, readonly EntityValues[]>,
  execute: Execute,
): Promise<Audit | undefined> {
  for (const [name, list] of watched) {
    const entity = facts.model.entities.get(name);
    if (entity === undefined) continue;
    const look = new Look(facts, entity, tables, execute, now);
    for (const values of list) {
      const found = await look.isThere(values, state);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Entities that lie inside of it are not those that did. */
function isOtherInside(
  facts: Facts,
  entity: Entity,
  values: EntityValues,
  embedded: readonly string[],
  before: State,
  after: State,
): boolean {
  return embedded.some((inner) => {
    const [old, now] = [before, after].map((state) =>
      insideOf(facts, entity, values, inner, state),
    );
    return old?.length !== now?.length || old?.some((one, i) => one !== now?.[i]);
  });
}

function innerOf({ records }: Facts, entity: Entity): readonly string[] {
  return records.flatMap((record) =>
    record.entity === entity
      ? record.attributes.flatMap(({ content }) =>
          content.kind === "embedded" ? [content.entity.name] : [],
        )
      : [],
  );
}

const bystandersMax = 4;

/**
 * Others of the same kind: they must be as they were. Those come first whose id is nearly the same, and of them those
 * that have most to lose.
 */
function bystanders(
  entity: Entity,
  list: readonly EntityValues[],
  come: readonly EntityValues[],
  touched: readonly EntityValues[],
): readonly EntityValues[] {
  const own = new Set(come);
  const near = (one: EntityValues): number =>
    Math.max(...touched.map((other) => sharedParts(entity, one, other)));
  return list
    .filter((one) => !own.has(one))
    .map((one) => ({ one, parts: near(one) }))
    .toSorted((a, b) => b.parts - a.parts || b.one.size - a.one.size)
    .slice(0, bystandersMax)
    .map(({ one }) => one);
}

function sharedParts({ id }: Entity, one: EntityValues, other: EntityValues): number {
  return id.filter((name) => {
    const [a, b] = [one.get(name), other.get(name)];
    return a !== undefined && b !== undefined && equalValues(a, b);
  }).length;
}

function isSameValue(one: Item, other: Item, name: string): boolean {
  const [a, b] = [own(one, name), own(other, name)];
  return a !== undefined && b !== undefined && equalValues(a, b);
}

class Look {
  private readonly facts: Facts;
  private readonly entity: Entity;
  private readonly tables: ReadonlySet<string>;
  private readonly execute: Execute;
  private readonly now: number;
  /** Items by table and key. */
  private readonly known = new Map<string, Item | undefined>();

  constructor(
    facts: Facts,
    entity: Entity,
    tables: ReadonlySet<string>,
    execute: Execute,
    now: number,
  ) {
    this.facts = facts;
    this.entity = entity;
    this.tables = tables;
    this.execute = execute;
    this.now = now;
  }

  /** The items of an entity, once for each shard and moment that they may be of; most are found in the first place. */
  private *candidates(values: EntityValues, state: State): Generator<readonly StoredItem[]> {
    let most = 1;
    const draw = (shard: number) => (count: number) => {
      most = Math.max(most, count);
      return shard % count;
    };
    const { now } = this;
    // What was loaded was written at other moments.
    const time = (shard: number): number => {
      most = Math.max(most, loadedMoments);
      return loadedAt(now, shard);
    };
    for (let shard = 0; shard < most; shard += 1) {
      const writing = {
        shard: draw(shard),
        get now() {
          return time(shard);
        },
      };
      const items = itemsFor(this.facts, this.entity, values, state, writing);
      if (most > candidatesMax) return;
      yield items.filter(({ table }) => this.tables.has(table));
    }
  }

  /** Nothing is written during an audit, so each item is read once. */
  private async at(one: StoredItem): Promise<Item | undefined> {
    const { table, key, names } = placeOf(this.facts, one);
    const place = `${table} ${key}`;
    if (this.known.has(place)) return this.known.get(place);
    const keys = Object.fromEntries(names.map((name) => [name, one.item[name]]));
    const request = { TableName: table, Key: keys, ConsistentRead: true };
    const { Item: item } = (await this.execute("GetItem", request)) as { readonly Item?: Item };
    this.known.set(place, item);
    return item;
  }

  async isThere(values: EntityValues, state: State): Promise<Audit | undefined> {
    let wanted: readonly StoredItem[] | undefined;
    const near: Item[] = [];
    /** Attributes of each item that have not been as in a candidate yet: each of them draws a shard of its own. */
    const differing: ReadonlySet<string>[] = [];
    let open: readonly number[] = [];
    for (const candidate of this.candidates(values, state)) {
      if (wanted === undefined) [wanted, open] = [candidate, [...candidate.keys()]];
      for (const i of open) {
        const one = candidate[i]?.item;
        const item = candidate[i] && (await this.at(candidate[i]));
        if (one === undefined || item === undefined) continue;
        const before = near[i] === item ? differing[i] : undefined;
        const names = before ?? new Set([...Object.keys(one), ...Object.keys(item)]);
        near[i] = item;
        differing[i] = new Set([...names].filter((name) => !isSameValue(one, item, name)));
      }
      open = open.filter((i) => differing[i]?.size !== 0);
      if (open.length === 0) return undefined;
    }
    const [missed] = open;
    const [first, found] = missed === undefined ? [] : [wanted?.[missed], near[missed]];
    if (first === undefined) return undefined;
    return {
      what: `an item of ${this.entity.name} in ${first.table} is not as the design has it`,
      expected: [readable(Object.entries(first.item))],
      got: [found === undefined ? "nothing" : readable(Object.entries(found))],
    };
  }

  async isGone(values: EntityValues, before: State, after: State): Promise<Audit | undefined> {
    const id = storedIdText(this.entity, values);
    const now = (after.get(this.entity.name) ?? []).filter(
      (one) => storedIdText(this.entity, one) === id,
    );
    const kept = new Set(
      now.flatMap((one) =>
        [...this.candidates(one, after)].flatMap((items) => items.map((item) => this.place(item))),
      ),
    );
    for (const one of [...this.candidates(values, before)].flat()) {
      if (one.kind === "latest" || kept.has(this.place(one))) continue;
      const item = await this.at(one);
      if (item === undefined || this.isOthers(item, after)) continue;
      return {
        what: `an item of ${this.entity.name} in ${one.table} is left behind`,
        expected: ["nothing"],
        got: [readable(Object.entries(item))],
      };
    }
    return undefined;
  }

  private place(one: StoredItem): string {
    const { table, key } = placeOf(this.facts, one);
    return JSON.stringify([table, key]);
  }

  /** Another entity that has the same key now: its own items are looked at for themselves. */
  private isOthers(item: Item, after: State): boolean {
    return (after.get(this.entity.name) ?? []).some((values) =>
      [...this.candidates(values, after)].some((items) =>
        items.some((one) => itemsEqual(one.item, item)),
      ),
    );
  }
}
