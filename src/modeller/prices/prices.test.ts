import { expect, test } from "vitest";
import { defaultRegion, pricedRegions, pricesOf } from "./book.ts";
import type { ClassPrices, Price } from "./price.ts";
import { regionPrices } from "./regions.ts";
import { sources } from "./sources.ts";

const virginia = regionPrices[0];

const classNumbers = (prices: ClassPrices): readonly number[] => [
  prices.readRequests.usd,
  prices.writeRequests.usd,
  prices.replicatedWriteRequests.usd,
  prices.readCapacity.usd,
  prices.writeCapacity.usd,
  prices.replicatedWriteCapacity.usd,
  prices.storage.usd,
];

test("the prices of us-east-1, one by one", () => {
  expect(virginia?.region).toBe(defaultRegion);
  expect(virginia && classNumbers(virginia.standard)).toEqual([
    0.125, 0.625, 0.625, 0.00013, 0.00065, 0.00065, 0.25,
  ]);
  expect(virginia && classNumbers(virginia.infrequentAccess)).toEqual([
    0.155, 0.78, 0.78, 0.00016, 0.00081, 0.00081, 0.1,
  ]);
  const reserved = ([1, 3] as const).map((years) => {
    const { read, write } = virginia?.reserved[years] ?? {};
    return [read?.upfront.usd, read?.hour.usd, write?.upfront.usd, write?.hour.usd];
  });
  expect(reserved).toEqual([
    [30, 0.0025, 150, 0.0128],
    [36, 0.0016, 180, 0.0081],
  ]);
  expect(virginia?.pointInTimeRecovery.usd).toBe(0.2);
  expect(virginia?.backup.usd).toBe(0.1);
  expect(virginia?.restore.usd).toBe(0.15);
  expect(virginia?.streamReads.usd).toBe(0.02);
  expect(virginia?.dax.get("dax.r5.large")?.usd).toBe(0.255);
});

test("a year's reservation takes about 54 % off, three years about 77 %", () => {
  for (const { reserved, standard } of regionPrices) {
    for (const [years, off] of [
      [1, 0.54],
      [3, 0.77],
    ] as const) {
      for (const kind of ["read", "write"] as const) {
        const price = reserved[years]?.[kind];
        if (price === undefined) continue;
        const hour = (price.upfront.usd / (years * 8_760) + price.hour.usd) / 100;
        const full = kind === "read" ? standard.readCapacity : standard.writeCapacity;
        expect(1 - hour / full.usd).toBeCloseTo(off, 1);
      }
    }
  }
});

test("the Regions that are priced; no other has a price", () => {
  expect(pricedRegions.length).toBe(16);
  for (const region of ["eu-west-1", "eu-central-1", "us-west-2", "ap-northeast-1"]) {
    expect(pricedRegions).toContain(region);
  }
  expect(pricesOf("eu-west-1")?.standard.writeRequests).toEqual({
    usd: 0.705,
    basis: "confirmed",
    source: "list",
  });
  expect(pricesOf("eu-west-9")).toBeUndefined();
  expect(pricesOf("toString")).toBeUndefined();
});

test("where both are known, the rule for what is derived is right to 0.3 %", () => {
  if (virginia === undefined) throw new Error("no us-east-1");
  const known = regionPrices.filter(({ standard }) => standard.writeRequests.source === "list");
  expect(known.map(({ region }) => region)).toEqual([
    "us-east-1",
    "eu-west-1",
    "eu-central-1",
    "ap-northeast-1",
    "ap-northeast-2",
  ]);
  for (const { standard } of known) {
    const factor = standard.writeCapacity.usd / virginia.standard.writeCapacity.usd;
    const off = standard.writeRequests.usd / (virginia.standard.writeRequests.usd * factor) - 1;
    expect(Math.abs(off)).toBeLessThan(0.0033);
    if (standard.storage.source !== "list") continue;
    const bytes = standard.storage.usd / (virginia.standard.storage.usd * factor) - 1;
    expect(Math.abs(bytes)).toBeLessThan(0.0033);
  }
});

function pricesIn(value: unknown): readonly Price[] {
  if (typeof value !== "object" || value === null) return [];
  if ("usd" in value) return [value as Price];
  const parts = value instanceof Map ? [...value.values()] : Object.values(value);
  return parts.flatMap(pricesIn);
}

test("replicated writes in California: three millions are known to cost $2.09", () => {
  const price = pricesOf("us-west-1")?.standard.replicatedWriteRequests.usd ?? 0;
  expect((price * 3).toFixed(2)).toBe("2.09");
});

test("every price is above 0 and has a source that is written down", () => {
  for (const one of pricesIn(regionPrices)) {
    expect(one.usd).toBeGreaterThan(0);
    expect(Object.keys(sources)).toContain(one.source);
  }
  expect(pricesIn(regionPrices).length).toBeGreaterThan(200);
});

test("a price that is derived follows its rule", () => {
  if (virginia === undefined) throw new Error("no us-east-1");
  for (const { standard, infrequentAccess, backup, restore, streamReads } of regionPrices) {
    const near = (price: Price, expected: number): void => {
      if (price.basis === "derived") expect(price.usd / expected).toBeCloseTo(1, 3);
    };
    const bytes = standard.storage.usd / virginia.standard.storage.usd;
    near(backup, virginia.backup.usd * bytes);
    near(restore, virginia.restore.usd * bytes);
    near(streamReads, virginia.streamReads.usd * bytes);
    near(infrequentAccess.storage, virginia.infrequentAccess.storage.usd * bytes);
    for (const name of [
      "readRequests",
      "writeRequests",
      "readCapacity",
      "writeCapacity",
    ] as const) {
      const ratio = virginia.infrequentAccess[name].usd / virginia.standard[name].usd;
      near(infrequentAccess[name], standard[name].usd * ratio);
    }
    near(standard.replicatedWriteRequests, standard.writeRequests.usd);
    const capacity = standard.writeCapacity.usd / virginia.standard.writeCapacity.usd;
    near(standard.writeRequests, virginia.standard.writeRequests.usd * capacity);
    near(standard.storage, virginia.standard.storage.usd * capacity);
  }
});
