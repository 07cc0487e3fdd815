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
import { WriteBatch } from "../write-batch.ts";
import { type LmdbFolder, openFolder } from "./folder.ts";

const clearChunkKeys = 1_000;
/** Among what the store knows of itself: the number that the next entry of a log gets. */
const nextNumberKey = Buffer.from("next number");
/** How long a flush takes is an average over about so many. */
const flushesRemembered = 8;

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
 * writes gather in a batch, which later commits read through, while the batch before it is written in
 * one transaction. At most one transaction runs at a time: if it fails, everything decided since may
 * rest on what was not written and fails with it.
 *
 * Commits of one turn of the event loop share a flush. But if deciding them takes longer than a flush
 * does, those decided so far are written meanwhile, or this thread would stand idle until they all are.
 *
 * Measured with random overwrites of 400 B among 200,000 on 2 shared cores, where runs of 2 s differed by
 * a factor of two; commits/s of this store for 1 and 32 clients, two to four runs: on disk 0.5k-1.2k / 6k-13k,
 * relaxed 10k-17k / 42k-51k. In a bare script on lmdb-js, deciding inside an asynchronous transaction,
 * overlapping flushes and a synchronous transaction did not differ from this by more than those runs
 * differ, and the last stops the event loop for every flush. Without flushes the difference is plain:
 * asynchronous 3.7k / 33k, synchronous 15k / 46k, so relaxed commits are synchronous.
 */
class LmdbStore implements Store {
  readonly #folder: LmdbFolder;
  readonly #readOnly: boolean;
  readonly #durability: Durability;
  /** For the next commit that appends; the one on disk is that of the last batch written. */
  #nextNumber: number;
  #waiting: WriteBatch | undefined;
  #running: WriteBatch | undefined;
  /** When the waiting batch was begun, and how long a flush takes, in milliseconds. */
  #begunAt = 0;
  #flushMs = 1;
  #closing: Promise<void> | undefined;

  constructor(folder: LmdbFolder, durability: Durability, readOnly: boolean) {
    this.#folder = folder;
    this.#durability = durability;
    this.#readOnly = readOnly;
    this.#nextNumber = this.#nextNumberOnDisk();
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
    await (this.#waiting ?? this.#running)?.done.catch(() => {});
    if (compareBytes(range.start, range.end) >= 0) return;
    for (let more = true; more; ) {
      this.#assertWritable();
      const options = { ...rangeOptions(range, { limit: clearChunkKeys }), limit: clearChunkKeys };
      const keys = [...this.#folder.entries.getKeys(options)];
      more = keys.length === clearChunkKeys;
      if (keys.length === 0) return;
      await this.#enqueue((batch) => batch.add(keys.map((key) => ({ kind: "delete", key }))));
    }
  }

  /** On disk it changes with the entries, so whoever sees it also sees them. */
  horizon(): number {
    this.#assertOpen();
    return this.#nextNumberOnDisk();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    while (this.#waiting ?? this.#running) {
      await (this.#waiting ?? this.#running)?.done.catch(() => {});
    }
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
    const waiting = this.#waiting;
    const running = this.#running;
    const values = new Array<Bytes | undefined>(keys.length);
    let unwritten: WriteBatch | undefined;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as Bytes;
      if (waiting !== undefined || running !== undefined) {
        const name = latin1Of(key);
        let change = waiting?.keys.get(name);
        if (change !== undefined) {
          unwritten = waiting;
        } else {
          change = running?.keys.get(name);
          if (change !== undefined) unwritten ??= running;
        }
        if (change !== undefined) {
          values[i] = change.value ?? undefined;
          continue;
        }
      }
      values[i] = readValue(entries, key);
    }
    return { values, unwritten };
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
    const batch = this.#waiting ?? new WriteBatch();
    fill(batch);
    const first = this.#waiting === undefined;
    this.#waiting = batch;
    if (first) this.#begunAt = performance.now();
    if (this.#running === undefined) {
      if (first) this.#writeSoon(batch);
      else if (this.#isDue()) this.#write();
    }
    return batch.done;
  }

  #isDue(): boolean {
    return this.#durability === "flush" && performance.now() - this.#begunAt >= this.#flushMs;
  }

  /** At the end of this turn of the event loop, so that requests read together are written together. */
  #writeSoon(batch: WriteBatch): void {
    setImmediate(() => {
      if (this.#waiting === batch && this.#running === undefined) this.#write();
    });
  }

  #write(): void {
    const batch = this.#waiting as WriteBatch;
    this.#waiting = undefined;
    this.#running = batch;
    const { entries } = this.#folder;
    if (this.#durability === "flush") {
      const started = performance.now();
      entries
        .batch(() => this.#put(batch))
        .then(
          () => {
            this.#flushMs += (performance.now() - started - this.#flushMs) / flushesRemembered;
            this.#written(batch);
          },
          (failure) => this.#failed(batch, failure),
        );
      return;
    }
    try {
      entries.transactionSync(() => this.#put(batch));
    } catch (failure) {
      void this.#failed(batch, failure);
      return;
    }
    this.#written(batch);
  }

  /** The next batch is on its way before the commits of this one go on. */
  #written(batch: WriteBatch): void {
    this.#folder.entries.resetReadTxn();
    this.#running = undefined;
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      if (this.#isDue()) this.#write();
      else this.#writeSoon(waiting);
    }
    batch.succeed();
  }

  async #failed(batch: WriteBatch, failure: unknown): Promise<void> {
    const error = await reasonOf(failure);
    const dependents = this.#waiting;
    this.#running = undefined;
    this.#waiting = undefined;
    batch.fail(error);
    dependents?.fail(error);
  }

  #put(batch: WriteBatch): void {
    const { entries, totals, meta } = this.#folder;
    if (batch.nextNumber !== undefined) {
      void meta.put(nextNumberKey, encodeNumber(batch.nextNumber));
    }
    for (const { key, value } of batch.keys.values()) {
      if (value === null) void entries.remove(key);
      else void entries.put(key, value);
    }
    for (const { counter, reset, count, bytes } of batch.counters.values()) {
      if (reset && count === 0 && bytes === 0) {
        void totals.remove(counter);
        continue;
      }
      const sums = decodeTotals(reset ? undefined : totals.getBinary(counter));
      void totals.put(
        counter,
        encodeTotals({ count: sums.count + count, bytes: sums.bytes + bytes }),
      );
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

function encodeNumber(number: number): Buffer {
  const encoded = Buffer.alloc(8);
  encoded.writeDoubleBE(number);
  return encoded;
}

function encodeTotals({ count, bytes }: Totals): Buffer {
  const encoded = Buffer.alloc(16);
  encoded.writeDoubleBE(count, 0);
  encoded.writeDoubleBE(bytes, 8);
  return encoded;
}

function decodeTotals(encoded: Buffer | undefined): Totals {
  if (encoded === undefined) return { count: 0, bytes: 0 };
  return { count: encoded.readDoubleBE(0), bytes: encoded.readDoubleBE(8) };
}

/** lmdb-js hides the reason of a failed transaction in a promise that rejects a little later. */
async function reasonOf(failure: unknown): Promise<unknown> {
  if (!(failure instanceof Error) || !("commitError" in failure)) return failure;
  const patience = new Promise((resolve) => setTimeout(resolve, 1_000).unref());
  try {
    await Promise.race([failure.commitError, patience]);
    return failure;
  } catch (reason) {
    return reason;
  }
}
