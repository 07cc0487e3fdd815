import { expect, test } from "vitest";
import { facts, gigabyte, line, load, provisioned, virginia } from "./cost.test-support.ts";
import { freeTierDollars } from "./free-tier.ts";
import type { Load } from "./load.ts";
import { months } from "./month.ts";
import { cents } from "./words.ts";

const off = (...loads: readonly Load[]): number =>
  cents(freeTierDollars([facts(loads)], virginia, months["730h"]));
const stored = (gigabytes: number, more: Partial<Load> = {}): Load =>
  load({ storageBytes: gigabytes * gigabyte, items: 1, ...more });

test("25 GB of the Standard class: 25 × 0.25 = $6.25, less if there are less", () => {
  expect(off(stored(10), stored(40, { index: "I" }))).toBe(6.25);
  expect(off(stored(10))).toBe(2.5);
  expect(off(stored(10, { class: "infrequent-access" }))).toBe(0);
});

test("25 RCU and 25 WCU, provisioned: 730 × 25 × (0.00013 + 0.00065) = $14.24, nothing on-demand", () => {
  expect(off(load({ billing: provisioned(20, 100) }), load({ billing: provisioned(30, 1) }))).toBe(
    14.24,
  );
  // 10 × 730 × 0.00013 + 4 × 730 × 0.00065
  expect(off(load({ billing: provisioned(10, 4) }))).toBe(2.85);
  expect(off(load({ lines: [line("1", { reads: 100 })] }))).toBe(0);
});
