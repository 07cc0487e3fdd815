import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { typescriptFiles } from "../../src/modeller/code/typescript.ts";
import { runtimeTexts } from "../../src/workbench/runtime-texts.ts";
import { generatedFolder } from "../generate/typescript.test-support.ts";
import { buildAll, compileAll } from "./code-compile.ts";
import { runCode } from "./code-run.ts";
import { designedModel } from "./designed-model.ts";
import { withHostileNames } from "./hostile-names.ts";
import { randomModel } from "./random-model.ts";
import { readDocument } from "./run-model.ts";

const isLong = process.env.KEYWRIGHT_LONG === "1";
/** Small models, whose designs are found soon. */
const smallSeeds = [500_007, 500_002, 500_006];
const seeds = isLong ? Array.from({ length: 300 }, (_, i) => 500_001 + i) : smallSeeds;
/** Seeds whose documents get names and texts that code could trip over. */
const hostileSeeds = isLong ? seeds.slice(0, 100) : [500_002];
/** Models whose code is run, which takes longer than compiling it. */
const runs = isLong ? seeds.length + hostileSeeds.length : 2;
const regressions = fileURLToPath(new URL("./code-regressions", import.meta.url));

async function regression(name: string): Promise<Model | undefined> {
  const document = readDocument(readFileSync(join(regressions, name), "utf8"), name);
  return document.design === undefined ? designedModel(document) : modelFrom(document).model;
}

function hostile(seed: number): Promise<Model | undefined> {
  return designedModel(withHostileNames(randomModel(seed), seed));
}

describe("TypeScript of random models", () => {
  let folder: ReturnType<typeof generatedFolder>;
  const known = readdirSync(regressions);
  const models = new Map<string, Model>();
  beforeAll(async () => {
    folder = generatedFolder();
    const makers = [
      ...known.map((name) => [name, () => regression(name)] as const),
      ...hostileSeeds.map((seed) => [`hostile-${seed}`, () => hostile(seed)] as const),
      ...seeds.map((seed) => [String(seed), () => designedModel(randomModel(seed))] as const),
    ];
    for (const [name, make] of makers) {
      const model = await make();
      if (model !== undefined) models.set(name, model);
    }
  }, 3_600_000);
  afterAll(() => folder.remove());

  test("has no function for a pattern whose attribute the AWS SDK would lose", async () => {
    const attributes = JSON.parse('{ "noteId": { "type": "S" }, "__proto__": { "type": "S" } }');
    const { model } = modelFrom({
      keywright: 1,
      name: "lost",
      entities: { Note: { id: ["noteId"], attributes } },
      patterns: { add: { name: "Add", create: "Note" } },
      design: {
        tables: {
          Notes: { key: { noteId: "S" }, entities: { Note: { key: { noteId: "{noteId}" } } } },
        },
      },
    });
    const made = model && typescriptFiles(model, runtimeTexts());
    expect(made?.missing).toEqual([expect.stringContaining("loses the attribute __proto__")]);
    const item = { ...JSON.parse('{ "noteId": "1", "__proto__": "2" }') };
    expect(Object.keys(item)).toEqual(["noteId", "__proto__"]);
    expect(Object.keys(marshall(item))).toEqual(["noteId"]);
  });

  test("compiles under the strictest options", async () => {
    const errors = await compileAll(folder.path, models);
    expect(errors.map(({ message }) => message)).toEqual([]);
    expect(models.size).toBeGreaterThan(known.length + seeds.length / 2);
  }, 1_200_000);

  test("sends the requests of its plans and gives the answers and effects that the oracle expects", async () => {
    const names = [...models.keys()].slice(0, known.length + runs);
    const load = await buildAll(folder.path, names);
    const wrong: string[] = [];
    let right = 0;
    for (const name of names) {
      const outcome = await runCode(await load(name), models.get(name) as Model);
      wrong.push(...outcome.findings.map(({ message }) => `${name} ${message}`));
      right += outcome.right.length;
    }
    expect(wrong).toEqual([]);
    expect(right).toBeGreaterThan(known.length);
  }, 3_600_000);
});
