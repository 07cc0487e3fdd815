import { expect, test } from "vitest";
import { AccessSample, mostFrequent } from "./access-sample.ts";
import { after, noSort, type Position, spaceEnd, spaceStart } from "./position.ts";
import { chooseSplit } from "./split-choice.ts";

const whole = { start: spaceStart, end: spaceEnd };
const at = (hash: number, ...sort: number[]): Position => ({ hash, sort: Uint8Array.from(sort) });
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const choose = (
  sample: readonly Position[],
  localIndex = false,
  range: { start: Position; end: Position } = whole,
) => chooseSplit(sample, range, { localIndex });

/** Without an order that could be taken for a rising one. */
const shuffled = (i: number): number => (i * 37) % 100;

test("many collections are parted in the middle of the load, and stay whole", () => {
  const sample = times(100, (i) => at(1_000 + shuffled(i), i));
  expect(choose(sample)).toEqual({ kind: "split", at: [at(1_050)] });
  expect(choose(sample, true)).toEqual({ kind: "split", at: [at(1_050)] });
});

test("load that lies evenly is parted in the middle of the range", () => {
  const range = { start: at(0), end: at(1_000) };
  const sample = times(100, (i) => at(10 * shuffled(i) + 30));
  expect(choose(sample, false, range)).toEqual({ kind: "split", at: [at(500)] });
});

test("a hot range of sort keys is split within the collection", () => {
  const sample = times(100, (i) => at(7, shuffled(i)));
  expect(choose(sample)).toEqual({ kind: "split", at: [at(7, 50)] });
});

test("a hot collection is split even if it has neighbours", () => {
  const sample = [...times(80, (i) => at(7, shuffled(i))), ...times(20, (i) => at(100 + i))];
  expect(choose(sample)).toMatchObject({ kind: "split", at: [{ hash: 7 }] });
});

test("a local index keeps a collection whole", () => {
  const one = times(100, (i) => at(7, shuffled(i)));
  expect(choose(one, true)).toEqual({ kind: "none", why: "local index" });
  const withNeighbours = [...one, ...times(20, (i) => at(100 + i))];
  expect(choose(withNeighbours, true)).toEqual({ kind: "isolate", at: [at(7), at(8)] });
});

test.each([
  ["rises", (i: number) => i],
  ["falls", (i: number) => 200 - i],
  ["nearly rises", (i: number) => (i % 10 === 0 ? 0 : i)],
])("a sort key that %s is not split", (_name, key) => {
  const sample = times(100, (i) => at(7, key(i)));
  expect(choose(sample)).toEqual({ kind: "none", why: "rising sort key" });
  const withNeighbours = [...sample, ...times(20, (i) => at(100 + i))];
  expect(choose(withNeighbours)).toEqual({ kind: "isolate", at: [at(7), at(8)] });
});

test("a hot item is parted from its neighbours, and then left alone", () => {
  const hot = at(7, 5);
  const sample = [...times(60, () => hot), ...times(40, (i) => at(7, 10 + shuffled(i)))];
  expect(choose(sample)).toEqual({ kind: "isolate", at: [hot, after(hot)] });
  expect(choose(sample, false, { start: hot, end: after(hot) })).toEqual({
    kind: "none",
    why: "one item",
  });
  expect(choose(times(60, () => hot))).toEqual({ kind: "none", why: "one item" });
});

test("accesses outside the partition do not count", () => {
  expect(choose([at(5)], false, { start: at(6), end: spaceEnd })).toEqual({
    kind: "none",
    why: "no load",
  });
});

test("a place at the very beginning of a partition splits nothing", () => {
  const range = { start: at(7, 50), end: at(8) };
  const sample = [...times(49, () => at(7, 50)), ...times(51, (i) => at(7, 60 + (i % 7)))];
  expect(choose(sample, false, range)).toMatchObject({ kind: "split", at: [{ hash: 7 }] });
});

test("a sample keeps the latest accesses, in their order, as copies", () => {
  const sample = new AccessSample();
  const mutable = { hash: 0, sort: noSort };
  for (let i = 0; i < 300; i += 1) {
    mutable.hash = i;
    sample.add(mutable);
  }
  const kept = sample.inOrder().map(({ hash }) => hash);
  expect(kept.length).toBe(256);
  expect(kept).toEqual([...kept].sort((a, b) => a - b));
  expect(kept.at(-1)).toBeGreaterThan(290);
});

test("a thinned sample does not fall into step with accesses that take turns", () => {
  const sample = new AccessSample();
  sample.endMinute(256 * 8);
  for (let i = 0; i < 256 * 8; i += 1) sample.add(at(i % 8));
  const counts = mostFrequent(sample.inOrder()).map(({ count }) => count);
  expect(counts.length).toBe(8);
  expect(counts[0]).toBeLessThan(sample.size / 4);
});

test("a sample is thinned while it fills, too", () => {
  const sample = new AccessSample();
  for (let i = 0; i < 100_000; i += 1) sample.add(at(i));
  const oldest = sample.inOrder()[0]?.hash ?? 0;
  expect(oldest).toBeLessThan(90_000);
});
