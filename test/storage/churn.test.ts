import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLmdbStore } from "../../src/storage/lmdb/lmdb-store.ts";
import type { KeyRange, Store, Write } from "../../src/storage/store.ts";
import { Random } from "../random.ts";

/**
 * Tables are filled, overwritten and cleared in turn, in transactions of all sizes. It is the list of free
 * pages that this wears out: the library behind the LMDB store has lost it so.
 */
const long = process.env.KEYWRIGHT_LONG !== undefined;
const items = long ? 150_000 : 4_000;
const rounds = long ? 30 : 4;

const tableRange = (table: number): KeyRange => ({
  start: Buffer.from([3, table]),
  end: Buffer.from([3, table + 1]),
});

function keyOf(table: number, item: number): Buffer {
  const hash = createHash("md5").update(`${table}:${item}`).digest();
  return Buffer.concat([Buffer.from([3, table]), hash]);
}

async function putAll(store: Store, table: number, picked: readonly number[], bytes: number) {
  const writes: Write[] = picked.map((item) => ({
    kind: "put",
    key: keyOf(table, item),
    value: Buffer.alloc(bytes, item % 251),
  }));
  await store.commit([], () => ({ writes, result: undefined }));
}

async function fill(store: Store, table: number, random: Random) {
  const batch = 25 + random.between(0, 2_500);
  for (let from = 0; from < items; from += batch) {
    const picked = Array.from({ length: Math.min(batch, items - from) }, (_, i) => from + i);
    await putAll(store, table, picked, 430);
  }
}

async function count(store: Store, table: number): Promise<number> {
  let { start, end } = tableRange(table);
  let entries = 0;
  for (;;) {
    const page = await store.scan({ start, end }, { limit: 10_000, bytesMax: 100_000_000 });
    entries += page.entries.length;
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return entries;
    start = Buffer.concat([last.key, Buffer.from([0])]);
    end = tableRange(table).end;
  }
}

test.each(["flush", "relaxed"] as const)(
  "tables filled and cleared in turn, %s",
  async (durability) => {
    const path = mkdtempSync(join(tmpdir(), "churn-"));
    const random = new Random(20_261_116);
    const store = openLmdbStore({ path, durability });
    try {
      const kept: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const gone = 2 * round;
        const stays = gone + 1;
        await fill(store, gone, random);
        await fill(store, stays, random);
        for (let i = 0; i < 100; i += 1) {
          const picked = Array.from({ length: 50 }, () => random.between(0, items - 1));
          await putAll(store, stays, [...new Set(picked)], 100 + random.between(0, 3_000));
        }
        await store.clear(tableRange(gone));
        kept.push(stays);
        if (round % 2 === 1) await store.clear(tableRange(kept.shift() as number));
        expect(await count(store, gone)).toBe(0);
      }
      for (const table of kept) expect(await count(store, table)).toBe(items);
    } finally {
      await store.close();
      rmSync(path, { recursive: true });
    }
  },
  1_800_000,
);
