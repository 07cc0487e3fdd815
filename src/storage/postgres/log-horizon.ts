import type { Pool } from "pg";
import { inOneTrip, withRetries } from "./connections.ts";
import type { AppenderRow, NextNumberRow, Statements } from "./statements.ts";

/** The next number, and all who may still be about to commit entries with numbers below it. */
interface Look {
  readonly number: number;
  readonly appenders: ReadonlySet<string>;
}

/** Whoever appends is usually done within a few milliseconds: so long is waited for them, and no longer. */
const pausesMs = [1, 2, 4, 8, 16];

/**
 * Finds the number before which the entries of all logs are settled, whichever process writes them.
 *
 * Whoever appends takes a lock that all who append share, then draws numbers, and holds the lock until
 * its transaction has ended and is visible. So if the next number is read first and the holders of the
 * lock afterwards, every number below belongs to a transaction that has ended or to one of these holders:
 * once they are gone, whoever has come since, that number is a horizon. While one of them stays, however
 * long, the horizon stays where it was.
 *
 * Snapshots would tell the same of all transactions with an id. But then a long one that has nothing to do
 * with logs, in any database of the server, would hold up all readers; and where entries are spread over
 * several servers the lock is kept until all of them have committed, which a snapshot does not show.
 */
export class LogHorizon {
  readonly #pool: Pool;
  readonly #statements: Statements;
  #settled = 1;
  /** An earlier look whose appenders were not gone in time: it is settled sooner than any later one. */
  #unsettled: Look | undefined;
  #running: Promise<number> | undefined;
  #next: Promise<number> | undefined;

  constructor(pool: Pool, statements: Statements) {
    this.#pool = pool;
    this.#statements = statements;
  }

  /** Those who ask while somebody is being answered share the next answer: this one began too early. */
  read(): Promise<number> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#begin();
    const begin = () => {
      this.#next = undefined;
      return this.#begin();
    };
    this.#next = this.#running.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<number> {
    this.#running = this.#find().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #find(): Promise<number> {
    const first = await withRetries(() => this.#look());
    // A server that crashed may have lost what it was not asked to flush.
    if (first.number < this.#settled) this.#settled = first.number;
    let { appenders } = first;
    for (const pauseMs of pausesMs) {
      if (this.#isSettled(first, appenders)) return this.#settled;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      ({ appenders } = await withRetries(() => this.#look()));
    }
    if (!this.#isSettled(first, appenders)) this.#unsettled ??= first;
    return this.#settled;
  }

  /** Whether a look is settled, now that these are those who append. */
  #isSettled(look: Look, appenders: ReadonlySet<string>): boolean {
    if (this.#unsettled !== undefined && areGone(this.#unsettled, appenders)) {
      this.#settled = Math.max(this.#settled, this.#unsettled.number);
      this.#unsettled = undefined;
    }
    if (areGone(look, appenders)) this.#settled = Math.max(this.#settled, look.number);
    return this.#settled >= look.number;
  }

  async #look(): Promise<Look> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      const [next, holders] = await inOneTrip(client, () => [
        client.query<NextNumberRow>(this.#statements.nextNumber()),
        client.query<AppenderRow>(this.#statements.appenders()),
      ]);
      if (next?.status !== "fulfilled") throw next?.reason;
      if (holders?.status !== "fulfilled") throw holders?.reason;
      const [[number] = ["1"]] = next.value.rows as NextNumberRow[];
      const appenders = (holders.value.rows as AppenderRow[]).map(([appender]) => appender);
      return { number: Number(number), appenders: new Set(appenders) };
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

function areGone(look: Look, appenders: ReadonlySet<string>): boolean {
  for (const appender of look.appenders) if (appenders.has(appender)) return false;
  return true;
}
