import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StoreLockedError } from "../../src/storage/errors.ts";
import { describeStoreContract } from "../../test/storage/contract.ts";
import { openLevelStore } from "./level-store.ts";

for (const durability of ["flush", "relaxed"] as const) {
  describeStoreContract(
    `level ${durability}`,
    async () => {
      const path = mkdtempSync(join(tmpdir(), "store-"));
      return {
        store: await openLevelStore({ path, durability }),
        reopen: () => openLevelStore({ path, durability }),
        dispose: async () => rmSync(path, { recursive: true }),
      };
    },
    { histories: durability === "flush" ? 2 : 20 },
  );
}

test("a folder that is open is refused", async () => {
  const path = mkdtempSync(join(tmpdir(), "store-"));
  const store = await openLevelStore({ path, durability: "relaxed" });
  await expect(openLevelStore({ path, durability: "relaxed" })).rejects.toThrow(StoreLockedError);
  await store.close();
  await (await openLevelStore({ path, durability: "relaxed" })).close();
  rmSync(path, { recursive: true });
});

test("several keys are read from one snapshot, also while another thread writes them", async () => {
  const path = mkdtempSync(join(tmpdir(), "store-"));
  const store = await openLevelStore({ path, durability: "relaxed" });
  const keys = Array.from({ length: 400 }, (_, i) => Buffer.from(`k${i}`));
  for (let round = 0; round < 60; round++) {
    const value = Buffer.from(String(round));
    const writes = keys.map((key) => ({ kind: "put" as const, key, value }));
    let written = false;
    const commit = store
      .commit([], () => ({ writes, result: undefined }))
      .then(() => {
        written = true;
      });
    while (!written) {
      const values = await store.get(keys);
      expect(new Set(values.map(String)).size).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await commit;
  }
  await store.close();
  rmSync(path, { recursive: true });
});
