import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLmdbStore } from "../../src/storage/lmdb/lmdb-store.ts";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import { long, seedsOf, stepsOf, timeout } from "./settings.ts";
import { slowStore } from "./slow-store.ts";
import { type OpenStore, simulateStream } from "./stream-run.ts";

async function expectSound(open: OpenStore, seed: number, dies: boolean): Promise<void> {
  const steps = stepsOf(120, 1_500);
  const { problems, records } = await simulateStream(open, seed, steps, dies);
  const again = `seed ${seed} fails; again with: KEYWRIGHT_SEED=${seed} KEYWRIGHT_STEPS=${steps}`;
  expect(problems, again).toEqual([]);
  expect(records).toBeGreaterThan(steps);
  if (long) console.log(`seed ${seed}: ${records} records`);
}

/** Closing it is not the end of it. */
function keptMemory(): OpenStore {
  const store = openMemoryStore();
  let openings = 0;
  return async () => {
    openings += 1;
    return slowStore(store, openings);
  };
}

test.each(seedsOf(long ? 6 : 2))(
  "a stream on slow memory, opened again and again, seed %d",
  { timeout },
  (seed) => expectSound(keptMemory(), seed, false),
);

test.each(seedsOf(long ? 6 : 3))(
  "a stream whose process dies again and again, seed %d",
  { timeout },
  (seed) => expectSound(keptMemory(), seed, true),
);

test.each(seedsOf(long ? 4 : 1))("a stream on lmdb, seed %d", { timeout }, async (seed) => {
  const path = mkdtempSync(join(tmpdir(), "keywright-streams-"));
  try {
    await expectSound(async () => openLmdbStore({ path, durability: "relaxed" }), seed, false);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});
