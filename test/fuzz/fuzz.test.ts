import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FuzzRun } from "./run.ts";

const long = process.env.KEYWRIGHT_LONG !== undefined;
const seed = Number(process.env.KEYWRIGHT_FUZZ_SEED ?? 20_261_116);
const count = Number(process.env.KEYWRIGHT_FUZZ_COUNT ?? (long ? 100_000 : 2_500));

const megabyte = 1024 * 1024;
/** An empty server may take so much more than after the first tenth of the run. */
const growthBytesMax = 48 * megabyte;

async function fuzz(run: FuzzRun, requests: number): Promise<void> {
  const started = performance.now();
  try {
    await run.replay();
    await run.draw(seed, 0, requests, Math.max(200, Math.floor(requests / 10)));
    const problems = await run.finish();
    await run.sample();
    if (long || process.env.KEYWRIGHT_FUZZ_COUNT)
      console.log(summary(run, performance.now() - started));
    expect(run.failures.join("\n\n")).toBe("");
    expect(problems).toEqual([]);
    const [, early = run.memory[0], ...later] = run.memory;
    const last = later.at(-1) ?? early;
    if (early === undefined || last === undefined) throw new Error("nothing was measured");
    expect(last.heapBytes - early.heapBytes).toBeLessThan(growthBytesMax);
    expect(last.resources).toBeLessThanOrEqual(early.resources + 4);
    if (requests >= 400) expect(run.roundTrips.taken).toBeGreaterThan(run.roundTrips.refused);
  } finally {
    await run.stop();
  }
}

function summary(run: FuzzRun, ms: number): string {
  const counts = [...run.outcomes].sort(([, a], [, b]) => b - a);
  const memory = run.memory.map(
    ({ requests, heapBytes, residentBytes, resources }) =>
      `  ${requests}: heap ${(heapBytes / megabyte).toFixed(1)} MB, ` +
      `resident ${(residentBytes / megabyte).toFixed(0)} MB, ${resources} resources`,
  );
  return [
    `seed ${seed}: ${run.requests} requests in ${(ms / 1000).toFixed(0)} s`,
    ...counts.map(([outcome, times]) => `  ${outcome}: ${times}`),
    "carried out:",
    ...[...run.accepted]
      .filter(([, { done }]) => done > 0)
      .map(([operation, { requests, done }]) => `  ${operation}: ${done} of ${requests}`),
    `round trips: ${run.roundTrips.taken} taken, ${run.roundTrips.refused} refused`,
    `slowest: ${run.slowestMs.toFixed(0)} ms, ${run.slowest}`,
    ...memory,
  ].join("\n");
}

test(
  "whatever is sent, the server answers in form and stays well",
  async () => fuzz(await FuzzRun.start(), count),
  long ? 3_600_000 : 120_000,
);

test(
  "the same on a store that keeps its data",
  async () => {
    const data = await mkdtemp(join(tmpdir(), "keywright-fuzz-"));
    try {
      await fuzz(await FuzzRun.start(join(data, "data")), Math.floor(count / 4));
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  },
  long ? 3_600_000 : 120_000,
);
