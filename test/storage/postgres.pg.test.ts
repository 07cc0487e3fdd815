import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { StoreFormatError } from "../../src/storage/errors.ts";
import { openPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import { describeStoreContract } from "./contract.ts";
import { type PostgresServer, startPostgresServer } from "./postgres-server.ts";

let server: PostgresServer | undefined;
let schemas = 0;

beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(async () => {
  await server?.stop();
});

function connectionString(): string {
  if (server === undefined) throw new Error("the server is not running");
  return server.connectionString;
}

async function query(text: string): Promise<void> {
  const client = new Client({ connectionString: connectionString() });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

describeStoreContract(
  "postgres",
  async () => {
    const schema = `store ${schemas++}`;
    const open = () => openPostgresStore({ url: connectionString(), schema });
    return {
      store: await open(),
      reopen: open,
      another: open,
      dispose: () => query(`DROP SCHEMA "${schema}" CASCADE`),
    };
  },
  { histories: 6 },
);

test("two stores on one schema exclude each other as two commits of one do", async () => {
  const open = () => openPostgresStore({ url: connectionString(), schema: "shared" });
  const stores = await Promise.all([open(), open()]);
  const bytes = (text: string) => Buffer.from(text);
  for (let round = 0; round < 30; round++) {
    const keys = [bytes(`a${round}`), bytes(`b${round}`)] as const;
    const claims = stores.map((store, n) =>
      store.commit([keys[n === 0 ? 1 : 0]], ([other]) => ({
        writes:
          other === undefined ? [{ kind: "put", key: keys[n === 0 ? 0 : 1], value: keys[0] }] : [],
        result: other === undefined,
      })),
    );
    expect((await Promise.all(claims)).filter(Boolean).length).toBe(1);
  }
  const counter = bytes("c");
  await Promise.all(
    Array.from({ length: 1_100 }, (_, n) =>
      (n % 2 ? stores[0] : stores[1])?.commit([], () => ({
        writes: [{ kind: "add", counter, count: 1, bytes: n }],
        result: undefined,
      })),
    ),
  );
  const sums = { count: 1_100, bytes: (1_100 * 1_099) / 2 };
  // The first answer sums the deltas up, the second reads the sum.
  for (const store of stores) expect(await store.totals(counter)).toEqual(sums);
  await Promise.all(stores.map((store) => store.close()));
});

test("a schema of another format is refused", async () => {
  const options = { url: connectionString(), schema: "later" };
  await (await openPostgresStore(options)).close();
  await query("UPDATE later.format SET version = 9");
  await expect(openPostgresStore(options)).rejects.toThrow(StoreFormatError);
  await expect(openPostgresStore(options)).rejects.toThrow("format 9");
});
