import { isDeepStrictEqual } from "node:util";
import { ask, Connection, requestBytes } from "./connection.ts";
import { usageOf } from "./process-usage.ts";
import { percentile, Samples } from "./statistics.ts";
import type { RunningTarget } from "./targets.ts";
import {
  type Attributes,
  type Call,
  itemsPerPartition,
  type OperationName,
  type Workload,
} from "./workload.ts";

/** What one operation did on one target for some seconds. */
export interface Measurement {
  readonly perSecond: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly maxMs: number | undefined;
  readonly errors: number;
  readonly answerBytes: number;
  /** CPU time of the server and its children. */
  readonly cpuUsPerRequest: number | undefined;
  readonly residentMegabytes: number | undefined;
  /** Share of one core that the driver itself took: near 1, it is the driver that is measured. */
  readonly driverCpu: number;
}

export interface Unsupported {
  readonly unsupported: string;
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface PhaseOptions extends LoadOptions {
  readonly operation: OperationName;
  /** So many different requests are sent round and round. */
  readonly distinct?: number;
}

const preparedRequests = 4_096;
const preparedBatches = 512;
const fillConnections = 8;

/** Makes and fills the table, then reads back: a server that answers wrongly is not measured. */
export async function prepare(server: RunningTarget, workload: Workload): Promise<void> {
  const connection = new Connection(server.port);
  try {
    await must(connection, server, workload.createTable());
    await untilActive(connection, server, workload.table);
    workload.reseed(1);
    await fill(server, workload.fill());
    await checkReadBack(connection, server, workload);
  } finally {
    connection.close();
  }
}

export async function must(connection: Connection, { port, target }: RunningTarget, call: Call) {
  const reply = await ask(connection, requestBytes(port, call));
  if (reply.status === 200) return JSON.parse(reply.body) as Record<string, unknown>;
  throw new Error(`${target.label}: ${call.operation} ${reply.status} ${reply.body.slice(0, 300)}`);
}

async function untilActive(connection: Connection, server: RunningTarget, TableName: string) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { Table } = await must(connection, server, {
      operation: "DescribeTable",
      body: { TableName },
    });
    if ((Table as { TableStatus?: string }).TableStatus === "ACTIVE") return;
    await pause(50);
  }
  throw new Error(`${server.target.label}: the table does not become ACTIVE`);
}

async function fill(server: RunningTarget, calls: Iterator<Call>): Promise<void> {
  const worker = async (): Promise<void> => {
    const connection = new Connection(server.port);
    for (let next = calls.next(); !next.done; next = calls.next()) {
      const { UnprocessedItems } = await must(connection, server, next.value);
      if (Object.keys(UnprocessedItems ?? {}).length > 0) {
        throw new Error(`${server.target.label} left items of a batch unwritten`);
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: fillConnections }, worker));
}

async function checkReadBack(
  connection: Connection,
  server: RunningTarget,
  workload: Workload,
): Promise<void> {
  const TableName = workload.table;
  const item = workload.item(3);
  await must(connection, server, { operation: "PutItem", body: { TableName, Item: item } });
  const { Item } = await must(connection, server, {
    operation: "GetItem",
    body: { TableName, Key: workload.key(3), ConsistentRead: true },
  });
  if (!isDeepStrictEqual(comparable(Item as Attributes), comparable(item))) {
    throw new Error(`${server.target.label} answers another item than was written`);
  }
  const page = await must(connection, server, {
    operation: "Query",
    body: {
      TableName,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": workload.key(3).pk },
    },
  });
  const keys = (page.Items as Attributes[]).map(({ sk }) => JSON.stringify(sk));
  const ordered = keys.every((key, i) => i === 0 || (keys[i - 1] as string) < key);
  if (keys.length !== itemsPerPartition || !ordered) {
    throw new Error(`${server.target.label} answers ${keys.length} items of a partition`);
  }
}

/** Sets have no order. */
function comparable(item: Attributes | undefined): unknown {
  const tags = item?.tags as { SS?: string[] } | undefined;
  return { ...item, tags: [...(tags?.SS ?? [])].sort() };
}

/** One operation on some connections, each with one request under way. */
export async function runPhase(
  server: RunningTarget,
  workload: Workload,
  options: PhaseOptions,
): Promise<Measurement | Unsupported> {
  const { operation, connections } = options;
  const usual = operation === "batchwrite" ? preparedBatches : preparedRequests;
  workload.reseed(7_919 * connections + operation.length);
  const calls = Array.from({ length: options.distinct ?? usual }, () => workload.call(operation));
  return runCalls(server, calls, options);
}

/** These calls round and round, on some connections. */
export async function runCalls(
  server: RunningTarget,
  calls: readonly Call[],
  options: LoadOptions,
): Promise<Measurement | Unsupported> {
  const { connections: width } = options;
  const ring = calls.map((call) => requestBytes(server.port, call));
  const connections = Array.from({ length: width }, () => new Connection(server.port));
  try {
    const first = await ask(connections[0] as Connection, ring[0] as Buffer);
    if (first.status !== 200) return { unsupported: `${first.status} ${first.body.slice(0, 200)}` };
    return await measure(server, connections, new Load(ring), options);
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function measure(
  server: RunningTarget,
  connections: readonly Connection[],
  load: Load,
  { seconds, warmUpSeconds }: LoadOptions,
): Promise<Measurement> {
  for (const connection of connections) load.drive(connection);
  await pause(warmUpSeconds * 1_000);
  const usageBefore = usageOf(server.pid);
  const driverBefore = process.cpuUsage();
  const began = performance.now();
  load.recording = true;
  await pause(seconds * 1_000);
  load.recording = false;
  const elapsed = (performance.now() - began) / 1_000;
  const driver = process.cpuUsage(driverBefore);
  const usage = usageOf(server.pid);
  await load.finish();
  const sorted = load.latencies.sorted();
  const answered = sorted.length;
  return {
    perSecond: answered / elapsed,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    maxMs: percentile(sorted, 1),
    errors: load.errors,
    answerBytes: answered === 0 ? 0 : Math.round(load.bytes / answered),
    cpuUsPerRequest:
      usage === undefined || usageBefore === undefined || answered === 0
        ? undefined
        : ((usage.cpuSeconds - usageBefore.cpuSeconds) * 1e6) / answered,
    residentMegabytes: usage?.residentMegabytes,
    driverCpu: (driver.user + driver.system) / 1e6 / elapsed,
  };
}

/** Sends prepared requests round and round until it is told to finish. */
class Load {
  readonly #ring: readonly Buffer[];
  readonly latencies = new Samples();
  recording = false;
  errors = 0;
  bytes = 0;
  #next = 0;
  #underWay = 0;
  #onFinished: (() => void) | undefined;

  constructor(ring: readonly Buffer[]) {
    this.#ring = ring;
  }

  drive(connection: Connection): void {
    let sent = 0;
    const send = (): void => {
      const request = this.#ring[this.#next % this.#ring.length] as Buffer;
      this.#next += 1;
      sent = performance.now();
      connection.send(request, receive);
    };
    const receive = (status: number, bytes: number): void => {
      if (this.recording) this.#record(status, bytes, performance.now() - sent);
      if (this.#onFinished === undefined) send();
      else this.#ended();
    };
    this.#underWay += 1;
    send();
  }

  /** Resolves when nothing is under way; a server that hangs is not waited for. */
  finish(): Promise<void> {
    return new Promise((resolve) => {
      const impatience = setTimeout(resolve, 5_000);
      this.#onFinished = () => {
        clearTimeout(impatience);
        resolve();
      };
    });
  }

  #record(status: number, bytes: number, latency: number): void {
    if (status === 200) {
      this.latencies.add(latency);
      this.bytes += bytes;
    } else this.errors += 1;
  }

  #ended(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#onFinished?.();
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
