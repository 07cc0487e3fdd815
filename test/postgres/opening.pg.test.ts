import { Client, Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { StoreFormatError } from "../../src/storage/errors.ts";
import { closePool, makePool } from "../../src/storage/postgres/connections.ts";
import { StoreConnectionError } from "../../src/storage/postgres/errors.ts";
import { openPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import { type Migration, migrations, prepareSchema } from "../../src/storage/postgres/schema.ts";
import { type PostgresServer, startPostgresServer } from "../storage/postgres-server.ts";

let server: PostgresServer | undefined;
let url: URL;
let pool: Pool;

beforeAll(async () => {
  server = await startPostgresServer();
  url = new URL(server.connectionString);
  pool = new Pool({ connectionString: url.href, max: 3 });
});
afterAll(async () => {
  await closePool(pool);
  await server?.stop();
});

function changed(change: (url: URL) => void): string {
  const copy = new URL(url);
  change(copy);
  return copy.href;
}

test.each([
  [
    "nobody listening",
    () => changed((u) => Object.assign(u, { port: "1" })),
    "PostgreSQL at 127.0.0.1:1 cannot be reached: nothing listens there.",
  ],
  [
    "an unknown host",
    () => changed((u) => Object.assign(u, { hostname: "nowhere.invalid" })),
    /cannot be reached: the name is not known\./,
  ],
  [
    "a wrong password",
    () => changed((u) => Object.assign(u, { password: "wr0ng" })),
    /does not accept the password of user postgres\./,
  ],
  [
    "no password",
    () => changed((u) => Object.assign(u, { password: "" })),
    /asks for the password of user postgres\.|does not accept the password of user postgres\./,
  ],
  [
    "an unknown user",
    () => changed((u) => Object.assign(u, { username: "stranger" })),
    /does not accept the password of user stranger\./,
  ],
  [
    "an unknown database",
    () => changed((u) => Object.assign(u, { pathname: "/nothing" })),
    /has no database nothing\./,
  ],
  [
    "TLS where there is none",
    () => changed((u) => u.searchParams.set("sslmode", "verify-full")),
    /does not offer TLS/,
  ],
])("%s: one sentence, without the password", async (_name, urlOf, sentence) => {
  const failed = await openPostgresStore({ url: urlOf() }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(StoreConnectionError);
  const { message } = failed as Error;
  if (typeof sentence === "string") expect(message).toBe(sentence);
  else expect(message).toMatch(sentence);
  expect(message).not.toContain(url.password);
  expect(message).not.toContain("wr0ng");
});

test("many processes that open an empty database at once", async () => {
  const options = { url: url.href, schema: 'a "quoted" name', connectionsMax: 2 };
  const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgresStore(options)));
  await Promise.all(stores.map((store) => store.close()));
});

test("whoever may not create schemas can be given one", async () => {
  await pool.query("CREATE ROLE guest LOGIN PASSWORD 'guest'");
  await pool.query("REVOKE CREATE ON DATABASE postgres FROM PUBLIC");
  const guest = changed((u) => Object.assign(u, { username: "guest", password: "guest" }));
  await expect(openPostgresStore({ url: guest, schema: "own" })).rejects.toThrow(
    /^User guest may not make Keywright's tables in database postgres/,
  );
  await pool.query("CREATE SCHEMA own AUTHORIZATION guest");
  for (let times = 0; times < 2; times++) {
    const store = await openPostgresStore({ url: guest, schema: "own" });
    await store.close();
  }
});

test("older tables are brought up to date, later ones are left alone", async () => {
  const schema = "steps";
  const later: Migration = ({ entries }) => [`ALTER TABLE ${entries} ADD COLUMN extra integer`];
  const failing: Migration = () => ["SELECT 1 / 0"];
  const prepare = async (steps: readonly Migration[]) => {
    const client = await pool.connect();
    try {
      await prepareSchema(client, schema, steps);
    } finally {
      client.release();
    }
  };
  const version = async () => (await pool.query("SELECT version FROM steps.format")).rows;
  await prepare(migrations);
  expect(await version()).toEqual([{ version: migrations.length }]);
  await expect(prepare([...migrations, later, failing])).rejects.toThrow("division by zero");
  expect(await version()).toEqual([{ version: migrations.length }]);
  await prepare([...migrations, later]);
  await prepare([...migrations, later]);
  expect(await version()).toEqual([{ version: migrations.length + 1 }]);
  await pool.query("SELECT extra FROM steps.entries");
  await expect(prepare(migrations)).rejects.toThrow(StoreFormatError);
  await expect(openPostgresStore({ url: url.href, schema })).rejects.toThrow(
    `The store at schema steps has format ${migrations.length + 1}; this version reads format ${migrations.length}.`,
  );
});

test.each([
  ["flush", "off", "on"],
  ["flush", "on", "on"],
  ["flush", "remote_apply", "remote_apply"],
  ["relaxed", "on", "off"],
] as const)("durability %s on a server set to %s: %s", async (durability, setting, wanted) => {
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`ALTER ROLE postgres SET synchronous_commit = '${setting}'`);
  const connections = makePool({ connectionString: url.href, durability }, 1);
  const { rows } = await connections.query("SHOW synchronous_commit");
  expect(rows).toEqual([{ synchronous_commit: wanted }]);
  await closePool(connections);
  await admin.query("ALTER ROLE postgres RESET synchronous_commit");
  await admin.end();
});
