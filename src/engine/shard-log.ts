import { dataTrimmed } from "../api/errors/streams.ts";
import { assert } from "../base/assert.ts";
import { numberOfLogKey } from "../storage/log-keys.ts";
import type { Bytes, Entry, Store } from "../storage/store.ts";
import { logRange, trimmedKey } from "./layout.ts";
import { isClosingMark, readEntry, type StreamRecord, timeOf } from "./stream-record.ts";

export interface NumberedRecord {
  readonly number: number;
  readonly record: StreamRecord;
}

export interface RecordsPage {
  readonly records: readonly NumberedRecord[];
  /** Where to go on; nothing if the shard is closed and this was the rest of it. */
  readonly next: number | undefined;
}

const oneEntry = { limit: 1, bytesMax: 1 };

/**
 * The log of one shard. A position is the number from which on entries are still to be read. What was
 * written at `expiredAt` or before counts as gone, whether or not it has been cleared.
 */
export class ShardLog {
  readonly #store: Store;
  readonly #streamId: number;
  readonly #shard: number;

  constructor(store: Store, streamId: number, shard: number) {
    this.#store = store;
    this.#streamId = streamId;
    this.#shard = shard;
  }

  /** The number of the opening mark: it stays when records go. */
  async opening(): Promise<number> {
    const first = await this.#from(0);
    assert(first !== undefined, "a shard's log begins with a mark");
    return numberOf(first);
  }

  /** The number of the closing mark; the shard must be closed. */
  async closing(): Promise<number> {
    const page = await this.#store.scan(this.#range(0), { ...oneEntry, reverse: true });
    const last = page.entries[0];
    assert(last !== undefined && isClosingMark(last.value), "a closed shard ends with a mark");
    return numberOf(last);
  }

  /** Whether there is an entry with this number. */
  async has(number: number): Promise<boolean> {
    const entry = await this.#from(number);
    return entry !== undefined && numberOf(entry) === number;
  }

  /** Up to this number records have been cleared, or will be. */
  async trimmedTo(): Promise<number> {
    const [row] = await this.#store.get([trimmedKey(this.#streamId, this.#shard)]);
    return row === undefined ? 0 : Number(Buffer.from(row).readBigUInt64BE(0));
  }

  /** Whether a record with this number, or a later one, is gone: nothing can be read from here on. */
  async isTrimmed(position: number, expiredAt: number): Promise<boolean> {
    if (position <= (await this.trimmedTo())) return true;
    const entry = await this.#recordFrom(position);
    return entry !== undefined && timeOf(entry.value) <= expiredAt;
  }

  /** The position of the oldest record that is not gone. */
  async oldest(expiredAt: number): Promise<number> {
    const trimmed = await this.trimmedTo();
    return Math.max(trimmed, await this.#lastExpired(trimmed + 1, expiredAt)) + 1;
  }

  /** Clears the records that are gone; its position is set first, so that a crash does no harm. */
  async trim(expiredAt: number): Promise<void> {
    const before = await this.trimmedTo();
    const last = await this.#lastExpired(before + 1, expiredAt);
    const to = Math.max(before, last);
    if (to === 0) return;
    if (to > before) {
      const value = Buffer.allocUnsafe(8);
      value.writeBigUInt64BE(BigInt(to));
      await this.#store.commit([], () => ({
        writes: [{ kind: "put", key: trimmedKey(this.#streamId, this.#shard), value }],
        result: undefined,
      }));
    }
    await this.#store.clear(this.#range((await this.opening()) + 1, to + 1));
  }

  /** When the oldest entry that is left was written, except for the opening mark. */
  async oldestTime(): Promise<number | undefined> {
    const entry = await this.#recordFrom((await this.trimmedTo()) + 1);
    return entry === undefined ? undefined : timeOf(entry.value);
  }

  async read(
    position: number,
    limit: number,
    bytesMax: number,
    expiredAt: number,
  ): Promise<RecordsPage> {
    // What is below the horizon is all that there will ever be: a later page misses nothing.
    const horizon = await this.#store.horizon();
    if (position <= (await this.trimmedTo())) throw dataTrimmed();
    const records: NumberedRecord[] = [];
    let bytes = 0;
    let next = position;
    while (next < horizon) {
      // One more than is wanted: if that is the closing mark, the reader need not come again.
      const page = await this.#store.scan(this.#range(next, horizon), {
        limit: limit - records.length + 1,
        bytesMax,
      });
      for (const { key, value } of page.entries) {
        if (isClosingMark(value)) return { records, next: undefined };
        const number = numberOfLogKey(key);
        const entry = readEntry(value);
        if (entry.kind === "record") {
          if (records.length === 0 && entry.at <= expiredAt) throw dataTrimmed();
          const isFull = records.length === limit || bytes + entry.size > bytesMax;
          if (isFull && records.length > 0) return { records, next };
          records.push({ number, record: entry });
          bytes += entry.size;
        }
        next = number + 1;
      }
      if (!page.more) break;
    }
    return { records, next };
  }

  /** The number of the last record from `from` on that is gone; 0 if none is. Records are in order of time. */
  async #lastExpired(from: number, expiredAt: number): Promise<number> {
    let last = 0;
    let low = from;
    let high = await this.#store.horizon();
    // Mostly the first one is not gone; then there is nothing to search.
    let probe = from;
    while (low < high) {
      const entry = await this.#recordFrom(probe);
      if (entry === undefined || timeOf(entry.value) > expiredAt) {
        if (probe === from) return 0;
        high = probe;
      } else {
        last = numberOf(entry);
        low = last + 1;
      }
      probe = low + Math.floor((high - low) / 2);
    }
    return last;
  }

  /** The first entry from this number on that is not the opening mark. */
  async #recordFrom(number: number): Promise<Entry | undefined> {
    const entry = await this.#from(number);
    if (entry === undefined || readKind(entry.value) !== "opened") return entry;
    return this.#from(numberOf(entry) + 1);
  }

  async #from(number: number): Promise<Entry | undefined> {
    const page = await this.#store.scan(this.#range(number), oneEntry);
    return page.entries[0];
  }

  #range(from: number, to?: number) {
    return logRange(this.#streamId, this.#shard, from, to);
  }
}

function numberOf({ key }: Entry): number {
  return numberOfLogKey(key);
}

function readKind(value: Bytes): string {
  return readEntry(value).kind;
}
