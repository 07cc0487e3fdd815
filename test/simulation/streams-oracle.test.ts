import { expect, test } from "vitest";
import { long, seedsOf, stepsOf, timeout } from "./settings.ts";
import { simulateStreams } from "./streams-run.ts";
import { lmdbPlace, memoryPlace, type Place, slowPlace } from "./streams-target.ts";

/** Writers and consumers at the same time; `steps` of each writer. */
function streams(
  name: string,
  place: () => Place,
  [seeds, longSeeds]: readonly [number, number],
  [steps, longSteps]: readonly [number, number],
): void {
  const all = seedsOf(long ? longSeeds : seeds);
  test.each(all)(`streams on ${name}, seed %d`, { timeout }, async (seed) => {
    const length = stepsOf(steps, longSteps);
    const { problems, ...counts } = await simulateStreams(place(), seed, length);
    const again = `KEYWRIGHT_SEED=${seed} KEYWRIGHT_STEPS=${length} npx vitest run test/simulation -t "streams on ${name}"`;
    expect(problems, `seed ${seed} fails; again with: ${again}`).toEqual([]);
    expect(counts.changes).toBeGreaterThan(0);
    if (long) console.log(`${name}, seed ${seed}: ${JSON.stringify(counts)}`);
  });
}

streams("memory", memoryPlace, [6, 60], [60, 400]);
streams("slow memory", slowPlace, [3, 30], [40, 250]);
streams("lmdb", () => lmdbPlace("relaxed"), [3, 30], [50, 400]);
streams("flushed lmdb", () => lmdbPlace("flush"), [1, 10], [30, 250]);
