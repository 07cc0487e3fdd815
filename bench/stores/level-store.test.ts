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
