import type { Bytes } from "../store.ts";

/** Where the engine's keys hold the hash of a partition key; see `partitionOf`. */
const partitionStart = 5;
const partitionEnd = 13;

/**
 * The 64 bits by which entries can be distributed over servers. The engine puts the hash of a partition
 * key behind five bytes that name the kind of key and the table or index, so these bits are the same
 * for an item, its entries in local indexes and the row of its collection: what one partition's writes
 * touch stays on one server. Shorter keys are few and small, and are filled up with zeros.
 */
export function partitionOf(key: Bytes): bigint {
  if (key.length >= partitionEnd) {
    return Buffer.from(key.buffer, key.byteOffset, key.byteLength).readBigInt64BE(partitionStart);
  }
  const padded = Buffer.alloc(partitionEnd);
  padded.set(key);
  return padded.readBigInt64BE(partitionStart);
}

/** The partition that holds every key from `start` up to `end`, if there is only one. */
export function partitionOfRange(start: Bytes, end: Bytes): bigint | undefined {
  if (start.length < partitionEnd || end.length < partitionEnd) return undefined;
  for (let i = 0; i < partitionEnd; i++) if (start[i] !== end[i]) return undefined;
  return partitionOf(start);
}

/**
 * Names a key for an advisory lock with 53 bits, which a number holds exactly. Two keys of one name only
 * wait for each other needlessly. Locks belong to a whole database: the seed keeps schemas apart.
 */
export function lockName(key: Bytes, seed: number): number {
  let low = seed ^ 0x9e3779b9;
  let high = seed ^ 0x51ed270b;
  for (let i = 0; i < key.length; i++) {
    const byte = key[i] as number;
    low = Math.imul(low ^ byte, 0x85ebca6b);
    high = Math.imul(high ^ byte, 0xc2b2ae35);
    low ^= low >>> 15;
    high ^= high >>> 13;
  }
  low = Math.imul(low ^ (low >>> 16), 0x2c1b3c6d) ^ Math.imul(high ^ (high >>> 13), 0x297a2d39);
  high = Math.imul(high ^ (high >>> 16), 0x2c1b3c6d) ^ Math.imul(low ^ (low >>> 13), 0x297a2d39);
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}
