import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLmdbStore } from "../../src/storage/lmdb/lmdb-store.ts";
import { long, seedsOf } from "../simulation/settings.ts";
import { backUpAndDie } from "./backup-lives.ts";

const [seed = 0] = seedsOf(1);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keywright-backups-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const kills = long ? 200 : 5;

test(`${kills} kills while a table is copied and restored leave it whole, and whole copies or none`, {
  timeout: long ? 3_600_000 : 180_000,
}, async () => {
  const data = join(folder, "data");
  const tally = await backUpAndDie({
    place: { data, durability: "relaxed" },
    seed,
    kills,
    open: async () => openLmdbStore({ path: data, durability: "relaxed" }),
  });
  expect(tally.kills).toBe(kills);
  expect(tally.interrupted).toBeGreaterThan(0);
  expect(tally.backups).toBeGreaterThan(0);
  expect(tally.restored).toBeGreaterThan(0);
  console.log(`seed ${seed}, LMDB: ${JSON.stringify(tally)}`);
});
