import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import type { Random } from "../random.ts";
import { long, seedsOf } from "../simulation/settings.ts";
import { KillablePostgres } from "./killable-postgres.ts";
import { liveAndDie, sleep } from "./lives.ts";
import { buildProgram, type Program } from "./victim.ts";

const [seed = 0] = seedsOf(1);
let postgres: KillablePostgres;
let program: Program;

beforeAll(async () => {
  [postgres, program] = await Promise.all([
    KillablePostgres.start(),
    buildProgram("embedded-main"),
  ]);
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
    /** Ours alone, both, or the database under a server that goes on for a while: in turn. */
    const deaths = ["server", "both", "database first"] as const;
    let lives = 0;
    const disaster = async (random: Random, kill: () => Promise<void>) => {
      const death = deaths[lives++ % deaths.length];
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
      console.log(`seed ${seed}, PostgreSQL ${durability}: ${JSON.stringify(tally)}`);
    }
  },
);

test("a server that does not flush is not used, unless that is wanted", async () => {
  const admin = new Client({ connectionString: postgres.url });
  await admin.connect();
  const setFsync = async (value: string) => {
    await admin.query(`ALTER SYSTEM SET fsync = ${value}`);
    await admin.query("SELECT pg_reload_conf()");
    await expect
      .poll(async () => (await admin.query("SHOW fsync")).rows)
      .toEqual([{ fsync: value }]);
  };
  const url = `${postgres.url}?schema=unflushed`;
  await setFsync("off");
  await expect(openPostgresStore({ url, durability: "flush" })).rejects.toThrow(
    "PostgreSQL is set to fsync = off and may lose what it has acknowledged; " +
      "turn fsync on, or ask for durability relaxed.",
  );
  await (await openPostgresStore({ url, durability: "relaxed" })).close();
  await setFsync("on");
  await (await openPostgresStore({ url, durability: "flush" })).close();
  await admin.end();
});
