import { expect, test } from "vitest";
import type { PatternFacts } from "./bill.ts";
import { bill, facts, gigabyte, line, load, provisioned } from "./cost.test-support.ts";
import { sensitivityOf } from "./sensitivity.ts";

const pattern = (id: string, rps: number): [string, PatternFacts] => [
  id,
  { id, name: `pattern ${id}`, rps: { average: rps, peak: rps }, assumed: false },
];

const patterns = new Map([pattern("1", 1_000), pattern("7", 20), pattern("9", 5)]);

const table = facts(
  [
    load({
      // 1,000 reads of half a unit, 20 writes of 4 units, 5 writes of 1 unit
      lines: [line("1", { reads: 500 }), line("7", { writes: 80 }), line("9", { writes: 5 })],
      storageBytes: 40 * gigabyte,
      items: 1,
    }),
  ],
  { pointInTimeRecovery: true },
);

test("which pattern becomes the largest line, and above how many requests", () => {
  const { largest, overtakes } = sensitivityOf(bill(table).lines, patterns);
  // 1: 500 × 2,628,000 × 0.125 / 1M = 164.25. 7: 80 × 2,628,000 × 0.625 / 1M = 131.40 at 20/s, 6.57 each: 25/s.
  // 9: 5 × 1.6425 = 8.2125 at 5/s, so 164.25 at 100/s.
  expect(largest).toEqual({
    what: "the requests of pattern 1",
    dollars: expect.closeTo(164.25, 6),
  });
  expect(overtakes).toEqual([
    { pattern: "7", now: 20, above: expect.closeTo(25, 6) },
    { pattern: "9", now: 5, above: expect.closeTo(100, 6) },
  ]);
});

test("at that rate it is the largest line, and a little below it is not", () => {
  const largestWith = (rps: number): string | undefined => {
    const lines = [line("1", { reads: 500 }), line("9", { writes: rps })];
    return sensitivityOf(bill(facts([load({ lines })])).lines, patterns).largest?.what;
  };
  expect(largestWith(99)).toBe("the requests of pattern 1");
  expect(largestWith(101)).toBe("the requests of pattern 9");
});

test("what doubling each input adds, and one percent of all", () => {
  const { doublings, perPercent } = sensitivityOf(bill(table).lines, patterns);
  expect(doublings).toEqual([
    { what: "the requests of pattern 1", dollars: expect.closeTo(164.25, 6) },
    { what: "the requests of pattern 7", dollars: expect.closeTo(131.4, 6) },
    // 40 × (0.25 + 0.20)
    { what: "what Orders stores", dollars: expect.closeTo(18, 6) },
    { what: "the requests of pattern 9", dollars: expect.closeTo(8.2125, 6) },
  ]);
  expect(perPercent).toBeCloseTo((164.25 + 131.4 + 18 + 8.2125) / 100, 6);
});

test("fixed capacity does not grow with requests", () => {
  const fixed = facts([
    load({ billing: provisioned(100, 100), lines: [line("1", { reads: 50 })] }),
  ]);
  const { doublings, perPercent, overtakes } = sensitivityOf(bill(fixed).lines, patterns);
  expect([doublings, perPercent, overtakes]).toEqual([[], 0, []]);
});
