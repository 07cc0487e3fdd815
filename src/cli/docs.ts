import { documentComplaints, documentModel } from "../workbench/model-docs.ts";
import { readText } from "./files.ts";
import type { RawOptions } from "./options.ts";
import { progressBar } from "./progress.ts";
import { outFolder, writeFiles } from "./write-files.ts";

/** `keywright docs`: answers 2 if the document is wrong, 1 if files of somebody are in the way, else 0. */
export async function runDocs(
  file: string,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const folder = outFolder("docs", args);
  const { files, ...made } = await documentModel(await readText(file), file, {
    proof: options.proof !== false,
    progress: progressBar("Running the patterns"),
  });
  if (files === undefined) {
    process.stdout.write(documentComplaints(made));
    return 2;
  }
  return writeFiles(folder, { ...made, files }, options);
}
