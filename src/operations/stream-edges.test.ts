import { expect, test } from "vitest";
import { createTable } from "./create-table.ts";
import { describeStream } from "./describe-stream.ts";
import { getShardIterator } from "./get-shard-iterator.ts";
import { listStreams } from "./list-streams.ts";
import { putItem } from "./put-item.ts";
import {
  type Bench,
  define,
  failure,
  hash,
  openBench,
  run,
} from "./table-operations.test-support.ts";

/** What is a matter of taste, or not known of the service: here it is at least decided. */

async function openTables(...names: string[]): Promise<{ bench: Bench; arns: string[] }> {
  const bench = await openBench();
  const arns: string[] = [];
  for (const TableName of names) {
    const { TableDescription } = await run(bench, createTable, {
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [hash("a")],
      AttributeDefinitions: define("a"),
      StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
    });
    arns.push(TableDescription?.LatestStreamArn as string);
  }
  return { bench, arns };
}

interface DescribedShard {
  readonly ShardId: string;
  readonly SequenceNumberRange: {
    readonly StartingSequenceNumber: string;
    readonly EndingSequenceNumber?: string;
  };
}

async function shardsOf(bench: Bench, StreamArn: string): Promise<DescribedShard[]> {
  const { StreamDescription } = await run(bench, describeStream, { StreamArn });
  return StreamDescription?.Shards as DescribedShard[];
}

test("a number from before a shard counts as trimmed, one that is to come is none", async () => {
  const { bench, arns } = await openTables("abc");
  const [StreamArn] = arns as [string];
  const put = (a: string) => run(bench, putItem, { TableName: "abc", Item: { a: { S: a } } });
  await put("x");
  const [parent] = (await shardsOf(bench, StreamArn)) as [DescribedShard];
  await bench.database.streams.splitShard("main", "abc", parent.ShardId);
  await put("y");
  const [, child] = (await shardsOf(bench, StreamArn)) as [DescribedShard, DescribedShard];
  const iterator = (ShardId: string, SequenceNumber: string | undefined) =>
    failure(
      run(bench, getShardIterator, {
        StreamArn,
        ShardId,
        ShardIteratorType: "AFTER_SEQUENCE_NUMBER",
        SequenceNumber,
      }),
    );
  const ofParent = parent.SequenceNumberRange.StartingSequenceNumber;
  expect(await iterator(child.ShardId, ofParent)).toBe(
    "TrimmedDataAccessException: The data you are trying to access has been trimmed",
  );
  expect(await iterator(child.ShardId, "0".repeat(21))).toMatch(/^TrimmedDataAccessException/);
  const toCome = "1".padEnd(16, "0").padEnd(21, "9");
  expect(await iterator(child.ShardId, toCome)).toBe("ValidationException: Invalid SequenceNumber");
  expect(await iterator(parent.ShardId, toCome)).toBe(
    "ValidationException: Invalid SequenceNumber",
  );
});

test("the streams of a table behind that of a later one are none", async () => {
  const { bench, arns } = await openTables("abc", "xyz");
  const request = { TableName: "abc", ExclusiveStartStreamArn: arns[1] };
  expect(await run(bench, listStreams, request)).toEqual({ Streams: [] });
});

test("a page of streams that is the last says so, also when it is full", async () => {
  const { bench, arns } = await openTables("abc", "xyz");
  const last = await run(bench, listStreams, { Limit: 2 });
  expect(last.LastEvaluatedStreamArn).toBeUndefined();
  const first = await run(bench, listStreams, { Limit: 1 });
  expect(first.LastEvaluatedStreamArn).toBe(arns[0]);
});

test("a filter is whole, and of a shard that is known", async () => {
  const { bench, arns } = await openTables("abc");
  const [StreamArn] = arns as [string];
  const filtered = (ShardFilter: object) =>
    failure(run(bench, describeStream, { StreamArn, ShardFilter }));
  const ShardId = `shardId-${"0".repeat(20)}-00000000`;
  expect(await filtered({ Type: "CHILD_SHARDS" })).toMatch(/^ValidationException: .*ShardId$/);
  expect(await filtered({ ShardId })).toMatch(/^ValidationException: .*Type$/);
  expect(await filtered({ Type: "CHILD_SHARDS", ShardId })).toBe(
    "ResourceNotFoundException: Requested resource not found: Shard does not exist",
  );
});

test("only a shard that is open can be split", async () => {
  const { bench, arns } = await openTables("abc");
  const [shard] = (await shardsOf(bench, arns[0] as string)) as [DescribedShard];
  const { streams } = bench.database;
  await streams.splitShard("main", "abc", shard.ShardId);
  const gone = "ResourceNotFoundException: Requested resource not found: Shard does not exist";
  expect(await failure(streams.splitShard("main", "abc", shard.ShardId))).toBe(gone);
  expect(await failure(streams.splitShard("main", "nowhere", shard.ShardId))).toBe(gone);
});
