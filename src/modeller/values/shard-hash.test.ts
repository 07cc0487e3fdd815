import { describe, expect, test } from "vitest";
import { fnv1a, mixed, shardOf } from "./shard-hash.ts";

/** The first three hashes are published; all were computed by another program in another language. */
const vectors: readonly (readonly [string, number, number, number, number])[] = [
  ["", 0x811c9dc5, 0xab3e7c0b, 3, 11],
  ["a", 0xe40c292c, 0x1a80b1b3, 5, 3],
  ["foobar", 0xbf9cf968, 0x0c0da6dc, 6, 12],
  ["01ARZ3NDEKTSV4RRFFQ69G5FAV", 0x5c004d80, 0xaeb89ee2, 2, 10],
  ["Zoë", 0xc2a2bddc, 0x4d00612b, 7, 19],
  ["order-1", 0x2b7fcd6d, 0x92005a9c, 2, 20],
  ["order-2", 0x287fc8b4, 0x77d852c0, 4, 0],
  ["12", 0x1deb2d6a, 0x0c410bd6, 2, 14],
];

describe("calculated shards", () => {
  test.each(vectors)(
    "of '%s' are what any other program computes",
    (text, hash, bits, ten, day) => {
      expect(fnv1a(text)).toBe(hash);
      expect(mixed(hash)).toBe(bits);
      expect(shardOf(text, 10)).toBe(ten);
      expect(shardOf(text, 24)).toBe(day);
    },
  );

  test("are even for values that follow each other", () => {
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i += 1) {
      const shard = shardOf(`order-${i}`, 10);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(900);
    expect(Math.max(...counts)).toBeLessThan(1_100);
  });
});
