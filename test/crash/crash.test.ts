import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLmdbStore } from "../../src/storage/lmdb/lmdb-store.ts";
import { long, seedsOf } from "../simulation/settings.ts";
import { liveAndDie } from "./lives.ts";
import { buildProgram, type Program } from "./victim.ts";

const [seed = 0] = seedsOf(1);
let folder: string;
let program: Program;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keywright-crash-"));
  program = await buildProgram("embedded-main");
});
afterAll(async () => {
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

test.for([
  ["flush", long ? 600 : 30],
  ["relaxed", long ? 200 : 10],
] as const)(
  "durability %s: %i kills leave all that was acknowledged, and nothing by halves",
  { timeout: long ? 3_600_000 : 180_000 },
  async ([durability, kills]) => {
    const data = join(folder, durability);
    const tally = await liveAndDie({
      place: { data, durability },
      seed,
      kills,
      script: program.script,
      // The looking is not what is tested, and sooner done without flushes.
      open: async () => openLmdbStore({ path: data, durability: "relaxed" }),
    });
    expect(tally.kills).toBe(kills);
    expect(tally.acknowledged).toBeGreaterThan(0);
    if (long) console.log(`seed ${seed}, LMDB ${durability}: ${JSON.stringify(tally)}`);
  },
);
