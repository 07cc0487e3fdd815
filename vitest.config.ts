import { defineConfig } from "vitest/config";

const postgres = "**/*.pg.test.ts";
const clients = "test/sdk/**/*.test.ts";
const packaged = "test/package/**/*.test.ts";
/** What leaves nothing behind, neither in the process nor outside of it. */
const pure = [
  "src/**/*.test.ts",
  "test/design/**/*.test.ts",
  "test/generate/**/*.test.ts",
  "test/model/**/*.test.ts",
  "test/models/**/*.test.ts",
];

/** The same tests, once on each store. */
function clientTests(store: "memory" | "lmdb" | "postgres") {
  return {
    extends: true as const,
    test: {
      name: `sdk-${store}`,
      include: [clients],
      exclude: [postgres],
      env: { KEYWRIGHT_STORE: store },
      // Loading the SDK anew for every file would take as long as the tests.
      isolate: false,
      ...(store === "postgres" && {
        globalSetup: "test/postgres/shared-server.ts",
        sequence: { groupOrder: 1 },
      }),
      testTimeout: 30_000,
    },
  };
}

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    passWithNoTests: true,
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: pure,
          exclude: [postgres],
          // A process for each of many small files would take longer than they do.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: [postgres, clients, packaged, ...pure],
        },
      },
      clientTests("memory"),
      clientTests("lmdb"),
      clientTests("postgres"),
      {
        extends: true,
        test: {
          name: "pg",
          include: [`src/${postgres}`, `test/${postgres}`],
          testTimeout: 60_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Packs the built product, so nothing else may be running that uses dist/.
        extends: true,
        test: {
          name: "package",
          include: [packaged],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
