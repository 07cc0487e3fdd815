import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { builtCli, endpointOf, run } from "../server/child-support.ts";
import { read, root } from "../tidy/source-files.ts";

const execute = promisify(execFile);

/** The blocks of an example's README: how to start the server, what to do then, and what that prints. */
function blocksOf(name: string): { start: string; commands: string; printed: string } {
  const text = read(`examples/${name}/README.md`);
  const [start = "", commands = "", printed = ""] = [
    ...text.matchAll(/^```(?:sh)?\n(.*?)^```$/gms),
  ].map(([, block = ""]) => block);
  expect(start).toContain("npx keywright start --in-memory ");
  expect(commands).toContain("http://127.0.0.1:8000");
  return { start, commands, printed };
}

/** Runs an example as its README says, on another port. */
async function runExample(name: string, change = (start: string) => start) {
  const { start, commands, printed } = blocksOf(name);
  const folder = join(root, "examples", name);
  const own = `exec node '${builtCli}' start --port 0`;
  // The environment comes first, the command after it: the shell may be replaced by it.
  const [environment = "", rest = ""] = change(start).split("npx keywright start");
  const server = run(
    "sh",
    ["-c", `export KEYWRIGHT_EXAMPLE=1 ${environment}\n${own}${rest}`],
    folder,
  );
  try {
    const endpoint = await endpointOf(server);
    const steps = commands.replaceAll("http://127.0.0.1:8000", endpoint);
    const { stdout } = await execute("sh", ["-e", "-c", steps], {
      cwd: folder,
      timeout: 120_000,
    }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${error.stdout}${error.stderr}\n${server.written.err}`);
    });
    return { stdout, printed, log: server.written.err };
  } finally {
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  }
}

test.concurrent("view counters", { timeout: 180_000 }, async () => {
  const { stdout, printed, log } = await runExample("view-counters");
  expect(stdout).toBe(`Views is made\nViewCounters is made\n${printed}`);
  expect(log).toMatch(/ count-views Views shard \S+: \d+ records?, \d+ ms: ok$/m);
});

test.concurrent("a roll-up", { timeout: 180_000 }, async () => {
  const { stdout, printed, log } = await runExample("rollup", (start) => {
    expect(start).toContain("rate(1 minute)");
    return start.replace("rate(1 minute)", "rate(1 second)");
  });
  expect(stdout).toBe(`Votes is made\n${printed}`);
  expect(log).toMatch(/^\[roll-up\] ada has 120 votes as of 20\S+Z$/m);
});

test.concurrent("sessions", { timeout: 180_000 }, async () => {
  const { stdout, printed } = await runExample("sessions");
  expect(stdout).toBe(`Sessions is made\nEndedSessions is made\n${printed}`);
});
