import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { endpointOf, run } from "../server/child-support.ts";
import { call, send } from "../server/wire-support.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** An empty project with nothing but the packed product in it. */
let project: string;
let packed: string[];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "keywright-package-"));
  project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), '{"private":true,"type":"module"}\n');
  const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: root,
  });
  const [pack] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  packed = pack.files.map((file: { path: string }) => file.path);
  const tarball = join(folder, pack.filename);
  await execute("npm", ["install", "--no-audit", "--no-fund", tarball], { cwd: project });
});
afterAll(() => rm(join(project, ".."), { recursive: true, force: true }));

test("the package holds the product, its licence and no sources", () => {
  const wanted = ["dist/cli.js", "dist/index.js", "dist/types/index.d.ts", "LICENSE"];
  wanted.push("dist/patterns.js", "dist/types/patterns.d.ts");
  for (const path of [...wanted, "dist/models/online-shop.yaml"]) {
    expect(packed).toContain(path);
  }
  const strange = packed.filter(
    (path) => !/^(dist\/|package\.json$|LICENSE$|[A-Z]+\.md$)/.test(path),
  );
  expect(strange).toEqual([]);
});

test("npx keywright start serves and stops", async () => {
  const cli = join(project, "node_modules", ".bin", "keywright");
  const child = run(cli, ["start", "--port", "0"], project);
  const endpoint = await endpointOf(child);
  const port = Number(new URL(endpoint).port);
  const reply = await send(port, { headers: call("ListTables"), body: "{}" });
  expect(reply.text).toBe('{"TableNames":[]}');
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);
});

test("npx keywright init writes a model that check takes", async () => {
  const cli = join(project, "node_modules", ".bin", "keywright");
  for (const [file, ...rest] of [["model.yaml"], ["shop.yaml", "--example", "online-shop"]]) {
    const { stdout } = await execute(cli, ["init", file ?? "", ...rest], { cwd: project });
    expect(stdout).toContain(`${file} is written`);
    const checked = await execute(cli, ["check", file ?? ""], { cwd: project });
    expect(checked.stdout).toContain(" states ");
  }
});

test("a trigger calls its function", async () => {
  await writeFile(
    join(project, "on-change.mjs"),
    "export const handler = async ({ Records }) => console.log(Records[0].eventName);\n",
  );
  const cli = join(project, "node_modules", ".bin", "keywright");
  const arguments_ = ["start", "--port", "0", "--in-memory", "--trigger", "Things=./on-change.mjs"];
  const child = run(cli, arguments_, project);
  const port = Number(new URL(await endpointOf(child)).port);
  const ask = (operation: string, body: object) =>
    send(port, { headers: call(operation), body: JSON.stringify(body) });
  await ask("CreateTable", {
    TableName: "Things",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
  });
  await ask("PutItem", { TableName: "Things", Item: { id: { S: "a" } } });
  await vi.waitFor(() => expect(child.written.err).toContain("[on-change] INSERT\n"), 10_000);
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);
});

test("the library starts a server in a program", async () => {
  await writeFile(
    join(project, "program.js"),
    `import { startServer } from "keywright";
     const server = await startServer();
     console.log((await (await fetch(server.url)).text()).trim());
     await server.close();\n`,
  );
  const { stdout } = await execute(process.execPath, ["program.js"], { cwd: project });
  expect(stdout).toBe("healthy: dynamodb.us-east-1.amazonaws.com\n");
});

test("the patterns stand on their own", async () => {
  await writeFile(
    join(project, "patterns.js"),
    `import { calculatedShard, compositeKey } from "keywright/patterns";
     const key = compositeKey("ORDER#{orderId|pad:8}#{shard:16:customerId}");
     console.log(key.of({ orderId: 42, customerId: "ada" }), calculatedShard("ada", 16));\n`,
  );
  const { stdout } = await execute(process.execPath, ["patterns.js"], { cwd: project });
  expect(stdout).toBe("ORDER#00000042#14 14\n");
  const built = await readFile(join(project, "node_modules/keywright/dist/patterns.js"), "utf8");
  expect(built).not.toMatch(/\bimport\b/);
});

test("the types hold", async () => {
  await writeFile(
    join(project, "typed.ts"),
    `import { type RunningServer, startServer } from "keywright";
     const server: RunningServer = await startServer({ port: 0, shared: true });
     const url: string = server.url;
     // @ts-expect-error a port is a number
     await startServer({ port: "8000" });
     console.log(url);\n`,
  );
  await writeFile(
    join(project, "typed-patterns.ts"),
    `import { compositeKey } from "keywright/patterns";
     const key = compositeKey("ORDER#{orderId}");
     const text: \`ORDER#\${string}\` = key.of({ orderId: 7 });
     // @ts-expect-error the part has another name
     key.of({ order: 7 });
     console.log(text);\n`,
  );
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const types = join(root, "node_modules", "@types");
  await execute(
    tsc,
    [
      ..."--noEmit --strict --target es2023 --module nodenext --types node".split(" "),
      ..."--skipLibCheck false --typeRoots".split(" "),
      types,
      "typed.ts",
      "typed-patterns.ts",
    ],
    { cwd: project },
  ).catch((error: { stdout: string }) => expect.unreachable(error.stdout));
});
