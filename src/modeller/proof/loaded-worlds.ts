/**
 * Opens worlds that are loaded with all entities of a state. A world is a fork of one that was loaded before, if that one
 * has the same tables: then only the items that differ are written. Worlds are isolated from each other.
 */

import type { CreateTableRequest } from "../../api/requests/create-table.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import { itemsEqual } from "../../item/compare.ts";
import type { Facts } from "../facts.ts";
import { type TableRequests, tableRequests } from "../requests/table-requests.ts";
import type { Writing } from "../values/render-key.ts";
import { loading } from "./loading.ts";
import type { State } from "./oracle/state.ts";
import { type Stored, storedFor } from "./store.ts";
import type { TriedDesign } from "./trial.ts";
import type { OpenWorld, World } from "./world.ts";

/** A loaded world that no pattern is tried on. */
interface Base {
  readonly world: World;
  readonly stored: Stored;
}

interface OpenOptions {
  readonly isOnce?: boolean;
  readonly isSmall?: boolean;
  /** The shards and moments of the items; varied unless stated. */
  readonly writing?: Writing;
}

type Items = ReadonlyMap<string, Item>;

interface WriteRequest {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

/** Requests of one BatchWriteItem. */
const batchMax = 25;

export class LoadedWorlds {
  private readonly openTables: OpenWorld;
  /** By the definitions of the tables. */
  private readonly bases = new Map<string, Base>();
  /** Worlds without items, by the definitions of the tables. */
  private readonly empty = new Map<string, World>();
  private readonly stored = new WeakMap<State, WeakMap<Facts, Stored>>();

  constructor(openTables: OpenWorld) {
    this.openTables = openTables;
  }

  /**
   * A new world with the tables of a design, in which every entity is stored as the design states. Unless the state is
   * tried only once, later worlds are forks of it. A small state is loaded into empty tables.
   */
  async open(
    design: TriedDesign,
    state: State,
    { isOnce = false, isSmall = false, writing }: OpenOptions = {},
  ): Promise<World> {
    const { facts, right, tables } = design;
    const stored = writing
      ? storedFor(facts, state, tables, writing)
      : this.storedBy(design, state);
    const requests = requestsFor(design);
    const definitions = definitionsOf(requests);
    const base = isSmall ? undefined : this.bases.get(definitions);
    const world = isSmall
      ? await this.openEmpty(definitions, design)
      : await (base?.world.fork() ?? this.openTables(facts.model, tables));
    try {
      for (const name of new Set([...(base?.stored.keys() ?? []), ...stored.keys()])) {
        const before: Items = base?.stored.get(name) ?? new Map();
        const after: Items = stored.get(name) ?? new Map();
        if (before !== after)
          await write(world, name, changesOf(keyOf(requests, name), before, after));
      }
      // Mutants of a pattern follow its original, so what is loaded for that is nearest to what they need.
      if (facts === right && !isOnce && !isSmall && base?.stored !== stored) {
        await base?.world.close();
        this.bases.set(definitions, { world: await world.fork(), stored });
      }
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  private async openEmpty(definitions: string, { facts, tables }: TriedDesign): Promise<World> {
    const world = this.empty.get(definitions) ?? (await this.openTables(facts.model, tables));
    this.empty.set(definitions, world);
    return world.fork();
  }

  async close(): Promise<void> {
    const bases = [...this.bases.values()].map(({ world }) => world);
    for (const world of [...bases, ...this.empty.values()]) await world.close();
    this.bases.clear();
    this.empty.clear();
  }

  private storedBy({ facts, tables, now }: TriedDesign, state: State): Stored {
    const byFacts = this.stored.get(state) ?? new WeakMap<Facts, Stored>();
    this.stored.set(state, byFacts);
    const stored = byFacts.get(facts) ?? storedFor(facts, state, tables, loading(now));
    byFacts.set(facts, stored);
    return stored;
  }
}

async function write(world: World, table: string, list: readonly WriteRequest[]): Promise<void> {
  for (let at = 0; at < list.length; at += batchMax) {
    const requests = { [table]: list.slice(at, at + batchMax) };
    await world.execute("BatchWriteItem", { RequestItems: requests });
  }
}

function requestsFor({ facts: { model }, tables, now }: TriedDesign): readonly TableRequests[] {
  return tableRequests(model, now).filter(({ table }) => tables.has(table.name));
}

/** The same for tables that behave the same. */
function definitionsOf(requests: readonly TableRequests[]): string {
  return JSON.stringify(requests.map(({ create, ttl, scaling }) => [create, ttl, scaling]));
}

/** The key of a table, or of a table for any of its periods. */
function keyOf(
  requests: readonly TableRequests[],
  name: string,
): CreateTableRequest["KeySchema"] | undefined {
  const request = requests.find(
    ({ table, create }) =>
      create.TableName === name ||
      (table.periods !== undefined && name.startsWith(`${table.name}-`)),
  );
  return request?.create.KeySchema;
}

/** What turns one content of a table into another one. */
function changesOf(
  key: CreateTableRequest["KeySchema"] = [],
  before: Items,
  after: Items,
): readonly WriteRequest[] {
  const deletes = [...before].flatMap(([place, item]): WriteRequest[] => {
    if (after.has(place)) return [];
    const names = key.map(({ AttributeName: name }) => name);
    const Key = Object.fromEntries(names.map((name) => [name, item[name] as AttributeValue]));
    return [{ DeleteRequest: { Key } }];
  });
  const puts = [...after].flatMap(([place, item]): WriteRequest[] => {
    const old = before.get(place);
    const isThere = old !== undefined && itemsEqual(old, item);
    return isThere ? [] : [{ PutRequest: { Item: item } }];
  });
  return [...deletes, ...puts];
}
