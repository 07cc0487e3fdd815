import type { Pool } from "pg";
import type { Bytes } from "../store.ts";
import { withRetries } from "./connections.ts";
import type { FoundRow, Statements } from "./statements.ts";

type Values = readonly (Bytes | undefined)[];

interface Waiting {
  readonly keys: readonly Bytes[];
  readonly resolve: (values: Values) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads that wait share a statement, up to so many keys. */
const keysMax = 64;
/** A second connection is worth its statement only if the first has so many reads to answer. */
const readsFull = 4;

/**
 * Answers gets in one round trip each. Those that arrive together, or while all connections are busy, are
 * asked for in one statement, which is also one snapshot.
 */
export class ReadQueue {
  readonly #pool: Pool;
  readonly #statements: Statements;
  readonly #runningMax: number;
  #waiting: Waiting[] = [];
  #running = 0;
  #scheduled = false;

  constructor(pool: Pool, statements: Statements, runningMax: number) {
    this.#pool = pool;
    this.#statements = statements;
    this.#runningMax = runningMax;
  }

  get(keys: readonly Bytes[]): Promise<Values> {
    if (keys.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ keys, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#running === this.#runningMax) return;
    this.#scheduled = true;
    // At the end of this turn of the event loop, so that what arrived together is read together.
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#waiting.length > 0 && this.#running < this.#runningMax) {
        void this.#run(this.#take());
      }
    });
  }

  #take(): Waiting[] {
    const fair = Math.ceil(this.#waiting.length / (this.#runningMax - this.#running));
    const share = Math.min(this.#waiting.length, Math.max(readsFull, fair));
    let count = 0;
    let keys = 0;
    while (count < share && keys < keysMax) keys += this.#waiting[count++]?.keys.length ?? 0;
    return this.#waiting.splice(0, count);
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    this.#running += 1;
    try {
      const keys = batch.length === 1 ? (batch[0]?.keys ?? []) : batch.flatMap((one) => one.keys);
      const values = await withRetries(() => this.#read(keys));
      let at = 0;
      for (const { keys: own, resolve } of batch) {
        resolve(batch.length === 1 ? values : values.slice(at, at + own.length));
        at += own.length;
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#running -= 1;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  async #read(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    const [key] = keys;
    if (keys.length === 1 && key !== undefined) {
      const { rows } = await this.#pool.query<[Buffer]>(this.#statements.readOne(key));
      return [rows[0]?.[0]];
    }
    const { rows } = await this.#pool.query<FoundRow>(this.#statements.readMany(keys));
    return placeRows(rows, keys.length);
  }
}

export function placeRows(rows: readonly FoundRow[], length: number): (Bytes | undefined)[] {
  const values = new Array<Bytes | undefined>(length).fill(undefined);
  for (const [at, value] of rows) values[at] = value;
  return values;
}
