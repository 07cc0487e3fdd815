import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openLmdbStore } from "../../src/storage/lmdb/lmdb-store.ts";
import { keptBytes, MappedPages } from "../../src/storage/lmdb/mapped-pages.ts";
import type { Store } from "../../src/storage/store.ts";
import { Random } from "../random.ts";

let path: string;
beforeEach(() => {
  path = realpathSync(mkdtempSync(join(tmpdir(), "pages-")));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

const keyOf = (i: number): Buffer => Buffer.from(`key ${String(i).padStart(6, "0")}`);
/** Large ones are read by another way than small ones. */
const contentOf = (i: number, version: number): Buffer =>
  Buffer.alloc(i % 3 === 0 ? 60_000 : 3_000, `${i}/${version} `);
const everything = { start: Buffer.from("key"), end: Buffer.from("kez") };
const page = { limit: 50, bytesMax: 1_000_000 };

const put = (store: Store, i: number, version: number): Promise<void> =>
  store.commit([], () => ({
    writes: [{ kind: "put", key: keyOf(i), value: contentOf(i, version) }],
    result: undefined,
  }));

/** Bytes of the store's file that count as memory of this process. */
function resident(): number {
  const file = join(path, "data.mdb");
  let sum = 0;
  let isOurs = false;
  for (const line of readFileSync("/proc/self/smaps", "utf8").split("\n")) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) isOurs = line.endsWith(` ${file}`);
    const kilobytes = /^Rss: +(\d+) kB$/.exec(line)?.[1];
    if (isOurs && kilobytes !== undefined) sum += Number(kilobytes) * 1024;
  }
  return sum;
}

async function fill(store: Store, count: number): Promise<void> {
  for (let i = 0; i < count; i += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, n) => put(store, i + n, 0)));
  }
}

/** Goes through all in pages, with something after each. */
async function readAll(store: Store, each: () => void): Promise<number> {
  let { start } = everything;
  let count = 0;
  for (let more = true; more; ) {
    const found = await store.scan({ start, end: everything.end }, page);
    for (const { key, value } of found.entries) {
      const isRight =
        Buffer.compare(key, keyOf(count)) === 0 && Buffer.compare(value, contentOf(count, 0)) === 0;
      if (!isRight) throw new Error(`${count} is wrong`);
      count += 1;
    }
    each();
    more = found.more;
    start = Buffer.concat([keyOf(count - 1), Buffer.from([0])]);
  }
  return count;
}

async function check(store: Store, versions: Map<number, number>, each: () => void) {
  for (const [i, version] of versions) {
    const [value] = await store.get([keyOf(i)]);
    if (i % 17 === 0) each();
    if (Buffer.compare(value as Uint8Array, contentOf(i, version)) !== 0) {
      throw new Error(`${i} is not of version ${version}`);
    }
  }
}

describe.runIf(process.platform === "linux")("the pages of an lmdb store's file", () => {
  for (const durability of ["flush", "relaxed"] as const) {
    test(`do not pile up in memory while a job goes through them, ${durability}`, async () => {
      const store = openLmdbStore({ path, durability });
      const count = 5_000;
      await fill(store, count);
      expect(await readAll(store, () => {})).toBe(count);
      expect(resident()).toBeGreaterThan(keptBytes + 16 * 1024 * 1024);

      store.stepDone?.();
      expect(resident()).toBeLessThan(1024 * 1024);

      let most = 0;
      const step = (): void => {
        store.stepDone?.();
        most = Math.max(most, resident());
      };
      expect(await readAll(store, step)).toBe(count);
      expect(most).toBeGreaterThan(0);
      // Other files, such as that of Node itself, take some of what is allowed.
      expect(most).toBeLessThan(keptBytes + 4 * 1024 * 1024);
      await store.close();
    }, 60_000);

    test(`come back for those who read and write meanwhile, ${durability}`, async () => {
      const store = openLmdbStore({ path, durability });
      const pages = new MappedPages(join(path, "data.mdb"), 0);
      const random = new Random(11);
      const versions = new Map<number, number>();
      for (let turn = 1; turn <= 15; turn += 1) {
        const writes = Array.from({ length: 20 }, () => random.between(0, 400)).map((i) => {
          versions.set(i, turn);
          return put(store, i, turn);
        });
        // In the midst of what the other thread writes.
        for (let i = 0; i < 10; i += 1) {
          pages.limit();
          await Promise.race(writes.slice(i));
        }
        await Promise.all(writes);
        await check(store, versions, () => pages.limit());
      }
      await check(store, versions, () => {});
      expect(resident()).toBeGreaterThan(4 * 1024 * 1024);
      pages.limit();
      expect(resident()).toBe(0);
      await store.close();
      const again = openLmdbStore({ path, durability });
      await check(again, versions, () => {});
      await again.close();
    }, 60_000);
  }

  test("of a store that is closed are nobody's concern", async () => {
    const store = openLmdbStore({ path, durability: "relaxed" });
    await fill(store, 100);
    const pages = new MappedPages(join(path, "data.mdb"), 0);
    await readAll(store, () => {});
    await store.close();
    pages.limit();
    expect(resident()).toBe(0);
  });
});
