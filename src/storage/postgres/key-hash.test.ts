import { expect, test } from "vitest";
import { bigintArray, byteaArray } from "./binary-array.ts";
import { lockName, partitionOf, partitionOfRange } from "./key-hash.ts";

/** Kind, table or index, hash of the partition key, the rest. */
function keyOf(kind: number, id: number, hash: string, rest = ""): Buffer {
  const head = Buffer.from([kind, 0, 0, 0, id]);
  return Buffer.concat([head, Buffer.from(hash.padEnd(16, ".")), Buffer.from(rest)]);
}

test("an item, its entries in local indexes and its collection's row have one partition", () => {
  const partition = partitionOf(keyOf(3, 1, "hash-one", "sort"));
  expect(partition).toBe(Buffer.from("hash-one").readBigInt64BE());
  expect(partitionOf(keyOf(3, 2, "hash-one", "another"))).toBe(partition);
  expect(partitionOf(keyOf(6, 1, "hash-one"))).toBe(partition);
  expect(partitionOf(keyOf(3, 1, "hash-two", "sort"))).not.toBe(partition);
});

test("short keys are filled up with zeros", () => {
  expect(partitionOf(Buffer.from([2, 0, 0, 0, 9]))).toBe(0n);
  expect(partitionOf(Buffer.from([1]))).toBe(0n);
  expect(partitionOf(Buffer.from([0, 1, 2, 3, 4, 0x7f, 1]))).toBe(0x7f01n << 48n);
});

test("a range within a partition names it, a wider one does not", () => {
  const start = keyOf(3, 1, "hash-one", "a");
  expect(partitionOfRange(start, keyOf(3, 1, "hash-one", "b"))).toBe(partitionOf(start));
  expect(partitionOfRange(start, keyOf(3, 1, "hash-onf", "b"))).toBeUndefined();
  expect(partitionOfRange(start, keyOf(3, 2, "hash-one", "b"))).toBeUndefined();
  expect(partitionOfRange(Buffer.from([3]), Buffer.from([4]))).toBeUndefined();
});

test("lock names are exact numbers, spread over all their bits, and depend on the seed", () => {
  const names = new Set<number>();
  let low = 0;
  let high = 0;
  for (let n = 0; n < 100_000; n++) {
    const key = Buffer.alloc(21);
    key.writeUInt32BE(n, 17);
    const name = lockName(key, 7);
    names.add(name);
    if (name >= 2 ** 52) high += 1;
    if (name % 2 === 1) low += 1;
  }
  expect(names.size).toBe(100_000);
  expect(Math.max(...[...names].slice(0, 1_000))).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  expect(Math.abs(low - 50_000)).toBeLessThan(1_000);
  expect(Math.abs(high - 50_000)).toBeLessThan(1_000);
  expect(lockName(Buffer.from("k"), 1)).not.toBe(lockName(Buffer.from("k"), 2));
});

test("arrays as the server reads them", () => {
  const head = (type: string, length: string) => `0000000100000000${type}${length}00000001`;
  expect(byteaArray([Buffer.from("ab"), Buffer.alloc(0)]).toString("hex")).toBe(
    `${head("00000011", "00000002")}00000002616200000000`,
  );
  expect(bigintArray([1, -1, 2 ** 40 + 3, -(2 ** 33), -5n]).toString("hex")).toBe(
    `${head("00000014", "00000005")}` +
      "000000080000000000000001" +
      "00000008ffffffffffffffff" +
      "000000080000010000000003" +
      "00000008fffffffe00000000" +
      "00000008fffffffffffffffb",
  );
});
