import type { QueryArrayConfig } from "pg";
import type { Bytes, KeyRange } from "../store.ts";
import { bigintArray, byteaArray } from "./binary-array.ts";
import { partitionOf, partitionOfRange } from "./key-hash.ts";
import type { Tables } from "./schema.ts";

type Statement = QueryArrayConfig;

/** A row of `readMany`: the position among the keys asked for, and what is there. */
export type FoundRow = [at: number, value: Buffer];
/** A row of `scan`; `seen` counts the entries that were looked at, also those not answered. */
export type ScannedRow = [key: Buffer, value: Buffer, seen: number];
export type NextNumberRow = [number: string];
/** A transaction that holds the lock of those who append. */
export type AppenderRow = [transaction: string];
export type TotalsRow = [rows: number, count: string, bytes: string];

/** All prepared statements on the tables of one schema. */
export class Statements {
  readonly #texts: Readonly<Record<string, string>>;
  /** Shared by all who append to logs; see `LogHorizon`. */
  readonly #logLock: number;

  constructor({ entries, totals, logNumbers }: Tables, logLock: number) {
    this.#logLock = logLock;
    this.#texts = {
      lock: `SELECT count(CASE exclusive WHEN 0 THEN pg_advisory_xact_lock_shared(name)
                                         ELSE pg_advisory_xact_lock(name) END)
             FROM unnest($1::bigint[], $2::bigint[]) AS l (name, exclusive)`,
      "try-lock": `SELECT bool_and(pg_try_advisory_xact_lock(name)) FROM unnest($1::bigint[]) AS name`,
      "read-one": `SELECT value FROM ${entries} WHERE key = $1 AND hash = $2`,
      "read-many": `SELECT k.n::integer - 1, e.value
                    FROM unnest($1::bytea[], $2::bigint[]) WITH ORDINALITY AS k (key, hash, n)
                    JOIN ${entries} e ON e.key = k.key AND e.hash = k.hash`,
      put: `INSERT INTO ${entries} (key, hash, value)
            SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bytea[])
            ON CONFLICT (key, hash) DO UPDATE SET value = EXCLUDED.value`,
      delete: `DELETE FROM ${entries} WHERE key = ANY ($1::bytea[])`,
      add: `INSERT INTO ${totals} (counter, count, bytes)
            SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[])`,
      append: appendText(entries, logNumbers),
      "next-number": `SELECT last_value + is_called::integer FROM ${logNumbers}`,
      appenders: `SELECT virtualtransaction FROM pg_locks
                  WHERE locktype = 'advisory' AND granted AND objsubid = 1
                    AND classid = $1::oid AND objid = $2::oid
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      notify: "SELECT pg_notify($1, $2)",
      "keys-of": `SELECT key FROM ${entries} WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3`,
      scan: scanText(entries, "ASC", ""),
      "scan-reverse": scanText(entries, "DESC", ""),
      "scan-one": scanText(entries, "ASC", "AND hash = $5"),
      "scan-one-reverse": scanText(entries, "DESC", "AND hash = $5"),
      totals: `SELECT count(*)::integer, coalesce(sum(count), 0)::bigint, coalesce(sum(bytes), 0)::bigint
               FROM ${totals} WHERE counter = $1`,
      "drop-totals": `DELETE FROM ${totals} WHERE counter = $1`,
      // In one statement: a delta is either still a row or in the sum, for every reader.
      "sum-up": `WITH gone AS (DELETE FROM ${totals} WHERE counter = $1 RETURNING count, bytes)
                 INSERT INTO ${totals} (counter, count, bytes)
                 SELECT $1, sum(count), sum(bytes) FROM gone HAVING count(*) > 0`,
    };
  }

  #make(name: string, values: unknown[]): Statement {
    return { name, text: this.#texts[name] ?? "", values, rowMode: "array" };
  }

  /** Waits for locks in the order given. `exclusive` says of each whether others may share it. */
  lock(names: readonly number[], exclusive: readonly boolean[]): Statement {
    const flags = exclusive.map((alone) => (alone ? 1 : 0));
    return this.#make("lock", [bigintArray(names), bigintArray(flags)]);
  }

  /** Never waits; answers whether all were free. */
  tryLock(names: readonly number[]): Statement {
    return this.#make("try-lock", [bigintArray(names)]);
  }

  readOne(key: Bytes): Statement {
    return this.#make("read-one", [bufferOf(key), String(partitionOf(key))]);
  }

  readMany(keys: readonly Bytes[]): Statement {
    return this.#make("read-many", [byteaArray(keys), bigintArray(keys.map(partitionOf))]);
  }

  put(keys: readonly Bytes[], values: readonly Bytes[]): Statement {
    const hashes = bigintArray(keys.map(partitionOf));
    return this.#make("put", [byteaArray(keys), hashes, byteaArray(values)]);
  }

  delete(keys: readonly Bytes[]): Statement {
    return this.#make("delete", [byteaArray(keys)]);
  }

  add(counters: readonly Bytes[], counts: readonly number[], bytes: readonly number[]): Statement {
    return this.#make("add", [byteaArray(counters), bigintArray(counts), bigintArray(bytes)]);
  }

  /** Gives the entries their numbers, in the order given. Its locks have to be held before. */
  append(logs: readonly Bytes[], values: readonly Bytes[]): Statement {
    return this.#make("append", [byteaArray(logs), byteaArray(values), String(this.#logLock)]);
  }

  nextNumber(): Statement {
    return this.#make("next-number", []);
  }

  appenders(): Statement {
    // The server shows the halves of a lock's name.
    const high = Math.floor(this.#logLock / 0x1_0000_0000);
    return this.#make("appenders", [String(high), String(this.#logLock >>> 0)]);
  }

  notify(channel: string, payload: string): Statement {
    return this.#make("notify", [channel, payload]);
  }

  keysOf({ start, end }: KeyRange, limit: number): Statement {
    return this.#make("keys-of", [bufferOf(start), bufferOf(end), limit]);
  }

  /** Looks at `limit` entries and answers those before which the values hold less than `bytesMax`. */
  scan({ start, end }: KeyRange, reverse: boolean, limit: number, bytesMax: number): Statement {
    const partition = partitionOfRange(start, end);
    const values: unknown[] = [bufferOf(start), bufferOf(end), limit, Math.max(1, bytesMax)];
    if (partition !== undefined) values.push(String(partition));
    const name = partition === undefined ? "scan" : "scan-one";
    return this.#make(reverse ? `${name}-reverse` : name, values);
  }

  totals(counter: Bytes): Statement {
    return this.#make("totals", [bufferOf(counter)]);
  }

  dropTotals(counter: Bytes): Statement {
    return this.#make("drop-totals", [bufferOf(counter)]);
  }

  sumUp(counter: Bytes): Statement {
    return this.#make("sum-up", [bufferOf(counter)]);
  }
}

/**
 * A number is drawn for each row that the join answers, so after the lock was taken, and in the order of
 * the rows. Shorter keys are filled up as in `partitionOf`.
 */
function appendText(entries: string, logNumbers: string): string {
  const drawn = `nextval('${logNumbers.replaceAll("'", "''")}')`;
  const partition = "('x' || encode(substring(key || '\\x00000000' FROM 6 FOR 8), 'hex'))::bit(64)";
  return `INSERT INTO ${entries} (key, hash, value)
    SELECT key, ${partition}::bigint, value FROM (
      SELECT log || int8send(${drawn}) AS key, value
      FROM (SELECT pg_advisory_xact_lock_shared($3::bigint) OFFSET 0) AS locked,
           (SELECT * FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS l (log, value, n)
            ORDER BY n OFFSET 0) AS ordered
      OFFSET 0) AS numbered`;
}

/** The sum keeps values that will not fit into the page from being sent. */
function scanText(entries: string, order: "ASC" | "DESC", more: string): string {
  return `SELECT key, value, seen FROM (
      SELECT key, value, count(*) OVER ()::integer AS seen, sum(octet_length(value))
        OVER (ORDER BY key ${order} ROWS UNBOUNDED PRECEDING) - octet_length(value) AS before
      FROM (SELECT key, value FROM ${entries} WHERE key >= $1 AND key < $2 ${more}
            ORDER BY key ${order} LIMIT $3) AS looked_at
    ) AS summed WHERE before < $4::bigint ORDER BY key ${order}`;
}

function bufferOf(bytes: Bytes): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
