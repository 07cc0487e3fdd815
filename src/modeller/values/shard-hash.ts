/**
 * The number of a calculated shard. Whoever writes and whoever reads must come to the same number, in any
 * language: FNV-1a of 32 bits over the UTF-8 bytes, whose bits are then mixed as murmur3 does at its end, so
 * that values which differ in their last character only are spread evenly.
 */
export function shardOf(value: string, count: number): number {
  return mixed(fnv1a(value)) % count;
}

export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}

/** murmur3's fmix32. */
export function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
