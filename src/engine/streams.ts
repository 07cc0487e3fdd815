import { randomBytes } from "node:crypto";
import { dataTrimmed, invalidSequenceNumber, shardNotFound } from "../api/errors/streams.ts";
import { shardRollHours, streamRecordsBytesMax, streamRetentionHours } from "../api/limits.ts";
import { BoundedCache } from "../base/bounded-cache.ts";
import type { Clock } from "../base/clock.ts";
import { hashSpace } from "../partitions/position.ts";
import type { Bytes, KeyRange, Store } from "../storage/store.ts";
import type { Catalog } from "./catalog.ts";
import type { TableDescriptor } from "./descriptor.ts";
import {
  counterName,
  metaKey,
  shardKey,
  shardsRange,
  streamKey,
  streamsOfTable,
  streamsRange,
} from "./layout.ts";
import { afterKey } from "./read.ts";
import { type RecordsPage, ShardLog } from "./shard-log.ts";
import { openStream, reshardingWrites, type StreamOpening } from "./stream-changes.ts";
import {
  type ClosedShard,
  isClosed,
  type OpenShard,
  type Shard,
  type StreamDescriptor,
  type StreamRow,
} from "./stream-descriptor.ts";
import { type Resharding, rollShards, splitAt, splitUpTo } from "./stream-shards.ts";

const hourMs = 3_600_000;
export const retentionMs = streamRetentionHours * hourMs;
export const rollMs = shardRollHours * hourMs;

/** Where the partitions of a table of so many bytes begin: shards follow them. */
export type Partitions = (table: TableDescriptor, bytes: number) => readonly number[];

/** A stream that can be read. */
export interface Stream {
  readonly row: StreamRow;
  /** None if the stream is disabled. */
  readonly open: readonly OpenShard[];
  /** The table whose stream it is, as long as it is. */
  readonly table: TableDescriptor | undefined;
  readonly status: "ENABLING" | "ENABLED" | "DISABLING" | "DISABLED";
}

/** The numbers between which a shard's records lie. */
export interface ShardBounds {
  readonly starting: number;
  /** Only of a closed shard. */
  readonly ending?: number;
}

const iteratorSecretKey = metaKey("stream-iterators");
const listChunk = 1_000;

/** The streams of all tables, also of those that are gone. */
export class Streams {
  readonly #store: Store;
  readonly #catalog: Catalog;
  readonly #clock: Clock;
  readonly #partitions: Partitions;
  readonly #bounds = new BoundedCache<ShardBounds>(10_000);
  readonly #pending = new Set<Promise<unknown>>();
  #secret: Promise<Bytes> | undefined;

  constructor(store: Store, catalog: Catalog, clock: Clock, partitions: Partitions) {
    this.#store = store;
    this.#catalog = catalog;
    this.#clock = clock;
    this.#partitions = partitions;
  }

  /** What was written then, or before, is gone. */
  get expiredAt(): number {
    return this.#clock.now() - retentionMs;
  }

  async find(namespace: string, tableName: string, label: string): Promise<Stream | undefined> {
    const current = await this.#current(await this.#catalog.find(namespace, tableName), label);
    if (current !== undefined) return current;
    const [bytes] = await this.#store.get([streamKey(namespace, tableName, label)]);
    if (bytes === undefined) return undefined;
    const row = parse<StreamRow>(bytes);
    if (row.disabledAt !== undefined) {
      if (row.disabledAt <= this.expiredAt) return undefined;
      const settled = (row.settledAt ?? 0) <= this.#clock.now();
      return { row, open: [], table: undefined, status: settled ? "DISABLED" : "DISABLING" };
    }
    // The table was changed since it was last looked at.
    return this.#current(await this.#catalog.reload(namespace, tableName), label);
  }

  async #current(table: TableDescriptor | undefined, label: string): Promise<Stream | undefined> {
    if (table?.stream?.label !== label) return undefined;
    const kept = await this.keepShards(table);
    if (kept?.stream?.label !== label) return undefined;
    const { id, viewType, createdAt, settledAt = 0, shards } = kept.stream;
    return {
      row: {
        id,
        namespace: table.namespace,
        table: table.name,
        label,
        viewType,
        createdAt,
        key: table.key,
      },
      open: shards,
      table: kept,
      status: settledAt <= this.#clock.now() ? "ENABLED" : "ENABLING",
    };
  }

  /** In order, from after the stream with this table and label; of one table only, if it is named. */
  async list(
    namespace: string,
    tableName: string | undefined,
    after: { readonly table: string; readonly label: string } | undefined,
    limit: number,
  ): Promise<readonly StreamRow[]> {
    const range =
      tableName === undefined ? streamsRange(namespace) : streamsOfTable(namespace, tableName);
    const last = after && afterKey(streamKey(namespace, after.table, after.label));
    const start = last !== undefined && Buffer.compare(last, range.start) > 0 ? last : range.start;
    const rows: StreamRow[] = [];
    for await (const { value } of this.#rows({ start, end: range.end })) {
      const row = parse<StreamRow>(value);
      if (row.disabledAt !== undefined && row.disabledAt <= this.expiredAt) continue;
      rows.push(row);
      if (rows.length === limit) break;
    }
    return rows;
  }

  /** A label that no stream of the table has had: a later moment than all of them. */
  async freeLabel(namespace: string, tableName: string): Promise<string> {
    const page = await this.#store.scan(streamsOfTable(namespace, tableName), {
      limit: 1,
      bytesMax: 1,
      reverse: true,
    });
    const last = page.entries[0];
    const from = last === undefined ? 0 : Date.parse(`${parse<StreamRow>(last.value).label}Z`) + 1;
    return new Date(Math.max(this.#clock.now(), from)).toISOString().slice(0, -1);
  }

  /** A new stream of a table of so many bytes. */
  opening(
    table: TableDescriptor,
    bytes: number,
    opening: Omit<StreamOpening, "starts">,
  ): ReturnType<typeof openStream> {
    return openStream(table, { ...opening, starts: this.#partitions(table, bytes) });
  }

  /** The shards that a table of so many bytes has to have more after a change of it; nothing if none. */
  growth(table: TableDescriptor, bytes: number, now: number): Resharding | undefined {
    if (table.stream === undefined) return undefined;
    return splitUpTo(table.stream, this.#partitions(table, bytes).length, now);
  }

  /**
   * All shards that have, or may get, records, by id, and the stream as it is with them. A shard that is
   * open by the table's description but closed by its own row has children of which the description
   * that was found knows nothing: then it is read again.
   */
  async shards(
    stream: Stream,
  ): Promise<{ readonly stream: Stream; readonly shards: readonly Shard[] }> {
    const { expiredAt } = this;
    for (let found = stream; ; found = (await this.#again(found)) ?? { ...found, open: [] }) {
      const open = new Set(found.open.map(({ number }) => number));
      const shards: Shard[] = [...found.open];
      let isOld = false;
      for await (const { value } of this.#rows(shardsRange(found.row.id))) {
        const shard = parse<ClosedShard>(value);
        isOld ||= open.has(shard.number);
        if (shard.closedAt > expiredAt) shards.push(shard);
      }
      if (isOld) continue;
      return { stream: found, shards: shards.sort((a, b) => (a.id < b.id ? -1 : 1)) };
    }
  }

  async shard(stream: Stream, number: number): Promise<Shard> {
    const numbered = (shard: Shard) => shard.number === number;
    const open = stream.open.find(numbered);
    if (open !== undefined) return open;
    const [bytes] = await this.#store.get([shardKey(stream.row.id, number)]);
    const shard = bytes === undefined ? undefined : parse<ClosedShard>(bytes);
    if (shard !== undefined && shard.closedAt > this.expiredAt) return shard;
    // Another process may have opened it and handed out the iterator.
    const opened = shard ?? (await this.#again(stream))?.open.find(numbered);
    if (opened === undefined || isClosed(opened)) throw shardNotFound();
    return opened;
  }

  /** The stream by the description of its table as it is now. */
  async #again({ row: { namespace, table, label } }: Stream): Promise<Stream | undefined> {
    const current = await this.#current(await this.#catalog.reload(namespace, table), label);
    return current ?? this.find(namespace, table, label);
  }

  async bounds(stream: Stream, shard: Shard): Promise<ShardBounds> {
    const name = `${stream.row.id}/${shard.number}`;
    const known = this.#bounds.get(name);
    if (known !== undefined && (known.ending !== undefined || !isClosed(shard))) return known;
    const log = this.#log(stream, shard);
    const starting = known?.starting ?? (await log.opening());
    const bounds = isClosed(shard) ? { starting, ending: await log.closing() } : { starting };
    this.#bounds.set(name, bounds);
    return bounds;
  }

  /** The position of the oldest record that is there. */
  oldest(stream: Stream, shard: Shard): Promise<number> {
    return this.#log(stream, shard).oldest(this.expiredAt);
  }

  /** The position behind the newest record. */
  async newest(stream: Stream, shard: Shard): Promise<number> {
    return (await this.bounds(stream, shard)).ending ?? (await this.#store.horizon());
  }

  /** The position of a record by its number, or the one behind it. */
  async positionOf(stream: Stream, shard: Shard, number: number, behind: boolean): Promise<number> {
    const { starting, ending } = await this.bounds(stream, shard);
    const log = this.#log(stream, shard);
    if (number > (ending ?? (await this.#store.horizon()) - 1)) {
      // What another process has read may not be settled here yet.
      if (ending !== undefined || !(await log.has(number))) throw invalidSequenceNumber();
    }
    const isGone = number < starting || (await log.isTrimmed(number, this.expiredAt));
    if (isGone) throw dataTrimmed();
    const position = behind ? number + 1 : number;
    return ending === undefined ? position : Math.min(position, ending);
  }

  async read(stream: Stream, shard: Shard, position: number, limit: number): Promise<RecordsPage> {
    if (isClosed(shard)) {
      // Whoever asked for the latest when it was about to be closed may be behind its end.
      const { ending = 0 } = await this.bounds(stream, shard);
      if (position > ending) return { records: [], next: undefined };
    }
    return this.#log(stream, shard).read(position, limit, streamRecordsBytesMax, this.expiredAt);
  }

  /** Halves a shard of a table's stream. */
  async splitShard(namespace: string, tableName: string, shardId: string): Promise<void> {
    const table = await this.#catalog.find(namespace, tableName);
    const at = table?.stream?.shards.findIndex(({ id }) => id === shardId) ?? -1;
    const shard = table?.stream?.shards[at];
    if (table === undefined || shard === undefined) throw shardNotFound();
    const end = table.stream?.shards[at + 1]?.start ?? hashSpace;
    await this.split(table, [Math.floor((shard.start + end) / 2)]);
  }

  /** The table's partitions were split at these hashes. */
  async split(table: TableDescriptor, places: readonly number[]): Promise<void> {
    await this.#reshard(table, (stream, now) => splitAt(stream, places, now));
  }

  /** The same, behind the back of whoever tells it. */
  splitSoon(table: TableDescriptor, places: readonly number[]): void {
    if (table.stream === undefined) return;
    // A shard that was not split is no failure: it holds its records as well as its children would.
    const split = this.split(table, places).catch(() => {});
    this.#pending.add(split);
    split.finally(() => this.#pending.delete(split));
  }

  /** Waits for what goes on behind the answers. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Does what is due with the open shards of a table's stream; answers the table after that. */
  async keepShards(table: TableDescriptor): Promise<TableDescriptor | undefined> {
    const due = this.#clock.now() - rollMs;
    if (table.stream?.shards.every(({ openedAt }) => openedAt > due) ?? true) return table;
    const { bytes } = await this.#store.totals(counterName(table.id));
    const count = this.#partitions(table, bytes).length;
    // Those that are split begin anew; the rest goes on, each as one.
    await this.#reshard(table, (stream, now) => splitUpTo(stream, count, now));
    return this.#reshard(table, (stream, now) => rollShards(stream, now - rollMs, now));
  }

  /** Answers the table that has the name then. */
  #reshard(
    { namespace, name, id }: TableDescriptor,
    decide: (stream: StreamDescriptor, now: number) => Resharding | undefined,
  ): Promise<TableDescriptor | undefined> {
    return this.#catalog.change(namespace, name, (table) => {
      if (table === undefined || table.id !== id || table.stream === undefined) {
        return { table, result: table };
      }
      const now = this.#clock.now();
      const resharding = decide(table.stream, now);
      if (resharding === undefined) return { table, result: table };
      const after = { ...table, version: table.version + 1, stream: resharding.stream };
      return { table: after, writes: reshardingWrites(resharding, now), result: after };
    });
  }

  /** Known to all processes that share the store, and to nobody else. */
  secret(): Promise<Bytes> {
    this.#secret ??= this.#takeSecret().catch((error: unknown) => {
      this.#secret = undefined;
      throw error;
    });
    return this.#secret;
  }

  #takeSecret(): Promise<Bytes> {
    const made = randomBytes(32);
    return this.#store.commit([iteratorSecretKey], ([found]) =>
      found === undefined
        ? { writes: [{ kind: "put", key: iteratorSecretKey, value: made }], result: made }
        : { writes: [], result: found },
    );
  }

  #log(stream: Stream, shard: Shard): ShardLog {
    return new ShardLog(this.#store, stream.row.id, shard.number);
  }

  async *#rows(range: KeyRange) {
    let { start } = range;
    while (Buffer.compare(start, range.end) < 0) {
      const page = await this.#store.scan(
        { start, end: range.end },
        { limit: listChunk, bytesMax: Number.MAX_SAFE_INTEGER },
      );
      yield* page.entries;
      const last = page.entries.at(-1);
      if (!page.more || last === undefined) return;
      start = afterKey(last.key);
    }
  }
}

function parse<T>(bytes: Bytes): T {
  return JSON.parse(Buffer.from(bytes).toString()) as T;
}
