import { beforeEach, expect, test } from "vitest";
import { plain } from "../api/response-json.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Store } from "../storage/store.ts";
import { createTable } from "./create-table.ts";
import { describeStream } from "./describe-stream.ts";
import { describeTable } from "./describe-table.ts";
import { getRecords } from "./get-records.ts";
import { getShardIterator } from "./get-shard-iterator.ts";
import { putItem } from "./put-item.ts";
import { type Bench, define, hash, openBench, run } from "./table-operations.test-support.ts";
import { updateTable } from "./update-table.ts";

interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
  readonly SequenceNumberRange: { readonly EndingSequenceNumber?: string };
}

let inner: Store;
/** Called once, before the next scan, and before the end of the logs is asked for. */
let beforeScan: (() => Promise<void>) | undefined;
let beforeHorizon: (() => Promise<void>) | undefined;
/** What the store says of its logs instead of the truth. */
let lagging: number | undefined;
/** Two processes on one store; nobody tells either what the other does. */
let one: Bench;
let two: Bench;
let arn: unknown;

function observed(): Store {
  return {
    get: (keys) => inner.get(keys),
    scan: async (range, options) => {
      const first = beforeScan;
      beforeScan = undefined;
      await first?.();
      return inner.scan(range, options);
    },
    commit: (readKeys, decide) => inner.commit(readKeys, decide),
    totals: (counter) => inner.totals(counter),
    dropTotals: (counter) => inner.dropTotals(counter),
    clear: (range) => inner.clear(range),
    horizon: async () => {
      const first = beforeHorizon;
      beforeHorizon = undefined;
      await first?.();
      return lagging ?? inner.horizon();
    },
    close: () => inner.close(),
  };
}

beforeEach(async () => {
  inner = openMemoryStore();
  beforeScan = undefined;
  beforeHorizon = undefined;
  lagging = undefined;
  one = await openBench({ store: observed() });
  two = await openBench({ store: observed() });
  await run(one, createTable, {
    TableName: "abc",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [hash("a")],
    AttributeDefinitions: define("a"),
    StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
  });
  arn = (await run(one, describeTable, { TableName: "abc" })).Table?.LatestStreamArn;
});

const put = (bench: Bench, a: string) =>
  run(bench, putItem, { TableName: "abc", Item: { a: { S: a } } });

async function describe(bench: Bench): Promise<{ status: unknown; shards: readonly Shard[] }> {
  const { StreamDescription } = await run(bench, describeStream, { StreamArn: arn });
  return {
    status: StreamDescription?.StreamStatus,
    shards: StreamDescription?.Shards as readonly Shard[],
  };
}

const split = (bench: Bench, { ShardId }: Shard): Promise<void> =>
  bench.database.streams.splitShard("main", "abc", ShardId);

async function iterate(bench: Bench, { ShardId }: Shard, type: string, SequenceNumber?: string) {
  const { ShardIterator } = await run(bench, getShardIterator, {
    ...{ StreamArn: arn, ShardId, ShardIteratorType: type },
    ...(SequenceNumber !== undefined && { SequenceNumber }),
  });
  return ShardIterator as unknown as string;
}

async function read(bench: Bench, ShardIterator: string) {
  const answer = plain<{
    Records: { dynamodb: { Keys: { a: { S: string } }; SequenceNumber: string } }[];
    NextShardIterator?: string;
  }>(await run(bench, getRecords, { ShardIterator }));
  return {
    keys: answer.Records.map(({ dynamodb }) => dynamodb.Keys.a.S),
    numbers: answer.Records.map(({ dynamodb }) => dynamodb.SequenceNumber),
    next: answer.NextShardIterator,
  };
}

const closed = ({ SequenceNumberRange: range }: Shard) => range.EndingSequenceNumber !== undefined;

test("a shard that is split while its stream is described is shown with its children, or open", async () => {
  const [shard] = (await describe(one)).shards;
  beforeScan = () => split(one, shard as Shard);
  const { shards } = await describe(one);
  expect(shards.map(closed)).toEqual([true, false, false]);
  expect(shards.map((each) => each.ParentShardId)).toEqual([
    undefined,
    shard?.ShardId,
    shard?.ShardId,
  ]);
});

test("a stream that is switched off while it is described is off, or has open shards", async () => {
  const StreamSpecification = { StreamEnabled: false };
  beforeScan = async () => {
    await run(one, updateTable, { TableName: "abc", StreamSpecification });
  };
  const { status, shards } = await describe(one);
  expect([status, ...shards.map(closed)]).toEqual(["DISABLED", true]);
});

test("what another process has split is known here", async () => {
  const [shard] = (await describe(two)).shards;
  await split(one, shard as Shard);
  await put(one, "x");
  const { shards } = await describe(one);
  for (const child of shards.slice(1)) await iterate(two, child, "TRIM_HORIZON");
  expect(await describe(two)).toEqual({ status: "ENABLED", shards });
});

test("what another process has handed out is taken here", async () => {
  const [shard] = (await describe(two)).shards;
  await split(one, shard as Shard);
  await put(one, "x");
  const [, ...children] = (await describe(one)).shards;
  const found: string[] = [];
  for (const child of children) {
    found.push(...(await read(two, await iterate(one, child, "TRIM_HORIZON"))).keys);
  }
  expect(found).toEqual(["x"]);
});

test("the latest of a shard that another process has closed is its end", async () => {
  const [shard] = (await describe(two)).shards as [Shard];
  beforeHorizon = async () => {
    await split(one, shard);
    await put(one, "x");
  };
  const latest = await iterate(two, shard, "LATEST");
  expect(beforeHorizon).toBe(undefined);
  let { next } = await read(two, latest);
  // It may take a page more until it is known here.
  if (next !== undefined) ({ next } = await read(one, next));
  expect(next).toBe(undefined);
});

test("a number that another process has read is known here, although the end is not yet settled", async () => {
  const [shard] = (await describe(one)).shards as [Shard];
  await put(one, "x");
  await put(one, "y");
  const { numbers } = await read(one, await iterate(one, shard, "TRIM_HORIZON"));
  lagging = 1;
  const after = await iterate(two, shard, "AFTER_SEQUENCE_NUMBER", numbers[0]);
  const { keys, next } = await read(two, after);
  expect(keys).toEqual([]);
  lagging = undefined;
  expect((await read(two, next as string)).keys).toEqual(["y"]);
});
