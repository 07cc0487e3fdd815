import { readFile, writeFile } from "node:fs/promises";
import {
  costModel,
  isWhole,
  modelCostOutput,
  modelCostPicture,
  monthNames,
  pricedRegions,
} from "../workbench/model-cost.ts";
import { choiceOption, flagOption, type RawOptions, textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright cost`: answers 2 if the document is wrong, 1 if something is missing in the bill, else 0. */
export async function runCost(
  file: string,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const json = flagOption(options, "json", "--json");
  const month = choiceOption(args, "--month", monthNames);
  const region = choiceOption(args, "--region", pricedRegions);
  const svg = textOption(args, "--svg");
  const cost = costModel(await textOf(file), file, {
    ...(month !== undefined && { month }),
    ...(region !== undefined && { region }),
  });
  const picture = modelCostPicture(cost);
  if (svg !== undefined && picture !== undefined) await write(svg, picture);
  process.stdout.write(modelCostOutput(cost, json ? "json" : "text"));
  if (cost.complaints.length > 0) return 2;
  return isWhole(cost) ? 0 : 1;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${reasonOf(error)}.`);
  }
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
