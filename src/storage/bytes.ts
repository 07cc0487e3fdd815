import { assert } from "../base/assert.ts";
import { type Bytes, keyBytesMax } from "./store.ts";

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
