import { parseArgs } from "node:util";
import type { Model } from "../../src/model/model.ts";
import { generatedFolder } from "../generate/typescript.test-support.ts";
import { buildAll, compileAll } from "./code-compile.ts";
import { type CodeOutcome, runCode } from "./code-run.ts";
import { designedModel } from "./designed-model.ts";
import { withHostileNames } from "./hostile-names.ts";
import { randomModel } from "./random-model.ts";
import { normalise } from "./signature.ts";

/**
 * Generates TypeScript for random models, compiles all of it in one run of the compiler, runs every function on the engine in the
 * prover's trials and compares each call with the plan:
 * node scripts/run-ts.mjs test/models/hunt-code.ts --from 8000001 --models 300
 *   --count N        this many seeds, instead of as many as make `--models` designs
 *   --match TEXT     prints only signatures that contain this
 *   --compile-only   runs nothing
 *   --hostile        gives the documents names and texts that code could trip over
 *   --verbose        prints the first finding of each signature
 */

interface Finding {
  readonly seed: string;
  readonly signature: string;
  readonly message: string;
}

interface Totals {
  right: number;
  untried: number;
  calls: number;
  readonly code: Finding[];
  readonly plan: Finding[];
  readonly design: Finding[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      from: { type: "string", default: "1" },
      models: { type: "string", default: "100" },
      count: { type: "string" },
      match: { type: "string", default: "" },
      "compile-only": { type: "boolean", default: false },
      hostile: { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
    },
  });
  const folder = generatedFolder();
  const totals: Totals = { right: 0, untried: 0, calls: 0, code: [], plan: [], design: [] };
  const clock = new StageClock();
  try {
    const models = await designModels(values, totals);
    clock.stop("designed");
    for (const { name, ...error } of await compileAll(folder.path, models)) {
      totals.code.push({ seed: name, ...error });
    }
    clock.stop("compiled");
    if (!values["compile-only"]) await runModels(folder.path, models, totals);
    clock.stop("ran");
    process.stdout.write(`${models.size} models: ${clock.text()}\n`);
    printTotals(totals);
    for (const [title, list] of [
      ["Findings in the code", totals.code],
      ["Failures of the plan", totals.plan],
      ["No design", totals.design],
    ] as const) {
      const matching = list.filter(({ signature }) => signature.includes(values.match));
      printFindings(title, matching, values.verbose && list !== totals.design);
    }
    process.exitCode = totals.code.length === 0 ? 0 : 1;
  } finally {
    folder.remove();
  }
}

/** The designs of random models, until there are enough or no seeds are left. */
async function designModels(
  options: {
    readonly from: string;
    readonly count?: string | undefined;
    readonly models: string;
    readonly hostile: boolean;
  },
  { design }: Totals,
): Promise<ReadonlyMap<string, Model>> {
  const { count, hostile } = options;
  const from = Number(options.from);
  const models = new Map<string, Model>();
  const end = count === undefined ? Number.POSITIVE_INFINITY : from + Number(count);
  for (let seed = from; seed < end; seed += 1) {
    if (count === undefined && models.size >= Number(options.models)) break;
    try {
      const document = randomModel(seed);
      const model = await designedModel(hostile ? withHostileNames(document, seed) : document);
      if (model !== undefined) models.set(String(seed), model);
    } catch (error) {
      const { message } = error as Error;
      const signature = `crash: ${normalise(message, [])}`;
      design.push({ seed: String(seed), signature, message });
    }
  }
  return models;
}

async function runModels(
  folder: string,
  models: ReadonlyMap<string, Model>,
  totals: Totals,
): Promise<void> {
  const load = await buildAll(folder, [...models.keys()]);
  for (const [seed, model] of models) {
    try {
      add(totals, seed, await runCode(await load(seed), model));
    } catch (error) {
      const { message, stack } = error as Error;
      const signature = `crash run: ${normalise(message, [])}`;
      totals.code.push({ seed, signature, message: stack ?? message });
    }
  }
}

function add(totals: Totals, seed: string, outcome: CodeOutcome): void {
  totals.right += outcome.right.length;
  totals.untried += outcome.untried.length;
  totals.calls += outcome.calls;
  totals.code.push(...outcome.findings.map((one) => ({ seed, ...one })));
  totals.plan.push(...outcome.planFailures.map((one) => ({ seed, ...one })));
}

function printTotals({ right, untried, calls, code, plan }: Totals): void {
  process.stdout.write(
    `patterns: ${right} right, ${code.length} findings in the code, ${plan.length} failures of the plan, ${untried} not tried; ${calls} calls compared with the plan\n`,
  );
}

function printFindings(title: string, list: readonly Finding[], isVerbose: boolean): void {
  if (list.length === 0) return;
  process.stdout.write(`${title}:\n`);
  const groups = new Map<string, Finding[]>();
  for (const one of list) groups.set(one.signature, [...(groups.get(one.signature) ?? []), one]);
  for (const [signature, group] of [...groups].toSorted(([, a], [, b]) => b.length - a.length)) {
    const seeds = [...new Set(group.map(({ seed }) => seed))];
    process.stdout.write(`  ${group.length} × ${signature} (${seeds.slice(0, 6).join(", ")})\n`);
    if (isVerbose) process.stdout.write(`${group[0]?.message}\n\n`);
  }
}

/** How long each stage took, on the clock and on the processor. */
class StageClock {
  private readonly stages: string[] = [];
  private start = performance.now();
  private used = process.cpuUsage();

  stop(stage: string): void {
    const { user, system } = process.cpuUsage(this.used);
    const seconds = ((performance.now() - this.start) / 1_000).toFixed(1);
    this.stages.push(
      `${stage} in ${seconds} s (${((user + system) / 1e6).toFixed(1)} s of processor)`,
    );
    this.start = performance.now();
    this.used = process.cpuUsage();
  }

  text(): string {
    return this.stages.join(", ");
  }
}

await main();
