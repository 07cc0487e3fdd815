import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Stack } from "aws-cdk-lib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { cdkFiles } from "../../src/modeller/infrastructure/cdk.ts";
import { templateOf } from "../../src/modeller/infrastructure/cloudformation.ts";
import { designedTables, tablesFrom } from "./engine-tables.test-support.ts";
import { cases, described, exampleModel, hostileModel } from "./examples.test-support.ts";
import { createRequestOf, tableResources } from "./template-tables.test-support.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

// Inside the project, so that the apps find the CDK.
let folder: string;
const models = new Map<string, Model>();
beforeAll(async () => {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  folder = mkdtempSync(join(root, "node_modules/.cache/cdk-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const name of cases) models.set(name, exampleModel(name));
  models.set("hostile", hostileModel());
  for (const [name, model] of models) {
    mkdirSync(join(folder, name));
    for (const { path, text } of cdkFiles(described(model))) {
      writeFileSync(join(folder, name, path), text);
    }
  }
  await build({
    entryPoints: [...models.keys()].map((name) => join(folder, name, "stack.ts")),
    outdir: join(folder, "built"),
    outbase: folder,
    format: "esm",
    outExtension: { ".js": ".mjs" },
  });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

interface Tagged {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
}

/** The CDK sorts the tags of a resource. */
function sorted(resources: Record<string, Tagged>): Record<string, Tagged> {
  for (const { Properties } of Object.values(resources)) {
    const { Tags } = Properties as { Tags?: unknown };
    if (Array.isArray(Tags)) Tags.sort((a, b) => (a.Key < b.Key ? -1 : 1));
  }
  return resources;
}

interface Made {
  readonly Resources: Record<string, Tagged>;
  readonly Parameters: Record<string, unknown>;
  readonly Conditions: Record<string, unknown>;
  readonly Outputs: Record<string, unknown>;
}

/** Each is synthesised once: that is slow. */
const made = new Map<string, Promise<Made>>();
function synthesised(name: string): Promise<Made> {
  const there = made.get(name) ?? synthesise(name);
  made.set(name, there);
  return there;
}

async function synthesise(name: string): Promise<Made> {
  const { App } = await import("aws-cdk-lib");
  const file = pathToFileURL(join(folder, "built", name, "stack.mjs")).href;
  const module = (await import(/* @vite-ignore */ file)) as Record<
    string,
    new (
      scope: InstanceType<typeof App>,
      id: string,
    ) => Stack
  >;
  const [Made] = Object.values(module);
  if (Made === undefined) throw new Error(`${name} has no stack`);
  const app = new App({ analyticsReporting: false, outdir: join(folder, "out", name) });
  const stack = new Made(app, "Test");
  return app.synth().getStackArtifact(stack.artifactId).template;
}

describe("CDK", () => {
  it("compiles against the CDK under strict", () => {
    const files = [...models.keys()].map((name) => join(folder, name, "app.ts"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
    const more = ["--target", "es2022", "--types", "node", "--ignoreConfig"];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    expect(
      execFileSync(process.execPath, [tsc, ...options, ...more, ...files], { encoding: "utf8" }),
    ).toBe("");
  }, 180_000);

  it.each([...cases, "hostile"])(
    "%s makes the same as the template",
    async (name) => {
      const template = JSON.parse(JSON.stringify(templateOf(described(models.get(name) as Model))));
      const stack = await synthesised(name);
      expect(sorted(stack.Resources)).toEqual(sorted(template.Resources));
      expect(stack.Parameters).toMatchObject(template.Parameters);
      expect(stack.Conditions).toMatchObject(template.Conditions);
      expect(stack.Outputs).toEqual(template.Outputs);
    },
    60_000,
  );

  it.each(cases)(
    "%s makes the tables of the model on the engine",
    async (name) => {
      const infrastructure = described(models.get(name) as Model);
      const resources = tableResources(await synthesised(name));
      expect(await tablesFrom(resources.map(createRequestOf))).toEqual(
        await tablesFrom(designedTables(infrastructure)),
      );
    },
    60_000,
  );
});
