import { defaultDialect } from "../src/api/dialect.ts";
import { responseBytes } from "../src/api/response-json.ts";
import { Database } from "../src/engine/database.ts";
import { execute } from "../src/operations/execute.ts";
import { Insights } from "../src/operations/insights.ts";
import { Protocol, type WireRequest } from "../src/server/protocol.ts";
import { openLmdbStore } from "../src/storage/lmdb/lmdb-store.ts";
import { openMemoryStore } from "../src/storage/memory/memory-store.ts";
import { Metrics } from "../src/traffic/metrics.ts";
import { Traffic } from "../src/traffic/traffic.ts";
import { Transfers } from "../src/transfers/transfers.ts";
import { BareServer } from "./bare-server.ts";
import type { Children } from "./children.ts";
import { requestBytes } from "./connection.ts";
import { cpuOf, cpuOfAsync, type TimingOptions } from "./cpu-time.ts";
import type { Options, OwnVariant } from "./options.ts";
import { type Measurement, prepare, runPhase } from "./phase.ts";
import { getItemStages, putItemStages, type Stage, type StageSetting } from "./stage-list.ts";
import { figure, renderTable } from "./table.ts";
import { launch, ownTarget, type RunningTarget } from "./targets.ts";
import { Workload } from "./workload.ts";

export interface StageResult {
  readonly operation: string;
  readonly variants: readonly OwnVariant[];
  /** CPU microseconds of a request, per variant; undefined where it could not be told. */
  readonly rows: readonly Row[];
}

interface Row {
  readonly name: string;
  readonly microseconds: readonly (number | undefined)[];
}

export interface StagesResult {
  readonly itemBytes: number;
  readonly connections: number;
  readonly operations: readonly StageResult[];
}

const operations = [
  { name: "GetItem", call: "get", stages: getItemStages },
  { name: "PutItem", call: "put", stages: putItemStages },
] as const;
type Operation = (typeof operations)[number];

const sumOfStages = "sum of the stages";
const defaultItemBytes = 1_024;
const underWay = 32;
const distinctRequests = 1_024;
const caller = { account: "000000000000", region: "us-east-1" };
const namespace = `${caller.account}/${caller.region}`;

export async function runStages(
  options: Options,
  children: Children,
  say: (text: string) => void,
): Promise<StagesResult> {
  const itemBytes = options.itemBytes ?? defaultItemBytes;
  const workload = new Workload({ table: "bench", items: options.items, itemBytes });
  const timing = { batchMs: options.seconds * 50, batches: 5 };
  const benches: InProcess[] = [];
  for (const variant of options.ours) {
    say(`Filling a ${variant} store in this process.`);
    benches.push(await InProcess.open(variant, children, workload));
  }
  const inProcess: Row[][] = [];
  for (const operation of operations) {
    const rows = await inProcessRows(operation, benches, timing, say);
    const sums = benches.map((_, i) => sum(rows.map(({ microseconds }) => microseconds[i])));
    const whole: number[] = [];
    for (const bench of benches) whole.push(await bench.whole(operation, timing));
    rows.push({ name: sumOfStages, microseconds: sums });
    rows.push({ name: "all but HTTP, in one piece", microseconds: whole });
    inProcess.push(rows);
  }
  // Before other processes are measured, this one must be idle.
  for (const bench of benches) await bench.close();
  const results: StageResult[] = [];
  for (const [i, operation] of operations.entries()) {
    const rows = inProcess[i] as Row[];
    rows.push(...(await httpRows(operation, rows, options, children, workload, say)));
    results.push({ operation: operation.name, variants: options.ours, rows });
  }
  return { itemBytes, connections: underWay, operations: results };
}

/** Stages that know no store are measured once; the others on each. */
async function inProcessRows(
  operation: Operation,
  benches: readonly InProcess[],
  timing: TimingOptions,
  say: (text: string) => void,
): Promise<Row[]> {
  const lists = benches.map((bench) => operation.stages(bench.setting(operation)));
  const measured = new Map<string, number[]>();
  const rows: Row[] = [];
  for (const [position, stage] of (lists[0] as Stage[]).entries()) {
    const each: number[] = [];
    for (const list of lists) {
      const { run } = list[position] as Stage;
      if (stage.store) each.push(await cpuOfAsync(run, underWay, timing));
      else each.push(each[0] ?? cpuOf(run, timing));
    }
    measured.set(stage.name, each);
    const inner = stage.within === undefined ? undefined : measured.get(stage.within);
    const own = each.map((value, i) => Math.max(0, value - (inner?.[i] ?? 0)));
    rows.push({ name: stage.name, microseconds: own });
    say(`${operation.name}, ${stage.name}: ${own.map(figure).join(" / ")} µs`);
  }
  return rows;
}

/** The whole request to real servers, the bare HTTP server, and what neither explains. */
async function httpRows(
  operation: Operation,
  rows: readonly Row[],
  options: Options,
  children: Children,
  workload: Workload,
  say: (text: string) => void,
): Promise<Row[]> {
  say(`${operation.name} over HTTP.`);
  const bare = await BareServer.start(children, options.itemBytes ?? defaultItemBytes);
  const http = await cpuOverHttp(bare.server, operation, options, workload);
  const sending = await bare.sendMicroseconds();
  await children.stop(bare.server.child);
  const whole: (number | undefined)[] = [];
  for (const variant of options.ours) {
    const server = await launch(children, ownTarget(variant));
    await prepare(server, workload);
    whole.push(await cpuOverHttp(server, operation, options, workload));
    await children.stop(server.child);
  }
  const stages = rows.find(({ name }) => name === sumOfStages)?.microseconds ?? [];
  const same = (value: number | undefined) => options.ours.map(() => value);
  return [
    { name: "HTTP receive", microseconds: same(less(http, sending)) },
    { name: "HTTP send", microseconds: same(sending) },
    {
      name: "remainder (promises, event loop, cold caches)",
      microseconds: whole.map((all, i) => less(less(all, http), stages[i])),
    },
    { name: "whole request over HTTP", microseconds: whole },
  ];
}

async function cpuOverHttp(
  server: RunningTarget,
  { call }: Operation,
  { seconds, warmUpSeconds }: Options,
  workload: Workload,
): Promise<number | undefined> {
  const phase = { operation: call, connections: underWay, seconds, warmUpSeconds };
  const measured = await runPhase(server, workload, phase);
  return (measured as Measurement).cpuUsPerRequest;
}

/** The product without HTTP, in this process. */
class InProcess {
  readonly #database: Database;
  readonly #protocol: Protocol;
  readonly #workload: Workload;

  private constructor(database: Database, workload: Workload) {
    this.#database = database;
    this.#workload = workload;
    const insights = new Insights(() => database.clock.now());
    const elapsed = () => performance.now();
    const enforcement = undefined;
    const traffic = new Traffic({ metrics: new Metrics(), keys: insights, enforcement, elapsed });
    const dialect = defaultDialect;
    const transfers = new Transfers(database, undefined);
    const own = { insights, traffic, transfers, startedAt: 0 };
    const context = { database, namespace, ...caller, dialect, ...own };
    this.#protocol = new Protocol(
      { execute: (operation, body) => execute(context, operation, body) },
      { shared: true, toBytes: responseBytes, log: (text) => process.stderr.write(text) },
    );
  }

  static async open(variant: OwnVariant, children: Children, workload: Workload) {
    const store =
      variant === "memory"
        ? openMemoryStore()
        : openLmdbStore({ path: children.folder(), durability: variant });
    const bench = new InProcess(await Database.open(store), workload);
    workload.reseed(1);
    for (const call of [workload.createTable(), ...workload.fill()]) {
      const { status, body } = await bench.#protocol.respond(wireRequest(call));
      if (status !== 200) throw new Error(`${call.operation} failed: ${body.toString()}`);
    }
    return bench;
  }

  setting({ call }: Operation): StageSetting {
    const database = this.#database;
    const table = database.table(namespace, this.#workload.table);
    if (table instanceof Promise) throw new Error("the table should be known by now");
    return { database, namespace, table, requests: this.#requests(call) };
  }

  whole({ call }: Operation, timing: TimingOptions): Promise<number> {
    const requests = this.#requests(call);
    const run = (i: number) => this.#protocol.respond(requests[i % requests.length] as WireRequest);
    return cpuOfAsync(run, underWay, timing);
  }

  #requests(call: Operation["call"]): WireRequest[] {
    this.#workload.reseed(2);
    return Array.from({ length: distinctRequests }, () => wireRequest(this.#workload.call(call)));
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

/** The request as the HTTP server hands it on: the same bytes that the driver sends, taken apart. */
function wireRequest(call: Parameters<typeof requestBytes>[1]): WireRequest {
  const bytes = requestBytes(8_000, call);
  const end = bytes.indexOf("\r\n\r\n");
  const [, ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { method: "POST", url: "/", headers, body: bytes.subarray(end + 4) };
}

export function reportStages({
  itemBytes,
  connections,
  operations: results,
}: StagesResult): string {
  const parts = results.map(({ operation, variants, rows }) => {
    const body = rows.map(({ name, microseconds }) => [name, ...microseconds.map(figure)]);
    const title = `**${operation}, item of ${itemBytes} bytes, ${connections} under way: CPU µs per request**`;
    return `${title}\n\n${renderTable(["stage", ...variants], body)}`;
  });
  return parts.join("\n\n");
}

function sum(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

function less(all: number | undefined, part: number | undefined): number | undefined {
  return all === undefined || part === undefined ? undefined : all - part;
}
