import { plain } from "../../src/api/response-json.ts";
import type { Job } from "../../src/engine/jobs.ts";
import { allJobs } from "../../src/engine/layout.ts";
import type { Store } from "../../src/storage/store.ts";
import { type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";
import { type Random, randomOf } from "../random.ts";
import { caller } from "./check.ts";
import { sleep } from "./lives.ts";
import { type Place, runVerify, ServerVictim } from "./victim.ts";

/**
 * One store goes through many lives, in each of which a table is copied and restored while it is written, and
 * which end by SIGKILL. Afterwards the table is whole, and every copy of it is whole or was never there.
 */

const source = "Source";
/** Never changed; so many that a copy takes several steps. */
const still = 2_000;
/** Each is changed as a whole by a transaction, so its halves are always the same. */
const pairs = 40;

type Item = Readonly<Record<string, { readonly S: string }>>;
type Answer = Readonly<Record<string, unknown>>;

export interface BackupTally {
  kills: number;
  /** Copies and restores that were under way when the process died. */
  interrupted: number;
  /** Backups and restored tables that were found whole. */
  backups: number;
  restored: number;
}

export interface BackupSurroundings {
  readonly place: Place;
  readonly seed: number;
  readonly kills: number;
  open(): Promise<Store>;
}

export async function backUpAndDie(surroundings: BackupSurroundings): Promise<BackupTally> {
  const { place, seed, kills } = surroundings;
  const tally: BackupTally = { kills: 0, interrupted: 0, backups: 0, restored: 0 };
  await withWorkbench(await surroundings.open(), makeSource);
  let backup: string | undefined;
  for (let life = 0; life < kills; life += 1) {
    const random = randomOf(seed, life);
    try {
      await liveOnce(place, random, life, backup);
      tally.kills += 1;
      const store = await surroundings.open();
      tally.interrupted += await underWay(store);
      if (life % 4 === 3) {
        await store.close();
        const { code, text } = await runVerify(place);
        if (code !== 0) throw new Error(`keywright verify ended with ${code}: ${text}`);
        backup = await withWorkbench(await surroundings.open(), (bench) => check(bench, tally));
      } else backup = await withWorkbench(store, (bench) => check(bench, tally));
    } catch (error) {
      throw new Error(`seed ${seed}, kill ${life + 1}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  return tally;
}

async function withWorkbench<T>(store: Store, work: (bench: Workbench) => Promise<T>): Promise<T> {
  const workbench = await workbenchOn(store, { pitrLag: 0 });
  try {
    return await work(workbench);
  } finally {
    await workbench.close();
  }
}

const run = async (bench: Workbench, operation: string, request: object): Promise<Answer> =>
  plain((await bench.execute(operation, request, caller)) ?? {}) as Answer;

const pairWrite = (pair: number, value: string): object[] =>
  ["left", "right"].map((half) => ({
    Put: { TableName: source, Item: { pk: { S: `${half} ${pair}` }, v: { S: value } } },
  }));

async function makeSource(bench: Workbench): Promise<void> {
  await run(bench, "CreateTable", {
    TableName: source,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "v", AttributeType: "S" },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: "byV",
        KeySchema: [{ AttributeName: "v", KeyType: "HASH" }],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ],
  });
  for (let i = 0; i < still; i += 25) {
    const puts = Array.from({ length: 25 }, (_, j) => ({
      PutRequest: { Item: { pk: { S: `still ${i + j}` }, x: { S: "x".repeat(300) } } },
    }));
    await run(bench, "BatchWriteItem", { RequestItems: { [source]: puts } });
  }
  for (let pair = 0; pair < pairs; pair += 1) {
    await run(bench, "TransactWriteItems", { TransactItems: pairWrite(pair, "first") });
  }
  await run(bench, "UpdateContinuousBackups", {
    TableName: source,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
}

async function liveOnce(
  place: Place,
  random: Random,
  life: number,
  backup: string | undefined,
): Promise<void> {
  const victim = new ServerVictim(place, 4, ["--pitr-lag", "0"]);
  try {
    await victim.ready();
    let stopped = false;
    const write = async (): Promise<void> => {
      for (let i = 0; !stopped; i += 1) {
        const TransactItems = pairWrite(random.between(0, pairs - 1), `${life} ${i}`);
        await victim.send("TransactWriteItems", { TransactItems });
      }
    };
    const writing = write();
    const requests = [
      victim.send("CreateBackup", { TableName: source, BackupName: `life-${life}` }),
      victim.send("RestoreTableToPointInTime", {
        SourceTableName: source,
        TargetTableName: `moment-${life}`,
        UseLatestRestorableTime: true,
      }),
      ...(backup === undefined
        ? []
        : [
            victim.send("RestoreTableFromBackup", {
              BackupArn: backup,
              TargetTableName: `backup-${life}`,
            }),
          ]),
    ];
    // Before they are answered, or when the work behind the answers has just begun.
    if (random.chance(0.6)) await Promise.all(requests);
    await sleep(random.between(0, 60));
    await victim.kill();
    stopped = true;
    await Promise.all([writing, ...requests]);
  } catch (error) {
    await victim.kill().catch(() => {});
    throw error;
  }
}

/** How many copies and restores the process was at. */
async function underWay(store: Store): Promise<number> {
  const { entries } = await store.scan(allJobs, { limit: 1_000, bytesMax: 1e9 });
  const jobs = entries.map(({ value }) => JSON.parse(Buffer.from(value).toString()) as Job);
  return jobs.filter(({ kind }) => kind === "copy" || kind === "restore").length;
}

/** Lets what was interrupted go on, looks at all there is, and removes it; answers a backup to restore next. */
async function check(bench: Workbench, tally: BackupTally): Promise<string | undefined> {
  await bench.idle();
  const { problems } = await bench.verify();
  if (problems.length > 0) throw new Error(problems.slice(0, 5).join("\n"));
  await checkCopy(bench, source);
  const { TableNames } = await run(bench, "ListTables", {});
  for (const name of TableNames as string[]) {
    if (name === source) continue;
    await checkCopy(bench, name);
    await run(bench, "DeleteTable", { TableName: name });
    tally.restored += 1;
  }
  const { BackupSummaries } = await run(bench, "ListBackups", { TableName: source });
  const arns = (BackupSummaries as Answer[]).map(({ BackupArn, BackupStatus }) => {
    if (BackupStatus !== "AVAILABLE") throw new Error(`the backup is still ${BackupStatus}`);
    return BackupArn as string;
  });
  for (const [i, arn] of arns.entries()) {
    await run(bench, "RestoreTableFromBackup", { BackupArn: arn, TargetTableName: `check-${i}` });
    await bench.idle();
    await checkCopy(bench, `check-${i}`);
    await run(bench, "DeleteTable", { TableName: `check-${i}` });
    tally.backups += 1;
    if (i < arns.length - 1) await run(bench, "DeleteBackup", { BackupArn: arn });
  }
  await bench.idle();
  return arns.at(-1);
}

async function checkCopy(bench: Workbench, table: string): Promise<void> {
  const { Table } = await run(bench, "DescribeTable", { TableName: table });
  const { TableStatus, ItemCount } = Table as Answer;
  if (TableStatus !== "ACTIVE") throw new Error(`${table} is ${TableStatus}`);
  const values = new Map<string, string | undefined>();
  let ExclusiveStartKey: unknown;
  do {
    const page = await run(bench, "Scan", {
      TableName: table,
      ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
    });
    for (const { pk, v } of page.Items as Item[]) values.set(pk?.S ?? "", v?.S);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  const wanted = still + 2 * pairs;
  if (values.size !== wanted || ItemCount !== wanted) {
    throw new Error(`${table} has ${values.size} items and counts ${ItemCount}, not ${wanted}`);
  }
  for (let pair = 0; pair < pairs; pair += 1) {
    const [left, right] = [values.get(`left ${pair}`), values.get(`right ${pair}`)];
    if (left === undefined || left !== right) {
      throw new Error(`${table} is torn: pair ${pair} is ${left} and ${right}`);
    }
  }
  const { Count } = await run(bench, "Scan", { TableName: table, IndexName: "byV" });
  if (Count !== 2 * pairs) throw new Error(`${table} has ${Count} entries in its index`);
}
