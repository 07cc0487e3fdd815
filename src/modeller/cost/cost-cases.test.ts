import { describe, expect, test } from "vitest";
import { ByteDistribution, expectedUnitsOfSum } from "../sizes/distribution.ts";
import {
  bill,
  dollars,
  facts,
  gigabyte,
  line,
  load,
  onDemand,
  provisioned,
  regionOf,
} from "./cost.test-support.ts";
import { months } from "./month.ts";

/**
 * Bills worked out by hand, to the cent. A month of 730 h has 2,628,000 s; one of 30 d has
 * 2,592,000 s. Prices are those of us-east-1 unless a case says another Region.
 */

const KB = 1_024;
const readUnit = 4 * KB;
const reads = (rps: number) => facts([load({ lines: [line("1", { reads: rps })] })]);
const writes = (rps: number) => facts([load({ lines: [line("1", { writes: rps })] })]);

describe("units of sizes", () => {
  test("reading 20 KB takes 5 units: ceil(20 / 4)", () => {
    expect(ByteDistribution.fixed(20 * KB).expectedUnits(readUnit)).toBe(5);
  });

  test("writing 10 KB takes 10 units: ceil(10 / 1), and as many again in an index with all of it", () => {
    const table = ByteDistribution.fixed(10 * KB).expectedUnits(KB);
    expect([table, table + table]).toEqual([10, 20]);
  });

  test("writing 0.1 KB instead of 10 KB costs a tenth, not a hundredth: the least is 1 unit", () => {
    const [small, large] = [102, 10 * KB].map((b) => ByteDistribution.fixed(b).expectedUnits(KB));
    expect((large ?? 0) / (small ?? 1)).toBe(10);
  });

  test("nine items in ten of 200 B and one of 5,000 B: 0.9 × 1 + 0.1 × 5 = 1.4, not ceil(680 B) = 1", () => {
    const size = ByteDistribution.shares([
      { bytes: 200, share: 0.9 },
      { bytes: 5_000, share: 0.1 },
    ]);
    expect(size.mean).toBe(680);
    expect(size.expectedUnits(KB)).toBeCloseTo(1.4, 12);
  });

  test("a query of 20 items of 500 B rounds once: ceil(10,000 / 4,096) = 3, halved if eventual", () => {
    const units = expectedUnitsOfSum(ByteDistribution.fixed(500), 20, readUnit);
    expect([units, units * 0.5]).toEqual([3, 1.5]);
  });
});

describe("on-demand", () => {
  test("500 eventual reads/s of 3 KB: 500 × 0.5 × 2,628,000 / 1M × 0.125 = $82.13", () => {
    // 250 RRU/s × 2,628,000 s = 657,000,000 RRU; × 0.125 / 1,000,000 = 82.125
    expect(dollars(bill(reads(500 * 0.5)))).toBe(82.13);
  });

  test("the same reads, strong, cost twice as much: $164.25", () => {
    // 500 RRU/s × 2,628,000 s = 1,314,000,000 RRU; × 0.125 / 1,000,000 = 164.25
    expect(dollars(bill(reads(500)))).toBe(164.25);
  });

  test("50 writes/s of 1 KB: 50 × 2,628,000 / 1M × 0.625 = $82.13", () => {
    // 131,400,000 WRU × 0.625 / 1,000,000 = 82.125
    expect(dollars(bill(writes(50)))).toBe(82.13);
  });

  test("in a month of 30 days the same writes cost $81.00", () => {
    // 50 × 2,592,000 = 129,600,000 WRU × 0.625 / 1,000,000 = 81
    expect(dollars(bill(writes(50), { month: months["30d"] }))).toBe(81);
  });

  test("1,000 strong reads/s and 100 writes/s, as an estimate of 2,592,000 s has them: $486.00", () => {
    // 1,000 × 2,592,000 × 0.125 / 1M = 324; 100 × 2,592,000 × 0.625 / 1M = 162
    const both = facts([
      load({ lines: [line("1", { reads: 1_000 }), line("2", { writes: 100 })] }),
    ]);
    expect(dollars(bill(both, { month: months["30d"] }))).toBe(486);
    // and in 730 h: 328.50 + 164.25
    expect(dollars(bill(both))).toBe(492.75);
  });

  test("a transaction doubles the table's units, not the index's: (2 + 1) × 10/s = $49.28", () => {
    // 20 WRU/s × 2,628,000 × 0.625 / 1M = 32.85; 10 WRU/s in the index = 16.425
    const table = load({ lines: [line("6", { writes: 10 * 2 })] });
    const index = load({ index: "GSI1", lines: [line("6", { writes: 10 })] });
    expect(dollars(bill(facts([table, index])))).toBe(49.28);
    expect(dollars(bill(facts([table])))).toBe(32.85);
  });

  test("an index with all attributes of a 10 KB item doubles what 5 writes/s cost: $164.25", () => {
    // 5 × 10 WRU = 50 WRU/s = 82.125; twice = 164.25
    const table = load({ lines: [line("1", { writes: 50 })] });
    const index = load({ index: "ByState", lines: [line("1", { writes: 50 })] });
    expect(dollars(bill(facts([table, index])))).toBe(164.25);
  });

  test("the bill is at the average, with the peak beside it: $16.43, and $328.50 all month at 200/s", () => {
    // 10 × 2,628,000 × 0.625 / 1M = 16.425; 200 × 2,628,000 × 0.625 / 1M = 328.5
    const month = bill(
      facts([load({ lines: [line("1", { writes: { average: 10, peak: 200 } })] })]),
    );
    expect([dollars(month), dollars(month, undefined, "peak")]).toEqual([16.43, 328.5]);
  });

  test("a million writes: $0.63; a million strong reads: $0.13", () => {
    // 1M / 2,628,000 s = 0.380518 per second; 1M × 0.625 / 1M = 0.625; 1M × 0.125 / 1M = 0.125
    expect(dollars(bill(writes(1e6 / 2_628_000)))).toBe(0.63);
    expect(dollars(bill(reads(1e6 / 2_628_000)))).toBe(0.13);
  });
});

describe("what designs multiply", () => {
  const table = (writes: number) =>
    load({ lines: [line("1", { writes })], storageBytes: gigabyte, items: 1 });
  const index = (name: string, share = 1) =>
    load({
      index: name,
      lines: [line("1", { writes: 100 * share })],
      storageBytes: gigabyte * share,
      items: 1,
    });

  test("a key that names the parent saves an index with everything in it: half of $329.00", () => {
    // 100 × 2,628,000 × 0.625 / 1M = 164.25 and 1 GB = 0.25: 164.50; twice with the index
    expect(dollars(bill(facts([table(100), index("ByParent")])))).toBe(329);
    expect(dollars(bill(facts([table(100)])))).toBe(164.5);
  });

  test("three indexes with everything in them make it four times as much: $658.00", () => {
    const loads = [table(100), index("A"), index("B"), index("C")];
    expect(dollars(bill(facts(loads)))).toBe(658);
  });

  test("an index with 1 % of the items saves 99 % of its price: $1.65 instead of $164.50", () => {
    // 1 × 2,628,000 × 0.625 / 1M = 1.6425 and 0.01 GB = 0.0025
    const sparse = (share: number) => bill(facts([table(100), index("Sparse", share)]));
    expect(dollars(sparse(0.01)) - dollars(bill(facts([table(100)])))).toBeCloseTo(1.65, 6);
  });

  test("a look-up item for a unique value makes 1 unit 4: two items, each twice in a transaction, $6.57", () => {
    // 1/s: 1.6425 alone, 2 items × 2 units = 4 WRU/s = 6.57
    expect(dollars(bill(facts([load({ lines: [line("2", { writes: 1 * 2 * 2 })] })])))).toBe(6.57);
  });

  test("a cache that answers 80 to 95 % of 1,000 RRU/s leaves $65.70 to $16.43 of $328.50", () => {
    const left = (hitRate: number) => {
      const dax = {
        node: "dax.r5.large",
        nodes: 1,
        hitRate,
        hitRateAssumed: false,
        patterns: ["1"],
      };
      const reading = load({ lines: [line("1", { reads: 1_000, cacheable: true })] });
      return dollars(bill(facts([reading], { dax })), "reads");
    };
    expect([left(0), left(0.8), left(0.95)]).toEqual([328.5, 65.7, 16.43]);
  });
});

describe("provisioned", () => {
  const table = (billing: ReturnType<typeof provisioned>, units = { reads: 0, writes: 0 }) =>
    facts([load({ billing, lines: [line("1", units)] })]);

  test("100 RCU and 100 WCU: 100 × 730 × 0.00013 + 100 × 730 × 0.00065 = $56.94", () => {
    // 9.49 + 47.45
    expect(dollars(bill(table(provisioned(100, 100))))).toBe(56.94);
    // in 720 h: 9.36 + 46.80
    expect(dollars(bill(table(provisioned(100, 100)), { month: months["30d"] }))).toBe(56.16);
  });

  test("it costs the same whether it is used or not", () => {
    const [idle, busy] = [0, 60].map((n) =>
      bill(table(provisioned(100, 100), { reads: n, writes: n })),
    );
    expect(dollars(busy as never)).toBe(dollars(idle as never));
  });

  test("auto scaling of an even 70 RCU/s at 70 %: 100 RCU × 730 × 0.00013 = $9.49", () => {
    const read = { min: 5, max: 400, target: 70 };
    const even = table(provisioned(5, 1, { autoScaling: { read } }), { reads: 70, writes: 0 });
    expect(dollars(bill(even), "reads")).toBe(9.49);
  });

  test("auto scaling between 5 and 400 RCU, 60 on average, 240 at the peak: $8.22", () => {
    // k = 240 / 60 − 1 = 3; top = 240 / 0.7 = 342.857. Below 5 RCU: u = (5 / 342.857)^(1/3) = 0.244335.
    // 5 × 0.244335 + 342.857 / 4 × (1 − 0.244335⁴) = 1.221675 + 85.714286 − 0.305492 = 86.630469 RCU
    // × 730 × 0.00013 = 8.221231
    const read = { min: 5, max: 400, target: 70 };
    const reading = load({
      billing: provisioned(5, 1, { autoScaling: { read } }),
      lines: [line("1", { reads: { average: 60, peak: 240 } })],
    });
    expect(dollars(bill(facts([reading])), "reads")).toBe(8.22);
    // All month at the peak: 342.857 × 730 × 0.00013 = 32.537143
    expect(dollars(bill(facts([reading])), "reads", "peak")).toBe(32.54);
  });

  test("reserved for a year, 100 RCU: 30 / 12 + 730 × 0.0025 = $4.33 against $9.49", () => {
    // 2.50 + 1.825 = 4.325
    const reserved = { read: 100, write: 0, years: 1 as const };
    expect(dollars(bill(table(provisioned(100, 1, { reserved }))), "reads")).toBe(4.33);
  });

  test("reserved for a year, 100 of 250 WCU: 150 / 12 + 730 × 0.0128 + 150 × 730 × 0.00065 = $93.02", () => {
    // 12.50 + 9.344 + 71.175 = 93.019
    const reserved = { read: 0, write: 100, years: 1 as const };
    expect(dollars(bill(table(provisioned(1, 250, { reserved }))), "writes")).toBe(93.02);
  });

  test("reserved for three years, 200 WCU and 200 RCU: $26.16", () => {
    // WCU: 2 × (180 / 36 + 730 × 0.0081) = 2 × (5 + 5.913) = 21.826
    // RCU: 2 × (36 / 36 + 730 × 0.0016) = 2 × (1 + 1.168) = 4.336; together 26.162
    const reserved = { read: 200, write: 200, years: 3 as const };
    expect(dollars(bill(table(provisioned(200, 200, { reserved }))))).toBe(26.16);
  });

  test("what is reserved and not needed is paid all the same: $4.33", () => {
    // 100 reserved, 60 of the table and 20 of its index are covered, 20 cover nothing: 1 block
    const reserved = { read: 100, write: 0, years: 1 as const };
    const loads = [
      load({ billing: provisioned(60, 1, { reserved }) }),
      load({ index: "I", billing: provisioned(20, 1) }),
    ];
    expect(dollars(bill(facts(loads)), "reads")).toBe(4.33);
  });
});

describe("what reservations do not cover", () => {
  const reserved = { read: 0, write: 100, years: 1 as const };

  test("replicated writes: 100 rWCU × 730 × 0.00065 = $47.45 at home and there, the block $21.84 on top", () => {
    // 150 / 12 + 730 × 0.0128 = 21.844
    const table = load({ billing: provisioned(0, 100, { reserved }) });
    const month = bill(facts([table], { replicas: ["us-west-2"] }));
    expect(dollars(month, "replicated writes")).toBe(94.9);
    expect(dollars(month, "writes")).toBe(21.84);
  });

  test("Standard-IA: 100 WCU × 730 × 0.00081 = $59.13 and the block", () => {
    const table = load({ class: "infrequent-access", billing: provisioned(0, 100, { reserved }) });
    expect(dollars(bill(facts([table])), "writes")).toBe(80.97);
  });

  test("plain writes of an index in another Region", () => {
    // home: 100 of the index's 100 WCU are reserved, 21.844; us-west-2: 47.45
    const table = load({ billing: provisioned(0, 0, { reserved }) });
    const index = load({ index: "I", billing: provisioned(0, 100) });
    const month = bill(facts([table, index], { replicas: ["us-west-2"] }));
    expect(dollars(month, "writes")).toBe(69.29);
  });
});

describe("storage and copies of it", () => {
  const stored = (bytes: number, more: Partial<Parameters<typeof load>[0]> = {}) =>
    load({ storageBytes: bytes, items: 1, ...more });

  test("100 GB: 100 × 0.25 = $25.00; Standard-IA: 100 × 0.10 = $10.00", () => {
    expect(dollars(bill(facts([stored(100 * gigabyte)])))).toBe(25);
    const infrequent = stored(100 * gigabyte, { class: "infrequent-access" });
    expect(dollars(bill(facts([infrequent])))).toBe(10);
  });

  test("5,000,000 items of 400 B and 100 B each for the service: 2.33 GB, $0.58", () => {
    // 5,000,000 × 500 B = 2,500,000,000 B / 1,073,741,824 = 2.328306 GB × 0.25 = 0.582077
    expect(dollars(bill(facts([stored(5_000_000 * (400 + 100))])))).toBe(0.58);
  });

  test("point-in-time recovery of 40 GB and 10 GB in a local index: 50 × 0.20 = $10.00", () => {
    const loads = [
      stored(40 * gigabyte),
      stored(10 * gigabyte, { index: "Local", local: true }),
      stored(30 * gigabyte, { index: "Global" }),
    ];
    const month = bill(facts(loads, { pointInTimeRecovery: true }));
    expect(dollars(month, "point-in-time recovery")).toBe(10);
    // 80 GB are stored
    expect(dollars(month, "storage")).toBe(20);
  });

  test("a backup every 7 days, kept 90: 90 / 7 = 12.857 of 20 GB, × 0.10 = $25.71", () => {
    // 12.857143 × 20 × 0.10 = 25.714286
    const day = 86_400_000;
    const backups = { everyMs: 7 * day, keepMs: 90 * day };
    expect(dollars(bill(facts([stored(20 * gigabyte)], { backups })), "backups")).toBe(25.71);
  });
});

describe("Standard-IA, global tables, streams, DAX", () => {
  test("Standard-IA, 1,000 RRU/s and 100 WRU/s: 407.34 + 204.98 = $612.32", () => {
    // 1,000 × 2,628,000 × 0.155 / 1M = 407.34; 100 × 2,628,000 × 0.780 / 1M = 204.984
    const table = load({
      class: "infrequent-access",
      lines: [line("1", { reads: 1_000 }), line("2", { writes: 100 })],
    });
    expect(dollars(bill(facts([table])))).toBe(612.32);
  });

  test("Standard-IA, provisioned 100 RCU and 100 WCU: 11.68 + 59.13 = $70.81", () => {
    // 100 × 730 × 0.00016 = 11.68; 100 × 730 × 0.00081 = 59.13
    const table = load({ class: "infrequent-access", billing: provisioned(100, 100) });
    expect(dollars(bill(facts([table])))).toBe(70.81);
  });

  test("a replica in Ireland: 10 writes/s and 8 GB cost there 18.53 + 2.26, at home 16.43 + 2.00", () => {
    // home: 10 × 2,628,000 × 0.625 / 1M = 16.425; 8 × 0.25 = 2
    // eu-west-1: 10 × 2,628,000 × 0.705 / 1M = 18.5274; 8 × 0.283 = 2.264
    const table = load({
      lines: [line("1", { writes: 10 })],
      storageBytes: 8 * gigabyte,
      items: 1,
    });
    const month = bill(facts([table], { replicas: ["eu-west-1"] }));
    expect(dollars(month, "replicated writes")).toBe(34.95);
    expect(dollars(month, "storage")).toBe(4.26);
    expect(dollars(month, "writes")).toBe(0);
  });

  test("reads stay at home, and indexes of a global table are written to in both Regions: $65.70", () => {
    // GSI: 20 × 2,628,000 × 0.625 / 1M = 32.85 in us-east-1, the same in us-west-2
    const loads = [
      load({ lines: [line("1", { reads: 100 })] }),
      load({ index: "I", lines: [line("2", { writes: 20 })] }),
    ];
    const month = bill(facts(loads, { replicas: ["us-west-2"] }));
    expect(dollars(month, "writes")).toBe(65.7);
    // 100 × 2,628,000 × 0.125 / 1M
    expect(dollars(month, "reads")).toBe(32.85);
  });

  test("2 units of GetRecords/s by others than Lambda: 2 × 2,628,000 / 100,000 × 0.02 = $1.05", () => {
    // 52.56 × 0.02 = 1.0512
    const table = load({ streamReads: { average: 2, peak: 4 } });
    expect(dollars(bill(facts([table], { streamFunctions: 1 })))).toBe(1.05);
  });

  test("three nodes of dax.r5.large: 3 × 730 × 0.255 = $558.45, and 95 % of 2,000 reads/s go", () => {
    // reads without: 1,000 RRU/s × 2,628,000 × 0.125 / 1M = 328.50; 5 % of it = 16.425
    const table = load({
      lines: [line("4", { reads: 1_000, cacheable: true }), line("5", { reads: 100 })],
    });
    const dax = {
      node: "dax.r5.large",
      nodes: 3,
      hitRate: 0.95,
      hitRateAssumed: false,
      patterns: ["4", "5"],
    };
    const month = bill(facts([table], { dax }));
    expect(dollars(month, "cache")).toBe(558.45);
    // Pattern 5 is strong: 100 × 2,628,000 × 0.125 / 1M = 32.85 stay
    expect(dollars(month, "reads")).toBe(49.28);
  });
});

describe("other Regions", () => {
  test("Frankfurt, 200 RRU/s, 20 WRU/s, 10 GB: 80.15 + 40.08 + 3.06 = $123.29", () => {
    // 200 × 2,628,000 × 0.1525 / 1M = 80.154; 20 × 2,628,000 × 0.7625 / 1M = 40.077; 10 × 0.306 = 3.06
    const table = load({
      lines: [line("1", { reads: 200 }), line("2", { writes: 20 })],
      storageBytes: 10 * gigabyte,
      items: 1,
    });
    expect(dollars(bill(facts([table]), { prices: regionOf("eu-central-1") }))).toBe(123.29);
  });

  test("Tokyo, 50 WCU: 50 × 730 × 0.000742 = $27.08", () => {
    const table = facts([load({ billing: provisioned(0, 50) })]);
    expect(dollars(bill(table, { prices: regionOf("ap-northeast-1") }), "writes")).toBe(27.08);
  });
});

describe("a table of a shop", () => {
  test("five patterns, an index, 12 GB and recovery: $860.00", () => {
    /*
     * 1  500 profiles/s, eventual, 1 unit          250 RRU/s    82.125
     * 2  5 sign-ups/s, transaction, 1 KB + look-up  5 × 2 × 2 = 20 WRU/s   32.85
     * 4  300 queries/s of the index, 2 units        300 RRU/s    98.55
     * 6  15 orders/s, transaction of 8 items        15 × 8 × 2 = 240 WRU/s  394.2
     *    and 4 index entries each                   15 × 4 = 60 WRU/s   98.55
     * 10 900 products/s, eventual, 1 unit           450 RRU/s   147.825
     * storage 12 GB × 0.25 = 3; index 2 GB × 0.25 = 0.5; recovery 12 × 0.20 = 2.4
     */
    const table = load({
      lines: [
        line("1", { reads: 250 }),
        line("2", { writes: 20 }),
        line("6", { writes: 240 }),
        line("10", { reads: 450 }),
      ],
      storageBytes: 12 * gigabyte,
      items: 1,
    });
    const index = load({
      index: "GSI1",
      billing: onDemand,
      lines: [line("4", { reads: 300 }), line("6", { writes: 60 })],
      storageBytes: 2 * gigabyte,
      items: 1,
    });
    const month = bill(facts([table, index], { pointInTimeRecovery: true }));
    // 82.125 + 32.85 + 98.55 + 394.2 + 98.55 + 147.825 + 3 + 0.5 + 2.4 = 860
    expect(dollars(month)).toBe(860);
  });
});
