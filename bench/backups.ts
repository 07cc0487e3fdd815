import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { Children } from "./children.ts";
import { type Memory, memoryOf, memoryText, PeakMemory } from "./resident.ts";

/**
 * A backup and restores of many items, compared item by item, and what memory the server takes for them:
 * node scripts/run-ts.mjs bench/backups.ts [ITEMS]
 */

const count = Number(process.argv[2] ?? 1_000_000);
const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const table = "Things";
const filling = "x".repeat(330);
const clients = 8;

const children = new Children();
const folder = children.folder();
let server = startServer();
let url = await endpoint();
const agent = new Agent({ keepAlive: true, maxSockets: clients });

type Answer = Record<string, never>;

function startServer(): ChildProcess {
  return children.start(process.execPath, [
    cli,
    "start",
    "--port",
    "0",
    "--pitr-lag",
    "0",
    "--data",
    folder,
    // Otherwise most of the time goes into filling the table.
    "--durability",
    "relaxed",
  ]);
}

async function endpoint(): Promise<string> {
  for (;;) {
    const found = /AWS_ENDPOINT_URL_DYNAMODB=(\S+)\n/.exec(children.outputOf(server))?.[1];
    if (found !== undefined) return found;
    await sleep(20);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function send(operation: string, body: object): Promise<Answer> {
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": `DynamoDB_20120810.${operation}`,
    "x-amz-date": "20260101T000000Z",
    authorization:
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00",
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: "POST", headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (incoming.statusCode === 200) resolve(JSON.parse(text) as Answer);
        else reject(new Error(`${operation}: ${text}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify(body));
  });
}

const lines: string[] = [];
let idle: Memory | undefined;

function tell(line: string): void {
  lines.push(line);
  console.log(line);
}

async function measured<T>(what: string, work: () => Promise<T>): Promise<T> {
  const peak = new PeakMemory(server.pid);
  const begun = performance.now();
  try {
    return await work();
  } finally {
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    tell(`${what}: ${seconds} s, at most ${memoryText(peak.end(), idle)}`);
  }
}

/** Calls with every number, some at a time. */
async function all(numbers: Iterable<number>, work: (n: number) => Promise<unknown>) {
  const iterator = numbers[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: clients }, worker));
}

function* steps(to: number, by: number): Generator<number> {
  for (let i = 0; i < to; i += by) yield i;
}

const key = (i: number) => ({ pk: { S: `p${Math.floor(i / 100)}` }, sk: { N: `${i % 100}` } });
const item = (i: number, version: number) => ({
  ...key(i),
  v: { N: `${version}` },
  filling: { S: filling },
});

/** Of the numbers of items: every tenth gets another version, every hundredth is deleted. */
const versionOf = (i: number): number | undefined =>
  i % 100 === 50 ? undefined : i % 10 === 0 ? 1 : 0;

async function ready(what: string, isReady: () => Promise<boolean>): Promise<void> {
  await measured(what, async () => {
    while (!(await isReady())) await sleep(50);
  });
}

/** Reads the whole table and compares every item; throws at the first that is not what it was. */
async function compare(name: string, expected: (i: number) => number | undefined): Promise<void> {
  let found = 0;
  await all(steps(clients, 1), async (Segment) => {
    let ExclusiveStartKey: unknown;
    do {
      const page = (await send("Scan", {
        TableName: name,
        Segment,
        TotalSegments: clients,
        ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
      })) as unknown as {
        Items: ReturnType<typeof item>[];
        LastEvaluatedKey?: unknown;
      };
      for (const { pk, sk, v, filling: text } of page.Items) {
        const i = Number(pk.S.slice(1)) * 100 + Number(sk.N);
        if (Number(v.N) !== expected(i) || text.S !== filling) {
          throw new Error(`${name}: item ${i} is of version ${v.N}, not ${expected(i)}`);
        }
        found += 1;
      }
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
  });
  let wanted = 0;
  for (let i = 0; i < count; i += 1) if (expected(i) !== undefined) wanted += 1;
  if (found !== wanted) throw new Error(`${name}: ${found} items, not ${wanted}`);
  console.log(`${name}: all ${found} items are what they were.`);
}

const isActive = async (TableName: string): Promise<boolean> => {
  const { Table } = (await send("DescribeTable", { TableName })) as unknown as {
    Table: { TableStatus: string };
  };
  return Table.TableStatus === "ACTIVE";
};

await send("CreateTable", {
  TableName: table,
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "N" },
  ],
});
await measured(`to write ${count} items`, () =>
  all(steps(count, 25), (first) =>
    send("BatchWriteItem", {
      RequestItems: {
        [table]: Array.from({ length: Math.min(25, count - first) }, (_, i) => ({
          PutRequest: { Item: item(first + i, 0) },
        })),
      },
    }),
  ),
);
await send("UpdateContinuousBackups", {
  TableName: table,
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
});
await sleep(1_500);
const first = Math.floor(Date.now() / 1_000);
await sleep(1_000);
await measured("to change a tenth of them", () =>
  all(steps(count, 250), (from) =>
    send("BatchWriteItem", {
      RequestItems: {
        [table]: [...steps(Math.min(250, count - from), 10)].map((i) =>
          versionOf(from + i) === undefined
            ? { DeleteRequest: { Key: key(from + i) } }
            : { PutRequest: { Item: item(from + i, 1) } },
        ),
      },
    }),
  ),
);
tell(`after that: ${memoryText(memoryOf(server.pid))}`);
// One whole minute of them is quiet.
await sleep(125_000);
tell(`two minutes later: ${memoryText(memoryOf(server.pid))}`);
server.kill("SIGTERM");
await once(server, "exit");
server = startServer();
url = await endpoint();
await sleep(2_000);
idle = memoryOf(server.pid);
tell(`idle, just started: ${memoryText(idle)}`);

const { BackupDetails } = (await send("CreateBackup", {
  TableName: table,
  BackupName: "measured",
})) as unknown as { BackupDetails: { BackupArn: string } };
let writes = 0;
let isDone = false;
// The table goes on while it is copied.
const writer = (async () => {
  for (; !isDone; writes += 1) {
    const i = (writes * 7_919) % count;
    await send("PutItem", { TableName: table, Item: item(i, 2) });
  }
})();
await ready("to make a backup, while the table is written", async () => {
  const { BackupDescription } = (await send("DescribeBackup", {
    BackupArn: BackupDetails.BackupArn,
  })) as unknown as { BackupDescription: { BackupDetails: { BackupStatus: string } } };
  return BackupDescription.BackupDetails.BackupStatus === "AVAILABLE";
});
isDone = true;
await writer;
console.log(`${writes} items were written meanwhile`);

await send("RestoreTableFromBackup", {
  BackupArn: BackupDetails.BackupArn,
  TargetTableName: "FromBackup",
});
await ready("to restore the backup", () => isActive("FromBackup"));
await send("RestoreTableToPointInTime", {
  SourceTableName: table,
  TargetTableName: "ToMoment",
  RestoreDateTime: first,
});
await ready("to restore to a moment before the changes", () => isActive("ToMoment"));
await compare("FromBackup", versionOf);
await compare("ToMoment", () => 0);
console.log(lines.join("\n"));
agent.destroy();
await children.stopAll();
