import { expect, test } from "vitest";
import type { Measurement } from "../phase.ts";
import { reportStores, type StorePhase } from "./report.ts";
import { openMsIn } from "./serve.ts";

const measured = (perSecond: number, errors = 0): Measurement => ({
  perSecond,
  p50Ms: 1,
  p99Ms: 2,
  maxMs: 3,
  errors,
  answerBytes: 2,
  cpuUsPerRequest: 40,
  residentMegabytes: 100,
  driverCpu: 0.5,
});

const phase = (more: Partial<StorePhase>): StorePhase => ({
  round: 0,
  store: "lmdb",
  durability: "flush",
  indexes: 2,
  operation: "put",
  connections: 32,
  measured: measured(1_000),
  ...more,
});

test("a row shows medians of both stores, and how many times LMDB's figure LevelDB's is", () => {
  const phases = [
    phase({}),
    phase({ round: 1, measured: measured(3_000) }),
    phase({ round: 2, measured: measured(2_000) }),
    phase({ store: "level", measured: measured(5_000) }),
    phase({ store: "level", durability: "relaxed", measured: measured(9_000, 4) }),
  ];
  const report = reportStores({ items: 1, rounds: 3, seconds: 1, phases, footprints: [] });
  const row = report.split("\n").find((line) => line.includes("put"));
  expect(row?.split("|").map((cell) => cell.trim())).toEqual([
    "",
    "2",
    "put",
    "32",
    "2,000",
    "5,000",
    "2.50×",
    "–",
    "9,000",
    "–",
    "",
  ]);
  expect(report).toContain("4 requests were refused.");
});

test("what a store took is a row of its own", () => {
  const footprints = [
    {
      store: "level" as const,
      durability: "flush" as const,
      fillSeconds: 1.5,
      filledMegabytes: 20,
      endMegabytes: 30,
      openMs: openMsIn("noise\nopened in 12.50 ms\n"),
      residentMegabytes: 150,
      ownMegabytes: undefined,
    },
  ];
  const report = reportStores({ items: 1, rounds: 1, seconds: 1, phases: [], footprints });
  expect(report).toContain("| LevelDB | flush ");
  const row = report.split("\n").find((line) => line.includes("LevelDB | flush"));
  expect(
    row
      ?.split("|")
      .map((cell) => cell.trim())
      .slice(3),
  ).toEqual(["1.50", "20.0", "30.0", "12.5", "150", "–", ""]);
});
