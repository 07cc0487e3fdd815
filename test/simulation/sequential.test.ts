import { readFileSync } from "node:fs";
import { describe, test } from "vitest";
import { long, seedsOf, stepsOf, timeout } from "./settings.ts";
import { replayOn, simulate } from "./simulate.ts";
import type { Step } from "./steps.ts";
import { httpTarget, lmdbTarget, memoryTarget, type Target } from "./target.ts";

interface Regression {
  readonly about: string;
  /** A history that once failed, or the seed and length of one. */
  readonly history?: readonly Step[];
  readonly seed?: number;
  readonly steps?: number;
}

const regressions: readonly Regression[] = JSON.parse(
  readFileSync(new URL("./regressions.json", import.meta.url), "utf8"),
);

const targets: readonly [string, () => Promise<Target>][] = [
  ["memory", memoryTarget],
  ["lmdb", lmdbTarget],
];

describe.each(targets)("what once failed, on %s", (_, open) => {
  test.each(regressions)("$about", { timeout }, async ({ history = [], seed, steps = 1_000 }) => {
    if (seed !== undefined) await simulate(open, seed, steps);
    const target = await open();
    try {
      await replayOn(target, history);
    } finally {
      await target.close();
    }
  });
});

/** Every answer of a single client is what the oracle answers. */
function histories(
  name: string,
  open: () => Promise<Target>,
  [seeds, longSeeds]: readonly [number, number],
  [steps, longSteps]: readonly [number, number],
): void {
  const all = seedsOf(long ? longSeeds : seeds);
  test.each(all)(`a history on ${name}, seed %d`, { timeout }, async (seed) => {
    const { operations } = await simulate(open, seed, stepsOf(steps, longSteps));
    if (long) console.log(`${name}, seed ${seed}: ${operations} operations`);
  });
}

histories("memory", memoryTarget, [3, 12], [700, 4_000]);
histories("lmdb", lmdbTarget, [2, 8], [500, 4_000]);
histories("http-memory", () => httpTarget(false), [1, 2], [250, 3_000]);
histories("http-lmdb", () => httpTarget(true), [1, 2], [250, 3_000]);
