import { keyText, type TimeUnit } from "./key-parts.ts";
import { ValueError } from "./numbers.ts";
import { type RandomSource, systemRandom, systemTime, utf8Bytes } from "./platform.ts";
import type { KeyValue } from "./values.ts";

/** Numbers that spread one hot key over several. */

/** A shard's number has as many digits as the last one: `00` to `11` of twelve. */
export function shardText(number: number, count: number): string {
  return String(number).padStart(String(count - 1).length, "0");
}

/** All shards there are, for whoever reads without knowing which one was written to. */
export function allShards(count: number): readonly string[] {
  checkCount(count);
  return Array.from({ length: count }, (_, number) => shardText(number, count));
}

/**
 * A shard that follows from a value: who knows the value reads one shard only. The hash is FNV-1a of 32 bits over
 * the UTF-8 bytes, whose bits are then mixed as murmur3 does at its end: easy to make in any language.
 */
export function calculatedShard(value: KeyValue, count: number): string {
  checkCount(count);
  return shardText(shardHash(keyText(value)) % count, count);
}

/** The 32 bits that a calculated shard is made of. */
export function shardHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of utf8Bytes(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Any shard: writes are spread best, and readers look at all of them. */
export function randomShard(count: number, random: RandomSource = systemRandom): string {
  checkCount(count);
  return shardText(Math.floor(random() * count), count);
}

/** The shard of a moment: `timeShard("hour", 24, now)` is the hour of the day. */
export function timeShard(unit: TimeUnit, count: number, time: number = systemTime()): string {
  checkCount(count);
  return shardText(unitsSince1970(time, unit) % count, count);
}

/** The time shards that what was written from one moment to another lies in, in the order of time. */
export function timeShardsBetween(
  unit: TimeUnit,
  count: number,
  from: number,
  to: number,
): readonly string[] {
  checkCount(count);
  const [first, last] = [unitsSince1970(from, unit), unitsSince1970(to, unit)];
  const length = Math.max(0, Math.min(count, last - first + 1));
  return Array.from({ length }, (_, at) => shardText((first + at) % count, count));
}

const unitMilliseconds = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** Whole minutes, hours, days since 1970; months and years are those of the calendar. */
export function unitsSince1970(time: number, unit: TimeUnit): number {
  if (!(time >= 0 && time <= 8.64e15)) throw new ValueError(`${time} is no time since 1970`);
  const date = new Date(time);
  if (unit === "year") return date.getUTCFullYear() - 1970;
  if (unit === "month") return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return Math.floor(time / unitMilliseconds[unit]);
}

function checkCount(count: number): void {
  if (!Number.isInteger(count) || count < 1) throw new ValueError(`${count} shards cannot be`);
}
