import type { Clock } from "../base/clock.ts";
import type { Bytes, Entry, KeyRange, Store } from "../storage/store.ts";
import type { Catalog } from "./catalog.ts";
import {
  allStreams,
  logRange,
  logsRange,
  shardKey,
  shardsRange,
  streamKey,
  trimmedKey,
  trimmedRange,
} from "./layout.ts";
import { afterKey } from "./read.ts";
import { Rounds } from "./rounds.ts";
import { ShardLog } from "./shard-log.ts";
import type { ClosedShard, Shard, StreamRow } from "./stream-descriptor.ts";
import { retentionMs, rollMs, type Streams } from "./streams.ts";

const minuteMs = 60_000;
/** How often it is seen to what is due. */
const roundMs = minuteMs;
/** How long a request may go on with what it found before it was gone. */
const graceMs = 5 * minuteMs;
/** A stream is looked at so often at least. What is gone cannot be seen, so there is no hurry. */
const visitMs = 60 * minuteMs;
const chunk = { limit: 1_000, bytesMax: Number.MAX_SAFE_INTEGER };

/**
 * Does behind the answers what time brings to streams: lets shards roll, clears records, shards and
 * streams whose day is over. What there is to do follows from what is stored, and each thing is cleared
 * before its row is: after a crash it is done again.
 */
export class StreamKeeper {
  readonly #store: Store;
  readonly #catalog: Catalog;
  readonly #streams: Streams;
  readonly #clock: Clock;
  /** By stream: before then there is nothing to do. */
  readonly #dueAt = new Map<number, number>();
  readonly #rounds: Rounds;

  constructor(store: Store, catalog: Catalog, streams: Streams, clock: Clock) {
    this.#store = store;
    this.#catalog = catalog;
    this.#streams = streams;
    this.#clock = clock;
    this.#rounds = new Rounds(clock, roundMs, () => this.#keepAll());
  }

  /** From now on, until it is stopped. */
  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Does what is due; one round at a time. */
  keep(): Promise<void> {
    return this.#rounds.run();
  }

  async #keepAll(): Promise<void> {
    const seen = new Set<number>();
    for await (const row of this.#rows<StreamRow>(allStreams)) {
      if (this.#rounds.stopped) return;
      seen.add(row.id);
      if (this.#clock.now() >= (this.#dueAt.get(row.id) ?? 0)) await this.#keepStream(row);
    }
    for (const id of this.#dueAt.keys()) if (!seen.has(id)) this.#dueAt.delete(id);
  }

  async #keepStream(row: StreamRow): Promise<void> {
    const { id, namespace, table: name, disabledAt } = row;
    const now = this.#clock.now();
    const goneAt = now - retentionMs - graceMs;
    if (disabledAt !== undefined && disabledAt <= goneAt) {
      await this.#drop(row);
      return;
    }
    let dueAt = now + visitMs;
    const found = disabledAt === undefined ? await this.#catalog.find(namespace, name) : undefined;
    const table = found?.stream?.id === id ? await this.#streams.keepShards(found) : undefined;
    const open = table?.stream?.id === id ? table.stream.shards : [];
    for (const shard of open) {
      dueAt = Math.min(dueAt, shard.openedAt + rollMs);
      await this.#trim(id, shard, goneAt);
    }
    for await (const shard of this.#rows<ClosedShard>(shardsRange(id))) {
      if (this.#rounds.stopped) return;
      if (shard.closedAt <= goneAt) await this.#dropShard(id, shard);
      else await this.#trim(id, shard, goneAt);
    }
    this.#dueAt.set(id, dueAt);
  }

  /** What is younger than the shard itself cannot be gone. */
  async #trim(streamId: number, { number, openedAt }: Shard, goneAt: number): Promise<void> {
    if (openedAt <= goneAt) await new ShardLog(this.#store, streamId, number).trim(goneAt);
  }

  /** The row says first what is done to the log: a log that is half cleared is no damage. */
  async #dropShard(streamId: number, shard: ClosedShard): Promise<void> {
    const key = shardKey(streamId, shard.number);
    await this.#mark(key, shard);
    await this.#store.clear(logRange(streamId, shard.number));
    await this.#delete([trimmedKey(streamId, shard.number), key]);
  }

  async #drop(row: StreamRow): Promise<void> {
    const { id, namespace, table, label } = row;
    const key = streamKey(namespace, table, label);
    await this.#mark(key, row);
    await this.#store.clear(logsRange(id));
    await this.#store.clear(trimmedRange(id));
    await this.#store.clear(shardsRange(id));
    await this.#delete([key]);
  }

  #mark(key: Bytes, row: StreamRow | ClosedShard): Promise<void> {
    const value = Buffer.from(JSON.stringify({ ...row, dropped: true }));
    return this.#store.commit([], () => ({
      writes: [{ kind: "put", key, value }],
      result: undefined,
    }));
  }

  #delete(keys: readonly Bytes[]): Promise<void> {
    return this.#store.commit([], () => ({
      writes: keys.map((key) => ({ kind: "delete", key })),
      result: undefined,
    }));
  }

  async *#rows<Row>(range: KeyRange): AsyncGenerator<Row> {
    let { start } = range;
    for (;;) {
      const page = await this.#store.scan({ start, end: range.end }, chunk);
      for (const { value } of page.entries) {
        yield JSON.parse(Buffer.from(value).toString()) as Row;
      }
      const last: Entry | undefined = page.entries.at(-1);
      if (!page.more || last === undefined) return;
      start = afterKey(last.key);
    }
  }
}
