import { expect, test } from "vitest";
import { type PostgresPhase, reportPostgres } from "./postgres.ts";

function phase(round: number, ownPerSecond: number, rawPerSecond: number): PostgresPhase {
  return {
    round,
    operation: "put",
    clients: 8,
    keywright: {
      perSecond: ownPerSecond,
      p50Ms: 4,
      p99Ms: 5,
      maxMs: 6,
      errors: 0,
      answerBytes: 2,
      cpuUsPerRequest: 200,
      residentMegabytes: 60,
      driverCpu: 0.1,
    },
    sql: { perSecond: rawPerSecond, p50Ms: 2, p99Ms: 3, cpuUsPerRequest: 100 },
  };
}

test("ratios are taken within a round, and their median is shown", () => {
  const phases = [phase(0, 100, 400), phase(1, 1_000, 2_000), phase(2, 600, 1_000)];
  const report = reportPostgres({ rounds: 3, seconds: 2, items: 10, phases });
  const row = report.split("\n").find((line) => /^\| +8 \|/.test(line));
  const cells = row?.split("|").map((cell) => cell.trim());
  expect(cells?.slice(2, 5)).toEqual(["600", "1,000", "0.50×"]);
  expect(cells?.slice(7, 10)).toEqual(["200", "100", "0.50×"]);
});
