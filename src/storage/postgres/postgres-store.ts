import { Pool, type PoolClient } from "pg";
import { compareBytes } from "../bytes.ts";
import { StoreClosedError } from "../errors.ts";
import { PageBuilder } from "../page-builder.ts";
import type {
  Bytes,
  Decision,
  Entry,
  KeyRange,
  ScanOptions,
  ScanPage,
  Store,
  Totals,
  Write,
} from "../store.ts";
import { nameOf, WriteBatch } from "../write-batch.ts";
import { KeyLocks } from "./key-locks.ts";
import { prepareSchema, type Tables } from "./schema.ts";

/** A clear locks so many keys at once; the server's table of locks is shared by all. */
const clearChunkKeys = 200;
const scanChunkEntries = 128;
/** Deltas of one counter that are left alone before they are summed into one row. */
const deltaRowsMax = 1_000;

export interface PostgresStoreOptions {
  readonly connectionString: string;
  /** The schema that holds the tables; stores in different schemas do not meet. */
  readonly schema?: string;
  readonly connectionsMax?: number;
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { connectionString, schema = "keywright", connectionsMax = 10 } = options;
  const pool = new Pool({ connectionString, max: connectionsMax });
  // A connection that breaks while idle is replaced by the pool; nobody waits for it.
  pool.on("error", () => {});
  try {
    return new PostgresStore(pool, await prepareSchema(pool, schema), new KeyLocks(schema));
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** What one attempt of a commit came to; `blocked` names what the next attempt has to lock first. */
type Attempt<T> =
  | { readonly kind: "done"; readonly result: T }
  | { readonly kind: "blocked"; readonly hashes: readonly bigint[] };

/**
 * A commit locks the keys it reads, reads them in a fresh snapshot, decides, locks the other keys it
 * writes, writes. All locks are held to the end (two-phase locking), which makes commits serialisable,
 * also between processes. The second locks are only tried: if one is taken, the commit starts again
 * and waits for all of them in order at the beginning.
 */
class PostgresStore implements Store {
  readonly #pool: Pool;
  readonly #tables: Tables;
  readonly #locks: KeyLocks;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(pool: Pool, tables: Tables, locks: KeyLocks) {
    this.#pool = pool;
    this.#tables = tables;
    this.#locks = locks;
  }

  async get(keys: readonly Bytes[]): Promise<readonly (Bytes | undefined)[]> {
    return this.#track(() => this.#read(this.#pool, keys));
  }

  async scan(range: KeyRange, options: ScanOptions): Promise<ScanPage> {
    return this.#track(async () => {
      const builder = new PageBuilder(options);
      if (compareBytes(range.start, range.end) >= 0) return builder.page();
      // One statement is one snapshot; a page of several needs a transaction that keeps its own.
      if (options.limit < scanChunkEntries) {
        await this.#fill(this.#pool, builder, range, options);
      } else {
        await this.#transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", (client) =>
          this.#fill(client, builder, range, options),
        );
      }
      return builder.page();
    });
  }

  async commit<T>(
    readKeys: readonly Bytes[],
    decide: (values: readonly (Bytes | undefined)[]) => Decision<T>,
  ): Promise<T> {
    return this.#track(async () => {
      const hashes = new Set(readKeys.map((key) => this.#locks.hashOf(key)));
      for (;;) {
        const attempt = await this.#transaction("BEGIN", (client) =>
          this.#attempt(client, hashes, readKeys, decide),
        );
        if (attempt.kind === "done") return attempt.result;
        for (const hash of attempt.hashes) hashes.add(hash);
      }
    });
  }

  async totals(counter: Bytes): Promise<Totals> {
    return this.#track(async () => {
      const { rows } = await this.#pool.query<{ rows: string; count: string; bytes: string }>({
        name: "totals",
        text: `SELECT count(*) AS rows, coalesce(sum(count), 0) AS count, coalesce(sum(bytes), 0) AS bytes
               FROM ${this.#tables.totals} WHERE counter = $1`,
        values: [bufferOf(counter)],
      });
      const row = rows[0];
      if (row === undefined) return { count: 0, bytes: 0 };
      if (Number(row.rows) > deltaRowsMax) await this.#compact(counter);
      return { count: Number(row.count), bytes: Number(row.bytes) };
    });
  }

  async dropTotals(counter: Bytes): Promise<void> {
    await this.#track(() =>
      this.#pool.query(`DELETE FROM ${this.#tables.totals} WHERE counter = $1`, [
        bufferOf(counter),
      ]),
    );
  }

  async clear(range: KeyRange): Promise<void> {
    for (let more = true; more; ) {
      const page = await this.scan(range, { limit: clearChunkKeys, bytesMax: 16 * 1024 * 1024 });
      const writes = page.entries.map(({ key }): Write => ({ kind: "delete", key }));
      if (writes.length > 0) await this.commit([], () => ({ writes, result: undefined }));
      more = page.more;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.#pool.end();
  }

  /** Lets `close` wait for what was begun before it. */
  async #track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new StoreClosedError();
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #transaction<T>(begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await work(client);
      await client.query("COMMIT");
      return result;
    } catch (error) {
      await client.query("ROLLBACK").catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async #attempt<T>(
    client: PoolClient,
    locked: ReadonlySet<bigint>,
    readKeys: readonly Bytes[],
    decide: (values: readonly (Bytes | undefined)[]) => Decision<T>,
  ): Promise<Attempt<T>> {
    await this.#locks.take(client, locked);
    const { writes, result } = decide(await this.#read(client, readKeys));
    const batch = new WriteBatch();
    batch.add(writes);
    const hashes: bigint[] = [];
    for (const { key } of batch.keys.values()) {
      const hash = this.#locks.hashOf(key);
      if (!locked.has(hash)) hashes.push(hash);
    }
    if (!(await this.#locks.tryTake(client, hashes))) return { kind: "blocked", hashes };
    await this.#write(client, batch);
    return { kind: "done", result };
  }

  async #read(
    client: Pool | PoolClient,
    keys: readonly Bytes[],
  ): Promise<readonly (Bytes | undefined)[]> {
    if (keys.length === 0) return [];
    const { rows } = await client.query<Entry>({
      name: "read",
      text: `SELECT key, value FROM ${this.#tables.entries} WHERE key = ANY ($1::bytea[])`,
      values: [keys.map(bufferOf)],
    });
    const found = new Map(rows.map(({ key, value }) => [nameOf(key), value]));
    return keys.map((key) => found.get(nameOf(key)));
  }

  async #write(client: PoolClient, { keys, counters }: WriteBatch): Promise<void> {
    const puts: [Buffer, Buffer][] = [];
    const deletes: Buffer[] = [];
    for (const { key, value } of keys.values()) {
      if (value === null) deletes.push(bufferOf(key));
      else puts.push([bufferOf(key), bufferOf(value)]);
    }
    if (puts.length > 0) {
      await client.query({
        name: "put",
        text: `INSERT INTO ${this.#tables.entries} SELECT * FROM unnest($1::bytea[], $2::bytea[])
               ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
        values: [puts.map(([key]) => key), puts.map(([, value]) => value)],
      });
    }
    if (deletes.length > 0) {
      await client.query({
        name: "delete",
        text: `DELETE FROM ${this.#tables.entries} WHERE key = ANY ($1::bytea[])`,
        values: [deletes],
      });
    }
    if (counters.size > 0) {
      const deltas = [...counters.values()];
      await client.query({
        name: "add",
        text: `INSERT INTO ${this.#tables.totals}
               SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[])`,
        values: [
          deltas.map(({ counter }) => bufferOf(counter)),
          deltas.map(({ count }) => count),
          deltas.map(({ bytes }) => bytes),
        ],
      });
    }
  }

  async #fill(
    client: Pool | PoolClient,
    builder: PageBuilder,
    range: KeyRange,
    { reverse = false, limit }: ScanOptions,
  ): Promise<void> {
    // One more than asked for shows whether there is more.
    const count = Math.min(limit + 1, scanChunkEntries);
    let { start, end } = range;
    for (;;) {
      const { rows } = await client.query<Entry>({
        name: reverse ? "scan-reverse" : "scan",
        text: `SELECT key, value FROM ${this.#tables.entries} WHERE key >= $1 AND key < $2
               ORDER BY key ${reverse ? "DESC" : "ASC"} LIMIT $3`,
        values: [bufferOf(start), bufferOf(end), count],
      });
      for (const { key, value } of rows) if (!builder.offer(key, value)) return;
      const last = rows.at(-1);
      if (last === undefined || rows.length < count) return;
      if (reverse) end = last.key;
      else start = Buffer.concat([last.key, Buffer.from([0])]);
    }
  }

  /** In one statement: a delta is either still a row or in the sum, for every reader. */
  async #compact(counter: Bytes): Promise<void> {
    await this.#pool.query(
      `WITH gone AS (DELETE FROM ${this.#tables.totals} WHERE counter = $1 RETURNING count, bytes)
       INSERT INTO ${this.#tables.totals}
       SELECT $1, sum(count), sum(bytes) FROM gone HAVING count(*) > 0`,
      [bufferOf(counter)],
    );
  }
}

function bufferOf(bytes: Bytes): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
