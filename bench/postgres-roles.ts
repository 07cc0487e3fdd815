import type { ChildProcess } from "node:child_process";
import { Client } from "pg";
import { startPostgresServer } from "../test/storage/postgres-server.ts";
import type { Children } from "./children.ts";
import { pause } from "./phase.ts";
import { percentile, Samples } from "./statistics.ts";

/** The first arguments that make this program a PostgreSQL server, or its bare client. */
export const postgresServerRole = "--postgres-server";
export const rawClientRole = "--raw-client";

export type RawOperation = "get" | "put";

/** What the bare client is asked to do, and what came of it. */
export interface RawTask {
  readonly operation: RawOperation;
  readonly clients: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface RawMeasurement {
  readonly perSecond: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly cpuUsPerRequest: number;
}

/** Serves until its parent is gone. It has a process of its own because of the exit hooks it sets. */
export async function servePostgres(): Promise<void> {
  const server = await startPostgresServer();
  const stop = (): void => void server.stop().finally(() => process.exit(0));
  process.on("disconnect", stop);
  process.on("SIGTERM", stop);
  process.send?.(server.connectionString);
}

export async function startPostgres(children: Children): Promise<string> {
  return String(await firstMessage(children, startRole(children, [postgresServerRole])));
}

/** Copies what Keywright has stored, so that both sides handle the same keys and the same bytes. */
const copyEntries = `
  DROP TABLE IF EXISTS raw;
  CREATE TABLE raw AS SELECT key, value FROM keywright.entries WHERE length(value) > 300;
  ALTER TABLE raw ADD PRIMARY KEY (key);
  ANALYZE raw`;
const statements = {
  get: "SELECT value FROM raw WHERE key = $1",
  put: `INSERT INTO raw (key, value) VALUES ($1, $2)
        ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
};

type Row = [key: Buffer, value: Buffer];

export class RawClient {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(children: Children, url: string): Promise<RawClient> {
    const child = startRole(children, [rawClientRole, url]);
    await firstMessage(children, child);
    return new RawClient(child);
  }

  run(task: RawTask): Promise<RawMeasurement> {
    this.#child.send(task);
    return new Promise((resolve, reject) => {
      this.#child.once("message", (found) => resolve(found as RawMeasurement));
      this.#child.once("exit", () => reject(new Error("the bare client ended")));
    });
  }
}

/** Prepared statements and nothing around them: the most that a program with this client can do. */
export async function runRawClient([url]: readonly string[]): Promise<void> {
  const first = await connected(url as string);
  await first.query(copyEntries);
  const query = { text: "SELECT key, value FROM raw", rowMode: "array" } as const;
  const { rows } = await first.query<Row>(query);
  await first.end();
  process.on("disconnect", () => process.exit(0));
  process.on("message", (task: RawTask) => {
    void drive(url as string, rows, task).then((found) => process.send?.(found));
  });
  process.send?.("ready");
}

async function drive(url: string, rows: readonly Row[], task: RawTask): Promise<RawMeasurement> {
  const clients = await Promise.all(Array.from({ length: task.clients }, () => connected(url)));
  const latencies = new Samples();
  let going = true;
  let recording = false;
  const loops = clients.map(async (client) => {
    while (going) {
      const [key, value] = rows[Math.floor(Math.random() * rows.length)] as Row;
      const sent = performance.now();
      await client.query({
        name: task.operation,
        text: statements[task.operation],
        values: task.operation === "get" ? [key] : [key, value],
        rowMode: "array",
      });
      if (recording) latencies.add(performance.now() - sent);
    }
  });
  await pause(task.warmUpSeconds * 1_000);
  const began = performance.now();
  const before = process.cpuUsage();
  recording = true;
  await pause(task.seconds * 1_000);
  recording = false;
  const { user, system } = process.cpuUsage(before);
  const elapsed = (performance.now() - began) / 1_000;
  going = false;
  await Promise.all(loops);
  await Promise.all(clients.map((client) => client.end()));
  const sorted = latencies.sorted();
  return {
    perSecond: sorted.length / elapsed,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuUsPerRequest: (user + system) / sorted.length,
  };
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

function startRole(children: Children, args: readonly string[]): ChildProcess {
  const program = process.argv[1] as string;
  const stdio: ["ignore", "pipe", "pipe", "ipc"] = ["ignore", "pipe", "pipe", "ipc"];
  return children.start(process.execPath, [program, ...args], { stdio });
}

function firstMessage(children: Children, child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", () => reject(new Error(children.outputOf(child).trim())));
  });
}
