import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Model } from "../src/model/model.ts";
import { parseModel } from "../src/model/parse.ts";
import { designOf } from "../src/modeller/designer/designer.ts";
import { integerSolver } from "../src/workbench/integer-solver.ts";
import { largeModel } from "../test/model/large-model.ts";
import { machine } from "./record.ts";
import { medianOf } from "./statistics.ts";
import { renderTable, replaceSection } from "./table.ts";

const document = "bench/README.md";
const rounds = 3;

const large: Readonly<Record<string, () => string>> = {
  "20 patterns": () => largeModel(7, 20),
  "150 patterns": () => largeModel(50, 150),
};

interface Taken {
  /** Of the processor, for the design alone: no document is read, and nothing is proved. */
  readonly ms: number;
  /** By the clock: what is compiled meanwhile is compiled on the other core. */
  readonly clock: number;
  readonly entities: number;
  readonly patterns: number;
  readonly looked: number;
}

async function once(name: string): Promise<Taken> {
  const text = large[name]?.() ?? readFileSync(`examples/models/${name}`, "utf8");
  const { model } = parseModel(text, name);
  const solver = await integerSolver();
  const [before, start] = [process.cpuUsage(), performance.now()];
  const { designed, refused } = designOf(model as Model, solver);
  const { user, system } = process.cpuUsage(before);
  const clock = performance.now() - start;
  if (designed === undefined) throw new Error(`${name}: ${refused.join(" ")}`);
  const { entities, patterns } = model as Model;
  return {
    ms: (user + system) / 1_000,
    clock,
    entities: entities.size,
    patterns: patterns.size,
    looked: designed.looked,
  };
}

/** What it takes to design models, each in processes that have done nothing else before. */
export async function designs(): Promise<void> {
  const [, script = ""] = process.argv;
  const asked = process.argv[process.argv.indexOf("--design") + 1];
  if (asked !== undefined && process.argv.includes("--once")) {
    process.stdout.write(JSON.stringify(await once(asked)));
    return;
  }
  const examples = readdirSync("examples/models").filter((name) => name.endsWith(".yaml"));
  const rows = [...Object.keys(large), ...examples].map((name) => {
    const runs = Array.from(
      { length: rounds },
      (): Taken =>
        JSON.parse(String(execFileSync(process.execPath, [script, "--design", name, "--once"]))),
    );
    const [first] = runs;
    const median = (of: (one: Taken) => number): number => medianOf(runs, of) ?? 0;
    return [
      name.replace(/\.yaml$/, ""),
      String(first?.entities),
      String(first?.patterns),
      String(first?.looked),
      ...[median(({ ms }) => ms), median(({ clock }) => clock)].map((ms) => ms.toFixed(0)),
    ];
  });
  const head = ["", "entities", "patterns", "priced", "processor, ms", "clock, ms"];
  const table = renderTable(head, rows);
  process.stdout.write(`${machine()}\n\n${table}\n`);
  if (!process.argv.includes("--record")) return;
  const day = new Date().toISOString().slice(0, 10);
  const section = `Measured on ${day}: ${rounds} new processes each; ${machine()}.\n\n${table}`;
  writeFileSync(document, replaceSection(readFileSync(document, "utf8"), "design", section));
}
