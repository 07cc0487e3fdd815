import { hash } from "node:crypto";
import { assert } from "../base/assert.ts";
import { hashSpace } from "../partitions/position.ts";
import type { OpenShard, StreamDescriptor } from "./stream-descriptor.ts";

/** What a change makes of a stream's shards. */
export interface Resharding {
  readonly stream: StreamDescriptor;
  readonly closed: readonly (OpenShard & { readonly end: number })[];
  readonly opened: readonly OpenShard[];
}

/** The shard whose hashes hold this one. */
export function shardAt(shards: readonly OpenShard[], place: number): OpenShard {
  let low = 0;
  let high = shards.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((shards[middle] as OpenShard).start <= place) low = middle;
    else high = middle - 1;
  }
  return shards[low] as OpenShard;
}

/** The first shards of a stream, one from each of these hashes on. */
export function firstShards(
  streamId: number,
  starts: readonly number[],
  now: number,
): readonly OpenShard[] {
  assert(starts[0] === 0, "the first shard begins where hashes do");
  return starts.map((start, number) => openShard(streamId, number, start, now));
}

function openShard(
  streamId: number,
  number: number,
  start: number,
  openedAt: number,
  parent?: string,
): OpenShard {
  const digits = openedAt.toString().padStart(20, "0");
  const mark = hash("sha256", `${streamId}/${number}`, "hex").slice(0, 8);
  return {
    number,
    id: `shardId-${digits}-${mark}`,
    ...(parent !== undefined && { parent }),
    start,
    openedAt,
  };
}

/** Splits the shards that have these places inside; nothing if none has. */
export function splitAt(
  stream: StreamDescriptor,
  places: readonly number[],
  now: number,
): Resharding | undefined {
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  return reshard(stream, now, ({ start }, end) => {
    const inside = sorted.filter((place) => place > start && place < end);
    return inside.length === 0 ? undefined : inside;
  });
}

/** Halves shards, the widest first, until there are enough; nothing if there are. */
export function splitUpTo(
  stream: StreamDescriptor,
  count: number,
  now: number,
): Resharding | undefined {
  const bounds = [...stream.shards.map(({ start }) => start), hashSpace];
  const places: number[] = [];
  while (bounds.length - 1 < count) {
    let widest = 0;
    for (let i = 1; i + 1 < bounds.length; i += 1) {
      if (width(bounds, i) > width(bounds, widest)) widest = i;
    }
    const start = bounds[widest] as number;
    const middle = Math.floor((start + (bounds[widest + 1] as number)) / 2);
    if (middle === start) break;
    bounds.splice(widest + 1, 0, middle);
    places.push(middle);
  }
  return places.length === 0 ? undefined : splitAt(stream, places, now);
}

function width(bounds: readonly number[], i: number): number {
  return (bounds[i + 1] as number) - (bounds[i] as number);
}

/** Lets shards that have been open since then, or longer, go on as new ones. */
export function rollShards(
  stream: StreamDescriptor,
  openedBefore: number,
  now: number,
): Resharding | undefined {
  return reshard(stream, now, ({ openedAt }) => (openedAt <= openedBefore ? [] : undefined));
}

/** `placesOf` says where a shard is cut (nowhere: it has one child), or that it stays as it is. */
function reshard(
  stream: StreamDescriptor,
  now: number,
  placesOf: (shard: OpenShard, end: number) => readonly number[] | undefined,
): Resharding | undefined {
  const shards: OpenShard[] = [];
  const closed: (OpenShard & { end: number })[] = [];
  const opened: OpenShard[] = [];
  let number = stream.nextShard;
  stream.shards.forEach((shard, i) => {
    const end = stream.shards[i + 1]?.start ?? hashSpace;
    const places = placesOf(shard, end);
    if (places === undefined) {
      shards.push(shard);
      return;
    }
    closed.push({ ...shard, end });
    // Ids order by time, and consumers take it that a child comes after its parent.
    const openedAt = Math.max(now, shard.openedAt + 1);
    for (const start of [shard.start, ...places]) {
      opened.push(openShard(stream.id, number, start, openedAt, shard.id));
      number += 1;
    }
    shards.push(...opened.slice(-1 - places.length));
  });
  if (closed.length === 0) return undefined;
  return { stream: { ...stream, nextShard: number, shards }, closed, opened };
}
