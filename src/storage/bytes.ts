import { assert } from "../base/assert.ts";
import { logNumberBytes } from "./log-keys.ts";
import { type Bytes, keyBytesMax, type Write } from "./store.ts";

/**
 * Unsigned byte order, a prefix before its extensions: what `Buffer.compare` answers. Written out
 * because keys differ within their first few dozen bytes, where the call into native code costs more
 * than the loop.
 */
export function compareBytes(a: Bytes, b: Bytes): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function assertKey(key: Bytes): void {
  assert(key.length > 0 && key.length <= keyBytesMax, `a storage key of ${key.length} bytes`);
}

/** A bad key must be found before the first write of its commit is applied. */
export function assertWrite(write: Write): void {
  if (write.kind === "add") assertKey(write.counter);
  else if (write.kind !== "append") assertKey(write.key);
  else assertLog(write.log);
}

function assertLog({ length }: Bytes): void {
  assert(length > 0 && length + logNumberBytes <= keyBytesMax, `a log's name of ${length} bytes`);
}
