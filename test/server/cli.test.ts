import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { endpointOf, run, runCli } from "./child-support.ts";
import { call, raw, send } from "./wire-support.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keywright-cli-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function portOf(endpoint: string): number {
  return Number(new URL(endpoint).port);
}

test.each([
  ["no command", [], /^keywright: Say what to do: .*\n$/],
  ["an unknown command", ["fly"], /^keywright: There is no command 'fly'.*\n$/],
  [
    "an unknown option",
    ["start", "--dry-rum", "1"],
    /^keywright: Unknown option `--dry-rum`; keywright start --help lists those that there are\.\n$/,
  ],
  ["a model that is not there", ["start", "now"], /^keywright: now cannot be read: ENOENT\.\n$/],
  ["an unknown word", ["start", "a.yaml", "now"], /^keywright: Unused args: `now`\n$/],
  ["a bad port", ["start", "--port", "http"], /--port takes a number from 0 to 65535, not 'http'/],
  ["too high a port", ["start", "--port", "65536"], /not '65536'/],
  ["a port without a number", ["start", "--port"], /port/],
  ["two ports", ["start", "--port", "1", "--port", "2"], /--port is given twice/],
  ["a bad durability", ["start", "--durability", "maybe"], /takes flush or relaxed, not 'maybe'/],
  ["a bad dialect", ["start", "--error-dialect", "2020"], /takes 2026-10 or 2026-05, not '2020'/],
  ["data in memory", ["start", "--data", "x", "--in-memory"], /exclude each other/],
  ["a value for a flag", ["start", "--in-memory=7"], /--in-memory takes no value/],
  ["a scale of nothing", ["start", "--scale", "0.5"], /only with --enforce-capacity/],
  ["no scale", ["start", "--enforce-capacity", "--scale", "0"], /--scale takes a number above 0/],
  ["a bad scale", ["start", "--enforce-capacity", "--scale", "1e3"], /not '1e3'/],
  ["a bad delay", ["start", "--ttl-delay=-1"], /a whole number of seconds, not '-1'/],
  ["a bad lag", ["start", "--pitr-lag=-1"], /a whole number of seconds, not '-1'/],
  ["a delay of days", ["start", "--ttl-delay", "2d"], /takes a whole number of seconds, not '2d'/],
  ["nothing to verify", ["verify"], /needs --data DIR or --store URL/],
])("%s: one sentence and exit code 2", async (_name, args, sentence) => {
  const child = runCli(args, folder);
  expect(await child.ended).toBe(2);
  expect(child.written.err).toMatch(sentence);
  expect(child.written.err.trimEnd().split("\n")).toHaveLength(1);
  expect(child.written.out).toBe("");
});

test("--version and --help", async () => {
  const version = runCli(["--version"]);
  expect(await version.ended).toBe(0);
  expect(version.written.out).toBe(`${packageJson.version}\n`);
  const help = runCli(["start", "--help"]);
  expect(await help.ended).toBe(0);
  for (const option of ["--port", "--host", "--data", "--in-memory", "--durability", "--shared"]) {
    expect(help.written.out).toContain(option);
  }
});

test("start, request, stop: data stays in the default folder", async () => {
  const cwd = await mkdtemp(join(folder, "start-"));
  const child = runCli(["start", "--port", "0"], cwd);
  const endpoint = await endpointOf(child);
  const reply = await send(portOf(endpoint), { headers: call("ListTables"), body: "{}" });
  expect(reply.text).toBe('{"TableNames":[]}');
  expect(child.written.out.trimEnd().split("\n").length).toBeLessThanOrEqual(6);
  expect(child.written.out).toContain(join(cwd, ".keywright", "data"));
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);
  expect(child.written.err).toBe("");
  expect(await readFile(join(cwd, ".keywright", ".gitignore"), "utf8")).toBe("*\n");
});

test("a second server on the same folder is refused with a sentence", async () => {
  const data = join(folder, "007");
  const first = runCli(["start", "--port", "0", "--data", "007"], folder);
  await endpointOf(first);
  const second = runCli(["start", "--port", "0", "--data", data]);
  expect(await second.ended).toBe(1);
  expect(second.written.err).toMatch(/^keywright: The data folder .*007 is already open.*\n$/);
  expect(existsSync(data)).toBe(true);
  first.process.kill("SIGINT");
  expect(await first.ended).toBe(0);
  const verify = runCli(["verify", "--data", data]);
  expect(await verify.ended).toBe(0);
  expect(verify.written.out).toContain("is sound");
});

test("verify makes no folder", async () => {
  const data = join(folder, "nowhere");
  const child = runCli(["verify", "--data", data]);
  expect(await child.ended).toBe(1);
  expect(child.written.err).toBe(`keywright: There is no data folder at ${data}.\n`);
  expect(existsSync(data)).toBe(false);
});

test("in memory, on all interfaces: nothing on disk, and a warning", async () => {
  const cwd = await mkdtemp(join(folder, "memory-"));
  const child = runCli(["start", "--port", "0", "--in-memory", "--host", "0.0.0.0"], cwd);
  const endpoint = await endpointOf(child);
  expect(endpoint).toMatch(/^http:\/\/127\.0\.0\.1:/);
  await expect.poll(() => child.written.out).toContain("Warning: 0.0.0.0");
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);
  expect(existsSync(join(cwd, ".keywright"))).toBe(false);
});

test("a port that is taken", async () => {
  const first = runCli(["start", "--port", "0", "--in-memory"]);
  const port = String(portOf(await endpointOf(first)));
  const second = runCli(["start", "--in-memory", "--port", port]);
  expect(await second.ended).toBe(1);
  expect(second.written.err).toContain(`Port ${port} on 127.0.0.1 is taken`);
  first.process.kill("SIGTERM");
  expect(await first.ended).toBe(0);
});

test("the second signal does not wait, the same one told twice does", async () => {
  const child = runCli(["start", "--port", "0", "--in-memory"]);
  const port = portOf(await endpointOf(child));
  // An upload that does not end keeps the server from ending for a while.
  const upload = raw(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{");
  await new Promise((next) => setTimeout(next, 100));
  child.process.kill("SIGTERM");
  child.process.kill("SIGTERM");
  await new Promise((next) => setTimeout(next, 500));
  expect(child.process.exitCode).toBeNull();
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(143);
  await upload.catch(() => {});
});

test("a program that closes its server ends by itself", async () => {
  const program = `
    import { startServer } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
    const server = await startServer();
    await fetch(server.url);
    await server.close();
    console.log("closed");
  `;
  const child = run(process.execPath, ["--input-type=module", "-e", program]);
  expect(await child.ended).toBe(0);
  expect(child.written.out).toBe("closed\n");
});
