import type { Pool } from "pg";
import { latin1Of } from "../../base/bytes.ts";
import type { Bytes, Totals } from "../store.ts";
import type { WriteBatch } from "../write-batch.ts";
import { inOneTrip, withRetries } from "./connections.ts";
import { lockName } from "./key-hash.ts";
import type { Statements, TotalsRow } from "./statements.ts";

/** Deltas of one counter that are left alone before they are summed into one row. */
const deltaRowsMax = 1_000;

/**
 * Totals are rows of deltas, which no two commits wait for. A process that has written many rows of a
 * counter sums them up behind the answers, and so does one that has read many.
 */
export class Counters {
  readonly #pool: Pool;
  readonly #statements: Statements;
  readonly #lockSeed: number;
  readonly #rows = new Map<string, number>();
  readonly #background = new Set<Promise<void>>();

  constructor(pool: Pool, statements: Statements, lockSeed: number) {
    this.#pool = pool;
    this.#statements = statements;
    this.#lockSeed = lockSeed;
  }

  async totals(counter: Bytes): Promise<Totals> {
    const { rows } = await withRetries(() =>
      this.#pool.query<TotalsRow>(this.#statements.totals(counter)),
    );
    const [deltas = 0, count = "0", bytes = "0"] = rows[0] ?? [];
    if (deltas > deltaRowsMax) this.#sumUpLater(counter);
    return { count: Number(count), bytes: Number(bytes) };
  }

  drop(counter: Bytes): Promise<void> {
    this.#rows.delete(latin1Of(counter));
    return withRetries(() => this.#alone(counter, this.#statements.dropTotals(counter)));
  }

  onWritten({ counters }: WriteBatch): void {
    for (const [name, { counter }] of counters) {
      const rows = (this.#rows.get(name) ?? 0) + 1;
      this.#rows.set(name, rows);
      if (rows >= deltaRowsMax) this.#sumUpLater(counter);
    }
  }

  /** Resolves when nothing goes on behind the answers. */
  async idle(): Promise<void> {
    await Promise.all(this.#background);
  }

  #sumUpLater(counter: Bytes): void {
    this.#rows.delete(latin1Of(counter));
    // Nothing is lost if it fails: the rows stay, and count.
    const work = this.#alone(counter, this.#statements.sumUp(counter))
      .catch(() => {})
      .finally(() => this.#background.delete(work));
    this.#background.add(work);
  }

  /** One at a time for a counter: a sum that is just being written would outlive a drop. */
  async #alone(counter: Bytes, statement: ReturnType<Statements["sumUp"]>): Promise<void> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      const lock = this.#statements.lock([lockName(counter, ~this.#lockSeed)], [true]);
      const answers = await inOneTrip(client, () => [
        client.query("BEGIN"),
        client.query(lock),
        client.query(statement),
        client.query("COMMIT"),
      ]);
      const failed = answers.find((answer) => answer.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
