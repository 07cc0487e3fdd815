import fc from "fast-check";
import { expect, test } from "vitest";
import { middleOf, type Partition, PartitionMap } from "./partition-map.ts";
import {
  after,
  comparePositions,
  hashOfBytes,
  hashSpace,
  noSort,
  type Position,
  spaceEnd,
  spaceStart,
} from "./position.ts";

const sort = fc.uint8Array({ maxLength: 3 });
/** Few hashes, so that collections are split too. */
const position: fc.Arbitrary<Position> = fc.record({
  hash: fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.nat(2 ** 31 - 1).map((n) => n * 2 ** 17),
  ),
  sort,
});

/** Splits at a place wherever that is inside a partition. */
function splitAt(map: PartitionMap<number>, places: readonly Position[]): void {
  for (const place of places) {
    const partition = map.find(place);
    if (comparePositions(partition.start, place) < 0) map.split(partition, [place]);
  }
}

test("partitions cover the space without gaps after any splits", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.array(position), (count, places) => {
      let states = 0;
      const map = new PartitionMap(count, () => states++);
      splitAt(map, places);
      const { all } = map;
      expect(all[0]?.start).toEqual(spaceStart);
      expect(all.at(-1)?.end).toEqual(spaceEnd);
      for (const [i, { start, end }] of all.entries()) {
        expect(comparePositions(start, end)).toBeLessThan(0);
        if (i > 0) expect(start).toEqual(all[i - 1]?.end);
      }
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      expect(new Set(all.map(({ state }) => state)).size).toBe(all.length);
    }),
  );
});

test("find agrees with a linear search", () => {
  fc.assert(
    fc.property(fc.array(position), fc.array(position, { minLength: 1 }), (places, asked) => {
      const map = new PartitionMap(3, () => 0);
      splitAt(map, places);
      for (const place of [...asked, ...places, spaceStart]) {
        const holds = ({ start, end }: Partition<number>): boolean =>
          comparePositions(start, place) <= 0 && comparePositions(place, end) < 0;
        expect(map.find(place)).toBe(map.all.find(holds));
      }
    }),
  );
});

test("a split names the parent and refuses empty parts", () => {
  const map = new PartitionMap(1, () => 0);
  const [whole] = map.all as [Partition<number>];
  const middle = middleOf(whole) as Position;
  expect(middle).toEqual({ hash: hashSpace / 2, sort: noSort });
  const made = map.split(whole, [middle]);
  expect(made.map(({ id, parent }) => [id, parent])).toEqual([
    [1, 0],
    [2, 0],
  ]);
  expect(() => map.split(whole, [middle])).toThrow("only a partition of this table");
  expect(() => map.split(made[0] as Partition<number>, [middle])).toThrow("no empty partition");
  expect(
    middleOf({ ...whole, start: { hash: 5, sort: noSort }, end: { hash: 6, sort: noSort } }),
  ).toBe(undefined);
});

test("nothing lies between a position and the one after it", () => {
  fc.assert(
    fc.property(position, position, (a, b) => {
      expect(comparePositions(a, after(a))).toBeLessThan(0);
      if (comparePositions(a, b) < 0) expect(comparePositions(after(a), b)).toBeLessThanOrEqual(0);
      expect(Math.sign(comparePositions(a, b))).toBe(-Math.sign(comparePositions(b, a)) + 0);
    }),
  );
});

test("the hash is the first six bytes", () => {
  expect(hashOfBytes(Uint8Array.of(1, 2, 3, 4, 5, 6, 7))).toBe(0x010203040506);
  expect(hashOfBytes(Uint8Array.of(9, 255, 255, 255, 255, 255, 255), 1)).toBe(hashSpace - 1);
});
