import { ClassicLevel } from "classic-level";
import { compareBytes } from "../../src/storage/bytes.ts";
import { StoreClosedError, StoreLockedError } from "../../src/storage/errors.ts";
import { PageBuilder } from "../../src/storage/page-builder.ts";
import type {
  Bytes,
  Decision,
  Durability,
  KeyRange,
  ScanOptions,
  ScanPage,
  Store,
  Totals,
} from "../../src/storage/store.ts";
import { WriteBatch } from "../../src/storage/write-batch.ts";

/** LevelDB has one space of keys; the first byte says whose a key is. */
const entryTag = 0x65;
const totalsTag = 0x74;
/** The number that the next entry of a log gets. */
const nextNumberKey = Buffer.from([0x6e]);

const clearChunkKeys = 1_000;
const scanChunkKeys = 128;
const scanChunkBytes = 256 * 1024;

type Level = ClassicLevel<Bytes, Buffer>;

export interface LevelStoreOptions {
  readonly path: string;
  readonly durability: Durability;
}

/** Throws `StoreLockedError` if another process has the folder open. */
export async function openLevelStore({ path, durability }: LevelStoreOptions): Promise<Store> {
  const level: Level = new ClassicLevel(path, {
    keyEncoding: "buffer",
    valueEncoding: "buffer",
    // Larger than the defaults of 8 and 4 MB: LMDB has the whole page cache to itself.
    cacheSize: 64 * 1024 * 1024,
    writeBufferSize: 16 * 1024 * 1024,
  });
  try {
    await level.open();
  } catch (error) {
    const cause =
      error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
    if (cause?.code === "LEVEL_LOCKED") throw new StoreLockedError(path, undefined);
    throw error;
  }
  return new LevelStore(level, durability);
}

/**
 * The store of LMDB with LevelDB below it: commits are decided at once on this thread, one after the
 * other; their writes gather in a batch that later commits read through while the batch before it is
 * written. LevelDB writes on another thread, so a batch becomes visible in the middle of a turn of the
 * event loop, and what must be one snapshot takes one.
 */
class LevelStore implements Store {
  readonly #level: Level;
  readonly #sync: boolean;
  #nextNumber: number;
  #waiting: WriteBatch | undefined;
  #running: WriteBatch | undefined;
  #closing: Promise<void> | undefined;

  constructor(level: Level, durability: Durability) {
    this.#level = level;
    this.#sync = durability === "flush";
    this.#nextNumber = this.#nextNumberOnDisk();
  }

  get(keys: readonly Bytes[]): readonly (Bytes | undefined)[] {
    this.#assertOpen();
    const values = new Array<Bytes | undefined>(keys.length);
    if (keys.length <= 1 || this.#running === undefined) {
      for (let i = 0; i < keys.length; i++) {
        values[i] = this.#level.getSync(tagged(entryTag, keys[i] as Bytes));
      }
      return values;
    }
    const snapshot = this.#level.snapshot();
    try {
      for (let i = 0; i < keys.length; i++) {
        values[i] = this.#level.getSync(tagged(entryTag, keys[i] as Bytes), { snapshot });
      }
    } finally {
      void snapshot.close();
    }
    return values;
  }

  /** An iterator is a snapshot from the moment it is made. */
  async scan(range: KeyRange, options: ScanOptions): Promise<ScanPage> {
    this.#assertOpen();
    const builder = new PageBuilder(options);
    if (compareBytes(range.start, range.end) >= 0) return builder.page();
    const iterator = this.#level.iterator({
      ...bounds(range),
      reverse: options.reverse ?? false,
      // One more than asked for shows whether there is more.
      limit: options.limit < scanChunkKeys ? options.limit + 1 : -1,
      fillCache: true,
      highWaterMarkBytes: Math.min(options.bytesMax, scanChunkBytes),
    });
    try {
      for (;;) {
        const entries = await iterator.nextv(scanChunkKeys);
        if (entries.length === 0) return builder.page();
        for (const [key, value] of entries) {
          if (!builder.offer(key.subarray(1), value)) return builder.page();
        }
      }
    } finally {
      // Nobody needs to wait for it; the store waits when it closes.
      void iterator.close();
    }
  }

  async commit<T>(
    readKeys: readonly Bytes[],
    decide: (values: readonly (Bytes | undefined)[]) => Decision<T>,
  ): Promise<T> {
    this.#assertOpen();
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
    await this.#enqueue((batch) => {
      batch.add(decision.writes);
      this.#nextNumber = batch.stamp(this.#nextNumber);
    });
    return decision.result;
  }

  totals(counter: Bytes): Totals {
    this.#assertOpen();
    return decodeTotals(this.#level.getSync(tagged(totalsTag, counter)));
  }

  async dropTotals(counter: Bytes): Promise<void> {
    this.#assertOpen();
    await this.#enqueue((batch) => batch.dropTotals(counter));
  }

  async clear(range: KeyRange): Promise<void> {
    this.#assertOpen();
    // A put that is decided but not yet written would be missed by the first look.
    await (this.#waiting ?? this.#running)?.done.catch(() => {});
    if (compareBytes(range.start, range.end) >= 0) return;
    for (let more = true; more; ) {
      this.#assertOpen();
      const keys = await this.#level.keys({ ...bounds(range), limit: clearChunkKeys }).all();
      more = keys.length === clearChunkKeys;
      if (keys.length === 0) return;
      await this.#enqueue((batch) =>
        batch.add(keys.map((key) => ({ kind: "delete", key: key.subarray(1) }))),
      );
    }
  }

  horizon(): number {
    this.#assertOpen();
    return this.#nextNumberOnDisk();
  }

  #nextNumberOnDisk(): number {
    return this.#level.getSync(nextNumberKey)?.readDoubleBE(0) ?? 1;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    while (this.#waiting ?? this.#running) {
      await (this.#waiting ?? this.#running)?.done.catch(() => {});
    }
    await this.#level.close();
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new StoreClosedError();
  }

  /** Reads through the batches; also answers the last batch that a value came from. */
  #read(keys: readonly Bytes[]): {
    readonly values: (Bytes | undefined)[];
    readonly unwritten: WriteBatch | undefined;
  } {
    const waiting = this.#waiting;
    const running = this.#running;
    const values = new Array<Bytes | undefined>(keys.length);
    let unwritten: WriteBatch | undefined;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as Bytes;
      if (waiting !== undefined || running !== undefined) {
        const name = nameOf(key);
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
      // Not in the batch that is being written, so it does not change meanwhile.
      values[i] = this.#level.getSync(tagged(entryTag, key));
    }
    return { values, unwritten };
  }

  #enqueue(fill: (batch: WriteBatch) => void): Promise<void> {
    const batch = this.#waiting ?? new WriteBatch();
    fill(batch);
    if (this.#waiting === undefined) {
      this.#waiting = batch;
      // At the end of this turn of the event loop, so that requests read together are written together.
      if (this.#running === undefined) setImmediate(() => void this.#writeWaiting());
    }
    return batch.done;
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting !== undefined) {
      const batch: WriteBatch = this.#waiting;
      this.#running = batch;
      this.#waiting = undefined;
      try {
        await this.#level.batch(this.#operations(batch), { sync: this.#sync });
        this.#running = undefined;
        batch.succeed();
      } catch (error) {
        const dependents = this.#waiting as WriteBatch | undefined;
        this.#running = undefined;
        this.#waiting = undefined;
        batch.fail(error);
        dependents?.fail(error);
      }
      if (this.#waiting !== undefined) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #operations(batch: WriteBatch): Operation[] {
    const operations: Operation[] = [];
    if (batch.nextNumber !== undefined) {
      const value = Buffer.alloc(8);
      value.writeDoubleBE(batch.nextNumber);
      operations.push({ type: "put", key: nextNumberKey, value });
    }
    for (const { key, value } of batch.keys.values()) {
      const stored = tagged(entryTag, key);
      if (value === null) operations.push({ type: "del", key: stored });
      else operations.push({ type: "put", key: stored, value: value as Buffer });
    }
    for (const { counter, reset, count, bytes } of batch.counters.values()) {
      const key = tagged(totalsTag, counter);
      if (reset && count === 0 && bytes === 0) {
        operations.push({ type: "del", key });
        continue;
      }
      const sums = decodeTotals(reset ? undefined : this.#level.getSync(key));
      const value = encodeTotals({ count: sums.count + count, bytes: sums.bytes + bytes });
      operations.push({ type: "put", key, value });
    }
    return operations;
  }
}

type Operation =
  | { readonly type: "put"; readonly key: Bytes; readonly value: Buffer }
  | { readonly type: "del"; readonly key: Bytes };

function tagged(tag: number, key: Bytes): Buffer {
  const bytes = Buffer.allocUnsafe(1 + key.length);
  bytes[0] = tag;
  bytes.set(key, 1);
  return bytes;
}

function bounds({ start, end }: KeyRange): { readonly gte: Bytes; readonly lt: Bytes } {
  return { gte: tagged(entryTag, start), lt: tagged(entryTag, end) };
}

/** What a batch calls the key. */
function nameOf(key: Bytes): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("latin1");
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
