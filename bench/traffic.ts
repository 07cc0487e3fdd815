// What counting and enforcing throughput cost a request: node scripts/run-ts.mjs bench/traffic.ts
import { defaultDialect } from "../src/api/dialect.ts";
import { responseBytes } from "../src/api/response-json.ts";
import { systemClock } from "../src/base/clock.ts";
import { Database } from "../src/engine/database.ts";
import type { TableDescriptor } from "../src/engine/descriptor.ts";
import { itemAddress } from "../src/engine/keys.ts";
import { StoredItem } from "../src/engine/stored-item.ts";
import type { Item } from "../src/item/attribute-value.ts";
import { execute } from "../src/operations/execute.ts";
import { Insights } from "../src/operations/insights.ts";
import { type Executor, Protocol, type WireRequest } from "../src/server/protocol.ts";
import { openMemoryStore } from "../src/storage/memory/memory-store.ts";
import { Enforcement } from "../src/traffic/enforcement.ts";
import { Metrics } from "../src/traffic/metrics.ts";
import { Traffic } from "../src/traffic/traffic.ts";
import { Transfers } from "../src/transfers/transfers.ts";
import { workbenchOn } from "../src/workbench/workbench.ts";
import { requestBytes } from "./connection.ts";
import { cpuOf, microsecondsSince } from "./cpu-time.ts";
import { figure, renderTable } from "./table.ts";
import { answerTasks, Rivals } from "./take-turns.ts";
import { type OperationName, Workload } from "./workload.ts";

const variants = ["off", "metrics", "enforce"] as const;
type Variant = (typeof variants)[number];

const operations: readonly OperationName[] = ["get", "put"];
const rounds = 5;
/** Of a round. */
const pieces = 20;
/** Under way at once, as in a server with so many connections. */
const width = 8;
const turns = 150;
/** So high that nothing is throttled: what is measured is what it takes to find that out. */
const scale = 1e6;

/** Traffic that nobody looks at: what requests cost without this part of the program. */
class Unseen extends Traffic {
  override read(): void {}
  override wrote(): void {}
  override answered(): void {}
}

async function executorOf(variant: Variant): Promise<Executor> {
  const store = openMemoryStore();
  if (variant !== "off") {
    return workbenchOn(store, variant === "enforce" ? { enforceCapacity: { scale } } : {});
  }
  const database = await Database.open(store);
  const insights = new Insights(() => systemClock.now());
  const traffic = new Unseen({
    metrics: new Metrics(),
    keys: insights,
    enforcement: undefined,
    elapsed: () => 0,
  });
  const transfers = new Transfers(database, undefined);
  return {
    execute: (operation, body, { account, region }) => {
      const namespace = `${account}/${region}`;
      const dialect = defaultDialect;
      const who = { namespace, account, region, startedAt: 0 };
      const own = { insights, traffic, transfers };
      return execute({ database, dialect, ...own, ...who }, operation, body);
    },
  };
}

/** One variant in a process of its own, so that no other has a part in how it is optimised. */
async function serve(variant: Variant): Promise<void> {
  const workload = new Workload({ table: "Traffic", items: 20_000, itemBytes: 430 });
  const protocol = new Protocol(await executorOf(variant), {
    shared: true,
    toBytes: responseBytes,
    log: (text) => process.stderr.write(text),
  });
  workload.reseed(1);
  for (const call of [workload.createTable(), ...workload.fill()]) {
    const { status, body } = await protocol.respond(wireRequest(call));
    if (status !== 200) throw new Error(`${call.operation} failed: ${body.toString()}`);
  }
  workload.reseed(2);
  const prepared = new Map(
    operations.map((operation) => [
      operation,
      Array.from({ length: turns * width }, () => wireRequest(workload.call(operation))),
    ]),
  );
  answerTasks(async (operation: OperationName) => {
    const requests = prepared.get(operation) ?? [];
    const before = process.cpuUsage();
    for (let turn = 0; turn < turns; turn += 1) {
      const answers = Array.from({ length: width }, (_, i) =>
        protocol.respond(requests[turn * width + i] as WireRequest),
      );
      for (const { status } of await Promise.all(answers)) {
        if (status !== 200) throw new Error(`${variant}: ${operation} answered ${status}`);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    return microsecondsSince(before) / (turns * width);
  });
}

/**
 * The same parts by themselves, thousands of times in a row: a busy machine blurs a microsecond in a
 * whole request, and hardly one here.
 */
function alone(): string {
  const workload = new Workload({ table: "Traffic", items: 4_096, itemBytes: 430 });
  const hash = [{ name: "pk", type: "S" as const }];
  const range = [{ name: "sk", type: "S" as const }];
  const table: TableDescriptor = {
    ...{ namespace: "1/here", name: "Traffic", id: 1, version: 1, uuid: "", createdAt: 0 },
    ...{ key: { hash, range }, indexes: [], billingMode: "PAY_PER_REQUEST" },
    ...{ throughput: { read: 0, write: 0, decreasesToday: 0 }, deletionProtection: false },
  };
  const items = Array.from({ length: 4_096 }, (_, i) => workload.item(i) as Item);
  const actions = items.map((item) => ({
    kind: "put" as const,
    table,
    address: itemAddress(table, item),
    item: StoredItem.make(item, 430),
  }));
  const rows = [undefined, new Enforcement(systemClock, scale)].map((enforcement) => {
    const keys = new Insights(() => 0);
    const elapsed = () => performance.now();
    const traffic = new Traffic({ metrics: new Metrics(), keys, enforcement, elapsed });
    const who = { account: "1", region: "here", startedAt: 0 };
    const read = (i: number) => {
      who.startedAt = performance.now();
      const { address, item } = actions[i & 4_095] as (typeof actions)[number];
      traffic.read(who, "GetItem", table, undefined, address.key, item.item, 0.5);
      traffic.answered(who, "GetItem", table, 0, 430);
    };
    const write = (i: number) => {
      who.startedAt = performance.now();
      const action = actions[i & 4_095] as (typeof actions)[number];
      const outcome = { before: undefined, after: action.item, indexes: [] };
      traffic.admission(who, true)?.admit([action], [outcome]);
      traffic.wrote(table, outcome, action.item.item);
      traffic.answered(who, "PutItem", table, 0, 0);
    };
    const timing = { batchMs: 200, batches: rounds };
    const figures = [read, write].map((run) => cpuOf(run, timing).toFixed(2));
    return [enforcement === undefined ? "metrics" : "metrics and enforcement", ...figures];
  });
  return renderTable(["alone", "get", "put"], rows);
}

/** The request as the HTTP server hands it on. */
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

async function compare(): Promise<void> {
  const rivals = await Rivals.start<OperationName>(variants);
  try {
    const rows: string[][] = [];
    for (const operation of operations) {
      const found = await rivals.measure(operation, rounds, pieces);
      const [off = 0, metrics = 0, enforce = 0] = found;
      rows.push([
        operation,
        ...[off, metrics, enforce, metrics - off, enforce - metrics].map(figure),
        (enforce / off).toFixed(2),
      ]);
    }
    const heads = ["operation", ...variants, "metrics add", "enforcement adds", "enforce / off"];
    process.stdout.write(`CPU µs per request without HTTP, median of ${rounds} rounds\n\n`);
    process.stdout.write(`${renderTable(heads, rows)}\n\n${alone()}\n`);
  } finally {
    rivals.stop();
  }
}

const variant = variants.find((one) => one === process.argv[2]);
await (variant === undefined ? compare() : serve(variant));
