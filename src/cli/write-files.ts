import { type OutputFile, writeOutput, writtenText } from "../workbench/write-output.ts";
import { flagOption, type RawOptions, textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** The folder that was asked for; without one nothing can be written. */
export function outFolder(command: string, args: readonly string[]): string {
  const folder = textOption(args, "--out");
  if (folder === undefined) {
    throw new UsageError(`Say where to: keywright ${command} … --out FOLDER.`);
  }
  return folder;
}

/** Writes what was made and says so; answers 1 if files of somebody are in the way. */
export async function writeFiles(
  folder: string,
  {
    files,
    missing,
  }: { readonly files: readonly OutputFile[]; readonly missing: readonly string[] },
  options: RawOptions,
): Promise<number> {
  const force = flagOption(options, "force", "--force");
  const written = await writeOutput(folder, files, { force });
  process.stdout.write(writtenText(folder, written));
  if (written.kept.length > 0) return 1;
  for (const sentence of missing) process.stdout.write(`${sentence}\n`);
  return 0;
}
