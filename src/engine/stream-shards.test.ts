import { expect, suite, test } from "vitest";
import { hashSpace } from "../partitions/position.ts";
import type { StreamDescriptor } from "./stream-descriptor.ts";
import { firstShards, rollShards, shardAt, splitAt, splitUpTo } from "./stream-shards.ts";

const quarter = hashSpace / 4;

function streamOf(...starts: number[]): StreamDescriptor {
  const shards = firstShards(7, starts, 1_000);
  return {
    id: 7,
    label: "l",
    viewType: "KEYS_ONLY",
    createdAt: 1_000,
    nextShard: starts.length,
    shards,
  };
}

const startsOf = ({ shards }: StreamDescriptor) => shards.map(({ start }) => start);

suite("the shard of a hash", () => {
  const { shards } = streamOf(0, quarter, 2 * quarter, 3 * quarter);

  test.each([
    [0, 0],
    [quarter - 1, 0],
    [quarter, 1],
    [quarter + 1, 1],
    [3 * quarter - 1, 2],
    [3 * quarter, 3],
    [hashSpace - 1, 3],
  ])("of %d is %d", (hash, number) => {
    expect(shardAt(shards, hash).number).toBe(number);
  });

  test("is the only one there is", () => {
    expect(shardAt(streamOf(0).shards, hashSpace - 1).number).toBe(0);
  });
});

test("ids say when a shard was opened, and differ", () => {
  const { shards } = streamOf(0, 1, 2, 3);
  for (const { id } of shards) expect(id).toMatch(/^shardId-00000000000000001000-[0-9a-f]{8}$/);
  expect(new Set(shards.map(({ id }) => id)).size).toBe(4);
});

suite("a split", () => {
  test("closes the shard and opens one for each part", () => {
    const before = streamOf(0, quarter);
    const split = splitAt(before, [2 * quarter, 3 * quarter], 5_000);
    expect(startsOf(split?.stream as StreamDescriptor)).toEqual([
      0,
      quarter,
      2 * quarter,
      3 * quarter,
    ]);
    expect(split?.closed).toEqual([{ ...before.shards[1], end: hashSpace }]);
    expect(split?.opened.map(({ parent }) => parent)).toEqual(Array(3).fill(before.shards[1]?.id));
    expect(split?.opened.map(({ number }) => number)).toEqual([2, 3, 4]);
    expect(split?.stream.nextShard).toBe(5);
    expect(split?.stream.shards[0]).toBe(before.shards[0]);
  });

  test("at the edges of shards is none", () => {
    expect(splitAt(streamOf(0, quarter), [0, quarter, hashSpace], 5_000)).toBeUndefined();
  });

  test("in the moment of the opening gives the children later ids", () => {
    const before = streamOf(0);
    const once = splitAt(before, [quarter], 1_000)?.stream as StreamDescriptor;
    const twice = splitAt(once, [1], 900)?.stream as StreamDescriptor;
    const [parent] = before.shards;
    const [child] = once.shards;
    const [grandchild] = twice.shards;
    expect([grandchild?.id, child?.id, parent?.id].toSorted()).toEqual([
      parent?.id,
      child?.id,
      grandchild?.id,
    ]);
  });
});

suite("up to a number", () => {
  test("the widest are halved first", () => {
    const grown = splitUpTo(streamOf(0, 2 * quarter, 3 * quarter), 5, 5_000);
    expect(startsOf(grown?.stream as StreamDescriptor)).toEqual([
      0,
      quarter / 2,
      quarter,
      2 * quarter,
      3 * quarter,
    ]);
  });

  test("shards that are enough stay", () => {
    expect(splitUpTo(streamOf(0, quarter), 2, 5_000)).toBeUndefined();
    expect(splitUpTo(streamOf(0, quarter), 1, 5_000)).toBeUndefined();
  });

  test("of four, eight are their halves", () => {
    const grown = splitUpTo(streamOf(0, quarter, 2 * quarter, 3 * quarter), 8, 5_000);
    expect(startsOf(grown?.stream as StreamDescriptor)).toEqual(
      Array.from({ length: 8 }, (_, i) => (i * quarter) / 2),
    );
    expect(grown?.closed).toHaveLength(4);
  });
});

test("a shard that rolls has one child with its hashes; younger ones stay", () => {
  const before = splitAt(streamOf(0, quarter), [2 * quarter], 5_000)?.stream as StreamDescriptor;
  const rolled = rollShards(before, 1_000, 9_000);
  expect(startsOf(rolled?.stream as StreamDescriptor)).toEqual(startsOf(before));
  expect(rolled?.closed.map(({ id }) => id)).toEqual([before.shards[0]?.id]);
  expect(rolled?.opened).toMatchObject([
    { start: 0, openedAt: 9_000, parent: before.shards[0]?.id },
  ]);
  expect(rollShards(before, 999, 9_000)).toBeUndefined();
});
