import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { printModel } from "../../src/model/print.ts";
import { type DesignResult, drawDesigns, isOpen, outcomeOf } from "./design-run.ts";
import { shrinkDesign } from "./design-shrink.ts";
import { tablesOf } from "./design-tables.ts";
import { judgeSabotage, proveDesign, provedIn, tools } from "./design-trial.ts";

/**
 * Runs random designs of random models. Correct ones have to be proved, those with a mistake have to be found:
 * node scripts/run-ts.mjs test/models/hunt-designs.ts --from 600001 --count 50
 *   --designs N      goes on until there are N designs of both kinds, whatever --count says
 *   --variants N     correct designs of each model (4); each is made in one to three steps
 *   --sabotages N    designs with a mistake of each model (4)
 *   --match TEXT     only steps and mistakes whose names contain this, or one of several texts with commas between them
 *   --shrink         prints the smallest document for each failure of a correct design
 *   --out FILE       writes one line of JSON for each design; those that failed have their documents
 *   --again FILE     tries the designs again that failed in such a file
 */

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "20" },
    designs: { type: "string" },
    variants: { type: "string", default: "4" },
    sabotages: { type: "string", default: "4" },
    match: { type: "string", default: "" },
    shrink: { type: "boolean", default: false },
    out: { type: "string" },
    again: { type: "string" },
  },
});

const results: DesignResult[] = [];

function note(result: DesignResult): void {
  results.push(result);
  if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(result)}\n`);
}

const triedOf = (kind: DesignResult["kind"]): number =>
  results.filter(
    (one) => one.kind === kind && !(one.kind === "sabotage" && one.found === "unusable"),
  ).length;

async function runSeeds(): Promise<void> {
  const options = {
    variants: Number(values.variants),
    sabotages: Number(values.sabotages),
    match: values.match,
  };
  const wanted = values.designs === undefined ? undefined : Number(values.designs);
  const from = Number(values.from);
  const isDone = (seed: number): boolean =>
    wanted === undefined
      ? seed >= from + Number(values.count)
      : triedOf("variant") >= wanted && triedOf("sabotage") >= wanted;
  let models = 0;
  let seed = from;
  for (; !isDone(seed); seed += 1) {
    try {
      const drawn = await drawDesigns(seed, options);
      models += Number(drawn !== undefined);
      for (const one of drawn ?? []) note(one);
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stdout.write(`${seed} crashed: ${text.split("\n").slice(0, 4).join("\n")}\n`);
    }
  }
  process.stdout.write(`seeds ${from} to ${seed - 1}: ${models} designs of random models\n`);
}

/** Tries the designs again that failed before. */
async function runAgain(file: string): Promise<void> {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text !== "");
  for (const before of lines.map((text) => JSON.parse(text) as DesignResult).filter(isOpen)) {
    const { document } = before;
    if (document === undefined) continue;
    if (before.kind === "variant") {
      const only = new Set(before.failures.map(({ pattern }) => pattern));
      const isWhole = only.has("");
      note({ ...before, ...outcomeOf(await proveDesign(document, isWhole ? undefined : only)) });
      continue;
    }
    const { right = document, pattern } = before;
    const proved = provedIn(await proveDesign(right));
    const made = { ...before, document, right };
    const judged = await judgeSabotage(right, proved, before, {
      ...made,
      ...(pattern !== undefined && { pattern }),
    });
    const found = tools.filter((tool) => judged.found[tool] !== undefined);
    const { unusable } = judged;
    note({ ...before, found: unusable === undefined ? found : "unusable", report: unusable ?? "" });
  }
}

async function shrinkFailures(): Promise<void> {
  const seen = new Set<string>();
  for (const one of results) {
    if (one.kind !== "variant" || one.document === undefined || one.outcome === "refused") continue;
    for (const { pattern, signature } of one.failures) {
      if (seen.has(signature)) continue;
      seen.add(signature);
      const { document, runs } = await shrinkDesign(one.document, pattern, signature);
      const head = `# ${signature}\n# ${one.seed}.${one.draw} ${one.steps.join(" > ")}, ${runs} runs`;
      process.stdout.write(`\n${head}\n${printModel(document)}`);
    }
  }
}

if (values.out !== undefined) writeFileSync(values.out, "");
const started = performance.now();
await (values.again === undefined ? runSeeds() : runAgain(values.again));
process.stdout.write(tablesOf(results));
const { user } = process.cpuUsage();
const seconds = ((performance.now() - started) / 1_000).toFixed(0);
process.stdout.write(`${seconds} s, ${(user / 1e6).toFixed(0)} s of CPU time\n`);
if (values.shrink) await shrinkFailures();
