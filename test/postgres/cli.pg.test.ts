import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpointOf, runCli } from "../server/child-support.ts";
import { call, send } from "../server/wire-support.ts";
import { type PostgresServer, startPostgresServer } from "../storage/postgres-server.ts";

let server: PostgresServer | undefined;
let url: URL;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keywright-store-"));
  server = await startPostgresServer();
  url = new URL(server.connectionString);
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  [
    "a folder too",
    ["--store", "postgres://u:s3cr3t@h/d", "--data", "x"],
    /--store and --data exclude each other/,
  ],
  [
    "memory too",
    ["--in-memory", "--store", "postgres://u:s3cr3t@h/d"],
    /--store and --in-memory exclude each other/,
  ],
  [
    "another database",
    ["--store", "mysql://u:s3cr3t@h/d"],
    /--store takes a URL such as postgres:/,
  ],
  ["no URL", ["--store", "postgres://u:s3cr3t@[h/d"], /--store takes a URL such as postgres:/],
  ["nothing", ["--store"], /store/],
])("--store with %s: one sentence and exit code 2", async (_name, args, sentence) => {
  await expectRefusal(["start", ...args], sentence);
});

test.each([
  [
    "a folder too",
    ["--store", "postgres://u:s3cr3t@h/d", "--data", "x"],
    /--store and --data exclude each other/,
  ],
  [
    "another database",
    ["--store", "mysql://u:s3cr3t@h/d"],
    /--store takes a URL such as postgres:/,
  ],
  ["no URL", ["--store", "postgres://u:s3cr3t@[h/d"], /--store takes a URL such as postgres:/],
  ["nothing", ["--store"], /store/],
])("verify --store with %s: one sentence and exit code 2", async (_name, args, sentence) => {
  await expectRefusal(["verify", ...args], sentence);
});

async function expectRefusal(args: readonly string[], sentence: RegExp): Promise<void> {
  const child = runCli(args, folder);
  expect(await child.ended).toBe(2);
  expect(child.written.out).toBe("");
  expect(child.written.err).toMatch(sentence);
  expect(child.written.err.trimEnd().split("\n")).toHaveLength(1);
  expect(child.written.err).not.toContain("s3cr3t");
}

test.each([
  ["start", ["start", "--port", "0"]],
  ["verify", ["verify"]],
])("%s on a server that cannot be used: one sentence and exit code 1", async (_name, args) => {
  const wrong = new URL(url);
  wrong.password = "wr0ng";
  const child = runCli([...args, "--store", wrong.href], folder);
  expect(await child.ended).toBe(1);
  expect(child.written.err).toBe(
    `keywright: PostgreSQL at ${url.host} does not accept the password of user postgres.\n`,
  );
});

test("start, request, stop, start again: the data is in the database and nowhere else", async () => {
  for (const tables of ['{"TableNames":[]}', '{"TableNames":["kept"]}']) {
    const child = runCli(["start", "--port", "0", "--store", url.href], folder);
    const port = Number(new URL(await endpointOf(child)).port);
    const listed = await send(port, { headers: call("ListTables"), body: "{}" });
    expect(listed.text).toBe(tables);
    await send(port, {
      headers: call("CreateTable"),
      body: JSON.stringify({
        TableName: "kept",
        BillingMode: "PAY_PER_REQUEST",
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      }),
    });
    await expect.poll(() => child.written.out).toContain(`PostgreSQL at ${url.host}/postgres`);
    expect(child.written.out).not.toContain(url.password);
    child.process.kill("SIGTERM");
    expect(await child.ended).toBe(0);
    expect(child.written.err).toBe("");
  }
  expect(await readdir(folder)).toEqual([]);
});

test("verify says what is sound and what is not, and exits accordingly", async () => {
  const store = `${url.href}?schema=verified`;
  const child = runCli(["start", "--port", "0", "--store", store], folder);
  const port = Number(new URL(await endpointOf(child)).port);
  for (const [operation, body] of Object.entries({
    CreateTable: {
      TableName: "kept",
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    },
    PutItem: { TableName: "kept", Item: { pk: { S: "one" } } },
  })) {
    const { status } = await send(port, { headers: call(operation), body: JSON.stringify(body) });
    expect(status).toBe(200);
  }
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);

  const sound = runCli(["verify", "--store", store], folder);
  expect(await sound.ended).toBe(0);
  expect(sound.written).toEqual({
    out: `PostgreSQL at ${url.host}/postgres is sound: 1 tables, 1 items, 0 stream records.\n`,
    err: "",
  });

  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  const { rowCount } = await admin.query(
    "DELETE FROM verified.entries WHERE position('one'::bytea IN value) > 0",
  );
  await admin.end();
  expect(rowCount).toBe(1);
  const broken = runCli(["verify", `--store=${store}`], folder);
  expect(await broken.ended).toBe(1);
  expect(broken.written.out).toMatch(
    /^kept: 0 items of 0 bytes, but 1 of [0-9]+ bytes are counted\.\nPostgreSQL at [^@]* has 1 problem\.\n$/,
  );
  expect(broken.written.out + broken.written.err).not.toContain(url.password);
  expect(await readdir(folder)).toEqual([]);
});
