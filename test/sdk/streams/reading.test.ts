import { BatchWriteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { _Record, Shard } from "@aws-sdk/client-dynamodb-streams";
import { expect, suite, test } from "vitest";
import {
  createStreamTable,
  getRecords,
  iteratorOf,
  shardsOf,
  splitShard,
  streamError,
  useStreamServer,
} from "./support.ts";

const server = useStreamServer();
const oneShard = {
  BillingMode: "PROVISIONED",
  ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
} as const;

async function shardWith(records: number, bytes = 0) {
  const { name, arn } = await createStreamTable(server, "NEW_IMAGE", oneShard);
  const [shard] = (await shardsOf(server, arn)) as [Shard];
  const shardId = shard.ShardId as string;
  const item = (i: number) => ({
    pk: { S: `${i}`.padStart(4, "0") },
    ...(bytes > 0 && { v: { S: "x".repeat(bytes) } }),
  });
  if (bytes > 0) {
    for (let i = 0; i < records; i += 1) {
      await server.client.send(new PutItemCommand({ TableName: name, Item: item(i) }));
    }
  } else {
    for (let i = 0; i < records; i += 25) {
      const requests = Array.from({ length: Math.min(25, records - i) }, (_, j) => ({
        PutRequest: { Item: item(i + j) },
      }));
      await server.client.send(new BatchWriteItemCommand({ RequestItems: { [name]: requests } }));
    }
  }
  return { name, arn, shardId };
}

const keysOf = (records: readonly _Record[] | undefined) =>
  (records ?? []).map(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? "");

suite("a page", () => {
  test("of an open shard without records is an empty list with a way on", async () => {
    const { arn, shardId } = await shardWith(0);
    const page = await getRecords(server, await iteratorOf(server, arn, shardId));
    expect(page.Records).toEqual([]);
    expect(page.NextShardIterator).toEqual(expect.any(String));
  });

  test("has no more records than the limit, and the next begins behind it", async () => {
    const { arn, shardId } = await shardWith(10);
    const first = await getRecords(server, await iteratorOf(server, arn, shardId), 4);
    const second = await getRecords(server, first.NextShardIterator, 4);
    const third = await getRecords(server, second.NextShardIterator, 4);
    expect([first, second, third].map(({ Records }) => Records?.length)).toEqual([4, 4, 2]);
    const keys = keysOf([first, second, third].flatMap(({ Records = [] }) => Records));
    expect(new Set(keys).size).toBe(10);
    expect((await getRecords(server, third.NextShardIterator)).Records).toEqual([]);
  });

  test("of one record at a time goes through all", async () => {
    const { arn, shardId } = await shardWith(3);
    let iterator: string | undefined = await iteratorOf(server, arn, shardId);
    const keys: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      const page = await getRecords(server, iterator, 1);
      keys.push(...keysOf(page.Records));
      iterator = page.NextShardIterator;
    }
    expect(keys.toSorted()).toEqual(["0000", "0001", "0002"]);
  });

  test("has a thousand records at the most", async () => {
    const { arn, shardId } = await shardWith(1_010);
    const first = await getRecords(server, await iteratorOf(server, arn, shardId));
    expect(first.Records).toHaveLength(1_000);
    const second = await getRecords(server, first.NextShardIterator);
    expect(second.Records).toHaveLength(10);
  });

  test("has a megabyte at the most", async () => {
    const { arn, shardId } = await shardWith(5, 300 * 1_024);
    const sizes: number[] = [];
    let iterator: string | undefined = await iteratorOf(server, arn, shardId);
    for (let pages = 0; pages < 3; pages += 1) {
      const page = await getRecords(server, iterator);
      const bytes = (page.Records ?? []).reduce((sum, r) => sum + (r.dynamodb?.SizeBytes ?? 0), 0);
      expect(bytes).toBeLessThanOrEqual(1_024 * 1_024);
      sizes.push(page.Records?.length ?? 0);
      iterator = page.NextShardIterator;
    }
    expect(sizes).toEqual([3, 2, 0]);
  });
});

suite("a closed shard", () => {
  test("has no way on when it was read to its end", async () => {
    const { name, arn, shardId } = await shardWith(3);
    const iterator = await iteratorOf(server, arn, shardId);
    await splitShard(server, name, shardId);
    const page = await getRecords(server, iterator);
    expect(page.Records).toHaveLength(3);
    expect(page.NextShardIterator).toBeUndefined();
  });

  test("has one as long as there is more", async () => {
    const { name, arn, shardId } = await shardWith(3);
    await splitShard(server, name, shardId);
    const first = await getRecords(server, await iteratorOf(server, arn, shardId), 2);
    expect(first.NextShardIterator).toEqual(expect.any(String));
    const second = await getRecords(server, first.NextShardIterator, 2);
    expect(second.Records).toHaveLength(1);
    expect(second.NextShardIterator).toBeUndefined();
  });

  test("tells a reader who had read all that it is closed", async () => {
    const { name, arn, shardId } = await shardWith(2);
    const first = await getRecords(server, await iteratorOf(server, arn, shardId));
    expect(first.NextShardIterator).toEqual(expect.any(String));
    await splitShard(server, name, shardId);
    const second = await getRecords(server, first.NextShardIterator);
    expect(second.Records).toEqual([]);
    expect(second.NextShardIterator).toBeUndefined();
  });

  test("that never had a record is at its end at once", async () => {
    const { name, arn, shardId } = await shardWith(0);
    await splitShard(server, name, shardId);
    const page = await getRecords(server, await iteratorOf(server, arn, shardId));
    expect(page.Records).toEqual([]);
    expect(page.NextShardIterator).toBeUndefined();
  });
});

suite("GetRecords is refused", () => {
  test.each([
    [1_001, "less than or equal to 1000"],
    [0, "greater than or equal to 1"],
    [-1, "greater than or equal to 1"],
  ])("with the limit %d", async (limit, words) => {
    const { arn, shardId } = await shardWith(0);
    await streamError(
      getRecords(server, await iteratorOf(server, arn, shardId), limit),
      "ValidationException",
      `1 validation error detected: Value '${limit}' at 'limit' failed to satisfy constraint: Member must have value ${words}`,
    );
  });

  test("without an iterator", () =>
    streamError(
      getRecords(server, undefined),
      "ValidationException",
      "1 validation error detected: Value null at 'shardIterator' failed to satisfy constraint: Member must not be null",
    ));

  test("with an iterator that is too long", () =>
    streamError(
      getRecords(server, "x".repeat(2_049)),
      "ValidationException",
      /at 'shardIterator' failed to satisfy constraint: Member must have length less than or equal to 2048$/,
    ));
});
