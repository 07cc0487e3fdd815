import {
  designModel,
  isFailing,
  modelDesignOutput,
  readWeights,
  styles,
} from "../workbench/model-design.ts";
import { readText, writeText } from "./files.ts";
import { choiceOption, flagOption, type RawOptions, textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright design`: ends with 2 if the document is wrong, 1 if there is no design or a pattern is wrong or has a defect, else 0. */
export async function runDesign(
  file: string,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const json = flagOption(options, "json", "--json");
  const write = flagOption(options, "write", "--write");
  const whatIf = textOption(args, "--what-if");
  const keep = textOption(args, "--keep");
  const style = choiceOption(args, "--style", styles);
  const weight = textOption(args, "--weight");
  const weights = weight === undefined ? undefined : readWeights(weight);
  if (typeof weights === "string") throw new UsageError(weights);
  if (write && whatIf !== undefined) {
    throw new UsageError(
      "--what-if tries something out, so nothing is written: leave --write out.",
    );
  }
  const design = await designModel(await readText(file), file, {
    // The same every time, so that a proof can be repeated.
    now: Date.UTC(2026, 0, 15, 12),
    replace: flagOption(options, "replace", "--replace"),
    explain: flagOption(options, "explain", "--explain"),
    billing: flagOption(options, "billing", "--billing"),
    whole: flagOption(options, "wholeItems", "--whole-items"),
    ...(whatIf !== undefined && { whatIf }),
    ...(keep !== undefined && { keep }),
    ...(style !== undefined && { style }),
    ...(weights !== undefined && { weights }),
  });
  if (write && design.text !== undefined) await writeText(file, design.text);
  process.stdout.write(modelDesignOutput(design, json ? "json" : "text"));
  if (design.complaints.length > 0) return 2;
  return isFailing(design) ? 1 : 0;
}
