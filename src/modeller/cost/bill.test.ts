import { expect, test } from "vitest";
import { bill, facts, gigabyte, line, load, provisioned } from "./cost.test-support.ts";
import { amount, cents, money } from "./words.ts";

test("patterns share the capacity that they use", () => {
  const table = facts([
    load({
      billing: provisioned(100, 10),
      lines: [line("1", { reads: 30 }), line("2", { reads: 10, assumed: true })],
    }),
  ]);
  const reads = bill(table).lines.filter(({ kind }) => kind === "reads");
  expect(
    reads.map(({ pattern, dollars, assumed }) => [pattern, cents(dollars.average), assumed]),
  ).toEqual([
    ["1", 7.12, false],
    ["2", 2.37, true],
  ]);
  expect(reads[0]?.how()).toBe("a request: 75 % of 100 RCU, 40 % used, at $0.00013 an hour");
});

test("a peak above the capacity is said, with how long it lasts", () => {
  const billing = provisioned(50, 10);
  const table = facts([
    load({ billing, lines: [line("1", { reads: { average: 50, peak: 100 } })] }),
  ]);
  // The busier half of the day is above its average if the peak is twice that.
  expect(bill(table).notes).toEqual([
    {
      table: "Orders",
      text: "reads rise to 100 units/s, above the 50 RCU that it has: about 50 % of the day is throttled or lives on burst",
    },
  ]);
});

test("what has no price is said and not guessed", () => {
  const dax = {
    node: "dax.x9.huge",
    nodes: 2,
    hitRate: undefined,
    hitRateAssumed: false,
    patterns: ["1"],
  };
  const table = load({ lines: [line("1", { reads: 10, writes: 1, cacheable: true })] });
  const month = bill(facts([table], { dax, replicas: ["mars-north-1"], streamFunctions: 1 }));
  expect(month.notes.map(({ text }) => text)).toEqual([
    "what Lambda reads from the stream is free; the functions themselves are not in the bill",
    "how many reads DAX answers is not stated (dax.hitRate): none are taken off",
    "no price of dax.x9.huge in us-east-1 is known: its 2 nodes are not in the bill",
    "no prices of mars-north-1 are known: what the replica there costs is not in the bill",
  ]);
  expect(month.lines.map(({ kind }) => kind)).toEqual(["reads", "replicated writes"]);
});

test("an assumed share of hits makes the reads assumed", () => {
  const dax = { node: "r5.large", nodes: 1, hitRate: 0.5, hitRateAssumed: true, patterns: ["1"] };
  const table = load({
    lines: [line("1", { reads: 10, cacheable: true }), line("2", { reads: 1 })],
  });
  const reads = bill(facts([table], { dax })).lines.filter(({ kind }) => kind === "reads");
  expect(reads.map(({ assumed }) => assumed)).toEqual([true, false]);
});

test("a local index is stored; its units are the table's", () => {
  const local = load({
    index: "Local",
    local: true,
    lines: [line("1", { writes: 5 })],
    storageBytes: gigabyte,
    items: 3,
  });
  expect(bill(facts([load(), local])).lines.map(({ kind, how }) => [kind, how()])).toEqual([
    ["storage", "1 GB in 3 entries at $0.25"],
  ]);
});

test("amounts as people read them, small ones too", () => {
  const texts = [0, 0.00001234, 0.34261, 7.125, 99.999, 1_234.5].map(amount);
  expect(texts).toEqual(["0", "0.0000123", "0.343", "7.13", "100", "1,235"]);
});

test("half a cent is a cent", () => {
  expect([cents(1.005), cents(16.425), cents(-0.125), cents(0.0049)]).toEqual([
    1.01, 16.43, -0.13, 0,
  ]);
  expect([money(1_234.5), money(-3), money(0)]).toEqual(["$1,234.50", "-$3.00", "$0.00"]);
});
