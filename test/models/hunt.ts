import { appendFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { examples, modelOf } from "../../src/model/model.test-support.ts";
import { printModel } from "../../src/model/print.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";
import { type ModelSizeName, modelSizes } from "./model-random.ts";
import { addTables, countMutants, type MutantTable, mutantTableText } from "./mutant-table.ts";
import { randomModel } from "./random-model.ts";
import { type Command, commandNames, type Finding, type Outcome, runModel } from "./run-model.ts";
import { shrink } from "./shrink.ts";

/**
 * Runs random models and prints what failed, by signature:
 * node scripts/run-ts.mjs test/models/hunt.ts --from 1 --count 240 [--jobs 2] [--shrink] [--out file.jsonl]
 *   --match TEXT     only signatures that contain this
 *   --seconds N      the time that one model may take (60)
 *   --commands LIST  only these commands, such as design,check,lint; without prove nothing is proved
 *   --options        draws the options of design, too
 *   --doubt          tries mutants in spite of their reasons, and reports those that are killed
 *   --size small     smaller models (usual)
 *   --mutants        prints killed, equivalent and undecided mutants by operator, of the random models and of the examples
 */

interface Task {
  readonly seed: number;
  readonly size: ModelSizeName;
  /** Shrink the model for this finding; otherwise only run it. */
  readonly finding?: Finding;
  readonly commands?: ReadonlySet<Command> | undefined;
  readonly hasOptions?: boolean;
  readonly doubtReasons?: boolean;
}

interface Result {
  readonly seed: number;
  readonly kind: Outcome["kind"] | "slow";
  readonly findings: readonly (Omit<Finding, "kind"> & {
    readonly kind: Finding["kind"] | "slow";
  })[];
  readonly milliseconds: Outcome["milliseconds"];
  readonly total: number;
  /** Processor time, which other processes on the machine do not change. */
  readonly cpu?: number;
  readonly mutants?: MutantTable;
  readonly shrunk?: { readonly text: string; readonly runs: number };
}

async function work(task: Task): Promise<Result> {
  const { seed, size, finding, commands, hasOptions, doubtReasons } = task;
  const start = performance.now();
  const { user } = process.cpuUsage();
  const optionsSeed = hasOptions ? seed : undefined;
  const document = randomModel(seed, size);
  if (finding !== undefined) {
    const { document: smallest, runs } = await shrink(document, finding, {
      optionsSeed,
      doubtReasons,
    });
    const shrunk = { text: printModel(smallest), runs };
    const total = performance.now() - start;
    return { seed, kind: finding.kind, findings: [finding], milliseconds: {}, total, shrunk };
  }
  const outcome = await runModel(document, { commands, optionsSeed, doubtReasons });
  const { kind, findings, milliseconds, mutants } = outcome;
  const cpu = Math.round((process.cpuUsage().user - user) / 1_000);
  return { seed, kind, findings, milliseconds, mutants, total: performance.now() - start, cpu };
}

/** Runs tasks in a thread, which is ended when a model takes too long. */
class Bench {
  private worker: Worker | undefined;
  private onDone: (result: Result) => void = () => {};
  private onFailure: (error: unknown) => void = () => {};

  run(task: Task, seconds: number): Promise<Result> {
    this.worker ??= this.open();
    const { worker } = this;
    return new Promise((resolve) => {
      const fail = (kind: "slow" | "crash", what: string): void => {
        clearTimeout(timer);
        this.worker = undefined;
        void worker.terminate();
        const signature = `${kind}: ${what}`;
        const finding = { kind, command: "design", signature, message: what } as const;
        const total = seconds * 1_000;
        resolve({ seed: task.seed, kind, findings: [finding], milliseconds: {}, total });
      };
      const timer = setTimeout(() => fail("slow", `more than ${seconds} s`), seconds * 1_000);
      this.onFailure = (error) => fail("crash", `the thread ended: ${String(error)}`);
      this.onDone = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      worker.postMessage(task);
    });
  }

  private open(): Worker {
    const worker = new Worker(fileURLToPath(import.meta.url));
    worker.on("message", (result: Result) => this.onDone(result));
    worker.on("error", (error) => this.onFailure(error));
    return worker;
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }
}

interface Settings {
  readonly jobs: number;
  readonly seconds: number;
  readonly onResult: (result: Result) => void;
}

async function runAll(tasks: readonly Task[], settings: Settings): Promise<void> {
  const waiting = [...tasks];
  await Promise.all(
    Array.from({ length: settings.jobs }, async () => {
      const bench = new Bench();
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        settings.onResult(await bench.run(task, settings.seconds));
      }
      await bench.close();
    }),
  );
}

interface Group {
  readonly finding: Result["findings"][number];
  readonly seeds: number[];
}

const order = [
  "crash",
  "slow",
  "wrong",
  "contradiction",
  "unprovable",
  "undecided",
  "refused",
  "clean",
];

function summary(results: readonly Result[], groups: readonly Group[]): string {
  const kinds = order.map((kind) => `${kind} ${results.filter((one) => one.kind === kind).length}`);
  const times = results.map(({ total }) => total).toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)} ms`;
  const spent = new Map<string, number>();
  for (const { milliseconds } of results) {
    for (const [command, time] of Object.entries(milliseconds)) {
      spent.set(command, (spent.get(command) ?? 0) + time);
    }
  }
  const mean = [...spent].map(
    ([command, time]) => `${command} ${Math.round(time / results.length)}`,
  );
  return [
    `${results.length} models by their gravest finding: ${kinds.join(", ")}`,
    `Time of a model: median ${at(0.5)}, 95 % below ${at(0.95)}, longest ${at(1)}`,
    `Mean milliseconds: ${mean.join(", ")}`,
    "",
    "models  signature (first seeds)",
    ...groups.map(
      ({ finding, seeds }) =>
        `${String(seeds.length).padStart(6)}  ${finding.signature} (${seeds.slice(0, 3).join(", ")})`,
    ),
    "",
  ].join("\n");
}

function groupsOf(results: readonly Result[], match: string): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { seed, findings } of results.toSorted((a, b) => a.seed - b.seed)) {
    for (const finding of findings.filter(({ signature }) => signature.includes(match))) {
      const group = groups.get(finding.signature) ?? { finding, seeds: [] };
      group.seeds.push(seed);
      groups.set(finding.signature, group);
    }
  }
  return [...groups.values()].toSorted(
    (a, b) =>
      order.indexOf(a.finding.kind) - order.indexOf(b.finding.kind) ||
      b.seeds.length - a.seeds.length,
  );
}

/** The examples have designs already; what is proved is theirs. */
async function exampleMutants(): Promise<MutantTable> {
  let table: MutantTable = {};
  for (const [, text] of examples) {
    const proofs = await proveModel(modelOf(text), { now: Date.UTC(2026, 0, 15, 12) });
    for (const { mutants } of proofs) table = addTables(table, countMutants(mutants));
  }
  return table;
}

function commandsIn(list: string): ReadonlySet<Command> {
  return new Set(
    list.split(",").map((name) => {
      const command = commandNames.find((one) => one === name);
      if (command === undefined) throw new Error(`There is no command '${name}'.`);
      return command;
    }),
  );
}

function sizeIn(text: string): ModelSizeName {
  const names = Object.keys(modelSizes) as ModelSizeName[];
  const size = names.find((name) => name === text);
  if (size === undefined) throw new Error(`There is no size '${text}'.`);
  return size;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      from: { type: "string", default: "1" },
      count: { type: "string", default: "240" },
      jobs: { type: "string", default: "1" },
      seconds: { type: "string", default: "60" },
      match: { type: "string", default: "" },
      shrink: { type: "boolean", default: false },
      mutants: { type: "boolean", default: false },
      commands: { type: "string" },
      size: { type: "string", default: "usual" },
      options: { type: "boolean", default: false },
      doubt: { type: "boolean", default: false },
      out: { type: "string" },
    },
  });
  const { out, match } = values;
  const [jobs, seconds] = [Number(values.jobs), Number(values.seconds)];
  const from = Number(values.from);
  if (out !== undefined) writeFileSync(out, "");
  const results: Result[] = [];
  const commands = values.commands === undefined ? undefined : commandsIn(values.commands);
  const { options: hasOptions, doubt: doubtReasons } = values;
  const mode = { commands, hasOptions, doubtReasons, size: sizeIn(values.size) };
  const tasks = Array.from({ length: Number(values.count) }, (_, i) => ({
    seed: from + i,
    ...mode,
  }));
  const write = (result: Result): void => {
    if (out !== undefined) appendFileSync(out, `${JSON.stringify(result)}\n`);
  };
  await runAll(tasks, {
    jobs,
    seconds,
    onResult: (result) => {
      results.push(result);
      write(result);
    },
  });
  const groups = groupsOf(results, match);
  process.stdout.write(summary(results, groups));
  if (values.mutants) {
    const random = results.reduce((sum, one) => addTables(sum, one.mutants ?? {}), {});
    const shown = mutantTableText({ examples: await exampleMutants(), "random models": random });
    process.stdout.write(`Mutants by operator\n\n${shown}\n`);
  }
  if (!values.shrink) return;
  const failures = groups.flatMap(({ finding, seeds }): Task[] => {
    const { kind } = finding;
    return kind === "slow" ? [] : [{ seed: seeds[0] ?? 0, finding: { ...finding, kind }, ...mode }];
  });
  await runAll(failures, {
    jobs,
    // A model is run many times to shrink it.
    seconds: 10 * seconds,
    onResult: (result) => {
      write(result);
      const [finding] = result.findings;
      const { text = "", runs = 0 } = result.shrunk ?? {};
      process.stdout.write(
        `\n# ${finding?.signature}\n# seed ${result.seed}, ${runs} runs: ${finding?.message.split("\n")[0]}\n${text}`,
      );
    },
  });
}

if (isMainThread) {
  await main();
} else {
  parentPort?.on("message", async (task: Task) => {
    parentPort?.postMessage(await work(task));
  });
}
