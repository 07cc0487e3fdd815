import { diffModels, isLossy, type ModelDiff, modelDiffOutput } from "../workbench/model-diff.ts";
import { ModelError } from "../workbench/model-error.ts";
import {
  isWrong,
  type Rehearsal,
  rehearsalText,
  rehearseMigration,
} from "../workbench/model-rehearse.ts";
import { readText } from "./files.ts";
import {
  flagOption,
  positiveOption,
  type RawOptions,
  textOptions,
  wholeOption,
} from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright diff`: answers 2 if a document is wrong, 1 if something is or would be lost, else 0. */
export async function runDiff(
  oldFile: string,
  newFile: string,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const format = flagOption(options, "json", "--json") ? "json" : "text";
  const rehearses = flagOption(options, "rehearse", "--rehearse");
  const items = wholeOption(args, "--items");
  const seed = wholeOption(args, "--seed");
  if (!rehearses && (items !== undefined || seed !== undefined)) {
    throw new UsageError("--items and --seed are for --rehearse.");
  }
  const diff = await compare(oldFile, newFile, args);
  const rehearsal =
    rehearses && diff.migration !== undefined && !isLossy(diff)
      ? await rehearseMigration(diff.migration, {
          ...(items !== undefined && { items }),
          ...(seed !== undefined && { seed }),
          progress: showProgress,
        })
      : undefined;
  process.stdout.write(modelDiffOutput(diff, format, rehearsal && { rehearsal }));
  if (rehearsal !== undefined && format === "text") {
    process.stdout.write(`\n${rehearsalText(rehearsal)}`);
  }
  return answerOf(diff, rehearsal);
}

function answerOf(diff: ModelDiff, rehearsal: Rehearsal | undefined): number {
  if (diff.migration === undefined) return 2;
  return isLossy(diff) || (rehearsal !== undefined && isWrong(rehearsal)) ? 1 : 0;
}

/** Only where somebody looks on. */
function showProgress(done: number, total: number, what: string): void {
  if (process.stderr.isTTY !== true) return;
  const line = `Rehearsing: ${done} of ${total} steps, ${what}`;
  process.stderr.write(done === total ? "\r\u001b[K" : `\r\u001b[K${line.slice(0, 100)}`);
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
