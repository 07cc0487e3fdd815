import { type Dialect, defaultDialect } from "../api/dialect.ts";
import type { Clock } from "../base/clock.ts";
import type { MaybePromise } from "../base/maybe-promise.ts";
import { Database } from "../engine/database.ts";
import { type VerifyReport, verify } from "../engine/verify.ts";
import { contributors } from "../operations/contributors.ts";
import { execute } from "../operations/execute.ts";
import { type ContributorReport, Insights } from "../operations/insights.ts";
import type { Context } from "../operations/operation.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Store } from "../storage/store.ts";

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
  /** How long tables report CREATING, UPDATING or DELETING; 0 by default. */
  readonly transitionMs?: number;
}

/** On whose behalf an operation runs: tables of different callers know nothing of each other. */
export interface Caller {
  readonly account: string;
  readonly region: string;
}

/** All that a door can ask. */
export interface Workbench {
  /** Runs one DynamoDB operation; throws ServiceError. The answer may hold RawJson. */
  execute(operation: string, body: unknown, caller: Caller): MaybePromise<object>;
  /** Resolves when nothing goes on in the background, such as the building of an index. */
  idle(): Promise<void>;
  verify(): Promise<VerifyReport>;
  /**
   * The most accessed and most throttled keys of a table or of one of its global indexes; undefined
   * where Contributor Insights are not enabled. Throws ServiceError if there is no such table or index.
   */
  contributors(
    table: string,
    index: string | undefined,
    caller: Caller,
  ): Promise<ContributorReport | undefined>;
  close(): Promise<void>;
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
  const { clock, transitionMs, dialect = defaultDialect } = options;
  const database = await Database.open(store, {
    ...(clock !== undefined && { clock }),
    ...(transitionMs !== undefined && { transitionMs }),
  });
  const insights = new Insights(() => database.clock.now());
  const contextOf = ({ account, region }: Caller): Context => ({
    database,
    namespace: `${account}/${region}`,
    account,
    region,
    dialect,
    insights,
  });
  return {
    execute: (operation, body, caller) => execute(contextOf(caller), operation, body),
    idle: () => database.jobs.idle(),
    verify: async () => {
      await database.jobs.idle();
      return verify(store);
    },
    contributors: (table, index, caller) => contributors(contextOf(caller), table, index),
    close: () => database.close(),
  };
}
