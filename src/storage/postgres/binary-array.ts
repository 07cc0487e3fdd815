import type { Bytes } from "../store.ts";

// Arrays in the server's binary form: the client would write them as text, at twice the bytes and many
// times the work.

const byteaType = 17;
const bigintType = 20;
const headBytes = 20;

export function byteaArray(list: readonly Bytes[]): Buffer {
  let size = headBytes;
  for (const bytes of list) size += 4 + bytes.length;
  const array = Buffer.allocUnsafe(size);
  writeHead(array, byteaType, list.length);
  let at = headBytes;
  for (const bytes of list) {
    at = array.writeInt32BE(bytes.length, at);
    array.set(bytes, at);
    at += bytes.length;
  }
  return array;
}

export function bigintArray(list: readonly (number | bigint)[]): Buffer {
  const array = Buffer.allocUnsafe(headBytes + 12 * list.length);
  writeHead(array, bigintType, list.length);
  let at = headBytes;
  for (const value of list) {
    at = array.writeInt32BE(8, at);
    if (typeof value === "bigint") {
      at = array.writeBigInt64BE(value, at);
    } else {
      at = array.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
      at = array.writeUInt32BE(value >>> 0, at);
    }
  }
  return array;
}

/** One dimension, no nulls, counted from 1. */
function writeHead(array: Buffer, type: number, length: number): void {
  array.writeInt32BE(1, 0);
  array.writeInt32BE(0, 4);
  array.writeInt32BE(type, 8);
  array.writeInt32BE(length, 12);
  array.writeInt32BE(1, 16);
}
