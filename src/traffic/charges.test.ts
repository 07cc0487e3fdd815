import { expect, test } from "vitest";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { itemAddress } from "../engine/keys.ts";
import { dataRange, hashAt, segmentRange } from "../engine/layout.ts";
import { comparePositions, hashOfBytes, spaceStart } from "../partitions/position.ts";
import { collectionOf, positionOf } from "./charges.ts";

const table = {
  id: 5,
  key: { hash: [{ name: "pk", type: "S" }], range: [{ name: "sk", type: "S" }] },
} as unknown as TableDescriptor;

const keyOf = (pk: string, sk: string) => itemAddress(table, { pk: { S: pk }, sk: { S: sk } }).key;

test("a key's place is the hash of its partition key, then its sort key", () => {
  const [one, two] = [positionOf(keyOf("a", "1")), positionOf(keyOf("a", "2"))];
  expect(one.hash).toBe(two.hash);
  expect(one.hash).not.toBe(positionOf(keyOf("b", "1")).hash);
  expect(comparePositions(one, two)).toBeLessThan(0);
  expect(comparePositions(collectionOf(keyOf("a", "1")), one)).toBeLessThan(0);
});

test("a place does not hold on to the memory of its key", () => {
  const key = keyOf("a", "1");
  const { sort } = positionOf(key);
  expect(sort.buffer).not.toBe(key.buffer);
});

test("a range may begin before any hash, or within one", () => {
  expect(positionOf(dataRange(5).start)).toEqual(spaceStart);
  expect(collectionOf(dataRange(5).start)).toEqual(spaceStart);
  const { start } = segmentRange(5, 1, 2);
  expect(positionOf(start).hash).toBe(hashOfBytes(start, hashAt));
  expect(positionOf(start).hash).toBe(2 ** 47);
});
