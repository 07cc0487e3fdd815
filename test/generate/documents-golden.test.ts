import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { documentFiles } from "../../src/modeller/documents/documents.ts";
import {
  documentsNow,
  documentsSeed,
  type Measured,
} from "../../src/modeller/documents/material.ts";
import { heatOf } from "../../src/modeller/heat/heat.ts";
import { runHeat } from "../../src/workbench/heat-simulation.ts";
import { heatDefaults } from "../../src/workbench/model-heat.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";
import { exampleModel } from "./examples.test-support.ts";

const golden = fileURLToPath(new URL("../golden/documents/", import.meta.url));
const updating = process.env.KEYWRIGHT_GOLDEN === "update";

/**
 * What was measured when the files were looked at. It is kept beside them, so that they say how results are told,
 * whatever a proof finds today. Where that file is gone, an update measures again.
 */
async function measured(name: string): Promise<Measured> {
  const file = join(golden, `${name}.measured.json`);
  if (updating && !existsSync(file)) {
    const model = exampleModel(name);
    const proofs = await proveModel(model, { now: documentsNow, seed: documentsSeed });
    const simulated = runHeat(heatOf(model), heatDefaults).map(
      ({ simulation: _, throttles: _throttles, ...one }) => one,
    );
    mkdirSync(golden, { recursive: true });
    writeFileSync(file, `${JSON.stringify({ proofs, simulated }, undefined, 1)}\n`);
  }
  return JSON.parse(readFileSync(file, "utf8")) as Measured;
}

/** The files that were looked at by eye: KEYWRIGHT_GOLDEN=update writes them anew. */
it.each(["online-shop", "game-leaderboard"])(
  "documents of %s are as they were",
  {
    timeout: 120_000,
  },
  async (name) => {
    const folder = join(golden, name);
    const files = documentFiles(exampleModel(name), await measured(name));
    if (updating) {
      rmSync(folder, { recursive: true, force: true });
      for (const { path, text } of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    }
    const there = readdirSync(folder, { recursive: true }).filter((one) =>
      /\.\w+$/.test(String(one)),
    );
    expect(there.toSorted()).toEqual(files.map(({ path }) => path).toSorted());
    for (const { path, text } of files) {
      expect(text, path).toBe(readFileSync(join(folder, path), "utf8"));
    }
  },
);
