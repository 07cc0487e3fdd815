import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import type { Random } from "../random.ts";
import { long, seedsOf } from "../simulation/settings.ts";
import { KillablePostgres } from "./killable-postgres.ts";
import { liveAndDie, sleep } from "./lives.ts";
import { buildEmbedded } from "./victim.ts";

const [seed = 0] = seedsOf(1);
let postgres: KillablePostgres;
let program: Awaited<ReturnType<typeof buildEmbedded>>;

beforeAll(async () => {
  [postgres, program] = await Promise.all([KillablePostgres.start(), buildEmbedded()]);
});
afterAll(async () => {
  await program?.remove();
  await postgres?.stop();
});

test.for([
  ["flush", long ? 200 : 9],
  ["relaxed", long ? 60 : 3],
] as const)(
  "durability %s: %i kills leave what they may, and nothing by halves",
  { timeout: long ? 3_600_000 : 180_000 },
  async ([durability, kills]) => {
    const deaths = { server: 0, both: 0, "database first": 0 };
    /** Ours alone, both, or the database under a server that goes on for a while. */
    const disaster = async (random: Random, kill: () => Promise<void>) => {
      const death = random.weighted({ server: 5, both: 3, "database first": 2 });
      deaths[death] += 1;
      if (death === "server") {
        await kill();
      } else if (death === "both") {
        await Promise.all([postgres.kill(), kill()]);
        await postgres.startAgain();
      } else {
        await postgres.kill();
        await sleep(random.unit() * 50);
        await postgres.startAgain();
        await sleep(random.unit() * 200);
        await kill();
      }
      await postgres.alone();
      return { lossy: death !== "server" && durability === "relaxed" };
    };
    const store = `${postgres.url}?schema=${durability}`;
    const tally = await liveAndDie({
      place: { store, durability },
      seed,
      kills,
      script: program.script,
      open: () => openPostgresStore({ url: store }),
      disaster,
    });
    expect(tally.kills).toBe(kills);
    expect(tally.acknowledged).toBeGreaterThan(0);
    if (long) {
      console.log(
        `seed ${seed}, PostgreSQL ${durability}: ${JSON.stringify({ ...tally, deaths })}`,
      );
    }
  },
);
