import type { Pool } from "pg";
import { assert } from "../../base/assert.ts";
import { compareBytes } from "../bytes.ts";
import { StoreClosedError } from "../errors.ts";
import type {
  Bytes,
  Decision,
  Durability,
  KeyRange,
  ScanOptions,
  ScanPage,
  Store,
  Totals,
  Write,
} from "../store.ts";
import { explainFailure, failureSentence, type PostgresPlace, parseAddress } from "./address.ts";
import { CommitQueue } from "./commit-queue.ts";
import { clientConfig, closePool, makePool, withRetries } from "./connections.ts";
import { Counters } from "./counters.ts";
import { asFailure } from "./errors.ts";
import { lockName } from "./key-hash.ts";
import { LogHorizon } from "./log-horizon.ts";
import { ReadQueue } from "./read-queue.ts";
import { Scanner } from "./scanner.ts";
import { prepareSchema, tablesOf } from "./schema.ts";
import { Statements } from "./statements.ts";
import { Watcher } from "./watcher.ts";

const defaultSchema = "keywright";
const defaultConnections = 10;
const clearChunkKeys = 400;

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`; may name `schema` and `connections` too. */
  readonly url: string;
  /** Default `flush`: an acknowledged commit is on the server's disk. */
  readonly durability?: Durability;
  /** The schema that holds the tables; stores in different schemas do not meet. */
  readonly schema?: string;
  /** Half of them write; one more listens to other processes. */
  readonly connectionsMax?: number;
}

/** Throws `StoreConnectionError` or `StoreFormatError` if the database cannot be used. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const address = parseAddress(options.url);
  const schema = options.schema ?? address.schema ?? defaultSchema;
  const connectionsMax = options.connectionsMax ?? address.connectionsMax ?? defaultConnections;
  assert(connectionsMax >= 2, "reads and writes have connections of their own");
  const connection = {
    connectionString: address.connectionString,
    durability: options.durability ?? "flush",
  };
  const writersMax = Math.floor(connectionsMax / 2);
  const writers = makePool(connection, writersMax);
  const readers = makePool(connection, connectionsMax - writersMax);
  try {
    const client = await writers.connect();
    await prepareSchema(client, schema).finally(() => client.release());
  } catch (error) {
    await Promise.all([closePool(writers), closePool(readers)]);
    throw explainFailure(error, address);
  }
  const seed = lockName(Buffer.from(schema), 0) | 0;
  // No counter has an empty name, and with this seed only counters are locked.
  const logLock = lockName(Buffer.alloc(0), ~seed);
  const statements = new Statements(tablesOf(schema), logLock);
  const { server, user, database } = address;
  return new PostgresStore(
    readers,
    writers,
    statements,
    seed,
    new Watcher(clientConfig(connection), statements, seed),
    { server, user, database },
  );
}

/**
 * Entries in a table of a PostgreSQL server, which several processes may share. Commits are serialised
 * key by key with advisory locks (see `GroupCommit`); reads take none.
 */
class PostgresStore implements Store {
  readonly #pools: readonly Pool[];
  readonly #reads: ReadQueue;
  readonly #scanner: Scanner;
  readonly #commits: CommitQueue;
  readonly #counters: Counters;
  readonly #watcher: Watcher;
  readonly #horizon: LogHorizon;
  readonly #readers: Pool;
  readonly #statements: Statements;
  readonly #place: PostgresPlace;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(
    readers: Pool,
    writers: Pool,
    statements: Statements,
    lockSeed: number,
    watcher: Watcher,
    place: PostgresPlace,
  ) {
    this.#pools = [readers, writers];
    this.#place = place;
    this.#readers = readers;
    this.#statements = statements;
    this.#watcher = watcher;
    this.#reads = new ReadQueue(readers, statements, readers.options.max);
    this.#scanner = new Scanner(readers, statements);
    this.#counters = new Counters(readers, statements, lockSeed);
    this.#horizon = new LogHorizon(readers, statements);
    this.#commits = new CommitQueue({
      pool: writers,
      statements,
      runningMax: writers.options.max,
      lockSeed,
      noticesOf: (written) => watcher.noticesOf(written),
      onWritten: (written) => this.#counters.onWritten(written),
    });
  }

  get(keys: readonly Bytes[]): Promise<readonly (Bytes | undefined)[]> {
    return this.#track(() => this.#reads.get(keys));
  }

  async scan(range: KeyRange, options: ScanOptions): Promise<ScanPage> {
    return this.#track(async () => {
      if (compareBytes(range.start, range.end) >= 0) return { entries: [], more: false };
      return withRetries(() => this.#scanner.page(range, options));
    });
  }

  commit<T>(
    readKeys: readonly Bytes[],
    decide: (values: readonly (Bytes | undefined)[]) => Decision<T>,
    sharedKeys = 0,
  ): Promise<T> {
    return this.#track(() => this.#commits.commit({ readKeys, decide, sharedKeys }) as Promise<T>);
  }

  totals(counter: Bytes): Promise<Totals> {
    return this.#track(() => this.#counters.totals(counter));
  }

  async dropTotals(counter: Bytes): Promise<void> {
    await this.#track(() => this.#counters.drop(counter));
  }

  async clear(range: KeyRange): Promise<void> {
    if (compareBytes(range.start, range.end) >= 0) return;
    for (let more = true; more; ) {
      const statement = this.#statements.keysOf(range, clearChunkKeys);
      const { rows } = await this.#track(() =>
        withRetries(() => this.#readers.query<[Buffer]>(statement)),
      );
      const writes = rows.map(([key]): Write => ({ kind: "delete", key }));
      if (writes.length > 0) await this.commit([], () => ({ writes, result: undefined }));
      more = rows.length === clearChunkKeys;
    }
  }

  horizon(): Promise<number> {
    return this.#track(() => this.#horizon.read());
  }

  watch(range: KeyRange, changed: (key: Bytes | undefined) => void): Promise<void> {
    return this.#track(() => this.#watcher.watch(range, changed));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.#counters.idle();
    await Promise.all([this.#watcher.close(), ...this.#pools.map(closePool)]);
  }

  /** Lets `close` wait for what was begun before it. */
  async #track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new StoreClosedError();
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw asFailure(error, failureSentence(error, this.#place));
    } finally {
      this.#running.delete(running);
    }
  }
}
