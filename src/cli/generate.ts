import {
  generated,
  generateFiles,
  nothingText,
  writeOutput,
  writtenText,
} from "../workbench/model-generate.ts";
import { readText } from "./files.ts";
import { flagOption, type RawOptions, textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

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
  const folder = textOption(args, "--out");
  if (folder === undefined)
    throw new UsageError("Say where to: keywright generate … --out FOLDER.");
  const force = flagOption(options, "force", "--force");
  const made = generateFiles(await readText(file), file, kind);
  if (made.files === undefined) {
    process.stdout.write(nothingText(made));
    return 2;
  }
  const written = await writeOutput(folder, made.files, { force });
  process.stdout.write(writtenText(folder, written));
  if (written.kept.length > 0) return 1;
  for (const sentence of made.missing) process.stdout.write(`${sentence}\n`);
  return 0;
}
