import { simulate } from "../workbench/simulate.ts";
import { simulationJson } from "../workbench/simulate-json.ts";
import { parseWorkload, WorkloadError } from "../workbench/simulate-parse.ts";
import { capacityPicture } from "../workbench/simulate-picture.ts";
import { simulationText } from "../workbench/simulate-text.ts";
import type { Workload } from "../workbench/simulate-workload.ts";
import { readText, writeText } from "./files.ts";
import { textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** Runs shorter than this need no word about how far they are. */
const quietMs = 2_000;

/** `keywright simulate`: answers 0 if nothing was throttled, 1 if something was. */
export async function runSimulation(file: string, args: readonly string[]): Promise<number> {
  const out = textOption(args, "--out");
  const svg = textOption(args, "--svg");
  const seed = seedOption(args);
  const workload = await readWorkloadFile(file);
  const simulation = simulate(seed === undefined ? workload : { ...workload, seed }, progress());
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  if (out !== undefined) await writeText(out, `${JSON.stringify(simulationJson(simulation))}\n`);
  if (svg !== undefined) await writeText(svg, capacityPicture(simulation));
  process.stdout.write(simulationText(simulation));
  return simulation.throttled === 0 ? 0 : 1;
}

async function readWorkloadFile(file: string): Promise<Workload> {
  const text = await readText(file);
  try {
    return parseWorkload(text, file);
  } catch (error) {
    if (error instanceof WorkloadError) throw new UsageError(error.message);
    throw error;
  }
}

function seedOption(args: readonly string[]): number | undefined {
  const text = textOption(args, "--seed");
  if (text === undefined) return undefined;
  if (!/^[0-9]{1,9}$/.test(text)) {
    throw new UsageError(`--seed takes a whole number of up to nine digits, not '${text}'.`);
  }
  return Number(text);
}

/** Tells on stderr how far a long run is, about once a second. */
function progress(): (done: number, requests: number) => void {
  const began = performance.now();
  let told = began + quietMs - 1_000;
  return (done, requests) => {
    const now = performance.now();
    if (now - told < 1_000) return;
    told = now;
    const rate = (requests / (now - began) / 1_000).toFixed(1);
    const text = `${Math.min(99, Math.floor(100 * done))} %, ${rate} million requests per second`;
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
  };
}
