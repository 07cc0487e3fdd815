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
const minute = 60;
const hour = 60 * minute;

describe("burst", () => {
  test("five minutes of unused throughput are saved, and run out", () => {
    const table = newTable(provisioned(1, 100));
    const { passed } = run(table, { rate: 200, seconds: 400, from: hour, units: 1 });
    expect(sum(passed.slice(0, 299))).toBe(200 * 299);
    const after = sum(passed.slice(301)) / 99;
    expect(after).toBeCloseTo(100, 0);
  });

  test("a new table has saved nothing", () => {
    const table = newTable(provisioned(1, 100));
    const { passed } = run(table, { rate: 200, seconds: 60, units: 1 });
    expect(sum(passed)).toBeLessThanOrEqual(100 * 61);
  });

  test("a hot partition may use what the others leave, up to its ceiling", () => {
    const table = newTable(provisioned(9_000, 1_000));
    expect(table.table.partitions.all.length).toBe(4);
    const { throttled } = run(table, { rate: 900, seconds: 60, at: () => key(0.3) });
    expect(sum(throttled)).toBe(0);
    const report = table.report(60_000).resources[0];
    expect(report?.write.borrowedUnits).toBeGreaterThan(30_000);
    expect(table.timeline.events.filter(({ kind }) => kind === "borrow").length).toBe(1);
  });
});

describe("an index", () => {
  const write = (i: number) => [
    { index: undefined, position: key(spread(i)), units: 10 },
    { index: "byDate", position: key(spread(i * 7)), units: 10 },
  ];

  test("that is too small holds up the writes of its table, and is named", () => {
    const table = newTable(onDemand, { indexes: { byDate: provisioned(10, 300) } });
    const { passed, reasons } = run(table, { rate: 1_000, seconds: 30, charges: write });
    expect(sum(passed)).toBeLessThanOrEqual(300 * 31);
    expect([...reasons.keys()]).toEqual(["IndexWriteProvisionedThroughputExceeded"]);
    expect(table.report(30_000).resources[0]?.write.throttledRequests).toBe(0);
  });

  test("that is read too much does not hold up its table", () => {
    const table = newTable(onDemand, { indexes: { byDate: provisioned(10, 5_000) } });
    const reads = run(table, {
      direction: "read",
      rate: 1_000,
      seconds: 10,
      charges: (i) => [{ index: "byDate", position: key(spread(i)), units: 10 }],
    });
    expect(sum(reads.throttled)).toBeGreaterThan(0);
    const others = run(table, { direction: "read", rate: 1_000, seconds: 10, from: 10 });
    const writes = run(table, { rate: 1_000, seconds: 10, from: 20, charges: write });
    expect([sum(others.throttled), sum(writes.throttled)]).toEqual([0, 0]);
  });
});

describe("on demand", () => {
  test("a new table does 4,000 writes and 12,000 reads at once", () => {
    const table = newTable();
    const writes = run(table, { rate: 4_000, seconds: 20, units: 1 });
    const reads = run(table, { direction: "read", rate: 12_000, seconds: 20, units: 3 });
    expect(sum(writes.throttled) / sum(writes.passed)).toBeLessThan(0.01);
    expect(sum(reads.throttled) / sum(reads.passed)).toBeLessThan(0.01);
    const more = run(table, { rate: 8_000, seconds: 20, from: 40, units: 1 });
    expect(Math.max(...more.passed)).toBeLessThanOrEqual(4_000);
  });

  test("it doubles, and not more within half an hour", () => {
    const table = newTable();
    const asked = { rate: 20_000, units: 200, seconds: 30 * minute };
    const first = run(table, asked);
    expect(Math.max(...first.passed)).toBeLessThanOrEqual(8_000);
    expect(table.table.partitions.all.length).toBe(8);
    const second = run(table, { ...asked, from: 30 * minute });
    expect(Math.max(...second.passed)).toBeLessThanOrEqual(16_000);
    expect(table.table.partitions.all.length).toBe(16);
    const growth = table.timeline.events.filter((event) => event.kind === "scale");
    expect(growth[0]).toMatchObject({ why: "growth", direction: "write", from: 4_000 });
    expect(growth[0]?.kind === "scale" && growth[0].to).toBeLessThanOrEqual(16_000);
  });

  test("twice the former peak is there at once", () => {
    const table = newTable();
    run(table, { rate: 3_800, units: 50, seconds: 30 * minute });
    const twice = run(table, { rate: 7_400, units: 20, seconds: 60, from: 31 * minute });
    expect(sum(twice.throttled) / sum(twice.passed)).toBeLessThan(0.01);
  });

  test("warm throughput is there from the first second", () => {
    const warm = { read: 30_000, write: 20_000 };
    const table = newTable({ mode: "on-demand", warm });
    expect(table.table.partitions.all.length).toBe(20);
    const { throttled } = run(table, { rate: 18_000, units: 10, seconds: 30 });
    expect(sum(throttled)).toBe(0);
    expect(table.table.available).toEqual(warm);
  });

  test("a warm provisioned table has the partitions, not the throughput", () => {
    const warm = { read: 1, write: 8_000 };
    const table = newTable({ mode: "provisioned", provisioned: { read: 1, write: 100 }, warm });
    expect(table.table.partitions.all.length).toBe(8);
    const { passed } = run(table, { rate: 1_000, units: 1, seconds: 20 });
    expect(sum(passed)).toBeLessThanOrEqual(100 * 21);
  });

  test("the owner's maximum holds", () => {
    const table = newTable({ mode: "on-demand", maximum: { write: 500 } });
    const writes = run(table, { rate: 1_000, units: 1, seconds: 20 });
    expect(writes.passed).toEqual(new Array(20).fill(500));
    expect([...writes.reasons.keys()]).toEqual(["TableWriteMaxOnDemandThroughputExceeded"]);
    const reads = run(table, { direction: "read", rate: 5_000, seconds: 10, from: 20 });
    expect(sum(reads.throttled)).toBe(0);
  });
});

describe("provisioned with auto scaling", () => {
  const settings: ThroughputSettings = {
    mode: "provisioned",
    provisioned: { read: 10, write: 100 },
    autoScaling: { write: { min: 50, max: 1_000, targetPercent: 70 } },
  };
  const scales = (table: TableThroughput) =>
    table.timeline.events.flatMap((event) =>
      event.kind === "scale" && event.why === "auto scaling"
        ? [[event.at / 60_000, event.from, event.to]]
        : [],
    );

  test("it rises three minutes later, and falls a quarter of an hour after that", () => {
    const table = newTable(settings);
    run(table, { rate: 140, units: 1, seconds: 20 * minute });
    expect(scales(table)).toEqual([
      [3, 100, expect.any(Number)],
      [6, expect.any(Number), 200],
    ]);
    run(table, { rate: 35, units: 1, seconds: 40 * minute, from: 20 * minute });
    const [, , down] = scales(table);
    expect(down).toEqual([36, 200, 50]);
  });

  test("what it does before that is throttled once the credit is gone", () => {
    const table = newTable(settings);
    const { throttled } = run(table, { rate: 140, units: 1, seconds: 20 * minute });
    expect(sum(throttled.slice(0, 3 * minute))).toBeGreaterThan(0);
    expect(sum(throttled.slice(7 * minute))).toBe(0);
  });

  test("it falls four times in an hour, and then once an hour", () => {
    const table = newTable({
      mode: "provisioned",
      provisioned: { read: 1_000, write: 1_000 },
      autoScaling: { read: { min: 1, max: 1_000, targetPercent: 70 } },
    });
    const falling = [600, 400, 250, 150, 90, 50, 30, 15, 8, 4];
    for (const [i, rate] of falling.entries()) {
      const from = i * 16 * minute;
      run(table, { direction: "read", rate, units: 4, seconds: 16 * minute, from });
    }
    const decreases = scales(table).filter(([, from = 0, to = 0]) => to < from);
    const inFirstHour = decreases.filter(([at = 0]) => at < (decreases[0]?.[0] ?? 0) + 60);
    expect(inFirstHour.length).toBeLessThanOrEqual(4);
    expect(decreases.length).toBeGreaterThanOrEqual(4);
    const gaps = decreases.slice(4).map(([at = 0], i) => at - (decreases[i + 3]?.[0] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(60);
  });

  test("throughput outside the bounds is moved into them", () => {
    const table = newTable({ ...settings, provisioned: { read: 10, write: 5 } });
    expect(table.table.available).toEqual({ read: 10, write: 50 });
  });
});

test("a table and its indexes together do 40,000 units a second", () => {
  const warm = { read: 200_000, write: 100_000 };
  const table = newTable({ mode: "on-demand", warm });
  const { passed, reasons } = run(table, { rate: 60_000, units: 20, seconds: 10 });
  expect(passed).toEqual(new Array(10).fill(40_000));
  expect([...reasons.keys()]).toEqual(["TableWriteAccountLimitExceeded"]);
});
