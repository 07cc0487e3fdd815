import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../src/index.ts";
import { clientFor } from "../sdk/harness.ts";
import { type PostgresServer, startPostgresServer } from "../storage/postgres-server.ts";
import { createTable, onDemand, put, telling, until, useWorkplace, valuesOf } from "./support.ts";

const work = useWorkplace();
let database: PostgresServer | undefined;
let store: string;

beforeAll(async () => {
  database = await startPostgresServer();
  store = `${database.connectionString}?connections=6`;
});
afterAll(() => database?.stop());

test("a trigger goes on where it stopped, and sees what another process writes", async () => {
  const handler = work.write("pg.mjs", telling);
  const triggers = [`Shared=${handler}?batch-size=3`];
  const other = await startServer({ store });
  const client = clientFor(other.url);
  const keys = ["a", "b", "c", "d"];
  const all: string[] = [];
  try {
    let value = 0;
    for (let life = 0; life < 3; life += 1) {
      const running = await work.start({ store, triggers });
      // The table, its stream and its records are the other process's.
      if (life === 0) await createTable(client, "Shared", onDemand);
      for (let i = 0; i < 4; i += 1) {
        value += 1;
        await Promise.all(keys.map((key) => put(client, "Shared", key, value)));
      }
      const expected = keys.length * value;
      await until(() => expect(all.length + valuesOf(running.told()).length).toBe(expected));
      await running.close();
      all.push(...valuesOf(running.told()));
    }
    for (const key of keys) {
      const values = all.filter((text) => text.startsWith(`${key}=`));
      expect(values).toEqual(Array.from({ length: value }, (_, i) => `${key}=${i + 1}`));
    }
  } finally {
    client.destroy();
    await other.close();
  }
});
