import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UncertainCommitError } from "../../src/storage/postgres/errors.ts";
import { lockName } from "../../src/storage/postgres/key-hash.ts";
import { openPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import type { Bytes, Decision, Store, Write } from "../../src/storage/store.ts";
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
  admin = new Client({ connectionString: direct });
  await admin.connect();
  ({ proxy, url } = await BreakingProxy.start(direct));
});
afterAll(async () => {
  await proxy.stop();
  await admin.end();
  await server?.stop();
});

const bytes = (text: string) => Buffer.from(text, "latin1");
const put = (key: string, value = "v"): Write => ({
  kind: "put",
  key: bytes(key),
  value: bytes(value),
});
const write = (store: Store, ...writes: Write[]) =>
  store.commit([], () => ({ writes, result: undefined }));
const textOf = (value: Bytes | undefined) => value && Buffer.from(value).toString("latin1");

/** Adds one to the number under a key, which is also in the totals. */
function increment(store: Store, key = "n"): Promise<number> {
  return store.commit([bytes(key)], ([value]): Decision<number> => {
    const next = Number(textOf(value) ?? 0) + 1;
    const counter = bytes(key);
    return {
      writes: [put(key, String(next)), { kind: "add", counter, count: 1, bytes: 0 }],
      result: next,
    };
  });
}

async function onStore(
  work: (store: Store, schema: string) => Promise<void>,
  through = url,
): Promise<void> {
  const schema = `faults ${schemas++}`;
  const store = await openPostgresStore({ url: through, schema });
  try {
    await work(store, schema);
  } finally {
    proxy.fateOf = () => "pass";
    proxy.refusing = false;
    await store.close();
  }
}

/** Breaks the connection once, at the first packet that holds the text. */
function breakOnce(text: string, fate: "lose" | "lose answer"): void {
  let broken = false;
  proxy.fateOf = (packet) => {
    if (broken || !packet.includes(text)) return "pass";
    broken = true;
    return fate;
  };
}

test.each(["lose", "lose answer"] as const)(
  "a connection that breaks before the commit: %s, and all is done once",
  async (fate) => {
    await onStore(async (store) => {
      expect(await increment(store)).toBe(1);
      breakOnce("BEGIN", fate);
      expect(await increment(store)).toBe(2);
      expect(textOf((await store.get([bytes("n")]))[0])).toBe("2");
      expect((await store.totals(bytes("n"))).count).toBe(2);
    });
  },
);

test.each([
  ["lose", "1"],
  ["lose answer", "2"],
] as const)(
  "a commit whose answer is lost (%s) is neither repeated nor acknowledged",
  async (fate, left) => {
    await onStore(async (store) => {
      await increment(store);
      breakOnce("COMMIT", fate);
      await expect(increment(store)).rejects.toThrow(UncertainCommitError);
      await expect.poll(async () => textOf((await store.get([bytes("n")]))[0])).toBe(left);
      expect((await store.totals(bytes("n"))).count).toBe(Number(left));
      expect(await increment(store)).toBe(Number(left) + 1);
    });
  },
);

test("reads are repeated when the connection breaks", async () => {
  await onStore(async (store) => {
    await write(store, put("a", "1"), put("b", "2"));
    proxy.breakAll();
    expect((await store.get([bytes("a"), bytes("b")])).map(textOf)).toEqual(["1", "2"]);
    proxy.breakAll();
    const range = { start: bytes("a"), end: bytes("z") };
    expect((await store.scan(range, { limit: 9, bytesMax: 99 })).entries.length).toBe(2);
    proxy.breakAll();
    expect(await store.totals(bytes("x"))).toEqual({ count: 0, bytes: 0 });
  });
});

test("a server that is away for a moment only makes requests wait", async () => {
  await onStore(async (store) => {
    await increment(store);
    proxy.refusing = true;
    proxy.breakAll();
    const waiting = [increment(store), store.get([bytes("n")])] as const;
    await new Promise((resolve) => setTimeout(resolve, 300));
    proxy.refusing = false;
    expect(await waiting[0]).toBe(2);
    expect((await waiting[1]).length).toBe(1);
  });
});

test("killed server processes: each commit is acknowledged, refused, or said to be uncertain", async () => {
  await onStore(async (store) => {
    let acknowledged = 0;
    let uncertain = 0;
    let killing = true;
    const killer = (async () => {
      while (killing) {
        await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name = 'keywright' AND random() < 0.3`,
        );
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let round = 0; round < 30; round++) {
        try {
          await increment(store, client % 2 ? "n" : `n${client}-${round}`);
          acknowledged += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(UncertainCommitError);
          uncertain += 1;
        }
      }
    });
    await Promise.all(clients);
    killing = false;
    await killer;
    expect(acknowledged + uncertain).toBe(240);
    let sum = 0;
    const range = { start: bytes("n"), end: bytes("o") };
    const { entries } = await store.scan(range, { limit: 1_000, bytesMax: 1e6 });
    for (const { key, value } of entries) {
      expect((await store.totals(key)).count).toBe(Number(textOf(value)));
      sum += Number(textOf(value));
    }
    expect(sum).toBeGreaterThanOrEqual(acknowledged);
    expect(sum).toBeLessThanOrEqual(acknowledged + uncertain);
  });
});

test("what the server refuses fails alone, not with those that share its transaction", async () => {
  await onStore(async (store, schema) => {
    await admin.query(
      `CREATE FUNCTION "${schema}".refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN IF NEW.value = 'bad' THEN RAISE 'not this one'; END IF; RETURN NEW; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON "${schema}".entries
         FOR EACH ROW EXECUTE FUNCTION "${schema}".refuse()`,
    );
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => write(store, put(`k${n}`, n === 7 ? "bad" : "good"))),
    );
    const failed = outcomes.flatMap((outcome, n) => (outcome.status === "rejected" ? [n] : []));
    expect(failed).toEqual([7]);
    const page = await store.scan(
      { start: bytes("k"), end: bytes("l") },
      { limit: 99, bytesMax: 999 },
    );
    expect(page.entries.length).toBe(19);
  }, direct);
});

test("a failure carries the server's code and nothing of ours is dressed up as one", async () => {
  await onStore(async (store, schema) => {
    await admin.query(`DROP TABLE "${schema}".totals`);
    const failed = await (async () => store.totals(bytes("n")))().catch((error) => error);
    expect(String(failed)).toContain("PostgresFailure (42P01): relation");
    const refusal = new Error("no");
    const refused = store.commit([], () => {
      throw refusal;
    });
    await expect(refused).rejects.toBe(refusal);
  }, direct);
});

test("deltas are summed up behind the answers, by those who read them and those who write them", async () => {
  await onStore(async (store, schema) => {
    const counter = bytes("n");
    const deltas = async () =>
      (await admin.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM "${schema}".totals`))
        .rows[0]?.rows;
    await admin.query(
      `INSERT INTO "${schema}".totals SELECT '\\x6e', 1, n FROM generate_series(1, 1500) AS n`,
    );
    const sums = { count: 1_500, bytes: (1_500 * 1_501) / 2 };
    expect(await store.totals(counter)).toEqual(sums);
    await expect.poll(deltas).toBe(1);
    expect(await store.totals(counter)).toEqual(sums);
    for (let n = 0; n < 1_000; n++) {
      await store.commit([], () => ({
        writes: [{ kind: "add", counter, count: 1, bytes: 0 }],
        result: undefined,
      }));
    }
    await expect.poll(deltas).toBe(1);
    expect(await store.totals(counter)).toEqual({ ...sums, count: 2_500 });
  }, direct);
});

test("keys that are only looked at are shared, all others are not", async () => {
  await onStore(async (store, schema) => {
    const name = lockName(bytes("looked at"), lockName(bytes(schema), 0) | 0);
    await admin.query("BEGIN");
    await admin.query("SELECT pg_advisory_xact_lock_shared($1)", [String(name)]);
    const commit = (shared: number) =>
      store.commit([bytes("looked at")], () => ({ writes: [put("x")], result: "done" }), shared);
    expect(await commit(1)).toBe("done");
    let waited = true;
    const waiting = commit(0).finally(() => {
      waited = false;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(waited).toBe(true);
    await admin.query("COMMIT");
    expect(await waiting).toBe("done");
  }, direct);
});

test("a key that was said to be only looked at may be written after all", async () => {
  await onStore(async (store) => {
    const other = await openPostgresStore({ url: direct, schema: `faults ${schemas - 1}` });
    const bump = (on: Store) =>
      on.commit(
        [bytes("v")],
        ([value]) => ({ writes: [put("v", String(Number(textOf(value) ?? 0) + 1))], result: 0 }),
        1,
      );
    await Promise.all(Array.from({ length: 60 }, (_, n) => bump(n % 2 ? store : other)));
    expect(textOf((await store.get([bytes("v")]))[0])).toBe("60");
    await other.close();
  }, direct);
});

test("commits on more keys than there are locks, together with small ones", async () => {
  await onStore(async (store) => {
    const other = await openPostgresStore({ url: direct, schema: `faults ${schemas - 1}` });
    const keys = Array.from({ length: 1_500 }, (_, n) => `k${String(n).padStart(4, "0")}`);
    const large = (on: Store) =>
      on.commit(keys.map(bytes), (values) => ({
        writes: keys.map((key, n) => put(key, String(Number(textOf(values[n]) ?? 0) + 1))),
        result: undefined,
      }));
    const blind = (on: Store) => write(on, ...keys.map((key) => put(`b${key}`, "blind")));
    await Promise.all(
      [store, other].flatMap((on) => [
        large(on),
        blind(on),
        large(on),
        ...Array.from({ length: 10 }, () => increment(on, "k0001")),
      ]),
    );
    const values = await store.get([bytes("k0001"), bytes("k1499"), bytes("bk1499")]);
    expect(values.map(textOf)).toEqual(["24", "4", "blind"]);
    await other.close();
  }, direct);
});

test("pages that one look does not fill", async () => {
  await onStore(async (store) => {
    const keyOf = (n: number) => `k${String(n).padStart(5, "0")}`;
    for (let n = 0; n < 6_000; n += 1_000) {
      await write(store, ...Array.from({ length: 1_000 }, (_, i) => put(keyOf(n + i), "")));
    }
    const range = { start: bytes("k"), end: bytes("l") };
    for (const reverse of [false, true]) {
      const all = await store.scan(range, { reverse, limit: 1e9, bytesMax: 1e12 });
      expect(all.entries.length).toBe(6_000);
      expect(all.more).toBe(false);
      expect(textOf(all.entries[0]?.key)).toBe(keyOf(reverse ? 5_999 : 0));
      const most = await store.scan(range, { reverse, limit: 5_999, bytesMax: 1e12 });
      expect([most.entries.length, most.more]).toEqual([5_999, true]);
    }
  }, direct);
});

test("a process hears what others write, not what it writes itself, and when it may have missed something", async () => {
  const schema = `faults ${schemas++}`;
  const [store, other] = await Promise.all([
    openPostgresStore({ url, schema }),
    openPostgresStore({ url: direct, schema }),
  ]);
  const heard: (string | undefined)[] = [];
  const range = { start: bytes("a"), end: bytes("b") };
  await store.watch?.(range, (key) => heard.push(textOf(key)));
  await other.watch?.(range, () => {});
  await write(store, put("a own"));
  await write(other, put("a1"), put("b1"), put("a\xff2"));
  await expect.poll(() => heard).toEqual(["a1", "a\xff2"]);
  proxy.refusing = true;
  proxy.breakAll();
  // The first attempt to listen again fails too.
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(heard.length).toBe(2);
  proxy.refusing = false;
  await expect.poll(() => heard.length, { timeout: 5_000 }).toBe(3);
  expect(heard.at(-1)).toBeUndefined();
  await write(other, put("a3"));
  await expect.poll(() => heard.at(-1)).toBe("a3");
  await Promise.all([store.close(), other.close()]);
});

test("nothing stays open: no connection after close, and none after a failed start", async () => {
  const options = { url: direct, schema: "leaks", connectionsMax: 4 };
  const store = await openPostgresStore(options);
  await store.watch?.({ start: bytes("a"), end: bytes("b") }, () => {});
  await Promise.all(Array.from({ length: 50 }, () => increment(store)));
  await store.close();
  await admin.query("UPDATE leaks.format SET version = 99");
  await expect(openPostgresStore(options)).rejects.toThrow("format 99");
  const connections = async () => {
    const { rows } = await admin.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'keywright'",
    );
    return rows.length;
  };
  expect(await connections()).toBe(0);
});
