import { latin1Of } from "../../base/bytes.ts";
import { compareBytes } from "../bytes.ts";
import { StoreClosedError, StoreReadOnlyError } from "../errors.ts";
import { PageBuilder } from "../page-builder.ts";
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
import { type KeyChange, WriteBatch } from "../write-batch.ts";
import { type BatchWriter, DirectWriter, type Settled } from "./direct-writer.ts";
import { type LmdbFolder, openFolder } from "./folder.ts";
import { MappedPages } from "./mapped-pages.ts";
import { decodeTotals } from "./totals.ts";
import { nextNumberKey } from "./writer-frames.ts";
import { WriterThread } from "./writer-thread.ts";

const clearChunkKeys = 1_000;
export interface LmdbStoreOptions {
  readonly path: string;
  readonly durability: Durability;
  /** Looks at a folder that another process may be writing. */
  readonly readOnly?: boolean;
}

/** Throws `StoreLockedError` or `StoreFormatError` if the folder cannot be used. */
export function openLmdbStore(options: LmdbStoreOptions): Store {
  const { path, durability, readOnly = false } = options;
  return new LmdbStore(openFolder({ path, durability, readOnly }), durability, readOnly);
}

/**
 * Only this process writes, so commits are decided at once, one after the other, on this thread. Their
 * writes gather in batches, which later commits read through until they are written, in their order. If
 * writing fails, everything decided since may rest on what was not written and fails with it.
 *
 * Flushed commits are written by a thread of their own (`writer-thread.ts`), which is told of a batch at the
 * end of a turn of the event loop, or sooner if it has grown, and takes all it finds into one transaction: so
 * neither thread waits for the other. Relaxed commits are written here, those of a turn together.
 */
class LmdbStore implements Store {
  readonly #folder: LmdbFolder;
  readonly #pages: MappedPages;
  readonly #readOnly: boolean;
  /** For the next commit that appends; the one on disk is that of the last batch written. */
  #nextNumber: number;
  readonly #writer: BatchWriter;
  /** In the order in which they are written. */
  readonly #unsettled: WriteBatch[] = [];
  /** The last of them, as long as it is not handed to the writer. */
  #gathering: WriteBatch | undefined;
  /** The writer had no room. */
  #full = false;
  #closing: Promise<void> | undefined;

  constructor(folder: LmdbFolder, durability: Durability, readOnly: boolean) {
    this.#folder = folder;
    this.#pages = new MappedPages(folder.file);
    this.#readOnly = readOnly;
    this.#nextNumber = this.#nextNumberOnDisk();
    const settled: Settled = (batches, failure) => this.#settle(batches, failure);
    this.#writer =
      durability === "flush"
        ? new WriterThread(folder.options, settled)
        : new DirectWriter(folder, settled);
  }

  // One read transaction serves all reads of an event turn, so that these are one snapshot.
  get(keys: readonly Bytes[]): readonly (Bytes | undefined)[] {
    this.#assertOpen();
    const { entries } = this.#folder;
    const values = new Array<Bytes | undefined>(keys.length);
    for (let i = 0; i < keys.length; i++) values[i] = readValue(entries, keys[i] as Bytes);
    return values;
  }

  scan(range: KeyRange, options: ScanOptions): ScanPage {
    this.#assertOpen();
    const builder = new PageBuilder(options);
    if (compareBytes(range.start, range.end) >= 0) return builder.page();
    for (const { key, value } of this.#folder.entries.getRange(rangeOptions(range, options))) {
      if (!builder.offer(key, value)) break;
    }
    return builder.page();
  }

  async commit<T>(
    readKeys: readonly Bytes[],
    decide: (values: readonly (Bytes | undefined)[]) => Decision<T>,
  ): Promise<T> {
    this.#assertWritable();
    const { values, unwritten } = this.#read(readKeys);
    let decision: Decision<T>;
    try {
      decision = decide(values);
    } catch (error) {
      await unwritten?.done;
      throw error;
    }
    if (decision.writes.length === 0) {
      // What it saw must not be lost after it was answered.
      await unwritten?.done;
      return decision.result;
    }
    await this.#enqueue((batch) => this.#join(batch, decision.writes));
    return decision.result;
  }

  totals(counter: Bytes): Totals {
    this.#assertOpen();
    return decodeTotals(this.#folder.totals.getBinary(counter));
  }

  async dropTotals(counter: Bytes): Promise<void> {
    this.#assertWritable();
    await this.#enqueue((batch) => batch.dropTotals(counter));
  }

  async clear(range: KeyRange): Promise<void> {
    this.#assertWritable();
    // A put that is decided but not yet written would be missed by the first look.
    await this.#unsettled.at(-1)?.done.catch(() => {});
    if (compareBytes(range.start, range.end) >= 0) return;
    for (let more = true; more; ) {
      this.#assertWritable();
      const options = { ...rangeOptions(range, { limit: clearChunkKeys }), limit: clearChunkKeys };
      const keys = [...this.#folder.entries.getKeys(options)];
      more = keys.length === clearChunkKeys;
      if (keys.length === 0) return;
      await this.#enqueue((batch) => batch.add(keys.map((key) => ({ kind: "delete", key }))));
      this.stepDone();
    }
  }

  /** On disk it changes with the entries, so whoever sees it also sees them. */
  horizon(): number {
    this.#assertOpen();
    return this.#nextNumberOnDisk();
  }

  stepDone(): void {
    this.#pages.limit();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    while (this.#unsettled.length > 0) await this.#unsettled.at(-1)?.done.catch(() => {});
    await this.#writer.close();
    await this.#folder.close();
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new StoreClosedError();
  }

  #assertWritable(): void {
    this.#assertOpen();
    if (this.#readOnly) throw new StoreReadOnlyError();
  }

  /** Reads through the batches; also answers the last batch that a value came from. */
  #read(keys: readonly Bytes[]): {
    readonly values: (Bytes | undefined)[];
    readonly unwritten: WriteBatch | undefined;
  } {
    const { entries } = this.#folder;
    const unsettled = this.#unsettled;
    const values = new Array<Bytes | undefined>(keys.length);
    let newest = -1;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as Bytes;
      let change: KeyChange | undefined;
      if (unsettled.length > 0) {
        const name = latin1Of(key);
        let at = unsettled.length - 1;
        while (at >= 0) {
          change = unsettled[at]?.keys.get(name);
          if (change !== undefined) break;
          at -= 1;
        }
        if (at > newest) newest = at;
      }
      values[i] = change === undefined ? readValue(entries, key) : (change.value ?? undefined);
    }
    return { values, unwritten: unsettled[newest] };
  }

  /**
   * A number that was given is not given again by this process, also not if the batch fails; the next
   * process may do so then, because nobody has seen it.
   */
  #join(batch: WriteBatch, writes: readonly Write[]): void {
    batch.add(writes);
    this.#nextNumber = batch.stamp(this.#nextNumber);
  }

  #nextNumberOnDisk(): number {
    return this.#folder.meta.getBinary(nextNumberKey)?.readDoubleBE(0) ?? 1;
  }

  #enqueue(fill: (batch: WriteBatch) => void): Promise<void> {
    const batch = this.#gathering ?? new WriteBatch();
    fill(batch);
    if (this.#gathering === undefined) {
      this.#gathering = batch;
      this.#unsettled.push(batch);
      setImmediate(() => {
        if (this.#gathering === batch) this.#submit(batch);
      });
    }
    if (batch.keys.size >= this.#writer.keysWanted) this.#submit(batch);
    return batch.done;
  }

  #submit(batch: WriteBatch): void {
    if (this.#full) return;
    this.#gathering = undefined;
    if (this.#writer.submit(batch)) return;
    this.#full = true;
    this.#gathering = batch;
  }

  #settle(batches: number, failure: Error | undefined): void {
    this.#folder.entries.resetReadTxn();
    const settled = this.#unsettled.splice(0, failure === undefined ? batches : Infinity);
    if (failure !== undefined) this.#gathering = undefined;
    this.#full = false;
    // What waited for room is on its way before the commits of these go on.
    if (this.#gathering !== undefined) this.#submit(this.#gathering);
    for (const batch of settled) {
      if (failure === undefined) batch.succeed();
      else batch.fail(failure);
    }
  }
}

/**
 * `getBinary` makes an ArrayBuffer for each value. This copies what `getBinaryFast` left in its own
 * buffer into the pool that Node keeps for small buffers, which takes two thirds of the time.
 */
function readValue(entries: LmdbFolder["entries"], key: Bytes): Buffer | undefined {
  const borrowed = entries.getBinaryFast(key);
  if (borrowed === undefined) return undefined;
  // The length says how much of the buffer is this value.
  const { length } = borrowed;
  const value = Buffer.allocUnsafe(length);
  value.set(borrowed.subarray(0, length));
  return value;
}

function rangeOptions(
  { start, end }: KeyRange,
  { reverse, limit }: { reverse?: boolean; limit: number },
) {
  // One more than asked for shows whether there is more.
  return reverse
    ? {
        start: end,
        exclusiveStart: true,
        end: start,
        inclusiveEnd: true,
        reverse,
        limit: limit + 1,
      }
    : { start, end, limit: limit + 1 };
}
