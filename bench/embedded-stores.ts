// LMDB and LevelDB below the same server: node scripts/run-ts.mjs bench/embedded-stores.ts [OPTIONS]
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Durability } from "../src/storage/store.ts";
import { Children } from "./children.ts";
import { reasonOf } from "./load.ts";
import { pause, prepare, runPhase } from "./phase.ts";
import { usageOf } from "./process-usage.ts";
import { machine } from "./record.ts";
import { IndexedWorkload } from "./stores/indexed-workload.ts";
import {
  reportStores,
  type StoreFootprint,
  type StorePhase,
  type StoresResult,
} from "./stores/report.ts";
import {
  type EmbeddedStore,
  embeddedStores,
  openMsIn,
  serverRole,
  serveStore,
  storeTarget,
} from "./stores/serve.ts";
import { replaceSection } from "./table.ts";
import { launch, type RunningTarget } from "./targets.ts";
import { type OperationName, Workload } from "./workload.ts";

const decision = "docs/decisions/embedded-store.md";

const usage = `node scripts/run-ts.mjs bench/embedded-stores.ts [options]

  --items N     items in each of the two tables (default: 50000)
  --secs S      measured seconds per phase (default: 1)
  --rounds N    repetitions; the tables show medians (default: 3)
  --quick       short phases on small tables: to see that all works
  --json FILE   keep every figure in the file
  --record      put the tables into ${decision}
`;

interface Options {
  readonly items: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly json: string | undefined;
  readonly record: boolean;
}

const operations: readonly OperationName[] = [
  "put",
  "get",
  "update",
  "query",
  "batchwrite",
  "transact",
];
const connectionCounts = [1, 32];
const itemBytes = 430;

/** A server that did nothing for so long has no compaction or flush under way. */
const quietMs = 100;
const quietPatienceMs = 5_000;

interface Side {
  readonly store: EmbeddedStore;
  readonly durability: Durability;
  readonly folder: string;
  readonly server: RunningTarget;
  readonly fillSeconds: number;
  readonly filledMegabytes: number;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function readOptions(): Options | undefined {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const { values } = parseArgs({
    options: {
      items: text,
      secs: text,
      rounds: text,
      quick: flag,
      json: text,
      record: flag,
      help: flag,
    },
  });
  const { quick = false } = values;
  const options: Options = {
    items: Number(values.items ?? (quick ? 2_000 : 50_000)),
    seconds: Number(values.secs ?? (quick ? 0.2 : 1)),
    warmUpSeconds: quick ? 0.1 : 0.3,
    rounds: Number(values.rounds ?? (quick ? 1 : 3)),
    json: values.json,
    record: values.record ?? false,
  };
  const numbers = [options.items, options.seconds, options.rounds];
  const wrong = numbers.some((number) => !(number > 0) || !Number.isFinite(number));
  return values.help === true || wrong ? undefined : options;
}

async function run(options: Options, children: Children): Promise<StoresResult> {
  const { items, rounds, seconds } = options;
  const workloads = [
    { indexes: 0, workload: new Workload({ table: "plain", items, itemBytes }) },
    { indexes: 2, workload: new IndexedWorkload({ table: "indexed", items, itemBytes }) },
  ];
  const sides: Side[] = [];
  for (const durability of ["flush", "relaxed"] as const) {
    for (const store of embeddedStores) {
      const filled = workloads.map(({ workload }) => workload);
      sides.push(await start(children, store, durability, filled));
    }
  }
  const phases: StorePhase[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? sides : [...sides].reverse();
    for (const { indexes, workload } of workloads) {
      for (const operation of operations) {
        for (const connections of connectionCounts) {
          for (const side of order) {
            const what = { round, indexes, operation, connections };
            phases.push(await measure(side, workload, options, what));
          }
        }
      }
    }
  }
  const footprints: StoreFootprint[] = [];
  for (const side of sides) footprints.push(await footprint(children, side));
  return { items, rounds, seconds, phases, footprints };
}

async function start(
  children: Children,
  store: EmbeddedStore,
  durability: Durability,
  workloads: readonly Workload[],
): Promise<Side> {
  const folder = children.folder();
  const server = await launch(children, storeTarget(store, durability, folder));
  const began = performance.now();
  for (const workload of workloads) await prepare(server, workload);
  const fillSeconds = (performance.now() - began) / 1_000;
  await untilQuiet(server);
  const filledMegabytes = megabytesIn(folder);
  say(`${server.target.label} is filled and reads back what was written.`);
  return { store, durability, folder, server, fillSeconds, filledMegabytes };
}

async function measure(
  { store, durability, server }: Side,
  workload: Workload,
  { seconds, warmUpSeconds }: Options,
  what: Pick<StorePhase, "round" | "indexes" | "operation" | "connections">,
): Promise<StorePhase> {
  const { operation, connections } = what;
  const measured = await runPhase(server, workload, {
    operation,
    connections,
    seconds,
    warmUpSeconds,
  });
  if ("unsupported" in measured) throw new Error(`${operation}: ${measured.unsupported}`);
  const place = `round ${what.round + 1}  ${what.indexes} indexes  ${operation} × ${connections}`;
  say(`${place}  ${server.target.label}: ${measured.perSecond.toFixed(0)}/s`);
  // What the store does in the background must not be charged to the next one.
  await untilQuiet(server);
  return { ...what, store, durability, measured };
}

async function untilQuiet({ pid }: RunningTarget): Promise<void> {
  const deadline = performance.now() + quietPatienceMs;
  let before = usageOf(pid)?.cpuSeconds;
  while (performance.now() < deadline) {
    await pause(quietMs);
    const now = usageOf(pid)?.cpuSeconds;
    if (now === undefined || before === undefined || now - before < 0.05 * (quietMs / 1_000))
      return;
    before = now;
  }
}

/** Memory and disk at the end of all phases, and how long it takes to open that again. */
async function footprint(children: Children, side: Side): Promise<StoreFootprint> {
  const { store, durability, folder, server, fillSeconds, filledMegabytes } = side;
  const residentMegabytes = usageOf(server.pid)?.residentMegabytes;
  const ownMegabytes = anonymousMegabytes(server.pid);
  await children.stop(server.child);
  const endMegabytes = megabytesIn(folder);
  const again = await launch(children, storeTarget(store, durability, folder));
  const openMs = openMsIn(children.outputOf(again.child));
  await children.stop(again.child);
  return {
    store,
    durability,
    fillSeconds,
    filledMegabytes,
    endMegabytes,
    openMs,
    residentMegabytes,
    ownMegabytes,
  };
}

/** What the files take on disk, holes not counted. */
function megabytesIn(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) bytes += statSync(join(folder, name)).blocks * 512;
  return bytes / 2 ** 20;
}

function anonymousMegabytes(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const kilobytes = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    say(usage);
    return 2;
  }
  const children = new Children();
  try {
    const where = machine();
    say(where);
    const began = performance.now();
    const result = await run(options, children);
    const { items, rounds, seconds } = result;
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    const head = [
      `Measured on ${new Date().toISOString().slice(0, 10)}: ${where}.`,
      `Items in each table: ${items}. Rounds of ${seconds} s: ${rounds}.`,
      `The run took ${minutes} minutes.`,
    ].join(" ");
    const tables = `${head}\n\n${reportStores(result)}`;
    process.stdout.write(`\n${tables}\n`);
    if (options.json !== undefined) {
      writeFileSync(options.json, JSON.stringify({ machine: where, ...result }));
    }
    if (options.record) {
      writeFileSync(decision, replaceSection(readFileSync(decision, "utf8"), "stores", tables));
    }
    return 0;
  } finally {
    await children.stopAll();
  }
}

if (process.argv[2] === serverRole) {
  await serveStore(process.argv.slice(3));
} else {
  try {
    process.exitCode = await main();
  } catch (error) {
    say(`bench: ${reasonOf(error)}`);
    process.exitCode = 1;
  }
}
