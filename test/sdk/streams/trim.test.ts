import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { _Record, Shard } from "@aws-sdk/client-dynamodb-streams";
import { expect, suite, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import {
  allRecords,
  createStreamTable,
  describe,
  getRecords,
  hour,
  iteratorOf,
  minute,
  recordsOf,
  shardsOf,
  streamError,
  useStreamServer,
} from "./support.ts";

const clock = new ManualClock(Date.UTC(2026, 4, 1));
const server = useStreamServer({ clock });
const oneShard = {
  BillingMode: "PROVISIONED",
  ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
} as const;

/** A stream of one shard with two old records and two young ones, an hour apart. */
async function oldAndYoung() {
  const { name, arn } = await createStreamTable(server, "KEYS_ONLY", oneShard);
  const put = (pk: string) =>
    server.client.send(new PutItemCommand({ TableName: name, Item: { pk: { S: pk } } }));
  await put("old 1");
  await put("old 2");
  clock.advance(hour);
  await put("young 1");
  await put("young 2");
  const [shard] = (await shardsOf(server, arn)) as [Shard];
  const shardId = shard.ShardId as string;
  const records = await recordsOf(server, arn, shardId);
  const numbers = records.map(({ dynamodb }) => dynamodb?.SequenceNumber as string);
  return { name, arn, shardId, shard, numbers, put };
}

const keysOf = (records: readonly _Record[] | undefined) =>
  (records ?? []).map(({ dynamodb }) => dynamodb?.Keys?.pk?.S);
const trimmed = (request: Promise<unknown>) =>
  streamError(
    request,
    "TrimmedDataAccessException",
    "The data you are trying to access has been trimmed",
  );

suite("after 24 hours", () => {
  test("a record is gone, and not a moment before", async () => {
    const { arn, shardId } = await oldAndYoung();
    clock.advance(23 * hour - 1);
    expect(keysOf(await recordsOf(server, arn, shardId))).toEqual([
      "old 1",
      "old 2",
      "young 1",
      "young 2",
    ]);
    clock.advance(1);
    expect(keysOf(await recordsOf(server, arn, shardId))).toEqual(["young 1", "young 2"]);
  });

  test("TRIM_HORIZON begins with the oldest that is left", async () => {
    const { arn, shardId } = await oldAndYoung();
    clock.advance(23 * hour + minute);
    const page = await getRecords(server, await iteratorOf(server, arn, shardId), 1);
    expect(keysOf(page.Records)).toEqual(["young 1"]);
  });

  test("the number of a record that is gone is refused", async () => {
    const { arn, shardId, numbers } = await oldAndYoung();
    clock.advance(23 * hour + minute);
    for (const type of ["AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"] as const) {
      await trimmed(iteratorOf(server, arn, shardId, type, numbers[0]));
    }
    await trimmed(iteratorOf(server, arn, shardId, "AT_SEQUENCE_NUMBER", numbers[1]));
  });

  test("the number with which the shard starts is refused, too", async () => {
    const { arn, shardId, shard } = await oldAndYoung();
    clock.advance(23 * hour + minute);
    const start = shard.SequenceNumberRange?.StartingSequenceNumber;
    await trimmed(iteratorOf(server, arn, shardId, "AT_SEQUENCE_NUMBER", start));
  });

  test("the number of one that is left is taken", async () => {
    const { arn, shardId, numbers } = await oldAndYoung();
    clock.advance(23 * hour + minute);
    const iterator = await iteratorOf(server, arn, shardId, "AFTER_SEQUENCE_NUMBER", numbers[2]);
    expect(keysOf((await getRecords(server, iterator)).Records)).toEqual(["young 2"]);
  });

  test("an iterator at a record that goes meanwhile is refused", async () => {
    const { arn, shardId } = await oldAndYoung();
    clock.advance(23 * hour - minute);
    const iterator = await iteratorOf(server, arn, shardId);
    expect((await getRecords(server, iterator)).Records).toHaveLength(4);
    clock.advance(2 * minute);
    await trimmed(getRecords(server, iterator));
  });

  test("an iterator behind it is not", async () => {
    const { arn, shardId, numbers } = await oldAndYoung();
    clock.advance(23 * hour - minute);
    const iterator = await iteratorOf(server, arn, shardId, "AFTER_SEQUENCE_NUMBER", numbers[1]);
    clock.advance(2 * minute);
    expect(keysOf((await getRecords(server, iterator)).Records)).toEqual(["young 1", "young 2"]);
  });
});

suite("a closed shard", () => {
  test("stays for 24 hours, then it is not listed any more", async () => {
    const { arn, shardId } = await oldAndYoung();
    clock.advance(3 * hour);
    expect(await shardsOf(server, arn)).toHaveLength(2);
    clock.advance(24 * hour - 1);
    expect((await shardsOf(server, arn)).map(({ ShardId }) => ShardId)).toContain(shardId);
    clock.advance(1);
    expect((await shardsOf(server, arn)).map(({ ShardId }) => ShardId)).not.toContain(shardId);
  });

  test("that is gone does not exist for readers", async () => {
    const { arn, shardId } = await oldAndYoung();
    clock.advance(3 * hour);
    expect(await shardsOf(server, arn)).toHaveLength(2);
    clock.advance(24 * hour);
    await streamError(
      iteratorOf(server, arn, shardId),
      "ResourceNotFoundException",
      "Requested resource not found: Shard does not exist",
    );
  });

  test("that is gone is still named by its child", async () => {
    const { arn, shardId } = await oldAndYoung();
    clock.advance(3 * hour);
    const child = (await shardsOf(server, arn)).find(
      ({ ParentShardId }) => ParentShardId === shardId,
    );
    // Nobody looks at the stream meanwhile, or the child would have rolled, and gone in its turn.
    clock.advance(24 * hour);
    const left = (await shardsOf(server, arn)).find(({ ShardId }) => ShardId === child?.ShardId);
    expect(left?.ParentShardId).toBe(shardId);
    const children = await describe(server, arn, {
      ShardFilter: { Type: "CHILD_SHARDS", ShardId: shardId },
    });
    expect(children.Shards?.map(({ ShardId }) => ShardId)).toEqual([child?.ShardId]);
  });

  test("that is gone does not take its stream along", async () => {
    const { arn, put } = await oldAndYoung();
    for (let day = 0; day < 3; day += 1) {
      clock.advance(24 * hour);
      await put(`day ${day}`);
      expect(keysOf(await allRecords(server, arn))).toEqual([`day ${day}`]);
    }
    expect((await describe(server, arn)).StreamStatus).toBe("ENABLED");
  });
});
