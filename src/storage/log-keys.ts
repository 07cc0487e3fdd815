import type { Bytes } from "./store.ts";

/** What a number adds to the name of its log. */
export const logNumberBytes = 8;

/** Where the entry of a log with this number lies; entries lie in the order of their numbers. */
export function logKey(log: Bytes, number: number): Buffer {
  const key = Buffer.allocUnsafe(log.length + logNumberBytes);
  key.set(log);
  key.writeUInt32BE(Math.floor(number / 0x1_0000_0000), log.length);
  key.writeUInt32BE(number >>> 0, log.length + 4);
  return key;
}

/** The number of an entry, from its key. */
export function numberOfLogKey(key: Bytes): number {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  const at = bytes.length - logNumberBytes;
  return bytes.readUInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4);
}
