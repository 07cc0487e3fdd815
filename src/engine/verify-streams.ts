import { attribute, type Item, type KeyValue, typeOf } from "../item/attribute-value.ts";
import { partitionHash } from "../item/key-encoding.ts";
import { itemSize } from "../item/size.ts";
import { hashOfBytes, hashSpace } from "../partitions/position.ts";
import type { Bytes, Entry, KeyRange, Store } from "../storage/store.ts";
import { keyAttributes, type TableDescriptor } from "./descriptor.ts";
import { allLogs, allStreams, placeOfLogKey, shardsRange } from "./layout.ts";
import { afterKey } from "./read.ts";
import {
  type ClosedShard,
  isClosed,
  type OpenShard,
  type Shard,
  type StreamDescriptor,
  type StreamRow,
} from "./stream-descriptor.ts";
import { readEntry, type StreamRecord } from "./stream-record.ts";

type Problem = (text: string) => void;

interface KnownStream {
  readonly row: StreamRow;
  readonly name: string;
  readonly shards: ReadonlyMap<number, Shard & { readonly end: number }>;
}

const chunk = { limit: 1_000, bytesMax: 4 * 1024 * 1024 };

/** Checks the streams and what lies in their logs; answers how many records there are. */
export async function verifyStreams(
  store: Store,
  tables: readonly TableDescriptor[],
  problem: Problem,
): Promise<number> {
  const streams = await knownStreams(store, tables, problem);
  const logs = new LogCheck(streams, problem);
  for await (const entry of entries(store, allLogs)) logs.take(entry);
  logs.finish();
  return logs.records;
}

async function knownStreams(
  store: Store,
  tables: readonly TableDescriptor[],
  problem: Problem,
): Promise<ReadonlyMap<number, KnownStream>> {
  const current = new Map<number, TableDescriptor>();
  for (const table of tables) if (table.stream !== undefined) current.set(table.stream.id, table);
  const streams = new Map<number, KnownStream>();
  for await (const { value } of entries(store, allStreams)) {
    const row = parse<StreamRow>(value);
    const name = `${row.table}: stream ${row.label}`;
    const table = current.get(row.id);
    if (row.disabledAt === undefined && table === undefined) {
      problem(`${name} is not disabled, but no table has it.`);
    }
    if (row.disabledAt !== undefined && table !== undefined) {
      problem(`${name} is disabled, but the table has it.`);
    }
    if (table?.stream !== undefined) checkShards(name, table.stream, problem);
    const shards = new Map<number, Shard & { end: number }>();
    for (const shard of openShards(table?.stream)) shards.set(shard.number, shard);
    for await (const { value: bytes } of entries(store, shardsRange(row.id))) {
      const shard = parse<ClosedShard>(bytes);
      if (shards.has(shard.number)) problem(`${name}: shard ${shard.id} is open and closed.`);
      shards.set(shard.number, shard);
    }
    streams.set(row.id, { row, name, shards });
  }
  for (const { name, stream } of current.values()) {
    if (!streams.has(stream?.id as number)) {
      problem(`${name}: its stream ${stream?.label} is not listed.`);
    }
  }
  return streams;
}

function openShards(stream: StreamDescriptor | undefined): (OpenShard & { end: number })[] {
  const { shards = [] } = stream ?? {};
  return shards.map((shard, i) => ({ ...shard, end: shards[i + 1]?.start ?? hashSpace }));
}

/** Together the open shards hold all hashes, each once. */
function checkShards(
  name: string,
  { shards, nextShard }: StreamDescriptor,
  problem: Problem,
): void {
  if (shards[0]?.start !== 0) problem(`${name}: no shard holds the first hashes.`);
  shards.forEach((shard, i) => {
    const end = shards[i + 1]?.start ?? hashSpace;
    if (shard.start >= end) problem(`${name}: shard ${shard.id} is out of order.`);
    if (shard.number >= nextShard) problem(`${name}: shard ${shard.id} has a number to come.`);
  });
}

/** Goes through all logs in order: each begins and, if its shard is closed, ends with a mark. */
class LogCheck {
  records = 0;
  readonly #streams: ReadonlyMap<number, KnownStream>;
  readonly #problem: Problem;
  readonly #seen = new Set<string>();
  #log = "";
  #stream: KnownStream | undefined;
  #shard: (Shard & { readonly end: number }) | undefined;
  #closed = false;

  constructor(streams: ReadonlyMap<number, KnownStream>, problem: Problem) {
    this.#streams = streams;
    this.#problem = problem;
  }

  take({ key, value }: Entry): void {
    const { streamId, shard, number } = placeOfLogKey(key);
    const isFirst = this.#turnTo(streamId, shard);
    if (this.#stream === undefined || this.#shard === undefined) return;
    if (isDropped(this.#stream, this.#shard)) return;
    const where = `${this.#stream.name}: entry ${number} of shard ${this.#shard.id}`;
    if (this.#closed) this.#problem(`${where} is behind the end of the shard.`);
    try {
      const entry = readEntry(value);
      if (isFirst !== (entry.kind === "opened")) {
        this.#problem(`${where} is ${isFirst ? "the first, but no" : "an"} opening mark.`);
      }
      if (entry.kind === "closed") {
        this.#closed = true;
        if (!isClosed(this.#shard)) this.#problem(`${where} closes a shard that is open.`);
      }
      if (entry.kind === "record") {
        this.records += 1;
        this.#checkRecord(where, this.#stream.row, this.#shard, entry);
      }
    } catch (error) {
      this.#problem(`${where} cannot be read: ${String(error)}.`);
    }
  }

  /** True if this is the beginning of a log. */
  #turnTo(streamId: number, shard: number): boolean {
    const log = `${streamId}/${shard}`;
    if (log === this.#log) return false;
    this.#endLog();
    this.#log = log;
    this.#seen.add(log);
    this.#closed = false;
    this.#stream = this.#streams.get(streamId);
    this.#shard = this.#stream?.shards.get(shard);
    if (this.#stream === undefined) this.#problem(`The log ${log} belongs to no stream.`);
    else if (this.#shard === undefined) {
      this.#problem(`${this.#stream.name}: the log ${log} belongs to no shard.`);
    }
    return true;
  }

  #endLog(): void {
    if (this.#shard === undefined || this.#stream === undefined || this.#closed) return;
    if (isClosed(this.#shard) && !isDropped(this.#stream, this.#shard)) {
      this.#problem(`${this.#stream.name}: shard ${this.#shard.id} is closed, but its log is not.`);
    }
  }

  finish(): void {
    this.#endLog();
    for (const [id, stream] of this.#streams) {
      for (const shard of stream.shards.values()) {
        if (this.#seen.has(`${id}/${shard.number}`) || isDropped(stream, shard)) continue;
        this.#problem(`${stream.name}: shard ${shard.id} has no log.`);
      }
    }
  }

  #checkRecord(
    where: string,
    { key, viewType }: StreamRow,
    shard: OpenShard & { readonly end: number },
    { keys, newImage, oldImage, size, event }: StreamRecord,
  ): void {
    const item = parse<Item>(keys);
    const names = keyAttributes(key);
    const fits = names.every(({ name, type }) => {
      const value = attribute(item, name);
      return value !== undefined && typeOf(value) === type;
    });
    if (!fits || Object.keys(item).length !== names.length) {
      this.#problem(`${where} has not the table's key.`);
      return;
    }
    const place = hashOfBytes(partitionHash(key.hash.map(({ name }) => item[name] as KeyValue)));
    if (place < shard.start || place >= shard.end) this.#problem(`${where} is of another shard.`);
    const sizes = [keys, newImage, oldImage].map((json) =>
      json === undefined ? 0 : itemSize(parse<Item>(json)),
    );
    if (sizes.reduce((sum, bytes) => sum + bytes, 0) !== size) {
      this.#problem(`${where} is not of ${size} bytes.`);
    }
    const shows = (view: string) => viewType === view || viewType === "NEW_AND_OLD_IMAGES";
    const wantsNew = shows("NEW_IMAGE") && event !== "REMOVE";
    const wantsOld = shows("OLD_IMAGE") && event !== "INSERT";
    if ((newImage !== undefined) !== wantsNew || (oldImage !== undefined) !== wantsOld) {
      this.#problem(`${where} does not show what ${viewType} asks for.`);
    }
  }
}

/** Whether the log is being cleared. */
function isDropped({ row }: KnownStream, shard: Shard): boolean {
  return row.dropped === true || (isClosed(shard) && shard.dropped === true);
}

async function* entries(store: Store, range: KeyRange): AsyncGenerator<Entry> {
  let { start } = range;
  for (;;) {
    const page = await store.scan({ start, end: range.end }, chunk);
    yield* page.entries;
    store.stepDone?.();
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return;
    start = afterKey(last.key);
  }
}

function parse<T>(bytes: Bytes): T {
  return JSON.parse(Buffer.from(bytes).toString()) as T;
}
