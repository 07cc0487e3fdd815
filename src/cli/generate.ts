import { generated, generateFiles, nothingText } from "../workbench/model-generate.ts";
import { readText } from "./files.ts";
import type { RawOptions } from "./options.ts";
import { UsageError } from "./usage-error.ts";
import { outFolder, writeFiles } from "./write-files.ts";

/** `keywright generate`: answers 2 if the document is wrong, 1 if files of somebody are in the way, else 0. */
export async function runGenerate(
  what: string,
  file: string,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const kind = generated.find((one) => one === what);
  if (kind === undefined) {
    throw new UsageError(`'${what}' cannot be generated, but ${generated.join(", ")}.`);
  }
  const folder = outFolder("generate", args);
  const { files, ...made } = generateFiles(await readText(file), file, kind);
  if (files === undefined) {
    process.stdout.write(nothingText(made));
    return 2;
  }
  return writeFiles(folder, { ...made, files }, options);
}
