import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LmdbFolder, openFolder } from "../../src/storage/lmdb/folder.ts";
import { openLmdbStore } from "../../src/storage/lmdb/lmdb-store.ts";
import { WriterThread } from "../../src/storage/lmdb/writer-thread.ts";
import { WriteBatch } from "../../src/storage/write-batch.ts";
import { Random } from "../random.ts";

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "writer-"));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

test("values of all sizes arrive, however often the shared memory is gone through", async () => {
  const store = openLmdbStore({ path, durability: "flush" });
  const random = new Random(7);
  const kept = new Map<string, number>();
  for (let turn = 0; turn < 12; turn += 1) {
    // Together up to 40 MB, ten times what is shared; single ones too large to be shared at all.
    const commits = Array.from({ length: 8 }, (_, n) => {
      const bytes = random.between(0, 3) === 0 ? random.between(1_000_000, 5_000_000) : 300_000 + n;
      const name = `key ${random.between(0, 40)}`;
      kept.set(name, bytes);
      const write = { kind: "put", key: Buffer.from(name), value: Buffer.alloc(bytes, n) } as const;
      return store.commit([], () => ({ writes: [write], result: undefined }));
    });
    await Promise.all(commits);
  }
  await store.close();
  const again = openLmdbStore({ path, durability: "flush" });
  for (const [name, bytes] of kept) {
    const [value] = await again.get([Buffer.from(name)]);
    expect(value?.length, name).toBe(bytes);
  }
  await again.close();
}, 60_000);

interface Settlement {
  readonly batches: number;
  readonly failure: Error | undefined;
}

function batchOf(key: Buffer, value = "value"): WriteBatch {
  const batch = new WriteBatch();
  // Past the checks: a key that is too long is what the library refuses in the midst of a transaction.
  batch.keys.set(key.toString("latin1"), { key, value: Buffer.from(value) });
  return batch;
}

async function withWriter(
  work: (writer: WriterThread, settled: Settlement[], folder: LmdbFolder) => Promise<void>,
): Promise<void> {
  const folder = openFolder({ path, durability: "flush", readOnly: false });
  const settled: Settlement[] = [];
  const writer = new WriterThread(folder.options, (batches, failure) => {
    folder.entries.resetReadTxn();
    settled.push({ batches, failure });
  });
  try {
    await work(writer, settled, folder);
  } finally {
    await writer.close();
    await folder.close();
  }
}

const settledSum = (settled: readonly Settlement[]): number =>
  settled.reduce((sum, { batches }) => sum + batches, 0);

test("what is written is there when it is told", () =>
  withWriter(async (writer, settled, { entries }) => {
    for (let n = 0; n < 100; n += 1) {
      expect(writer.submit(batchOf(Buffer.from(`key ${n}`)))).toBe(true);
    }
    await expect.poll(() => settledSum(settled)).toBe(100);
    expect(settled.map(({ failure }) => failure)).not.toContain(expect.anything());
    expect(entries.getKeysCount({})).toBe(100);
  }));

test("after a failure nothing that was under way is written, and all that comes later is", () =>
  withWriter(async (writer, settled, { entries }) => {
    writer.submit(batchOf(Buffer.from("before")));
    await expect.poll(() => settled.length).toBe(1);
    writer.submit(batchOf(Buffer.alloc(3_000, 1)));
    writer.submit(batchOf(Buffer.from("void 0")));
    // Long enough for the thread to fail, while this one cannot hear of it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    for (let n = 1; n < 5; n += 1) writer.submit(batchOf(Buffer.from(`void ${n}`)));
    await expect.poll(() => settled.length).toBe(2);
    expect(settled[1]).toEqual({ batches: 6, failure: expect.any(Error) });
    writer.submit(batchOf(Buffer.from("later")));
    await expect.poll(() => settled.length).toBe(3);
    expect(settled[2]).toEqual({ batches: 1, failure: undefined });
    expect([...entries.getKeys({})].map(String)).toEqual(["before", "later"]);
  }));

test("there is no room before the thread has taken what it was given", () =>
  withWriter(async (writer, settled) => {
    const value = "x".repeat(900_000);
    let taken = 0;
    while (writer.submit(batchOf(Buffer.from(`key ${taken}`), value))) taken += 1;
    // It cannot have begun yet: four fit.
    expect(taken).toBe(4);
    await expect.poll(() => settledSum(settled)).toBe(4);
    expect(writer.submit(batchOf(Buffer.from("key"), value))).toBe(true);
    await expect.poll(() => settledSum(settled)).toBe(5);
  }));
