import type { TestProject } from "vitest/node";
import { startPostgresServer } from "../storage/postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

/** One server for all files of a run; each takes a schema of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer();
  project.provide("postgresUrl", server.connectionString);
  return () => server.stop();
}
