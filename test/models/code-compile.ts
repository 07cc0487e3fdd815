import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Model } from "../../src/model/model.ts";
import { type Generated, root, writeFiles } from "../generate/typescript.test-support.ts";
import { normalise } from "./signature.ts";

/** Compiles the generated TypeScript of many models in one run of the compiler. */

const options =
  "--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noImplicitOverride --noUnusedLocals --noUnusedParameters --noImplicitReturns --isolatedModules --verbatimModuleSyntax --erasableSyntaxOnly --skipLibCheck --ignoreConfig --pretty false --module nodenext --target es2022 --types node";

export interface CompileError {
  /** The folder of the model. */
  readonly name: string;
  readonly message: string;
  readonly signature: string;
}

/** Writes the code of each model to a folder of its own and compiles it. */
export async function compileAll(
  folder: string,
  models: ReadonlyMap<string, Model>,
): Promise<readonly CompileError[]> {
  const crashes: CompileError[] = [];
  const files: string[] = [];
  for (const [name, model] of models) {
    try {
      writeFiles(join(folder, name), model);
      files.push(join(folder, name, "index.ts"));
    } catch (error) {
      const { message, stack = message } = error as Error;
      crashes.push({ name, message: stack, signature: `crash print: ${normalise(message, [])}` });
    }
  }
  return files.length === 0 ? crashes : [...crashes, ...errorsIn(await compile(folder, files))];
}

/** Builds the code of models that `compileAll` has written, in one run, and returns a loader for each. */
export async function buildAll(
  folder: string,
  names: readonly string[],
): Promise<(name: string) => Promise<Generated>> {
  await build({
    entryPoints: Object.fromEntries(names.map((name) => [name, join(folder, name, "index.ts")])),
    outdir: join(folder, "built"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
  });
  return async (name) => {
    const url = pathToFileURL(join(folder, "built", `${name}.mjs`)).href;
    const exports = (await import(/* @vite-ignore */ url)) as Record<string, unknown>;
    const createAccess = exports.createAccess as Generated["createAccess"];
    return { folder: join(folder, name), exports, createAccess };
  };
}

/** What the compiler prints. */
function compile(folder: string, files: readonly string[]): Promise<string> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [tsc, ...options.split(" "), ...files],
      { cwd: folder, maxBuffer: 2 ** 28 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}

function errorsIn(printed: string): readonly CompileError[] {
  return printed
    .split(/\n(?=\S)/)
    .filter((text) => text.trim() !== "")
    .map((message) => {
      const [, name = "", file = "", what = message] =
        /^(?:.*?\/)?(?!patterns\/|runtime\/)([^/\s]+)\/((?:(?:patterns|runtime)\/)?[^/\s]+\.ts)\(\d+,\d+\): (.*)$/s.exec(
          message,
        ) ?? [];
      const place = file.replace(/^patterns\/.*/, "patterns/*.ts");
      const signature = `compile ${place}: ${normalise(what.split("\n")[0] ?? "", [])}`;
      return { name, message, signature };
    });
}
