import { readFileSync, realpathSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtCli, endpointOf, run } from "../server/child-support.ts";
import { call, send } from "../server/wire-support.ts";
import { judge, mayTrace, parseCall, readTrace, tracing } from "./trace.ts";

// A killed process loses nothing that it has handed to the system, so killing cannot show whether data
// is on disk when a write is acknowledged. The calls that a running server makes can.

const excuse = "strace is not here or may not trace, so the flushes cannot be watched";
const table = "traced";
let folder: string;
beforeAll(async () => {
  folder = realpathSync(await mkdtemp(join(tmpdir(), "keywright-trace-")));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

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
    const body = JSON.stringify(requests[operation]);
    expect((await send(port, { headers: call(operation), body })).status).toBe(200);
    markers.push(marker);
  }
  return markers;
}

/** Runs a server under strace, with one client and then with many; answers the judge's verdicts. */
async function verdicts(durability: string): Promise<string[]> {
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
    const body = JSON.stringify({
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    });
    expect((await send(port, { headers: call("CreateTable"), body })).status).toBe(200);
    const alone = await write(port, 0, 12);
    const together = await Promise.all(Array.from({ length: 8 }, (_, n) => write(port, n + 1, 8)));
    markers = [alone, ...together].flat();
  } finally {
    process.kill(Number(readFileSync(`${prefix}-pid`, "utf8")), "SIGTERM");
    expect(await child.ended).toBe(0);
  }
  const calls = readTrace(prefix);
  return markers.map((marker) => judge(calls, join(data, "data.mdb"), marker));
}

test("a write is acknowledged when it is on disk", { timeout: 120_000 }, async ({ skip }) => {
  if (!mayTrace()) skip(excuse);
  expect([...new Set(await verdicts("flush"))]).toEqual(["on disk"]);
});

test("relaxed, it is acknowledged before: so the judge can tell", { timeout: 120_000 }, async ({
  skip,
}) => {
  if (!mayTrace()) skip(excuse);
  expect([...new Set(await verdicts("relaxed"))]).toEqual(["answered before it was flushed"]);
});

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
