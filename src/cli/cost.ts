import {
  costModel,
  isWhole,
  modelCostOutput,
  modelCostPicture,
  monthNames,
  pricedRegions,
} from "../workbench/model-cost.ts";
import { readText, writeText } from "./files.ts";
import { choiceOption, flagOption, type RawOptions, textOption } from "./options.ts";

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
  const cost = costModel(await readText(file), file, {
    ...(month !== undefined && { month }),
    ...(region !== undefined && { region }),
  });
  const picture = modelCostPicture(cost);
  if (svg !== undefined && picture !== undefined) await writeText(svg, picture);
  process.stdout.write(modelCostOutput(cost, json ? "json" : "text"));
  if (cost.complaints.length > 0) return 2;
  return isWhole(cost) ? 0 : 1;
}
