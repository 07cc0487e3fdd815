import {
  heatModel,
  heatSecondsMax,
  isHot,
  type ModelHeatOptions,
  modelHeatOutput,
  modelHeatPicture,
} from "../workbench/model-heat.ts";
import { readText, writeText } from "./files.ts";
import { flagOption, type RawOptions, secondsOption, textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright heat`: answers 2 if a document is wrong, 1 if something is too hot or throttled, else 0. */
export async function runHeatCommand(
  file: string,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const json = flagOption(options, "json", "--json");
  const svg = textOption(args, "--svg");
  const beforeFile = textOption(args, "--before");
  const settings = settingsOf(args, options);
  const after = heatModel(await readText(file), file, settings);
  const before =
    beforeFile === undefined
      ? undefined
      : heatModel(await readText(beforeFile), beforeFile, settings);
  if (svg !== undefined) {
    const picture = modelHeatPicture(after);
    if (picture !== undefined) await writeText(svg, picture);
  }
  process.stdout.write(modelHeatOutput(after, json ? "json" : "text", before));
  if (after.result === undefined || (before !== undefined && before.result === undefined)) return 2;
  return isHot(after) ? 1 : 0;
}

function settingsOf(args: readonly string[], options: RawOptions): Partial<ModelHeatOptions> {
  const seconds = secondsOption(args, "--seconds");
  if (seconds !== undefined && seconds > heatSecondsMax) {
    throw new UsageError(`--seconds takes up to ${heatSecondsMax}, not ${seconds}.`);
  }
  const seed = seedOf(args);
  return {
    cold: flagOption(options, "cold", "--cold"),
    ...(seconds !== undefined && { seconds }),
    ...(seed !== undefined && { seed }),
  };
}

function seedOf(args: readonly string[]): number | undefined {
  const text = textOption(args, "--seed");
  if (text !== undefined && !/^[0-9]{1,9}$/.test(text)) {
    throw new UsageError(`--seed takes a whole number of up to nine digits, not '${text}'.`);
  }
  return text === undefined ? undefined : Number(text);
}
