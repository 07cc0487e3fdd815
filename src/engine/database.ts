import { resourceNotFound, tableNotFound } from "../api/errors/table.ts";
import { recoveryLagSeconds } from "../api/limits.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import type { MaybePromise } from "../base/maybe-promise.ts";
import type { Bytes, Store, Totals } from "../storage/store.ts";
import { Backups } from "./backups.ts";
import { Catalog, isGone } from "./catalog.ts";
import { type TableDescriptor, tableStatus } from "./descriptor.ts";
import { Followers } from "./followers.ts";
import { Histories } from "./histories.ts";
import { HistoryKeeper } from "./history-keeper.ts";
import { type Backfilled, Jobs } from "./jobs.ts";
import { counterName } from "./layout.ts";
import { Notes } from "./notes.ts";
import { QuietTimes } from "./quiet-times.ts";
import { type Page, type PageRequest, readPage } from "./read.ts";
import { StoredItem } from "./stored-item.ts";
import { StreamKeeper } from "./stream-keeper.ts";
import { type Partitions, Streams } from "./streams.ts";
import { ReplayedTransaction, sweepTokens } from "./tokens.ts";
import { expiryOf } from "./ttl-queue.ts";
import { type Expired, Sweeper } from "./ttl-sweeper.ts";
import {
  StaleTableError,
  type WriteAction,
  type WriteOptions,
  type WriteOutcome,
  write,
} from "./write.ts";

export interface DatabaseOptions {
  readonly clock?: Clock;
  /** How long a table reports CREATING, UPDATING or DELETING. */
  readonly transitionMs?: number;
  /** Is told what the building of an index has written. */
  readonly backfilled?: Backfilled;
  /** Is told of every table that this process has changed. */
  readonly changed?: (table: TableDescriptor) => void;
  /** By default a table is one partition, and its stream one shard. */
  readonly partitions?: Partitions;
  /** How many seconds after its expiry an item is deleted; `false`: not by this process. */
  readonly ttlDelay?: number | false;
  /** Is told what was deleted because it had expired. */
  readonly expired?: Expired;
  /** How many seconds old the latest moment is to which a table can be restored. */
  readonly recoveryLag?: number;
  /** How much of the time since it was asked last this thread was busy. */
  readonly share?: () => number;
}

const sweepEveryMs = 60_000;

/** Tables and items in a store: all that operations build on. */
export class Database {
  readonly store: Store;
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly jobs: Jobs;
  readonly streams: Streams;
  readonly notes: Notes;
  readonly followers = new Followers();
  readonly streamKeeper: StreamKeeper;
  readonly histories: Histories;
  readonly backups: Backups;
  readonly historyKeeper: HistoryKeeper;
  readonly transitionMs: number;
  readonly recoveryLagMs: number;
  readonly #quietTimes: QuietTimes;
  readonly #sweeper: Sweeper;
  #sweptAt = 0;

  private constructor(store: Store, options: DatabaseOptions) {
    this.store = store;
    this.clock = options.clock ?? systemClock;
    this.transitionMs = options.transitionMs ?? 0;
    this.recoveryLagMs = (options.recoveryLag ?? recoveryLagSeconds) * 1_000;
    const changed = (table: TableDescriptor): void => {
      this.#sweeper.follow(table);
      options.changed?.(table);
    };
    this.catalog = new Catalog(store, changed, this.followers);
    this.notes = new Notes(store);
    this.jobs = new Jobs(store, this.catalog, {
      ...(options.backfilled !== undefined && { backfilled: options.backfilled }),
      queued: (table, seconds) => this.#sweeper.expect(table, seconds),
      now: () => this.clock.now(),
    });
    this.histories = new Histories(store, this.catalog, this.jobs, this.clock);
    this.backups = new Backups(store, this.catalog, this.jobs, this.clock);
    this.historyKeeper = new HistoryKeeper(
      store,
      this.catalog,
      this.histories,
      this.backups,
      this.clock,
    );
    this.#sweeper = new Sweeper(store, this.catalog, {
      clock: this.clock,
      delaySeconds: options.ttlDelay === false ? 0 : (options.ttlDelay ?? 0),
      expired: (table, actions, outcomes) => {
        this.followers.written(actions);
        options.expired?.(table, actions, outcomes);
      },
    });
    const partitions = options.partitions ?? (() => [0]);
    this.streams = new Streams(store, this.catalog, this.clock, partitions);
    this.#quietTimes = new QuietTimes(store, this.clock, options.share);
    this.streamKeeper = new StreamKeeper(store, this.catalog, this.streams, this.clock);
  }

  static async open(store: Store, options: DatabaseOptions = {}): Promise<Database> {
    const database = new Database(store, options);
    await database.catalog.watch((namespace, name) => database.#changedElsewhere(namespace, name));
    await database.jobs.resume();
    if (options.ttlDelay !== false) database.#sweeper.start();
    database.streamKeeper.start();
    database.historyKeeper.start();
    database.#quietTimes.start();
    return database;
  }

  #changedElsewhere(namespace: string | undefined, name: string | undefined): void {
    const look = (): void => this.#sweeper.lookAtAll();
    if (namespace === undefined || name === undefined) look();
    else {
      this.catalog
        .reload(namespace, name)
        .then((table) => table !== undefined && this.#sweeper.follow(table), look);
    }
  }

  /** A table whose items can be read and written. */
  table(namespace: string, name: string): MaybePromise<TableDescriptor> {
    const found = this.catalog.find(namespace, name);
    return found instanceof Promise
      ? found.then((table) => this.#usable(table))
      : this.#usable(found);
  }

  #usable(table: TableDescriptor | undefined): TableDescriptor {
    if (table === undefined) throw resourceNotFound();
    if (table.transition !== undefined) {
      const status = tableStatus(table, this.clock.now());
      if (status === "CREATING" || table.transition.status === "DELETING") throw resourceNotFound();
    }
    return table;
  }

  /** A table by name. As long as one is being restored, it is known only to those who ask how it is. */
  async describe(namespace: string, name: string): Promise<TableDescriptor> {
    const table = await this.describeAny(namespace, name);
    if (table.restore !== undefined) throw tableNotFound(name);
    return table;
  }

  /** A table by name, in whatever state it is. */
  async describeAny(namespace: string, name: string): Promise<TableDescriptor> {
    // Whoever waits for an index asks here again and again. That a job fails is no failure of this.
    this.jobs.takeUp().catch(() => {});
    const table = await this.catalog.find(namespace, name);
    if (table === undefined || isGone(table, this.clock.now())) throw tableNotFound(name);
    return table;
  }

  totals(id: number): MaybePromise<Totals> {
    return this.store.totals(counterName(id));
  }

  get(key: Bytes): MaybePromise<StoredItem | undefined> {
    const values = this.store.get([key]);
    return values instanceof Promise ? values.then(firstItem) : firstItem(values);
  }

  async getAll(keys: readonly Bytes[]): Promise<(StoredItem | undefined)[]> {
    const values = await this.store.get(keys);
    return values.map((value) => (value === undefined ? undefined : StoredItem.read(value)));
  }

  read(request: PageRequest): Promise<Page> {
    return readPage(this.store, request);
  }

  /**
   * Carries out actions. `plan` makes them from descriptors; it is asked again if a table changed in
   * the meantime.
   */
  async write(
    plan: () => MaybePromise<readonly WriteAction[]>,
    options: WriteOptions,
  ): Promise<readonly WriteOutcome[]> {
    for (;;) {
      const planned = plan();
      const actions = planned instanceof Promise ? await planned : planned;
      try {
        const outcomes = await write(this.store, actions, options, this.clock);
        this.#expect(actions, outcomes);
        this.followers.written(actions);
        return outcomes;
      } catch (error) {
        if (!(error instanceof StaleTableError)) {
          this.#expect(actions, undefined);
          throw error;
        }
        await this.catalog.reload(error.table.namespace, error.table.name);
      }
    }
  }

  /** Tells when items that were written expire. If a commit failed, it may have taken place all the same. */
  #expect(actions: readonly WriteAction[], outcomes: readonly WriteOutcome[] | undefined): void {
    for (let i = 0; i < actions.length; i += 1) {
      const { table } = actions[i] as WriteAction;
      if (table.timeToLive === undefined) continue;
      const after = outcomes?.[i]?.after;
      const seconds = after === undefined ? undefined : expiryOf(table.timeToLive, after.item);
      if (seconds !== undefined) this.#sweeper.expect(table, seconds);
      else if (outcomes === undefined) this.#sweeper.expect(table, 0);
    }
  }

  /** Resolves when nothing goes on behind the answers and nothing that has expired is left. */
  async idle(): Promise<void> {
    await this.jobs.idle();
    await this.#sweeper.idle();
    await this.streams.idle();
  }

  /** When the jobs are done, and while nothing is deleted that has expired or become too old. */
  async still<T>(meanwhile: () => Promise<T>): Promise<T> {
    return this.#sweeper.hold(() =>
      this.historyKeeper.hold(async () => {
        await this.jobs.idle();
        await this.streams.idle();
        return meanwhile();
      }),
    );
  }

  token(namespace: string, token: string, payload: string): ReplayedTransaction {
    const now = this.clock.now();
    if (now - this.#sweptAt >= sweepEveryMs) {
      this.#sweptAt = now;
      // A failure to tidy up is no failure of the request; the next sweep tries again.
      sweepTokens(this.store, now).catch(() => {});
    }
    return new ReplayedTransaction(namespace, token, payload, now);
  }

  async close(): Promise<void> {
    await this.#sweeper.stop();
    await this.jobs.stop();
    await this.streamKeeper.stop();
    await this.historyKeeper.stop();
    await this.#quietTimes.stop();
    await this.streams.idle();
    await this.store.close();
  }
}

function firstItem(values: readonly (Bytes | undefined)[]): StoredItem | undefined {
  const value = values[0];
  return value === undefined ? undefined : StoredItem.read(value);
}
