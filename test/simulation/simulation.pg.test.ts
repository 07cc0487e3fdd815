import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import { type PostgresServer, startPostgresServer } from "../storage/postgres-server.ts";
import { simulateClients } from "./concurrent-run.ts";
import { long, seedsOf, stepsOf, timeout } from "./settings.ts";
import { simulate } from "./simulate.ts";
import { simulateStream } from "./stream-run.ts";
import { storeTarget, type Target } from "./target.ts";

let server: PostgresServer | undefined;
let schemas = 0;

beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(async () => {
  await server?.stop();
});

/** A store of its own in the one server. */
function postgresTarget(): Promise<Target> {
  const connectionString = server?.connectionString ?? "";
  schemas += 1;
  const schema = `simulation ${schemas}`;
  return storeTarget(
    "postgres",
    () => openPostgresStore({ url: connectionString, schema }),
    async () => {
      const client = new Client({ connectionString });
      await client.connect();
      await client.query(`DROP SCHEMA "${schema}" CASCADE`);
      await client.end();
    },
  );
}

test.each(seedsOf(long ? 2 : 1))("a history on postgres, seed %d", { timeout }, async (seed) => {
  const { operations } = await simulate(postgresTarget, seed, stepsOf(300, 3_000));
  if (long) console.log(`postgres, seed ${seed}: ${operations} operations`);
});

test.each(seedsOf(long ? 2 : 1))("clients on postgres, seed %d", { timeout }, async (seed) => {
  const { operations, problems } = await simulateClients(postgresTarget, seed, stepsOf(16, 150));
  expect(problems, `seed ${seed} fails; again with: KEYWRIGHT_SEED=${seed}`).toEqual([]);
  if (long) console.log(`postgres, seed ${seed}: ${operations} operations`);
});

test.each(seedsOf(long ? 2 : 1))("a stream on postgres, seed %d", { timeout }, async (seed) => {
  const url = server?.connectionString ?? "";
  schemas += 1;
  const schema = `simulation ${schemas}`;
  const open = () => openPostgresStore({ url, schema });
  const { problems, records } = await simulateStream(open, seed, stepsOf(60, 400), false);
  expect(problems, `seed ${seed} fails; again with: KEYWRIGHT_SEED=${seed}`).toEqual([]);
  expect(records).toBeGreaterThan(30);
  if (long) console.log(`postgres, seed ${seed}: ${records} records`);
});
