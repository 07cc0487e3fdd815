import type { WriteBatch } from "../write-batch.ts";

/**
 * How batches lie in the memory that two threads share. A frame is a length and an epoch of four bytes each
 * and the batch's changes, filled up to a multiple of eight. A change is its kind, the lengths of key (two
 * bytes, at 2) and value (four bytes, at 4), and both. The other side is `writer-program.ts`.
 */
export const frameHead = 8;
const changeHead = 8;
const counterBytes = 17;

/** In place of a length: the ring goes on at its beginning; the batch comes by message; the end. */
export const frameMark = { wrap: 0xffffffff, large: 0xfffffffe, end: 0xfffffffd } as const;

const changeKind = { remove: 0, put: 1, count: 2, meta: 3 } as const;

/** Among what the store knows of itself: the number that the next entry of a log gets. */
export const nextNumberKey = Buffer.from("next number");

export function encodedBytes(batch: WriteBatch): number {
  let bytes = batch.nextNumber === undefined ? 0 : changeHead + nextNumberKey.length + 8;
  for (const { key, value } of batch.keys.values()) {
    bytes += changeHead + key.length + (value === null ? 0 : value.length);
  }
  for (const { counter } of batch.counters.values()) {
    bytes += changeHead + counter.length + counterBytes;
  }
  return bytes;
}

/** Writes the batch's changes at `at`; there must be room for them. */
export function encodeBatch(batch: WriteBatch, into: Buffer, at: number): void {
  let next = at;
  if (batch.nextNumber !== undefined) {
    next = head(into, next, changeKind.meta, nextNumberKey, 8);
    next = into.writeDoubleBE(batch.nextNumber, next);
  }
  for (const { key, value } of batch.keys.values()) {
    if (value === null) {
      next = head(into, next, changeKind.remove, key, 0);
    } else {
      next = head(into, next, changeKind.put, key, value.length);
      into.set(value, next);
      next += value.length;
    }
  }
  for (const { counter, reset, count, bytes } of batch.counters.values()) {
    next = head(into, next, changeKind.count, counter, counterBytes);
    next = into.writeDoubleBE(count, next);
    next = into.writeDoubleBE(bytes, next);
    into[next] = reset ? 1 : 0;
    next += 1;
  }
}

function head(into: Buffer, at: number, kind: number, key: Uint8Array, valueLength: number) {
  into[at] = kind;
  into[at + 1] = 0;
  into[at + 2] = key.length & 0xff;
  into[at + 3] = key.length >> 8;
  into[at + 4] = valueLength & 0xff;
  into[at + 5] = (valueLength >> 8) & 0xff;
  into[at + 6] = (valueLength >> 16) & 0xff;
  into[at + 7] = valueLength >>> 24;
  into.set(key, at + changeHead);
  return at + changeHead + key.length;
}
