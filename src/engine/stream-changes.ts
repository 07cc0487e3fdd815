import { hashSpace } from "../partitions/position.ts";
import type { Write } from "../storage/store.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { logName, shardKey, streamKey } from "./layout.ts";
import type {
  ClosedShard,
  OpenShard,
  StreamDescriptor,
  StreamRow,
  StreamViewType,
} from "./stream-descriptor.ts";
import { mark } from "./stream-record.ts";
import { firstShards, type Resharding } from "./stream-shards.ts";

/**
 * A table's stream changes with the table's description, in the same commit. Each commit on the table
 * checks the description's version; so a record can neither come into a shard after its closing mark
 * nor before its opening one.
 */

export interface StreamOpening {
  readonly id: number;
  /** The moment of the request. */
  readonly label: string;
  readonly viewType: StreamViewType;
  /** Where the partitions of the table begin. */
  readonly starts: readonly number[];
  readonly now: number;
  /** How long it reports ENABLING. */
  readonly transitionMs: number;
}

/** A new stream of a table. */
export function openStream(
  { namespace, name, key }: TableDescriptor,
  opening: StreamOpening,
): { readonly stream: StreamDescriptor; readonly writes: readonly Write[] } {
  const { id, label, viewType, starts, now, transitionMs } = opening;
  const shards = firstShards(id, starts, now);
  const createdAt = Date.parse(`${label}Z`);
  const stream: StreamDescriptor = {
    id,
    label,
    viewType,
    createdAt,
    ...(transitionMs > 0 && { settledAt: now + transitionMs }),
    nextShard: shards.length,
    shards,
  };
  const row: StreamRow = { id, namespace, table: name, label, viewType, createdAt, key };
  return { stream, writes: [rowWrite(row), ...openingWrites(id, shards, now)] };
}

/** All shards of a stream close; nothing is added to it any more. */
export function closeStream(
  { namespace, name, key }: TableDescriptor,
  { id, label, viewType, createdAt, shards }: StreamDescriptor,
  now: number,
  transitionMs: number,
): readonly Write[] {
  const row: StreamRow = {
    id,
    namespace,
    table: name,
    label,
    viewType,
    createdAt,
    key,
    disabledAt: now,
    ...(transitionMs > 0 && { settledAt: now + transitionMs }),
  };
  const closed = shards.map((shard, i) => ({ ...shard, end: shards[i + 1]?.start ?? hashSpace }));
  return [rowWrite(row), ...closingWrites(id, closed, now)];
}

export function reshardingWrites(
  { stream, closed, opened }: Resharding,
  now: number,
): readonly Write[] {
  return [...closingWrites(stream.id, closed, now), ...openingWrites(stream.id, opened, now)];
}

function rowWrite(row: StreamRow): Write {
  const key = streamKey(row.namespace, row.table, row.label);
  return { kind: "put", key, value: Buffer.from(JSON.stringify(row)) };
}

function openingWrites(streamId: number, shards: readonly OpenShard[], now: number): Write[] {
  return shards.map(({ number }) => ({
    kind: "append",
    log: logName(streamId, number),
    value: mark("opened", now),
  }));
}

function closingWrites(
  streamId: number,
  shards: readonly (OpenShard & { readonly end: number })[],
  now: number,
): Write[] {
  return shards.flatMap((shard): Write[] => {
    const row: ClosedShard = { ...shard, closedAt: now };
    const value = Buffer.from(JSON.stringify(row));
    return [
      { kind: "put", key: shardKey(streamId, shard.number), value },
      { kind: "append", log: logName(streamId, shard.number), value: mark("closed", now) },
    ];
  });
}
