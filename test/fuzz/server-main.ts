import { startServer } from "../../src/index.ts";

/** The program under test: a server that also tells how it feels. */
export type Command = "memory" | "verify";

export interface Report {
  /** After a collection. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Timers, sockets and the like that keep the process alive. */
  readonly resources: number;
  readonly problems: readonly string[];
}

const prototypeMembers = Object.getOwnPropertyNames(Object.prototype).length;

const [data] = process.argv.slice(2);
const server = await startServer(
  data === undefined ? {} : { data, durability: "relaxed" as const },
);

process.on("message", async ({ command }: { command: Command }) => {
  const { workbench } = server;
  await workbench.idle();
  const problems = command === "verify" ? [...(await workbench.verify()).problems] : [];
  if (Object.getOwnPropertyNames(Object.prototype).length !== prototypeMembers) {
    problems.push("a request has changed the prototype of all objects");
  }
  globalThis.gc?.();
  await new Promise((next) => setTimeout(next, 20));
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const report: Report = {
    heapBytes: heapUsed + external,
    residentBytes: rss,
    resources: process.getActiveResourcesInfo().length,
    problems,
  };
  process.send?.(report);
});

process.on("disconnect", () => process.exit());
process.send?.({ port: server.port });
