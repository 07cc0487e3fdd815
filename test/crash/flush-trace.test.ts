import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../random.ts";
import { builtCli, endpointOf, run } from "../server/child-support.ts";
import { call, send, signed } from "../server/wire-support.ts";
import { long, seedsOf } from "../simulation/settings.ts";
import { caller } from "./check.ts";
import { Disk } from "./power-cut.ts";
import type { Remains } from "./power-main.ts";
import {
  exchange,
  judge,
  mayTrace,
  parseCall,
  readTrace,
  type SystemCall,
  tracing,
} from "./trace.ts";
import { buildProgram, type Program } from "./victim.ts";

// A killed process loses nothing that it has handed to the system, so killing cannot show whether data
// is on disk when a write is acknowledged. The calls that a running server makes can.

const table = "traced";
const [seed = 0] = seedsOf(1);
const traceable = mayTrace();
const excuse = "strace is not here or may not trace, so the flushes cannot be watched";
let folder: string;
let program: Program;
beforeAll(async () => {
  folder = realpathSync(await mkdtemp(join(tmpdir(), "keywright-trace-")));
  program = await buildProgram("power-main");
});
afterAll(async () => {
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

/** The requests that one client sends, one after the other; each marks its item with a word of its own. */
async function write(port: number, client: number, count: number): Promise<string[]> {
  const markers: string[] = [];
  for (let n = 0; n < count; n++) {
    const marker = `marker_${client}_${n}_`;
    const item = { pk: { S: `${client}/${n}` }, word: { S: marker } };
    const requests: Record<string, object> = {
      PutItem: { TableName: table, Item: item },
      UpdateItem: {
        TableName: table,
        Key: { pk: item.pk },
        UpdateExpression: "SET word = :word",
        ExpressionAttributeValues: { ":word": item.word },
      },
      BatchWriteItem: { RequestItems: { [table]: [{ PutRequest: { Item: item } }] } },
      TransactWriteItems: { TransactItems: [{ Put: { TableName: table, Item: item } }] },
    };
    const operation = Object.keys(requests)[n % 4] as string;
    await ask(port, operation, requests[operation] as object);
    markers.push(marker);
  }
  return markers;
}

interface Trace {
  readonly calls: readonly SystemCall[];
  readonly file: string;
  readonly markers: readonly string[];
}

/** Runs a server under strace, with one client and then with many. */
async function trace(durability: string): Promise<Trace> {
  const prefix = join(folder, durability);
  const data = join(folder, `${durability}-data`);
  const server = ["start", "--port", "0", "--data", data, "--durability", durability];
  const [tracer = "", ...options] = tracing(prefix);
  // The shell tells its number, which the server then takes over: strace does not pass signals on.
  const shell = ["sh", "-c", 'echo $$ > "$0"; exec "$@"', `${prefix}-pid`];
  const child = run(tracer, [...options, ...shell, process.execPath, builtCli, ...server]);
  let markers: string[];
  try {
    const port = Number(new URL(await endpointOf(child)).port);
    await ask(port, "CreateTable", {
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    });
    const alone = await write(port, 0, 12);
    const together = await Promise.all(Array.from({ length: 8 }, (_, n) => write(port, n + 1, 8)));
    markers = [alone, ...together].flat();
  } finally {
    process.kill(Number(readFileSync(`${prefix}-pid`, "utf8")), "SIGTERM");
    expect(await child.ended).toBe(0);
  }
  return { calls: readTrace(prefix), file: join(data, "data.mdb"), markers };
}

async function ask(port: number, operation: string, request: object): Promise<void> {
  const headers = { ...call(operation), ...signed(caller.account, caller.region) };
  const { status, text } = await send(port, { headers, body: JSON.stringify(request) });
  expect(status, text).toBe(200);
}

const verdicts = ({ calls, file, markers }: Trace) => [
  ...new Set(markers.map((marker) => judge(calls, file, marker))),
];

/** One run of the server is looked at in several ways. */
let underWay: Promise<Trace> | undefined;
function flushed(): Promise<Trace> {
  underWay ??= trace("flush");
  return underWay;
}

const timeout = long ? 600_000 : 120_000;

test("a write is acknowledged when it is on disk", { timeout }, async ({ skip }) => {
  if (!traceable) skip(excuse);
  expect(verdicts(await flushed())).toEqual(["on disk"]);
});

test("relaxed, it is acknowledged before: so the judge can tell", { timeout }, async ({ skip }) => {
  if (!traceable) skip(excuse);
  expect(verdicts(await trace("relaxed"))).toEqual(["answered before it was flushed"]);
});

test("a power cut at any moment leaves all that was acknowledged", { timeout }, async ({
  skip,
}) => {
  if (!traceable) skip(excuse);
  const outcomes = await cutPower(await flushed(), long ? 1_000 : 40, true);
  expect(outcomes.filter((outcome) => outcome !== "[]")).toEqual([]);
});

test("on a disk that forgets to flush it does not: so the look can tell", { timeout }, async ({
  skip,
}) => {
  if (!traceable) skip(excuse);
  const outcomes = await cutPower(await flushed(), 10, false);
  expect(outcomes.filter((outcome) => outcome !== "[]").length).toBeGreaterThan(0);
});

/** Lets the power fail again and again; answers for each time what was wrong afterwards. */
async function cutPower(
  { calls, file, markers }: Trace,
  cuts: number,
  flushes: boolean,
): Promise<string[]> {
  const random = new Random(seed);
  const disk = new Disk(calls, file, flushes);
  // Before it listens, the file may be half made: then there is nothing to lose in it.
  const ready = Math.min(...markers.map((marker) => exchange(calls, marker).asked?.start ?? 0));
  const answered = markers.map((marker) => exchange(calls, marker).answer?.start ?? 0);
  const remains = random.times(cuts, (n): Remains => {
    const span = disk.last + 0.01 - ready;
    // Just after an acknowledgement, or at any time.
    const time = n % 2 === 0 ? random.pick(answered) : ready + random.unit() * span;
    const image = join(folder, `cut-${flushes}-${n}`);
    mkdirSync(image);
    writeFileSync(join(image, "data.mdb"), disk.image(time, random, random.pick([0, 0.5, 0.9, 1])));
    const words = markers.filter((_, i) => (answered[i] as number) <= time);
    return { folder: image, table, words };
  });
  const list = join(folder, `cuts-${flushes}.json`);
  writeFileSync(list, JSON.stringify(remains));
  const child = run(process.execPath, [program.script, list]);
  const ended = await child.ended;
  const outcomes = child.written.out.split("\n").slice(0, -1);
  for (const { folder: image } of remains) rmSync(image, { recursive: true, force: true });
  // A broken file may end the process that looks at it.
  return outcomes.length === cuts ? outcomes : [...outcomes, `ended by ${ended}`];
}

const socket = "socket:[1]";
const file = "/data.mdb";
const history = (...lines: string[]) => lines.flatMap((line, n) => parseCall(`${n + 1}.0 ${line}`));
const asked = `read(9<${socket}>, "word", 65536) = 9 <0.000010>`;
const page = `pwrite64(5<${file}>, "word", 4096, 8192) = 4096 <0.000010>`;
const flush = `fdatasync(5<${file}>) = 0 <0.500000>`;
const root = `pwrite64(6<${file}>, "root", 136, 0) = 136 <0.000010>`;
const opened = `openat(AT_FDCWD</>, "data.mdb", O_WRONLY|O_DSYNC) = 6<${file}> <0.000010>`;
const answered = `write(9<${socket}>, "HTTP/1.1 200 OK", 99) = 99 <0.000010>`;

test.each([
  ["on disk", [opened, asked, page, flush, root, answered]],
  ["no request", [opened, page, flush, root, answered]],
  ["no answer", [opened, asked, page, flush, root]],
  ["a bad answer", [opened, asked, page, flush, root, answered.replace("200", "500")]],
  ["answered before it was written", [opened, asked, answered, page, flush, root]],
  ["answered before it was written", [opened, page, asked, flush, root, answered]],
  ["answered before it was flushed", [opened, asked, page, answered, flush, root]],
  [
    "answered before it was flushed",
    [opened, asked, page, flush.replace("0 <", "-1 EIO <"), root, answered],
  ],
  [
    "answered before it was flushed",
    [opened, asked, page, flush.replace("0.5", "2.5"), root, answered],
  ],
  ["answered before it was flushed", [opened, asked, flush, page, root, answered]],
  ["answered before its root was on disk", [opened, asked, page, flush, answered, root]],
  ["answered before its root was on disk", [opened, asked, page, root, flush, answered]],
  [
    "answered before its root was on disk",
    [opened.replace("DSYNC", "CREAT"), asked, page, flush, root, answered],
  ],
])("the judge says: %s", (verdict, lines) => {
  expect(judge(history(...lines), file, "word")).toBe(verdict);
});
