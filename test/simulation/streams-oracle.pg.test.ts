import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import { type PostgresServer, startPostgresServer } from "../storage/postgres-server.ts";
import { long, seedsOf, stepsOf, timeout } from "./settings.ts";
import { simulateStreams } from "./streams-run.ts";
import type { Place } from "./streams-target.ts";

let server: PostgresServer | undefined;
let schemas = 0;

beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(async () => {
  await server?.stop();
});

/** Two front ends on one database: each request goes to either. */
function postgresPlace(): Place {
  const url = server?.connectionString ?? "";
  schemas += 1;
  const schema = `streams ${schemas}`;
  return {
    name: "postgres",
    frontEnds: 2,
    open: () => openPostgresStore({ url, schema, connectionsMax: 6 }),
    dispose: async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(`DROP SCHEMA "${schema}" CASCADE`);
      await client.end();
    },
  };
}

test.each(seedsOf(long ? 20 : 2))("streams on postgres, seed %d", { timeout }, async (seed) => {
  const steps = stepsOf(25, 150);
  const { problems, ...counts } = await simulateStreams(postgresPlace(), seed, steps);
  const again = `KEYWRIGHT_SEED=${seed} KEYWRIGHT_STEPS=${steps} npx vitest run --project pg test/simulation/streams-oracle`;
  expect(problems, `seed ${seed} fails; again with: ${again}`).toEqual([]);
  expect(counts.changes).toBeGreaterThan(0);
  if (long) console.log(`postgres, seed ${seed}: ${JSON.stringify(counts)}`);
});
