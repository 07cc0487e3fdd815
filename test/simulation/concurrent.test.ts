import { expect, test } from "vitest";
import { simulateClients } from "./concurrent-run.ts";
import { long, seedsOf, stepsOf, timeout } from "./settings.ts";
import { httpTarget, lmdbTarget, memoryTarget, slowTarget, type Target } from "./target.ts";

/** Clients at the same time on the same keys; `steps` of each client. */
function clients(
  name: string,
  open: () => Promise<Target>,
  [seeds, longSeeds]: readonly [number, number],
  [steps, longSteps]: readonly [number, number],
): void {
  const all = seedsOf(long ? longSeeds : seeds);
  test.each(all)(`clients on ${name}, seed %d`, { timeout }, async (seed) => {
    const { operations, problems } = await simulateClients(open, seed, stepsOf(steps, longSteps));
    const again = `KEYWRIGHT_SEED=${seed} KEYWRIGHT_STEPS=${stepsOf(steps, longSteps)} npx vitest run test/simulation -t "clients on ${name}"`;
    expect(problems, `seed ${seed} fails; again with: ${again}`).toEqual([]);
    if (long) console.log(`${name}, seed ${seed}: ${operations} operations`);
  });
}

clients("memory", memoryTarget, [1, 4], [60, 500]);
clients("slow", slowTarget, [2, 4], [60, 500]);
clients("lmdb", lmdbTarget, [2, 4], [50, 500]);
clients("http-lmdb", () => httpTarget(true), [1, 1], [20, 200]);
