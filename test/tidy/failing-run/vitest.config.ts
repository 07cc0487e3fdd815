import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** A run of one file, chosen by its name, with the set-up that starts PostgreSQL in the runner. */
// biome-ignore lint/style/noDefaultExport: the runner asks for one
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 1,
    include: ["*.fixture.ts"],
    globalSetup: fileURLToPath(new URL("../../postgres/shared-server.ts", import.meta.url)),
  },
});
