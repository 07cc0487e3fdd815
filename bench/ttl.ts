// What deletes of expired items cost others: node scripts/run-ts.mjs bench/ttl.ts [--items N] [--stores memory,flush]
import { monitorEventLoopDelay } from "node:perf_hooks";
import { ManualClock } from "../src/base/clock.ts";
import { startServer } from "../src/server/start-server.ts";
import type { Workbench } from "../src/workbench/workbench.ts";
import { Children } from "./children.ts";
import { type Measurement, prepare, runPhase } from "./phase.ts";
import { medianOf } from "./statistics.ts";
import { figure, renderTable, times } from "./table.ts";
import { freePort, type RunningTarget, type Target } from "./targets.ts";
import { type OperationName, Workload } from "./workload.ts";

/** The first argument that makes this program the server below. */
const serverRole = "--server";
const stores = ["memory", "flush"] as const;
type StoreName = (typeof stores)[number];

const operations: readonly OperationName[] = ["get", "put", "query"];
/** All sessions are deleted in so many slices. */
const slices = 30;
const seconds = 1;
const connections = 8;
const sliceSeconds = 86_400;
const batch = 25;
/** Batches under way at once while the table is filled. */
const width = 32;
/** What others may take longer, at the 99th percentile. */
const allowed = 2;

/** The time of the machine, moved forward when it is told. */
class MovedClock extends ManualClock {
  #seen = Date.now();

  constructor() {
    super(Date.now());
  }

  move(milliseconds: number): void {
    const now = Date.now();
    this.advance(now - this.#seen + milliseconds);
    this.#seen = now;
  }
}

const caller = { account: "000000000000", region: "us-east-1" };
const TableName = "Sessions";

/** A table of sessions that expire one after the other, as many in each slice of time. */
async function fill(workbench: Workbench, items: number, now: number): Promise<void> {
  const ask = async (operation: string, body: object) => workbench.execute(operation, body, caller);
  await ask("CreateTable", {
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: ["id", "user"].map((name) => ({
      AttributeName: name,
      AttributeType: "S",
    })),
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    GlobalSecondaryIndexes: [
      {
        IndexName: "ByUser",
        KeySchema: [{ AttributeName: "user", KeyType: "HASH" }],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ],
  });
  await ask("UpdateTimeToLive", {
    TableName,
    TimeToLiveSpecification: { Enabled: true, AttributeName: "expires" },
  });
  const first = Math.floor(now / 1_000) + sliceSeconds / 2;
  const session = (i: number) => ({
    id: { S: `session#${i}` },
    user: { S: `user#${i % 10_007}` },
    address: { S: `192.0.2.${i % 256}` },
    agent: { S: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" },
    expires: { N: String(first + (i % slices) * sliceSeconds) },
  });
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items) {
      const from = next;
      next += batch;
      const requests = Array.from({ length: Math.min(batch, items - from) }, (_, i) => ({
        PutRequest: { Item: session(from + i) },
      }));
      await ask("BatchWriteItem", { RequestItems: { [TableName]: requests } });
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}

type Question = "expire" | "left" | "stall";

/** The product's server, whose clock can be moved and which tells how many sessions are left. */
async function serve([port, items, folder]: readonly string[]): Promise<void> {
  const clock = new MovedClock();
  const server = await startServer({
    port: Number(port),
    ...(folder !== undefined && { data: folder }),
    clock,
  });
  await fill(server.workbench, Number(items), clock.now());
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const answer = async (question: Question): Promise<number> => {
    if (question === "stall") {
      const stall = delay.max / 1e6;
      delay.reset();
      return stall;
    }
    if (question === "expire") {
      clock.move(sliceSeconds * 1_000);
    }
    const { Table } = (await server.workbench.execute("DescribeTable", { TableName }, caller)) as {
      Table: { ItemCount: number };
    };
    return Table.ItemCount;
  };
  process.on("message", (question: Question) => {
    void answer(question).then((value) => process.send?.(value));
  });
  process.on("disconnect", () => process.exit(0));
  process.on("SIGTERM", () => void server.close().then(() => process.exit(0)));
  process.send?.("ready");
}

class Server {
  readonly running: RunningTarget;

  private constructor(running: RunningTarget) {
    this.running = running;
  }

  static async start(children: Children, store: StoreName, items: number): Promise<Server> {
    const port = await freePort();
    const args = [process.argv[1] as string, serverRole, String(port), String(items)];
    if (store === "flush") args.push(children.folder());
    const child = children.start(process.execPath, args, {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    await new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", () => reject(new Error(children.outputOf(child).trim())));
    });
    const target: Target = {
      label: `keywright (${store})`,
      ours: true,
      keeps: store === "flush" ? "flushed to disk" : "in memory",
      command: process.execPath,
      args: () => args,
    };
    return new Server({ target, port, child, pid: child.pid as number });
  }

  ask(question: Question): Promise<number> {
    const { child } = this.running;
    return new Promise((resolve) => {
      child.once("message", resolve as (value: unknown) => void);
      child.send(question);
    });
  }
}

interface Phase {
  readonly operation: OperationName;
  readonly moment: "without" | "with deletes";
  readonly measured: Measurement;
  readonly stallMs: number;
}

/**
 * Others' requests while sessions are deleted and while none is, in turns: what else the machine does then
 * hits both alike. True if they did not suffer.
 */
async function measure(children: Children, store: StoreName, items: number): Promise<boolean> {
  say(`${store}: filling a table with ${items.toLocaleString("en-GB")} sessions`);
  const server = await Server.start(children, store, items);
  const workload = new Workload({ table: "Others", items: 20_000, itemBytes: 430 });
  await prepare(server.running, workload);
  const phases: Phase[] = [];
  const phase = async (operation: OperationName, moment: Phase["moment"]): Promise<void> => {
    await server.ask("stall");
    const options = { operation, connections, seconds, warmUpSeconds: 0.2 };
    const measured = await runPhase(server.running, workload, options);
    if ("unsupported" in measured) throw new Error(measured.unsupported);
    phases.push({ operation, moment, measured, stallMs: await server.ask("stall") });
  };
  for (const operation of operations) await phase(operation, "without");
  phases.length = 0;
  let tookSeconds = 0;
  let left = items;
  for (let slice = 1; slice <= slices; slice += 1) {
    const operation = operations[slice % operations.length] as OperationName;
    await phase(operation, "without");
    const began = performance.now();
    await server.ask("expire");
    const wanted = Math.ceil(items * (1 - slice / slices));
    while (left > wanted) {
      const counted = phases.length;
      await phase(operation, "with deletes");
      left = await server.ask("left");
      // In the last of several the deletes came to an end.
      const several = phases[counted - 1]?.moment === "with deletes";
      if (left <= wanted && several) phases.length = counted;
    }
    tookSeconds += (performance.now() - began) / 1_000;
  }
  await children.stop(server.running.child);
  return report(store, phases, items, tookSeconds);
}

function report(
  store: StoreName,
  phases: readonly Phase[],
  deleted: number,
  took: number,
): boolean {
  let worst = 0;
  const rows = operations.map((operation) => {
    const of = (moment: Phase["moment"]) =>
      phases.filter((each) => each.operation === operation && each.moment === moment);
    const [without, during] = [of("without"), of("with deletes")];
    const p99 = (some: readonly Phase[]) => medianOf(some, ({ measured }) => measured.p99Ms);
    const rise = (p99(during) ?? Number.NaN) / (p99(without) ?? Number.NaN);
    if (!(rise <= worst)) worst = rise;
    return [
      operation,
      ...[without, during].flatMap((some) => [
        figure(medianOf(some, ({ measured }) => measured.perSecond)),
        figure(medianOf(some, ({ measured }) => measured.p50Ms)),
        figure(p99(some)),
        figure(Math.max(...some.map(({ stallMs }) => stallMs))),
      ]),
      times(rise),
    ];
  });
  const head = ["per s", "p50 ms", "p99 ms", "stall ms"];
  const heads = [...head, ...head.map((title) => `${title} with deletes`)];
  say(`\n${renderTable([store, ...heads, "p99 rises"], rows)}\n`);
  say(
    `${deleted.toLocaleString("en-GB")} items were deleted in ${figure(took)} s, ` +
      `${figure(deleted / took)} a second; p99 rose ${times(worst)} at the most, ${times(allowed)} is allowed`,
  );
  return worst <= allowed;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function optionOf(flag: string): string | undefined {
  const at = process.argv.indexOf(flag);
  return at < 0 ? undefined : process.argv[at + 1];
}

async function main(): Promise<void> {
  const items = Number(optionOf("--items") ?? 1_000_000);
  const wanted = (optionOf("--stores") ?? stores.join(",")).split(",");
  const chosen = stores.filter((store) => wanted.includes(store));
  if (!(items >= 1) || chosen.length === 0) {
    throw new Error("--items takes a number above 0, --stores some of memory,flush");
  }
  const children = new Children();
  try {
    for (const store of chosen) {
      if (!(await measure(children, store, items))) process.exitCode = 1;
    }
  } finally {
    await children.stopAll();
  }
}

const [, , role, ...rest] = process.argv;
await (role === serverRole ? serve(rest) : main());
