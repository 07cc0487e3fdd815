import type { WriteBatch } from "../write-batch.ts";
import type { LmdbFolder } from "./folder.ts";
import { decodeTotals, encodeTotals } from "./totals.ts";
import { nextNumberKey } from "./writer-frames.ts";

/** So many of the batches handed over first are written, or none of those still under way will be. */
export type Settled = (batches: number, failure: Error | undefined) => void;

/** Writes batches in the order in which they are handed over. */
export interface BatchWriter {
  /** A batch of so many keys need not wait for the end of the turn. */
  readonly keysWanted: number;
  /** False: there is no room now. Ask again when something has settled. */
  submit(batch: WriteBatch): boolean;
  /** Once nothing is under way. */
  close(): Promise<void>;
}

/** Writes on this thread, in a transaction of its own for each batch, which is done when it returns. */
export class DirectWriter implements BatchWriter {
  readonly keysWanted = Number.POSITIVE_INFINITY;
  readonly #folder: LmdbFolder;
  readonly #settled: Settled;

  constructor(folder: LmdbFolder, settled: Settled) {
    this.#folder = folder;
    this.#settled = settled;
  }

  submit(batch: WriteBatch): boolean {
    try {
      this.#folder.entries.transactionSync(() => this.#put(batch));
    } catch (failure) {
      this.#settled(1, failure as Error);
      return true;
    }
    this.#settled(1, undefined);
    return true;
  }

  async close(): Promise<void> {}

  #put(batch: WriteBatch): void {
    const { entries, totals, meta } = this.#folder;
    if (batch.nextNumber !== undefined) {
      const number = Buffer.alloc(8);
      number.writeDoubleBE(batch.nextNumber);
      meta.putSync(nextNumberKey, number);
    }
    for (const { key, value } of batch.keys.values()) {
      if (value === null) entries.removeSync(key);
      else entries.putSync(key, value);
    }
    for (const { counter, reset, count, bytes } of batch.counters.values()) {
      if (reset && count === 0 && bytes === 0) {
        totals.removeSync(counter);
        continue;
      }
      const sums = decodeTotals(reset ? undefined : totals.getBinary(counter));
      totals.putSync(
        counter,
        encodeTotals({ count: sums.count + count, bytes: sums.bytes + bytes }),
      );
    }
  }
}
