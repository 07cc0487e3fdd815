import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logKey, numberOfLogKey } from "../../src/storage/log-keys.ts";
import { UncertainCommitError } from "../../src/storage/postgres/errors.ts";
import { openPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import { migrations, tablesOf } from "../../src/storage/postgres/schema.ts";
import type { Store, Write } from "../../src/storage/store.ts";
import { BreakingProxy } from "./breaking-proxy.ts";
import { type PostgresServer, startPostgresServer } from "./postgres-server.ts";

let server: PostgresServer | undefined;
let admin: Client;
let proxy: BreakingProxy;
let url: string;
let direct: string;
let schemas = 0;

beforeAll(async () => {
  server = await startPostgresServer();
  direct = server.connectionString;
  admin = await connect();
  ({ proxy, url } = await BreakingProxy.start(direct));
});
afterAll(async () => {
  await proxy.stop();
  await admin.end();
  await server?.stop();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: direct });
  await client.connect();
  return client;
}

const log = Buffer.from("log");
const everything = { limit: 1_000_000, bytesMax: Number.MAX_SAFE_INTEGER };
const append = (value: string): Write => ({ kind: "append", log, value: Buffer.from(value) });
const write = (store: Store, ...writes: Write[]) =>
  store.commit([], () => ({ writes, result: undefined }));

/** What a reader of the log may take as settled. */
async function settled(store: Store): Promise<string[]> {
  const horizon = await store.horizon();
  const range = { start: logKey(log, 0), end: logKey(log, horizon) };
  const { entries } = await store.scan(range, everything);
  return entries.map(({ value }) => Buffer.from(value).toString());
}

async function onTwoStores(
  work: (one: Store, other: Store, schema: string) => Promise<void>,
): Promise<void> {
  const schema = `logs' "${schemas++}"`;
  const one = await openPostgresStore({ url, schema });
  const other = await openPostgresStore({ url: direct, schema });
  try {
    await work(one, other, schema.replaceAll('"', '""'));
  } finally {
    proxy.fateOf = () => "pass";
    await Promise.all([one.close(), other.close()]);
  }
}

/** Entries whose value begins with "slow" have their number but wait, as long as the lock 7 is held. */
async function slowDown(schema: string): Promise<void> {
  await admin.query(
    `CREATE FUNCTION "${schema}".wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF starts_with(encode(NEW.value, 'escape'), 'slow') THEN
         PERFORM pg_advisory_xact_lock_shared(7);
       END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER wait BEFORE INSERT ON "${schema}".entries
       FOR EACH ROW EXECUTE FUNCTION "${schema}".wait()`,
  );
}

const waitingForLock7 = async () =>
  (await admin.query("SELECT 1 FROM pg_locks WHERE objid = 7 AND NOT granted")).rows.length;

test("the horizon does not pass an entry that has its number and is not yet visible", async () => {
  await onTwoStores(async (one, other, schema) => {
    await slowDown(schema);
    await write(one, append("first"));
    expect([await settled(one), await settled(other)]).toEqual([["first"], ["first"]]);
    await admin.query("SELECT pg_advisory_lock(7)");
    const slow = write(one, append("before it"), append("slow"));
    await expect.poll(waitingForLock7).toBe(1);
    // These are acknowledged, and visible, and have greater numbers.
    await write(other, append("after"));
    await write(one, append("at last"));
    const { entries } = await one.scan({ start: log, end: logKey(log, 1e9) }, everything);
    expect(entries.map(({ value }) => String(value))).toEqual(["first", "after", "at last"]);
    expect(await settled(other)).toEqual(["first"]);
    expect(await settled(one)).toEqual(["first"]);
    await admin.query("SELECT pg_advisory_unlock(7)");
    await slow;
    const all = ["first", "before it", "slow", "after", "at last"];
    expect(await settled(one)).toEqual(all);
    expect(await settled(other)).toEqual(all);
  });
});

test("the horizon moves on although never all who append are done at a time", async () => {
  await onTwoStores(async (one, other, schema) => {
    await slowDown(schema);
    const second = await connect();
    await admin.query("SELECT pg_advisory_lock(7)");
    const slow = write(one, append("slow 1"));
    await expect.poll(waitingForLock7).toBe(1);
    await write(other, append("2"));
    expect(await settled(other)).toEqual([]);
    // The next one waits before the first is let go.
    await second.query("SELECT pg_advisory_lock_shared(8)");
    await admin.query(
      `CREATE OR REPLACE FUNCTION "${schema}".wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.value = 'slow 3' THEN PERFORM pg_advisory_xact_lock(8); END IF;
         RETURN NEW;
       END $$`,
    );
    const slower = write(other, append("slow 3"));
    await expect
      .poll(
        async () =>
          (await admin.query("SELECT 1 FROM pg_locks WHERE objid = 8 AND NOT granted")).rows.length,
      )
      .toBe(1);
    await write(one, append("4"));
    await admin.query("SELECT pg_advisory_unlock(7)");
    await slow;
    expect(await settled(other)).toEqual(["slow 1", "2"]);
    await second.end();
    await slower;
    expect(await settled(other)).toEqual(["slow 1", "2", "slow 3", "4"]);
    expect(await settled(one)).toEqual(["slow 1", "2", "slow 3", "4"]);
  });
});

test("an answer that began before an acknowledgement is not shared by those who ask after it", async () => {
  await onTwoStores(async (one) => {
    await write(one, append("1"));
    expect(await one.horizon()).toBe(2);
    // Looking for those who append hangs then, after the next number was read.
    await admin.query("BEGIN");
    await admin.query("LOCK TABLE pg_database IN ACCESS EXCLUSIVE MODE");
    const early = one.horizon();
    const hanging =
      "SELECT 1 FROM pg_locks WHERE relation = 'pg_database'::regclass AND NOT granted";
    await expect.poll(async () => (await admin.query(hanging)).rows.length).toBe(1);
    await write(one, append("2"));
    const late = one.horizon();
    await admin.query("ROLLBACK");
    expect([await early, await late]).toEqual([2, 3]);
  });
});

test("transactions that have nothing to do with logs do not hold the horizon up", async () => {
  await onTwoStores(async (one, other, schema) => {
    const stranger = await connect();
    await stranger.query("BEGIN");
    await stranger.query(`INSERT INTO "${schema}".totals VALUES ('x', 1, 1)`);
    await stranger.query("SELECT pg_current_xact_id()");
    for (let n = 1; n <= 5; n++) {
      await write(n % 2 ? one : other, append(String(n)));
      expect((await settled(one)).length).toBe(n);
      expect((await settled(other)).length).toBe(n);
    }
    await stranger.query("ROLLBACK");
    await stranger.end();
  });
});

test("a commit that is undone on the server leaves a gap and does not stop the horizon", async () => {
  await onTwoStores(async (one, _other, schema) => {
    await admin.query(
      `CREATE FUNCTION "${schema}".refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN IF NEW.value = 'bad' THEN RAISE 'not this one'; END IF; RETURN NEW; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON "${schema}".entries
         FOR EACH ROW EXECUTE FUNCTION "${schema}".refuse()`,
    );
    const outcomes = await Promise.allSettled(
      ["a", "b", "bad", "c"].map((value) => write(one, append(value))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await settled(one)).toEqual(["a", "b", "c"]);
  });
});

test("broken connections and killed server processes: what is settled stays as it is", async () => {
  await onTwoStores(async (one, other) => {
    let working = true;
    const killer = (async () => {
      while (working) {
        await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name = 'keywright' AND random() < 0.2`,
        );
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const seen = new Map<number, string>();
    let from = 0;
    const follow = async () => {
      const horizon = await other.horizon();
      if (horizon <= from) return;
      const range = { start: logKey(log, from), end: logKey(log, horizon) };
      for (const { key, value } of (await other.scan(range, everything)).entries) {
        seen.set(numberOfLogKey(key), String(value));
      }
      from = horizon;
    };
    const follower = (async () => {
      while (working) await follow();
    })();
    const acknowledged = new Set<string>();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 30; n++) {
        const value = `${writer} ${n}`;
        try {
          await write(writer % 2 ? one : other, append(value));
          acknowledged.add(value);
        } catch (error) {
          expect(error).toBeInstanceOf(UncertainCommitError);
        }
      }
    });
    await Promise.all(writers);
    working = false;
    await Promise.all([killer, follower]);
    await expect
      .poll(async () => {
        await follow();
        return (await settled(other)).length;
      })
      .toBeGreaterThanOrEqual(acknowledged.size);
    expect(await settled(other)).toEqual([...seen.values()]);
    expect([...acknowledged].filter((value) => ![...seen.values()].includes(value))).toEqual([]);
    expect(new Set(seen.values()).size).toBe(seen.size);
  });
});

test("a server that lost what it was not asked to flush may have gone back", async () => {
  await onTwoStores(async (one, _other, schema) => {
    await write(one, append("a"), append("b"), append("c"));
    expect(await one.horizon()).toBe(4);
    await admin.query(`SELECT setval('"${schema.replaceAll("'", "''")}".log_numbers', 1)`);
    expect(await one.horizon()).toBe(2);
  });
});

test("appending takes no round trip more than putting", async () => {
  await onTwoStores(async (one) => {
    const packets = async (...writes: Write[]) => {
      let count = 0;
      proxy.fateOf = () => {
        count += 1;
        return "pass";
      };
      await one.commit([Buffer.from("k")], () => ({ writes, result: undefined }));
      return count;
    };
    const put: Write = { kind: "put", key: Buffer.from("k"), value: log };
    await packets(put, append("x"));
    expect(await packets(put, append("x"), append("y"))).toBe(await packets(put));
  });
});

test("a database made before there were logs gets what they need", async () => {
  const schema = `logs' "${schemas++}"`;
  const tables = tablesOf(schema);
  const before = await openPostgresStore({ url: direct, schema });
  await write(before, { kind: "put", key: Buffer.from("old"), value: Buffer.from("item") });
  await before.close();
  await admin.query(`DROP SEQUENCE ${tables.logNumbers}; UPDATE ${tables.format} SET version = 1`);
  const stores = await Promise.all(
    [1, 2, 3].map(() => openPostgresStore({ url: direct, schema, connectionsMax: 2 })),
  );
  await Promise.all(stores.map((store, n) => write(store, append(String(n)))));
  const [store] = stores as [Store];
  expect((await settled(store)).sort()).toEqual(["0", "1", "2"]);
  expect(String((await store.get([Buffer.from("old")]))[0])).toBe("item");
  const { rows } = await admin.query(`SELECT version FROM ${tables.format}`);
  expect(rows).toEqual([{ version: migrations.length }]);
  await Promise.all(stores.map((one) => one.close()));
});
