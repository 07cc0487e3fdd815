import { expect, test } from "vitest";
import type { GrowthResult } from "./growth.ts";
import { reportGrowth } from "./growth-report.ts";
import type { Measurement } from "./phase.ts";

function measured(cpuUsPerRequest: number, maxMs = 3): Measurement {
  return {
    perSecond: 1_000,
    p50Ms: 1,
    p99Ms: 2,
    maxMs,
    errors: 0,
    answerBytes: 100,
    cpuUsPerRequest,
    residentMegabytes: 50,
    driverCpu: 0.5,
  };
}

function phase(operation: "get" | "put", items: number, cpu: number) {
  return { round: 0, operation, items, measured: measured(cpu) };
}

function deleting(moment: "before" | "while it is cleared", maxMs: number, stallMs: number) {
  return { moment, operation: "get", measured: measured(100, maxMs), stallMs } as const;
}

const result: GrowthResult = {
  sizes: [
    phase("get", 10_000, 100),
    phase("get", 1_000_000, 120),
    phase("put", 1_000_000, 300),
    phase("put", 10_000, 200),
  ],
  pages: [10, 30, 20].map((cpu, round) => ({
    round,
    what: "Scan, early",
    measured: measured(cpu),
  })),
  collectionItems: 5_000,
  openings: [{ items: 10_000, firstAnswerMs: [90, 100, 500], startServerMs: [20] }],
  deletion: {
    items: 1_000_000,
    answeredMs: 12,
    clearedMs: 4_500,
    phases: [
      deleting("before", 5, 3),
      deleting("while it is cleared", 7, 4),
      deleting("while it is cleared", 9, 6),
    ],
  },
};

/** The cells of the first row that begins so. */
function row(...begin: string[]): string[] {
  const rows = reportGrowth(result)
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const found = rows.find((cells) => begin.every((text, i) => cells[i + 1] === text));
  return found?.slice(begin.length + 1, -1) ?? [];
}

test("growth is the cost in the largest table against that in the smallest", () => {
  expect(row("get").slice(0, 3)).toEqual(["100", "120", "1.20×"]);
  expect(row("put").slice(0, 3)).toEqual(["200", "300", "1.50×"]);
});

test("pages and openings are medians", () => {
  expect(row("Scan, early")[0]).toBe("20.0");
  expect(row("10,000")).toEqual(["100", "20.0"]);
});

test("of the longest waits during a deletion, the longest is shown", () => {
  expect(row("get", "before").slice(-2)).toEqual(["5.00", "3.00"]);
  expect(row("get", "while it is cleared").slice(-2)).toEqual(["9.00", "6.00"]);
  expect(reportGrowth(result)).toContain("answered after 12.0 ms; the space was free after 4.50 s");
});
