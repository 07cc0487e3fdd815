import { expect, test } from "vitest";
import type { TableFacts } from "./bill.ts";
import { breakEvenOf } from "./break-even.ts";
import { facts, gigabyte, input, line, load, virginia } from "./cost.test-support.ts";
import { type Mode, type ModeOption, modeOptions } from "./modes.ts";
import { breakEvenUtilisation } from "./throughput.ts";
import { cents } from "./words.ts";

const optionsOf = (table: TableFacts): readonly ModeOption[] => modeOptions(table, input([table]));

function priceOf(options: readonly ModeOption[], mode: Mode, tableClass = "standard"): number {
  const option = options.find((one) => one.mode === mode && one.class === tableClass);
  return option === undefined ? Number.NaN : cents(option.total);
}

const table = (average: number, peak: number, gigabytes = 0): TableFacts =>
  facts([
    load({
      lines: [line("1", { reads: { average, peak }, writes: { average, peak } })],
      storageBytes: gigabytes * gigabyte,
      items: 1,
    }),
  ]);

test("provisioned wins above 28.9 % of use, which on-demand is 3.46 times the price of", () => {
  // RCU: 0.00013 / (0.125 / 1M × 3,600) = 0.288889; WCU: 0.00065 / (0.625 / 1M × 3,600) = 0.288889
  expect(breakEvenUtilisation(virginia.standard, "read")).toBeCloseTo(0.288889, 6);
  expect(breakEvenUtilisation(virginia.standard, "write")).toBeCloseTo(0.288889, 6);
  expect(1 / breakEvenUtilisation(virginia.standard, "write")).toBeCloseTo(3.46, 2);
});

test("at that use both cost the same, and a little to either side one is cheaper", () => {
  const at = (average: number): number => {
    const options = optionsOf(table(average, 1_000));
    return priceOf(options, "on-demand") - priceOf(options, "at-peak");
  };
  expect(at(288.888889)).toBeCloseTo(0, 2);
  expect(at(280)).toBeLessThan(-1);
  expect(at(300)).toBeGreaterThan(1);
});

test("a steady load of 1,000 units/s, every way of paying by hand", () => {
  const options = optionsOf(table(1_000, 1_000));
  // 1,000 × 2,628,000 / 1M × (0.125 + 0.625) = 1,971
  expect(priceOf(options, "on-demand")).toBe(1_971);
  // 1,000 × 730 × (0.00013 + 0.00065) = 569.40
  expect(priceOf(options, "at-peak")).toBe(569.4);
  // 1,000 / 0.7 = 1,428.571 × 730 × 0.00078 = 813.43
  expect(priceOf(options, "auto-scaling")).toBe(813.43);
  // 14 blocks of RCU: 14 × 4.325 = 60.55, 28.571 × 730 × 0.00013 = 2.711; the 15th block would cost 4.325
  // 14 blocks of WCU: 14 × 21.844 = 305.816, 28.571 × 730 × 0.00065 = 13.557; together 382.64
  expect(priceOf(options, "reserved-1")).toBe(382.63);
  // RCU 14 × 2.168 + 2.711 = 33.063 (a 15th for 2.168 saves 0.543 more); WCU 14 × 10.913 + 13.557, a 15th for 10.913
  // RCU: 15 × 2.168 = 32.52; WCU: 15 × 10.913 = 163.695; together 196.22
  expect(priceOf(options, "reserved-3")).toBe(196.22);
  // 1,000 × 2,628,000 / 1M × (0.155 + 0.780) = 2,457.18
  expect(priceOf(options, "on-demand", "infrequent-access")).toBe(2_457.18);
  expect(options.map(({ total }) => total)).toEqual(
    options.map(({ total }) => total).toSorted((a, b) => a - b),
  );
  expect(options[0]?.mode).toBe("reserved-3");
  expect(options.some((one) => one.class !== "standard" && one.mode.startsWith("reserved"))).toBe(
    false,
  );
});

test("a load with high peaks stays on-demand", () => {
  const options = optionsOf(table(1, 400));
  expect(options[0]?.mode).toBe("on-demand");
  expect(priceOf(options, "at-peak")).toBeCloseTo(400 * 730 * 0.00078, 2);
});

test("Standard-IA wins when storage is above about 41 % of throughput, and not before", () => {
  // One read for one write: 0.155 + 0.780 against 0.125 + 0.625 is 24.667 % more; 60 % less for storage.
  // 0.246667 / 0.6 = 41.111 % of 1,971 $ = 810.30 $ = 3,241.2 GB
  const stands = (gigabytes: number) => {
    const facts_ = table(1_000, 1_000, gigabytes);
    return { options: optionsOf(facts_), even: breakEvenOf(facts_, optionsOf(facts_), virginia) };
  };
  const { even } = stands(1_000);
  expect(even?.storageShare).toBeCloseTo(0.411111, 6);
  expect(even?.storageShareNow).toBeCloseTo(250 / 1_971, 6);
  expect(even?.utilisation).toBeCloseTo(0.288889, 6);
  expect(even?.atPeak).toBe(1);
  const saved = (gigabytes: number): number => {
    const { options } = stands(gigabytes);
    return priceOf(options, "on-demand") - priceOf(options, "on-demand", "infrequent-access");
  };
  expect(saved(3_241.2)).toBeCloseTo(0, 1);
  expect(saved(3_200)).toBeLessThan(-1);
  expect(saved(3_300)).toBeGreaterThan(1);
});

test("a table that nobody asks has no break-even", () => {
  const idle = facts([load({ storageBytes: gigabyte, items: 1 })]);
  expect(breakEvenOf(idle, optionsOf(idle), virginia)).toBeUndefined();
});

test("replicas are in every way of paying, and their writes are never reserved", () => {
  const global = { ...table(1_000, 1_000), replicas: ["us-east-2"] };
  const options = optionsOf(global);
  // Reads at home, writes in both Regions: 328.50 + 2 × 1,642.50
  expect(priceOf(options, "on-demand")).toBe(3_613.5);
  // RCU as before (60.55 + 2.711), 1,428.571 rWCU × 730 × 0.00065 = 677.857 in each Region
  expect(priceOf(options, "reserved-1")).toBe(1_418.98);
});
