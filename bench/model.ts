// What the workbench takes for a large model: node scripts/run-ts.mjs bench/model.ts [--record] [--prove] [--design]
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { checkModel } from "../src/workbench/model-check.ts";
import { costModel } from "../src/workbench/model-cost.ts";
import { heatModel } from "../src/workbench/model-heat.ts";
import { lintModel } from "../src/workbench/model-lint.ts";
import { proveText } from "../src/workbench/model-prove.ts";
import { largeModel } from "../test/model/large-model.ts";
import { designs } from "./model-design.ts";
import { machine } from "./record.ts";
import { medianOf } from "./statistics.ts";
import { renderTable, replaceSection } from "./table.ts";

const document = "bench/README.md";
const rounds = 7;
const [entities, patterns] = [50, 200];
const isProved = process.argv.includes("--prove");

/** Milliseconds by command, in a process that has done nothing else before. */
async function once(): Promise<Readonly<Record<string, number>>> {
  const text = largeModel(entities, patterns);
  const file = "large.yaml";
  const taken: Record<string, number> = {};
  const time = async (name: string, run: () => unknown): Promise<void> => {
    const before = performance.now();
    await run();
    taken[name] = performance.now() - before;
  };
  const begin = performance.now();
  await time("check", () => checkModel(text, file));
  await time("lint", () => lintModel(text, file));
  await time("cost", () => costModel(text, file));
  taken["check, lint and cost"] = performance.now() - begin;
  await time("heat", () => heatModel(text, file));
  if (isProved) await time("prove", () => proveText(text, file, { now: Date.UTC(2026, 0, 1) }));
  return taken;
}

async function main(): Promise<void> {
  if (process.argv.includes("--design")) return designs();
  if (process.argv.includes("--once")) {
    process.stdout.write(JSON.stringify(await once()));
    return;
  }
  const runs = Array.from({ length: isProved ? 1 : rounds }, (): Record<string, number> => {
    const more = isProved ? ["--prove"] : [];
    const script = process.argv[1] as string;
    return JSON.parse(String(execFileSync(process.execPath, [script, "--once", ...more])));
  });
  const names = Object.keys(runs[0] ?? {});
  const rows = names.map((name) => {
    const all = runs.map((run) => run[name] ?? 0);
    return [
      name,
      ...[Math.min(...all), medianOf(all, (one) => one) ?? 0, Math.max(...all)].map((ms) =>
        ms.toFixed(0),
      ),
    ];
  });
  const table = renderTable(["", "fastest, ms", "median, ms", "slowest, ms"], rows);
  const what = `${entities} entities, ${patterns} patterns, ${runs.length} new processes`;
  process.stdout.write(`${machine()}\n${what}\n\n${table}\n`);
  if (!process.argv.includes("--record")) return;
  const day = new Date().toISOString().slice(0, 10);
  const section = `Measured on ${day}: ${what}; ${machine()}.\n\n${table}`;
  writeFileSync(document, replaceSection(readFileSync(document, "utf8"), "model", section));
}

await main();
