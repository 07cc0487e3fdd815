import { readFile } from "node:fs/promises";
import { monthNames, pricedRegions } from "../workbench/model-cost.ts";
import { explainModel, modelExplainOutput } from "../workbench/model-explain.ts";
import { choiceOption, flagOption, type RawOptions, textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/**
 * `keywright explain`: answers 2 if the document is wrong or there is no such pattern or request, 1 if
 * something that was asked for has no answer in the design, else 0.
 */
export async function runExplain(
  file: string,
  pattern: string | undefined,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const json = flagOption(options, "json", "--json");
  const requestFile = textOption(args, "--request");
  const statement = textOption(args, "--statement");
  const parameters = textOption(args, "--parameters");
  if ([requestFile, pattern, statement].filter((one) => one !== undefined).length > 1) {
    throw new UsageError("Say a pattern, --request or --statement, and only one of them.");
  }
  if (parameters !== undefined && statement === undefined) {
    throw new UsageError("--parameters are those of a --statement.");
  }
  const request =
    requestFile === undefined ? undefined : { text: await textOf(requestFile), file: requestFile };
  const result = explainModel(await textOf(file), file, {
    pattern,
    request,
    statement: statement === undefined ? undefined : { text: statement, parameters },
    region: choiceOption(args, "--region", pricedRegions),
    month: choiceOption(args, "--month", monthNames),
  });
  process.stdout.write(modelExplainOutput(result, json ? "json" : "text"));
  if (result.complaints.length > 0 || (result.single && result.why !== undefined)) return 2;
  if (result.why !== undefined) return 1;
  return result.single && result.explanations.some(({ problem }) => problem !== undefined) ? 1 : 0;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(`${file} cannot be read: ${reason}.`);
  }
}
