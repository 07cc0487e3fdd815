import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { cdkFiles } from "../../src/modeller/infrastructure/cdk.ts";
import { cloudFormationFiles } from "../../src/modeller/infrastructure/cloudformation.ts";
import { terraformFiles } from "../../src/modeller/infrastructure/terraform.ts";
import { described, exampleModel } from "./examples.test-support.ts";

const golden = fileURLToPath(new URL("../golden/", import.meta.url));
const printers = { terraform: terraformFiles, cloudformation: cloudFormationFiles, cdk: cdkFiles };

/** The files that were looked at by eye: KEYWRIGHT_GOLDEN=update writes them anew. */
describe.each(Object.entries(printers))("%s", (generator, print) => {
  it.each(["online-shop", "game-leaderboard"])("of %s is as it was", (name) => {
    const folder = join(golden, generator, name);
    const files = print(described(exampleModel(name))).map(({ path, text }) => ({
      // As text, so that nothing takes them for code of this project.
      path: path.replace(/\.ts$/, ".ts.txt"),
      text,
    }));
    if (process.env.KEYWRIGHT_GOLDEN === "update") {
      rmSync(folder, { recursive: true, force: true });
      for (const { path, text } of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    }
    expect(readdirSync(folder).toSorted()).toEqual(files.map(({ path }) => path).toSorted());
    for (const { path, text } of files) {
      expect(text, path).toBe(readFileSync(join(folder, path), "utf8"));
    }
  });
});
