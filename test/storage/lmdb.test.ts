import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { open } from "lmdb";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  StoreFormatError,
  StoreLockedError,
  StoreReadOnlyError,
} from "../../src/storage/errors.ts";
import { lmdbFormat } from "../../src/storage/lmdb/folder.ts";
import { openLmdbStore } from "../../src/storage/lmdb/lmdb-store.ts";
import { logKey, numberOfLogKey } from "../../src/storage/log-keys.ts";
import type { Durability, Store } from "../../src/storage/store.ts";
import { describeStoreContract } from "./contract.ts";

for (const durability of ["flush", "relaxed"] as const) {
  describeStoreContract(`lmdb ${durability}`, async () => {
    const path = mkdtempSync(join(tmpdir(), "store-"));
    return {
      store: openLmdbStore({ path, durability }),
      reopen: async () => openLmdbStore({ path, durability }),
      dispose: async () => rmSync(path, { recursive: true }),
    };
  });
}

const log = Buffer.from("log");

async function readLog(store: Store, end = Number.MAX_SAFE_INTEGER) {
  const range = { start: logKey(log, 0), end: logKey(log, end) };
  const { entries } = await store.scan(range, { limit: 1_000_000, bytesMax: 100_000_000 });
  return entries.map(({ key, value }) => ({ number: numberOfLogKey(key), value: String(value) }));
}

describe("the folder of an lmdb store", () => {
  let parent: string;
  let path: string;
  const children: ChildProcess[] = [];
  const durability = "flush";
  const put = (store: Store, key: string, value: string) =>
    store.commit([], () => ({
      writes: [{ kind: "put", key: Buffer.from(key), value: Buffer.from(value) }],
      result: undefined,
    }));

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "store-"));
    path = join(parent, "deep", "data.v1");
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    rmSync(parent, { recursive: true });
  });

  /** Starts another process on the folder and answers the first thing it says. */
  async function startWriter(kind: Durability): Promise<{ child: ChildProcess; said: string[] }> {
    const script = join(import.meta.dirname, "../../node_modules/.cache", "lmdb-writer.mjs");
    if (!existsSync(script) || children.length === 0) {
      await build({
        entryPoints: [join(import.meta.dirname, "lmdb-writer.ts")],
        outfile: script,
        bundle: true,
        platform: "node",
        format: "esm",
        external: ["lmdb"],
      });
    }
    const child = fork(script, [path, kind], { execArgv: [] });
    children.push(child);
    const said: string[] = [];
    child.on("message", (text) => said.push(String(text)));
    await once(child, "message");
    return { child, said };
  }

  test("is made for its owner only, also if its name looks like a file's", async () => {
    const store = openLmdbStore({ path, durability });
    expect(statSync(path).isDirectory()).toBe(true);
    if (process.platform !== "win32") {
      expect(statSync(path).mode & 0o777).toBe(0o700);
      expect(statSync(join(path, "data.mdb")).mode & 0o777).toBe(0o600);
    }
    await store.close();
  });

  test("is refused to a second writer in this process until the first closes", async () => {
    const store = openLmdbStore({ path, durability });
    const second = () => openLmdbStore({ path: join(path, "..", "data.v1"), durability });
    expect(second).toThrow(StoreLockedError);
    expect(second).toThrow(`${path} is already open for writing by this process (${process.pid})`);
    await put(store, "k", "v");
    await store.close();
    await second().close();
  });

  test("is refused to a second process, and free again once its holder is killed", async () => {
    const { child } = await startWriter(durability);
    const second = () => openLmdbStore({ path, durability });
    expect(second).toThrow(StoreLockedError);
    expect(second).toThrow(`process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = second();
    const { said } = await startWriter(durability);
    expect(said[0]).toContain(`StoreLockedError`);
    expect(said[0]).toContain(String(process.pid));
    await store.close();
  });

  test.for(["flush", "relaxed"] as const)(
    "a killed writer (%s) leaves every acknowledged commit, and no half of one",
    { timeout: 60_000 },
    async (kind) => {
      for (let round = 0; round < 3; round++) {
        rmSync(path, { recursive: true, force: true });
        const { child, said } = await startWriter(kind);
        while (said.length < 40 + round * 17) await once(child, "message");
        child.kill("SIGKILL");
        await once(child, "exit");
        const acknowledged = Number(said.at(-1));
        const store = openLmdbStore({ path, durability: kind });
        let pairs = 0;
        for (let n = 0; n <= acknowledged + 50; n++) {
          const [a, b] = await store.get([Buffer.from(`a${n}`), Buffer.from(`b${n}`)]);
          expect(a === undefined).toBe(b === undefined);
          if (n <= acknowledged) expect(a?.length).toBe(300 + (n % 5_000));
          if (a !== undefined) pairs++;
        }
        expect((await store.totals(Buffer.from("pairs"))).count).toBe(pairs);
        const logged = await readLog(store);
        expect(logged.map(({ value }) => Number(value))).toEqual([...Array(pairs).keys()]);
        // Its numbers go on where the killed process had got to.
        await store.commit([], () => ({
          writes: [{ kind: "append", log, value: Buffer.from("next") }],
          result: undefined,
        }));
        const last = logged.at(-1)?.number ?? 0;
        expect((await readLog(store)).at(-1)).toEqual({ number: last + 1, value: "next" });
        await store.close();
      }
    },
  );

  test("may be read by another while it is written", async () => {
    const none = () => openLmdbStore({ path, durability, readOnly: true });
    expect(none).toThrow(StoreFormatError);
    const { child, said } = await startWriter(durability);
    const reader = openLmdbStore({ path, durability, readOnly: true });
    while (said.length < 10) await once(child, "message");
    await new Promise((resolve) => setImmediate(resolve));
    const [value] = await reader.get([Buffer.from("a3")]);
    expect(value?.length).toBe(303);
    const horizon = await reader.horizon();
    expect(horizon).toBeGreaterThan(9);
    const logged = await readLog(reader, horizon);
    expect(logged.map(({ number }) => number)).toEqual([...Array(horizon).keys()].slice(1));
    await expect(put(reader, "k", "v")).rejects.toThrow(StoreReadOnlyError);
    await expect(reader.clear({ start: Buffer.from("a"), end: Buffer.from("b") })).rejects.toThrow(
      StoreReadOnlyError,
    );
    await expect(reader.dropTotals(Buffer.from("pairs"))).rejects.toThrow(StoreReadOnlyError);
    await reader.close();
  });

  test("of a later format, of another program or of no database is refused", async () => {
    await openLmdbStore({ path, durability }).close();
    const root = open({ path, noSubdir: false, overlappingSync: false, encoding: "binary" });
    const meta = root.openDB("meta", { encoding: "binary", keyEncoding: "binary" });
    await meta.put(Buffer.from("format"), Buffer.from("keywright-lmdb-9"));
    await root.close();
    const again = () => openLmdbStore({ path, durability });
    expect(again).toThrow(StoreFormatError);
    expect(again).toThrow(`has format keywright-lmdb-9; this version reads format ${lmdbFormat}`);

    const foreign = join(parent, "foreign");
    const other = open({ path: foreign, noSubdir: false, overlappingSync: false });
    await other.put("greeting", "hello");
    await other.close();
    expect(() => openLmdbStore({ path: foreign, durability })).toThrow(StoreFormatError);

    const broken = join(parent, "broken");
    await openLmdbStore({ path: broken, durability }).close();
    writeFileSync(join(broken, "data.mdb"), Buffer.alloc(100_000, 7));
    expect(() => openLmdbStore({ path: broken, durability })).toThrow(StoreFormatError);
  });

  test("grows as needed", async () => {
    const store = openLmdbStore({ path, durability: "relaxed" });
    const value = Buffer.alloc(1_000_000, 5);
    for (let n = 0; n < 150; n++) {
      const key = Buffer.from(`k${n}`);
      await store.commit([], () => ({ writes: [{ kind: "put", key, value }], result: undefined }));
    }
    const values = await store.get([Buffer.from("k0"), Buffer.from("k149")]);
    expect(values.map((v) => v && Buffer.compare(v, value))).toEqual([0, 0]);
    await store.close();
  });
});
