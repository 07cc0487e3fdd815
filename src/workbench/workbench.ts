import { type Dialect, defaultDialect } from "../api/dialect.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import type { MaybePromise } from "../base/maybe-promise.ts";
import { isGone } from "../engine/catalog.ts";
import { Database } from "../engine/database.ts";
import type { Notes } from "../engine/notes.ts";
import { type VerifyReport, verify } from "../engine/verify.ts";
import { contributors, type ResourceContributors } from "../operations/contributors.ts";
import { execute } from "../operations/execute.ts";
import { Insights } from "../operations/insights.ts";
import type { Context } from "../operations/operation.ts";
import { registry, streamRegistry } from "../operations/registry.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Store } from "../storage/store.ts";
import { Enforcement, type Split } from "../traffic/enforcement.ts";
import { Metrics } from "../traffic/metrics.ts";
import { partitionStarts } from "../traffic/partition-starts.ts";
import { Traffic } from "../traffic/traffic.ts";
import type { ObjectStore } from "../transfers/object-store.ts";
import { Transfers } from "../transfers/transfers.ts";
import { type LoadRequest, type LoadResult, loadTable } from "./load-table.ts";
import { type Measurement, measurements } from "./measurements.ts";

export interface WorkbenchOptions {
  /** The folder that keeps the data; without one, tables live in memory. */
  readonly data?: string;
  /** Instead of a folder: the URL of a PostgreSQL database. */
  readonly store?: string;
  /** What acknowledged means: flushed to disk (default), or handed to the operating system. */
  readonly durability?: "flush" | "relaxed";
  /** The error texts of the service as of then. */
  readonly dialect?: Dialect;
  readonly clock?: Clock;
  /** The host and port of the server, if there is one. */
  readonly address?: () => string;
  /** How long tables report CREATING, UPDATING or DELETING; 0 by default. */
  readonly transitionMs?: number;
  /**
   * Requests beyond a table's throughput are throttled, as the service does; by default none is. All
   * limits are multiplied with `scale`, so that few requests can show what many would meet.
   */
  readonly enforceCapacity?: boolean | { readonly scale: number };
  /** How many seconds after its time to live an item is deleted, 0 by default; `false`: not by this process. */
  readonly ttlDelay?: number | false;
  /** A folder that stands for Amazon S3, for exports and imports: its sub-folders are the buckets. */
  readonly s3Folder?: string;
  /** How many seconds old the latest moment is to which a table can be restored: 300 by default. */
  readonly pitrLag?: number;
  /** Instead of that folder: anything that holds objects. */
  readonly objects?: ObjectStore;
}

/** On whose behalf an operation runs: tables of different callers know nothing of each other. */
export interface Caller {
  readonly account: string;
  readonly region: string;
}

/** All that a door can ask. */
export interface Workbench {
  /** Runs one DynamoDB operation; throws ServiceError. The answer may hold RawJson; a few have none. */
  execute(operation: string, body: unknown, caller: Caller): MaybePromise<object | undefined>;
  /** Resolves when nothing goes on in the background, such as the building of an index, and nothing is left
   * of what should have been deleted by now because its time to live is over. */
  idle(): Promise<void>;
  verify(): Promise<VerifyReport>;
  /** Whoever goes through a whole table calls it after each page: what was read for it need not stay in memory. */
  stepDone(): void;
  /** Splits a shard of a table's stream in two, as the service does when a partition is too busy or too large. */
  splitShard(table: string, shardId: string, caller: Caller): Promise<void>;
  /**
   * The most accessed and most throttled keys of all tables and global indexes that have Contributor
   * Insights enabled, for all callers together, or only of those with that name.
   */
  contributors(table?: string, index?: string): Promise<readonly ResourceContributors[]>;
  /** The service's metrics, as far as they apply here, for all callers together. */
  measurements(): Promise<readonly Measurement[]>;
  /** All tables of everybody. */
  tables(): Promise<readonly { readonly name: string; readonly caller: Caller }[]>;
  /** Makes a table and fills it with the items of objects; nobody sees it before all of them are there. */
  load(request: LoadRequest, caller: Caller): Promise<LoadResult>;
  /** Who has a table of that name. */
  owners(table: string): Promise<readonly Caller[]>;
  /** Calls `told` when there is something new in a table or its stream, until it is told to stop. */
  follow(told: (news: TableNews) => void): () => void;
  /** Small texts that a door wants to remember; they live as long as the data does. */
  readonly notes: Pick<Notes, "read" | "write" | "names">;
  close(): Promise<void>;
}

/** Undefined members: it is not known which table. What other processes write to streams is not told. */
export interface TableNews {
  readonly what: "table" | "records";
  readonly table: string | undefined;
  readonly caller: Caller | undefined;
}

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const store = await openStore(options);
  try {
    return await workbenchOn(store, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A store's library is loaded only when it is used: memory starts without any. */
async function openStore({ data, store, durability }: WorkbenchOptions): Promise<Store> {
  if (store !== undefined) {
    const { openPostgresStore } = await import("../storage/postgres/postgres-store.ts");
    return openPostgresStore({ url: store, durability: durability ?? "flush" });
  }
  if (data === undefined) return openMemoryStore();
  const { openLmdbStore } = await import("../storage/lmdb/lmdb-store.ts");
  return openLmdbStore({ path: data, durability: durability ?? "flush" });
}

/** A workbench on a store that is already open. */
export async function workbenchOn(
  store: Store,
  options: Omit<WorkbenchOptions, "data" | "store" | "durability"> = {},
): Promise<Workbench> {
  const { clock = systemClock, transitionMs, ttlDelay, pitrLag } = options;
  const { dialect = defaultDialect, address = () => "localhost" } = options;
  const insights = new Insights(() => clock.now());
  const traffic = new Traffic({
    metrics: new Metrics(),
    keys: insights,
    enforcement: enforcementOf(clock, options.enforceCapacity, (table, places) =>
      database.streams.splitSoon(table, places),
    ),
    elapsed: () => performance.now(),
  });
  const database: Database = await Database.open(store, {
    clock,
    ...(transitionMs !== undefined && { transitionMs }),
    ...(ttlDelay !== undefined && { ttlDelay }),
    ...(pitrLag !== undefined && { recoveryLag: pitrLag }),
    backfilled: (table, index, sizes) => traffic.backfilled(table, index, sizes),
    changed: (table) => traffic.enforcement?.follow(table),
    partitions: (table, bytes) => partitionStarts(traffic.enforcement, table, bytes),
    expired: (table, actions, outcomes) => traffic.expired(table, actions, outcomes),
  });
  const transfers = new Transfers(database, options.objects ?? (await objectsOf(options.s3Folder)));
  await transfers.resume();
  const contextOf = (caller: Caller): Context => ({
    database,
    namespace: namespaceOf(caller),
    account: caller.account,
    region: caller.region,
    dialect,
    address,
    insights,
    traffic,
    transfers,
    startedAt: performance.now(),
  });
  const failures = new Map<string, (error: unknown) => never>();
  for (const name of [...registry.keys(), ...streamRegistry.keys()])
    failures.set(name, failureOf(traffic, name));
  const unknown = failureOf(traffic, "unknown");
  return {
    execute: (operation, body, caller) => {
      const failed = failures.get(operation) ?? unknown;
      try {
        const answer = execute(contextOf(caller), operation, body);
        return answer instanceof Promise ? answer.catch(failed) : answer;
      } catch (error) {
        return failed(error);
      }
    },
    idle: async () => {
      await transfers.idle();
      await database.idle();
    },
    splitShard: (table, shardId, caller) =>
      database.streams.splitShard(namespaceOf(caller), table, shardId),
    verify: async () => {
      await transfers.idle();
      return database.still(() => verify(store));
    },
    stepDone: () => store.stepDone?.(),
    contributors: (table, index) => contributors(database, insights, table, index),
    measurements: () => measurements(database, traffic),
    tables: async () => {
      const all = await database.catalog.all();
      const there = all.filter((table) => !isGone(table, clock.now()));
      return there.map(({ name, namespace }) => ({ name, caller: callerOf(namespace) }));
    },
    load: (request, caller) => loadTable(contextOf(caller), request),
    owners: async (name) => {
      const tables = (await database.catalog.all()).filter((table) => table.name === name);
      return tables.map(({ namespace }) => callerOf(namespace));
    },
    follow: (told) =>
      database.followers.follow(({ what, table }) =>
        told({ what, table: table?.name, caller: table && callerOf(table.namespace) }),
      ),
    notes: database.notes,
    close: async () => {
      await transfers.stop();
      await database.close();
    },
  };
}

/** Loaded only when there is a folder: hardly anybody has one. */
async function objectsOf(folder: string | undefined): Promise<ObjectStore | undefined> {
  if (folder === undefined) return undefined;
  const { FolderObjects } = await import("./folder-objects.ts");
  return new FolderObjects(folder);
}

function namespaceOf({ account, region }: Caller): string {
  return `${account}/${region}`;
}

function callerOf(namespace: string): Caller {
  const [account = "", region = ""] = namespace.split("/");
  return { account, region };
}

function enforcementOf(
  clock: Clock,
  option: WorkbenchOptions["enforceCapacity"] = false,
  split: Split,
): Enforcement | undefined {
  if (option === false) return undefined;
  return new Enforcement(clock, option === true ? 1 : option.scale, split);
}

function failureOf(traffic: Traffic, operation: string): (error: unknown) => never {
  return (error) => {
    traffic.metrics.failed(operation, error);
    throw error;
  };
}
