import type { Pool, PoolClient } from "pg";
import { PageBuilder } from "../page-builder.ts";
import type { KeyRange, ScanOptions, ScanPage } from "../store.ts";
import type { ScannedRow, Statements } from "./statements.ts";

const firstLookMin = 32;
const lookMax = 5_000;

/**
 * Reads pages. One statement looks at as many entries as the page probably takes, going by the sizes
 * seen so far; only if that was too few, the page is read again in a transaction that keeps its snapshot.
 */
export class Scanner {
  readonly #pool: Pool;
  readonly #statements: Statements;
  #bytesUsual = 500;

  constructor(pool: Pool, statements: Statements) {
    this.#pool = pool;
    this.#statements = statements;
  }

  async page(range: KeyRange, options: ScanOptions): Promise<ScanPage> {
    const { limit, bytesMax } = options;
    const probable = Math.ceil((1.3 * bytesMax) / this.#bytesUsual);
    // One more than asked for shows whether there is more.
    const look = Math.min(limit + 1, Math.max(firstLookMin, Math.min(lookMax, probable)));
    const page = new GrowingPage(range, options);
    await this.#look(this.#pool, page, look);
    return page.rest === undefined ? page.finish() : this.#longPage(range, options);
  }

  async #longPage(range: KeyRange, options: ScanOptions): Promise<ScanPage> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const page = new GrowingPage(range, options);
      while (page.rest !== undefined) await this.#look(client, page, lookMax);
      await client.query("COMMIT");
      return page.finish();
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async #look(client: Pool | PoolClient, page: GrowingPage, look: number): Promise<void> {
    if (page.rest === undefined) return;
    const statement = this.#statements.scan(page.rest, page.reverse, look, page.bytesLeft);
    const { rows } = await client.query<ScannedRow>(statement);
    const bytes = page.take(rows, look);
    if (rows.length === 0) return;
    this.#bytesUsual = Math.max(50, 0.8 * this.#bytesUsual + (0.2 * bytes) / rows.length);
  }
}

class GrowingPage {
  readonly reverse: boolean;
  /** What is left to look at, as long as the page has room for it. */
  rest: KeyRange | undefined;
  bytesLeft: number;
  readonly #builder: PageBuilder;
  #unsent = false;

  constructor(range: KeyRange, options: ScanOptions) {
    this.rest = range;
    this.reverse = options.reverse ?? false;
    this.bytesLeft = options.bytesMax;
    this.#builder = new PageBuilder(options);
  }

  /** Takes the answer of a look at so many entries; returns the bytes of its values. */
  take(rows: readonly ScannedRow[], looked: number): number {
    const range = this.rest;
    this.rest = undefined;
    let bytes = 0;
    for (const [key, value] of rows) {
      if (!this.#builder.offer(key, value)) return bytes;
      bytes += value.length;
    }
    this.bytesLeft -= bytes;
    const last = rows.at(-1);
    if (last === undefined || range === undefined) return bytes;
    const [key, , seen] = last;
    if (rows.length < seen) {
      this.#unsent = true;
    } else if (seen === looked) {
      this.rest = this.reverse
        ? { start: range.start, end: key }
        : { start: Buffer.concat([key, Buffer.from([0])]), end: range.end };
    }
    return bytes;
  }

  finish(): ScanPage {
    const page = this.#builder.page();
    return this.#unsent ? { entries: page.entries, more: true } : page;
  }
}
