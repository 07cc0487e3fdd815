import { readFile } from "node:fs/promises";
import { checkModel, modelCheckText } from "../workbench/model-check.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright check`: answers 2 if the document is wrong, 1 if questions are open, else 0. */
export async function runCheck(file: string, json: boolean): Promise<number> {
  const result = checkModel(await textOf(file), file);
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : modelCheckText(result));
  if (result.summary === undefined) return 2;
  return result.summary.openQuestions.length === 0 ? 0 : 1;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(`${file} cannot be read: ${reason}.`);
  }
}
