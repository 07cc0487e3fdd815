import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Model } from "../../src/model/model.ts";
import { generatedFolder } from "../generate/typescript.test-support.ts";
import { compileAll } from "./code-compile.ts";
import { runCode } from "./code-run.ts";
import { designedModel } from "./designed-model.ts";
import { randomModel } from "./random-model.ts";

/**
 * Generates TypeScript for random models, compiles all of it in one run and runs every function on the engine:
 * node scripts/run-ts.mjs test/models/hunt-code.ts --from 500001 --count 100 [--match TEXT] [--compile-only] [--verbose]
 */

interface Found {
  readonly seed: string;
  readonly signature: string;
  readonly message: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      from: { type: "string", default: "1" },
      count: { type: "string", default: "100" },
      match: { type: "string", default: "" },
      "compile-only": { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
    },
  });
  const folder = generatedFolder();
  try {
    const found: Found[] = [];
    const models = new Map<string, Model>();
    for (let i = 0; i < Number(values.count); i += 1) {
      const seed = String(Number(values.from) + i);
      const model = await designedModel(randomModel(Number(seed))).catch((error: unknown) => {
        const { message } = error as Error;
        found.push({ seed, signature: `crash design: ${message.slice(0, 120)}`, message });
        return undefined;
      });
      if (model !== undefined) models.set(seed, model);
    }
    const start = performance.now();
    for (const { name, ...error } of await compileAll(folder.path, models)) {
      found.push({ seed: name, ...error });
    }
    const compiled = performance.now();
    let right = 0;
    for (const [seed, model] of values["compile-only"] ? [] : models) {
      try {
        const outcome = await runCode(join(folder.path, seed), model);
        right += outcome.right;
        for (const { signature, message } of outcome.findings)
          found.push({ seed, signature, message });
      } catch (error) {
        const { message, stack } = error as Error;
        const signature = `crash run: ${message.split("\n")[0]}`;
        found.push({ seed, signature, message: stack ?? message });
      }
    }
    const ran = performance.now();
    const seconds = (from: number, to: number): string => ((to - from) / 1_000).toFixed(1);
    process.stdout.write(
      `${models.size} models: compiled in ${seconds(start, compiled)} s, ran in ${seconds(compiled, ran)} s; ${right} patterns right\n`,
    );
    print(
      found.filter(({ signature }) => signature.includes(values.match)),
      values.verbose,
    );
  } finally {
    folder.remove();
  }
}

function print(found: readonly Found[], isVerbose: boolean): void {
  const groups = new Map<string, Found[]>();
  for (const one of found) groups.set(one.signature, [...(groups.get(one.signature) ?? []), one]);
  for (const [signature, list] of [...groups].toSorted(([, a], [, b]) => b.length - a.length)) {
    const seeds = [...new Set(list.map(({ seed }) => seed))];
    process.stdout.write(`${seeds.length} × ${signature} (${seeds.slice(0, 6).join(", ")})\n`);
    if (isVerbose) process.stdout.write(`${list[0]?.message}\n\n`);
  }
}

await main();
