import {
  documentComplaints,
  documentModel,
  writeOutput,
  writtenText,
} from "../workbench/model-docs.ts";
import { readText } from "./files.ts";
import { flagOption, type RawOptions, textOption } from "./options.ts";
import { progressBar } from "./progress.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright docs`: answers 2 if the document is wrong, 1 if files of somebody are in the way, else 0. */
export async function runDocs(
  file: string,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const folder = textOption(args, "--out");
  if (folder === undefined) throw new UsageError("Say where to: keywright docs … --out FOLDER.");
  const force = flagOption(options, "force", "--force");
  const made = await documentModel(await readText(file), file, {
    proof: options.proof !== false,
    progress: progressBar("Running the patterns"),
  });
  if (made.files === undefined) {
    process.stdout.write(documentComplaints(made));
    return 2;
  }
  const written = await writeOutput(folder, made.files, { force });
  process.stdout.write(writtenText(folder, written));
  if (written.kept.length > 0) return 1;
  for (const sentence of made.missing) process.stdout.write(`${sentence}\n`);
  return 0;
}
