import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import { EndpointClient } from "../src/server/endpoint-client.ts";
import { Children } from "./children.ts";
import { type Memory, memoryOf, memoryText, PeakMemory } from "./resident.ts";

/**
 * `keywright load`, an export, an import and `keywright export` of many items, compared item by item, and what memory
 * they take: node scripts/run-ts.mjs bench/transfers.ts [ITEMS]
 */

const count = Number(process.argv[2] ?? 1_000_000);
const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const filling = "x".repeat(330);
const children = new Children();
const folder = children.folder();
const data = join(folder, "data");
const s3 = join(folder, "s3");
const key = "pk:S sk:N";
const place = ["--data", data] as const;

interface Line {
  readonly Item: {
    readonly pk: { readonly S: string };
    readonly sk: { readonly N: string };
    readonly filling: { readonly S: string };
  };
}

const lineOf = (i: number): string =>
  `{"Item":{"pk":{"S":"p${Math.floor(i / 100)}"},"sk":{"N":"${i % 100}"},"filling":{"S":"${filling}"}}}\n`;

/** Each item once, and as it was. */
class Seen {
  readonly #seen = new Uint8Array(count);
  #found = 0;

  add({ pk, sk, filling: text }: Line["Item"]): void {
    const i = Number(pk.S.slice(1)) * 100 + Number(sk.N);
    if (text.S !== filling || this.#seen[i] !== 0) throw new Error(`item ${i} is not what it was`);
    this.#seen[i] = 1;
    this.#found += 1;
  }

  check(what: string): void {
    if (this.#found !== count) throw new Error(`${what} has ${this.#found} items`);
    console.log(`${what}: ${count} items, each as it was`);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function measured<T>(
  what: string,
  pid: number | undefined,
  idle: Memory,
  work: () => Promise<T>,
): Promise<T> {
  const peak = new PeakMemory(pid);
  const begun = performance.now();
  try {
    return await work();
  } finally {
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    console.log(`${what}: ${seconds} s, at most ${memoryText(peak.end(), idle)}`);
  }
}

async function command(what: string, idle: Memory, ...args: readonly string[]): Promise<void> {
  const child = children.start(process.execPath, [cli, ...args]);
  await measured(what, child.pid, idle, async () => {
    if (child.exitCode === null) await once(child, "exit");
  });
  if (child.exitCode !== 0) throw new Error(children.outputOf(child));
  console.log(children.outputOf(child).trim().split("\n").at(-1));
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  /** Just started, with what is on disk. */
  readonly idle: Memory;
}

async function startServer(what: string): Promise<Server> {
  const child = children.start(process.execPath, [
    cli,
    "start",
    "--port",
    "0",
    "--s3-folder",
    s3,
    ...place,
  ]);
  for (;;) {
    const url = /AWS_ENDPOINT_URL_DYNAMODB=(\S+)\n/.exec(children.outputOf(child))?.[1];
    if (url !== undefined) {
      await sleep(2_000);
      const idle = memoryOf(child.pid);
      console.log(`idle server, ${what}: ${memoryText(idle)}`);
      return { child, url, idle };
    }
    await sleep(20);
  }
}

async function stopServer({ child }: Server): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
}

async function readLines(files: readonly string[], seen: Seen): Promise<void> {
  for (const file of files) {
    const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
    for await (const line of lines) seen.add((JSON.parse(line) as Line).Item);
  }
}

const source = join(folder, "source.json");
const out = createWriteStream(source);
for (let i = 0; i < count; i += 1000) {
  let text = "";
  for (let j = i; j < Math.min(count, i + 1000); j += 1) text += lineOf(j);
  if (!out.write(text)) await once(out, "drain");
}
out.end();
await once(out, "close");

mkdirSync(join(s3, "bucket"), { recursive: true });
const empty = await startServer("no table");
await stopServer(empty);
await command(
  "keywright load",
  empty.idle,
  "load",
  source,
  "--table",
  "Things",
  "--key",
  key,
  ...place,
  "--access-key",
  "AKIDEXAMPLE",
  "--region",
  "us-east-1",
);

const server = await startServer(`${count} items`);
const { url, idle } = server;
const client = new EndpointClient({
  url,
  region: "us-east-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "secret",
  now: () => new Date(),
  pause: sleep,
});
type Answer = Record<string, Record<string, string>>;
const ask = async (operation: string, body: object): Promise<Answer> =>
  (await client.execute(operation, body)) as Answer;

await ask("UpdateContinuousBackups", {
  TableName: "Things",
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
});
const { Table } = await ask("DescribeTable", { TableName: "Things" });
const { ExportDescription } = await ask("ExportTableToPointInTime", {
  TableArn: Table?.TableArn,
  S3Bucket: "bucket",
});
const ended = async (operation: string, body: object, member: string, status: string) => {
  for (;;) {
    const found = (await ask(operation, body))[member];
    if (found?.[status] !== "IN_PROGRESS") return found;
    await sleep(100);
  }
};
const made = await measured("export", server.child.pid, idle, () =>
  ended(
    "DescribeExport",
    { ExportArn: ExportDescription?.ExportArn },
    "ExportDescription",
    "ExportStatus",
  ),
);
const prefix = (made?.ExportManifest ?? "").replace("manifest-summary.json", "data/");
const exportFolder = join(s3, "bucket", prefix);
const inExport = new Seen();
await readLines(
  readdirSync(exportFolder).map((name) => join(exportFolder, name)),
  inExport,
);
inExport.check("export");

const { ImportTableDescription } = await ask("ImportTable", {
  ClientToken: "bench",
  S3BucketSource: { S3Bucket: "bucket", S3KeyPrefix: prefix },
  InputFormat: "DYNAMODB_JSON",
  InputCompressionType: "GZIP",
  TableCreationParameters: {
    TableName: "Again",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "N" },
    ],
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
  },
});
const imported = await measured("import", server.child.pid, idle, () =>
  ended(
    "DescribeImport",
    { ImportArn: ImportTableDescription?.ImportArn },
    "ImportTableDescription",
    "ImportStatus",
  ),
);
console.log(`import: ${imported?.ImportStatus}, ${imported?.ImportedItemCount} items`);
await stopServer(server);

const to = join(folder, "out");
await command("keywright export", idle, "export", "Again", "--to", to, ...place);
const inFolder = new Seen();
await readLines(
  readdirSync(join(to, "tables")).map((name) => join(to, "tables", name)),
  inFolder,
);
inFolder.check("keywright export of what was imported");
process.exit(0);
