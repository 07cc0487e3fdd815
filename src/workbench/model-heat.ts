import { type Complaint, complaintsText } from "../document/complaint.ts";
import { type Heat, heatOf, isOver } from "../modeller/heat/heat.ts";
import { headline } from "../modeller/heat/words.ts";
import { heatJson } from "./heat-json.ts";
import { runHeat, type TableHeatRun } from "./heat-simulation.ts";
import { heatCompareText, heatText } from "./heat-text.ts";
import { parsedModel } from "./model-parse.ts";
import { capacityPictures } from "./simulate-picture.ts";

/** How a model's peak falls on its keys, or what is wrong in the document. */
export interface ModelHeat {
  readonly file: string;
  readonly complaints: readonly Complaint[];
  /** Nothing if there are complaints. */
  readonly result: HeatResult | undefined;
}

export interface HeatResult {
  readonly heat: Heat;
  readonly runs: readonly TableHeatRun[];
}

export interface ModelHeatOptions {
  /** How long the peak lasts in the simulation; 0: there is none. */
  readonly seconds: number;
  readonly seed: number;
  /** The tables are new; else they have served their peaks before. */
  readonly cold: boolean;
}

export const heatDefaults: ModelHeatOptions = { seconds: 120, seed: 1, cold: false };
export const heatSecondsMax = 3_600;

export function heatModel(
  text: string,
  file: string,
  options: Partial<ModelHeatOptions> = {},
): ModelHeat {
  const { model, complaints } = parsedModel(text, file);
  if (model === undefined) return { file, complaints, result: undefined };
  const all = { ...heatDefaults, ...options };
  const heat = heatOf(model);
  const runs = all.seconds === 0 ? [] : runHeat(heat, all);
  return { file, complaints, result: { heat, runs } };
}

/** Something is throttled at peak, or above a ceiling. */
export function isHot({ result }: ModelHeat): boolean {
  if (result === undefined) return true;
  return isOver(result.heat) || result.runs.some(({ throttledShare }) => throttledShare > 0);
}

export function modelHeatOutput(
  after: ModelHeat,
  format: "text" | "json",
  before?: ModelHeat,
): string {
  if (format === "json") {
    const one = ({ file, complaints, result }: ModelHeat): object => ({
      file,
      complaints,
      ...(result !== undefined && heatJson(result)),
    });
    const value = before === undefined ? one(after) : { before: one(before), after: one(after) };
    return `${JSON.stringify(value)}\n`;
  }
  const wrong = [before, after].flatMap((one) => one?.complaints ?? []);
  if (wrong.length > 0) return `${complaintsText(wrong)}\n`;
  if (after.result === undefined) return "";
  if (before?.result === undefined) return heatText(after.result);
  const heads = [before, after].map(({ file, result }) =>
    result === undefined ? "" : `${file}: ${headline(result.heat)}`,
  );
  return `${heads.join("\n")}\n\n${heatCompareText(before.result, after.result)}`;
}

/** What was simulated, table by table; nothing if nothing was. */
export function modelHeatPicture({ result }: ModelHeat): string | undefined {
  const simulations = (result?.runs ?? []).flatMap(({ simulation }) => simulation ?? []);
  if (result === undefined || simulations.length === 0) return undefined;
  const { heat } = result;
  return capacityPictures(`${heat.name} at its peak`, headline(heat), simulations);
}
