import { diffModels, isLossy, type ModelDiff, modelDiffOutput } from "../workbench/model-diff.ts";
import { ModelError } from "../workbench/model-error.ts";
import { readText } from "./files.ts";
import { flagOption, positiveOption, type RawOptions, textOptions } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright diff`: answers 2 if a document is wrong, 1 if something would be lost, else 0. */
export async function runDiff(
  oldFile: string,
  newFile: string,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const format = flagOption(options, "json", "--json") ? "json" : "text";
  const diff = await compare(oldFile, newFile, args);
  process.stdout.write(modelDiffOutput(diff, format));
  if (diff.migration === undefined) return 2;
  return isLossy(diff) ? 1 : 0;
}

async function compare(
  oldFile: string,
  newFile: string,
  args: readonly string[],
): Promise<ModelDiff> {
  const rate = positiveOption(args, "--rate");
  const [old, next] = [await readText(oldFile), await readText(newFile)];
  try {
    return diffModels(
      { text: old, file: oldFile },
      { text: next, file: newFile },
      {
        renames: textOptions(args, "--rename"),
        accepted: textOptions(args, "--accept-loss"),
        ...(rate !== undefined && { rate }),
      },
    );
  } catch (error) {
    if (error instanceof ModelError) throw new UsageError(error.message);
    throw error;
  }
}
