import { statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedCaller } from "../../src/workbench/account.ts";
import { openWorkbench } from "../../src/workbench/workbench.ts";
import { randomOf } from "../random.ts";
import { runCli } from "../server/child-support.ts";
import { long, seedsOf } from "../simulation/settings.ts";
import { sleep } from "./lives.ts";

const [seed = 0] = seedsOf(1);
const kills = long ? 60 : 4;
const items = 30_000;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keywright-loads-"));
  const line = (i: number) => `{"Item":{"pk":{"S":"key ${i}"},"t":{"S":"${"x".repeat(200)}"}}}\n`;
  writeFileSync(
    join(folder, "items.json"),
    Array.from({ length: items }, (_, i) => line(i)).join(""),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** By then items are written, and not nearly all. */
async function untilFilled(file: string): Promise<void> {
  while ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < 500_000) await sleep(5);
}

test(`${kills} kills while a table is loaded leave none of it, or all`, {
  timeout: long ? 1_800_000 : 120_000,
}, async () => {
  const random = randomOf(seed, 0);
  const tally = { absent: 0, whole: 0, interrupted: 0 };
  for (let life = 0; life < kills; life += 1) {
    const data = join(folder, `data-${life}`);
    const load = ["load", join(folder, "items.json"), "--table", "Things", "--key", "pk:S"];
    const child = runCli([...load, "--data", data, "--shared"]);
    await Promise.race([untilFilled(join(data, "data.mdb")), child.ended]);
    await Promise.race([sleep(random.between(0, 300)), child.ended]);
    child.process.kill("SIGKILL");
    const ended = await child.ended;
    const workbench = await openWorkbench({ data });
    try {
      await workbench.idle();
      const tables = await workbench.tables();
      const { problems, items: found } = await workbench.verify();
      expect(problems, `seed ${seed}, kill ${life + 1}`).toEqual([]);
      expect(found, `seed ${seed}, kill ${life + 1}`).toBe(tables.length === 0 ? 0 : items);
      const { ImportSummaryList: imports } = (await workbench.execute(
        "ListImports",
        {},
        sharedCaller,
      )) as { ImportSummaryList: readonly { ImportStatus: string }[] };
      // Somebody had begun, and was not done.
      if (imports[0]?.ImportStatus === "FAILED") tally.interrupted += 1;
      else if (ended === 0) expect(tables).toHaveLength(1);
      if (tables.length === 0) tally.absent += 1;
      else tally.whole += 1;
    } finally {
      await workbench.close();
    }
    await rm(data, { recursive: true, force: true });
  }
  expect(tally.interrupted).toBeGreaterThan(0);
  console.log(`seed ${seed}: ${JSON.stringify(tally)}`);
});
