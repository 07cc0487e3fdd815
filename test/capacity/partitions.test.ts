import { describe, expect, test } from "vitest";
import { TableThroughput } from "../../src/capacity/table-throughput.ts";
import type { ThroughputSettings } from "../../src/capacity/throughput.ts";
import { key, run, spread, sum } from "./load.ts";

const onDemand: ThroughputSettings = { mode: "on-demand" };
const provisioned = (read: number, write: number): ThroughputSettings => ({
  mode: "provisioned",
  provisioned: { read, write },
});
const newTable = (settings: ThroughputSettings = onDemand, more = {}): TableThroughput =>
  new TableThroughput({ settings, now: 0, ...more });
const kinds = (table: TableThroughput, at: number) =>
  table
    .report(at * 1_000)
    .events.flatMap((event) =>
      event.kind === "split" || event.kind === "not split" ? [`${event.kind}: ${event.why}`] : [],
    );
const minute = 60;

describe("one key", () => {
  test.each([
    ["write", 1_000, onDemand],
    ["write", 1_000, provisioned(3_000, 20_000)],
    ["read", 3_000, onDemand],
    ["read", 3_000, provisioned(20_000, 1_000)],
  ] as const)(
    "%s: never more than %i units a second, not even at first (%j)",
    (direction, max, settings) => {
      const table = newTable(settings);
      const { passed, reasons } = run(table, {
        direction,
        rate: 6_000,
        seconds: 20 * minute,
        units: 20,
        at: () => key(0.42),
      });
      expect(Math.max(...passed)).toBe(max);
      expect(Math.min(...passed)).toBe(max);
      const reason = direction === "read" ? "TableRead" : "TableWrite";
      expect([...reasons.keys()]).toEqual([`${reason}KeyRangeThroughputExceeded`]);
    },
  );

  test("after a quiet time it may do no more than ever", () => {
    const table = newTable(provisioned(100, 900));
    const { passed } = run(table, { rate: 5_000, seconds: 10, from: 600, at: () => key(0.1) });
    expect(passed).toEqual(new Array(10).fill(1_000));
  });

  test("reads and writes do not take from each other", () => {
    const table = newTable();
    const write = run(table, { rate: 1_000, seconds: 10, at: () => key(0.1) });
    const read = run(table, {
      direction: "read",
      rate: 3_000,
      seconds: 10,
      from: 10,
      at: () => key(0.1),
    });
    expect([sum(write.throttled), sum(read.throttled)]).toEqual([0, 0]);
  });
});

describe("a collection with a load of 1,600 write units", () => {
  const load = { rate: 1_600, seconds: 9 * minute, units: 20 };
  const anySort = (i: number) => key(0.3, Math.floor(spread(i) * 1_000_000));
  const risingSort = (i: number) => key(0.3, i);

  test("recovers after a split within its sort keys", () => {
    const table = newTable(provisioned(100, 4_000));
    const { passed, throttled } = run(table, { ...load, at: anySort });
    expect(sum(passed.slice(0, 5 * minute))).toBe(1_000 * 5 * minute);
    expect(sum(throttled.slice(5 * minute + 2))).toBe(0);
    expect(kinds(table, 9 * minute)).toEqual(["split: heat"]);
    const parts = table.report(9 * minute * 1_000).resources[0]?.partitions ?? [];
    const [lower, upper] = parts.filter(({ parent }) => parent !== undefined);
    expect(lower?.to).toBe(upper?.from);
    expect(lower?.to).toMatch(/^hash 4ccccccccccc · /);
  });

  test("does not recover if the sort key rises", () => {
    const table = newTable(provisioned(100, 4_000));
    const { passed } = run(table, { ...load, at: risingSort });
    expect(passed).toEqual(new Array(9 * minute).fill(1_000));
    expect(kinds(table, 9 * minute)).toEqual(["not split: rising sort key"]);
  });

  test("does not recover if the table has a local index", () => {
    const table = newTable(provisioned(100, 4_000), { localIndex: true });
    const { passed } = run(table, { ...load, at: anySort });
    expect(passed).toEqual(new Array(9 * minute).fill(1_000));
    expect(kinds(table, 9 * minute)).toEqual(["not split: local index"]);
  });

  test("in an index it recovers, local index of the table or not", () => {
    const table = newTable(onDemand, { localIndex: true, indexes: { byDate: onDemand } });
    const { throttled } = run(table, {
      ...load,
      charges: (i) => [{ index: "byDate", position: anySort(i), units: 20 }],
    });
    expect(sum(throttled.slice(5 * minute + 2))).toBe(0);
  });
});

test("a hot item gets a partition of its own, and its neighbours are free again", () => {
  const table = newTable();
  const hot = key(0.1, 7);
  const neighbour = (i: number) => key(0.1 + spread(i) / 10, i % 1_000);
  const at = (i: number) => (i % 4 === 0 ? neighbour(i) : hot);
  const { throttled } = run(table, { rate: 1_600, seconds: 12 * minute, units: 20, at });
  expect(sum(throttled.slice(0, 60))).toBeGreaterThan(30_000);
  expect(kinds(table, 12 * minute)).toContain("split: hot item");
  const after = run(table, { rate: 400, seconds: 60, from: 12 * minute, at: neighbour });
  expect(sum(after.throttled)).toBe(0);
  const owner = table.table.partitions.find(hot);
  expect(owner.start).toEqual(hot);
  expect(kinds(table, 13 * minute).at(-1)).toBe("not split: one item");
});

test("a partition that has reached 10 GB is split", () => {
  const table = newTable(provisioned(100, 1_000));
  const before = table.table.partitions.all.length;
  const gigabyte = 1_024 ** 3;
  for (let i = 0; i < 18; i += 1) {
    const position = key(0.5 + spread(i) / 2);
    const charge = { index: undefined, position, units: 1, bytes: gigabyte };
    expect(table.admit("write", [charge], i * 10_000)).toBe(undefined);
  }
  expect(before).toBe(2);
  table.advance(300_000);
  expect(kinds(table, 300)).toEqual(["split: size"]);
  const { partitions } = table.report(300_000).resources[0] ?? { partitions: [] };
  const sizes = partitions.filter(({ until }) => until === undefined).map(({ bytes }) => bytes);
  expect(Math.max(...sizes)).toBeLessThan(10 * gigabyte);
  expect(sum(sizes) / gigabyte).toBeCloseTo(18, 5);
});

test("a table that is filled already has partitions for its size", () => {
  const table = newTable(onDemand, { bytes: 95 * 1_024 ** 3 });
  expect(table.table.partitions.all.length).toBe(10);
  expect(table.report(0).events).toEqual([]);
});

test.each([
  [true, 0],
  [false, 1],
])(
  "a collection of 11 GB, local index: %s, is split %i times for its size",
  (localIndex, splits) => {
    const table = newTable(onDemand, { localIndex });
    const { hash, sort } = key(0.55);
    // The collection is alone in its partition already.
    const { partitions } = table.table;
    partitions.split(partitions.find({ hash, sort }), [
      { hash, sort },
      { hash: hash + 1, sort },
    ]);
    const before = partitions.all.length;
    for (let i = 0; i < 110; i += 1) {
      const position = key(0.55, Math.floor(spread(i) * 1_000));
      const charge = { index: undefined, position, units: 1, bytes: 1_024 ** 3 / 10 };
      table.admit("write", [charge], i * 10);
    }
    table.advance(60_000);
    expect(partitions.all.length - before).toBe(splits);
  },
);
