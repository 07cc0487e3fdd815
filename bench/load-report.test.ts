import { expect, test } from "vitest";
import type { LoadResult, PhaseResult } from "./load.ts";
import { reportLoad } from "./load-report.ts";

function phase(target: string, round: number, perSecond: number, errors = 0): PhaseResult {
  return {
    round,
    target,
    operation: "get",
    connections: 32,
    measured: {
      perSecond,
      p50Ms: 1,
      p99Ms: 2,
      maxMs: 3,
      errors,
      answerBytes: 400,
      cpuUsPerRequest: 1e6 / perSecond,
      residentMegabytes: 80,
      driverCpu: 0.5,
    },
  };
}

const result: LoadResult = {
  targets: [
    { label: "keywright", ours: true, keeps: "flushed to disk" },
    { label: "slow", ours: false, keeps: "in memory" },
    { label: "fast", ours: false, keeps: "in memory" },
  ],
  itemBytes: 430,
  phases: [
    phase("keywright", 0, 2_000),
    phase("slow", 0, 100),
    phase("fast", 0, 1_000),
    phase("keywright", 1, 4_000),
    phase("fast", 1, 3_000, 7),
    { round: 0, target: "slow", operation: "transact", connections: 1, unsupported: "400 unknown" },
  ],
  remarks: ["other is left out."],
};

function row(report: string, title: string, operation: string): string[] {
  const section = report.slice(report.indexOf(title));
  const line = section.split("\n").find((text) => text.startsWith(`| ${operation} `)) ?? "";
  return line.split("|").map((cell) => cell.trim());
}

test("medians over rounds, and the ratio to the faster peer", () => {
  const report = reportLoad(result);
  const rates = row(report, "Requests per second", "get");
  expect(rates).toEqual(["", "get", "32", "3,000", "100", "2,000", "1.50×", ""]);
  const cpu = row(report, "Server CPU", "get");
  expect(cpu).toEqual(["", "get", "32", "375", "10,000", "667", "1.78×", ""]);
});

test("what a target cannot do is a dash and a remark", () => {
  const report = reportLoad(result);
  const cells = row(report, "Requests per second", "transact");
  expect(cells).toEqual(["", "transact", "1", "–", "–", "–", "–", ""]);
  expect(report).toContain("- other is left out.");
  expect(report).toContain("- slow does not do transact: 400 unknown");
  expect(report).toContain("- fast refused 7 requests of get at 32 connections.");
});

test("without peers there is no ratio", () => {
  const alone = { ...result, targets: result.targets.slice(0, 1) };
  expect(reportLoad(alone)).not.toContain("×");
});
