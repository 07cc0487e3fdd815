import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import { long, seedsOf } from "../simulation/settings.ts";
import { backUpAndDie } from "./backup-lives.ts";
import { KillablePostgres } from "./killable-postgres.ts";

const [seed = 0] = seedsOf(1);
let postgres: KillablePostgres | undefined;

beforeAll(async () => {
  if (long) postgres = await KillablePostgres.start();
});
afterAll(async () => {
  await postgres?.stop();
});

const kills = 60;

// What is special to this store is that of every commit: `crash.pg.test.ts` tries it each time.
test.runIf(long)(
  `${kills} kills while a table is copied and restored leave it whole, and whole copies or none`,
  {
    timeout: long ? 3_600_000 : 180_000,
  },
  async () => {
    const store = `${postgres?.url}?schema=backups`;
    const tally = await backUpAndDie({
      place: { store, durability: "relaxed" },
      seed,
      kills,
      open: async () => {
        await postgres?.alone();
        return openPostgresStore({ url: store, durability: "relaxed" });
      },
    });
    expect(tally.kills).toBe(kills);
    expect(tally.backups).toBeGreaterThan(0);
    if (long) console.log(`seed ${seed}, PostgreSQL: ${JSON.stringify(tally)}`);
  },
);
