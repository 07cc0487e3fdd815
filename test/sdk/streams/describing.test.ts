import {
  DescribeStreamCommand,
  type DescribeStreamCommandInput,
  ListStreamsCommand,
  type ListStreamsCommandInput,
  type Shard,
} from "@aws-sdk/client-dynamodb-streams";
import { afterAll, expect, suite, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import { clientFor, createTable, freshName } from "../harness.ts";
import {
  createStreamTable,
  describe,
  getRecords,
  iteratorOf,
  shardsOf,
  splitShard,
  streamError,
  streamsClientFor,
  useStreamServer,
} from "./support.ts";

const clock = new ManualClock(Date.UTC(2026, 4, 1, 8, 9, 10, 111));
const server = useStreamServer({ clock });

const list = (input: ListStreamsCommandInput = {}) =>
  server.streams.send(new ListStreamsCommand(input));

suite("DescribeStream", () => {
  test("tells all of a stream", async () => {
    const { name, arn } = await createStreamTable(server, "NEW_IMAGE", { key: "a:S b:N" });
    expect(await describe(server, arn)).toEqual({
      StreamArn: arn,
      StreamLabel: arn.split("/stream/")[1],
      StreamStatus: "ENABLED",
      StreamViewType: "NEW_IMAGE",
      CreationRequestDateTime: new Date(clock.now()),
      TableName: name,
      KeySchema: [
        { AttributeName: "a", KeyType: "HASH" },
        { AttributeName: "b", KeyType: "RANGE" },
      ],
      Shards: expect.any(Array),
    });
  });

  test("lists shards in the order of their ids", async () => {
    const { arn } = await createStreamTable(server);
    const ids = (await shardsOf(server, arn)).map(({ ShardId }) => ShardId);
    expect(ids.toSorted()).toEqual(ids);
  });

  test("goes through pages", async () => {
    const { arn } = await createStreamTable(server);
    const all = await shardsOf(server, arn);
    const first = await describe(server, arn, { Limit: 3 });
    expect(first.Shards).toEqual(all.slice(0, 3));
    expect(first.LastEvaluatedShardId).toBe(all[2]?.ShardId);
    const second = await describe(server, arn, {
      Limit: 3,
      ExclusiveStartShardId: first.LastEvaluatedShardId,
    });
    expect(second.Shards).toEqual(all.slice(3));
    expect(second.LastEvaluatedShardId).toBeUndefined();
  });

  test("of one shard at a time finds all", async () => {
    const { arn } = await createStreamTable(server);
    const found: Shard[] = [];
    let start: string | undefined;
    do {
      const page = await describe(server, arn, { Limit: 1, ExclusiveStartShardId: start });
      expect(page.Shards).toHaveLength(1);
      found.push(...(page.Shards ?? []));
      start = page.LastEvaluatedShardId;
    } while (start !== undefined);
    expect(found).toEqual(await shardsOf(server, arn));
  });

  test("behind the last shard there is none", async () => {
    const { arn } = await createStreamTable(server);
    const last = (await shardsOf(server, arn)).at(-1)?.ShardId;
    const page = await describe(server, arn, { ExclusiveStartShardId: last });
    expect(page.Shards).toEqual([]);
    expect(page.LastEvaluatedShardId).toBeUndefined();
  });

  test("takes a start that is no shard", async () => {
    const { arn } = await createStreamTable(server);
    const page = await describe(server, arn, { ExclusiveStartShardId: "z".repeat(40) });
    expect(page.Shards).toEqual([]);
  });

  test("gives the children of a shard", async () => {
    const { name, arn } = await createStreamTable(server);
    const [first, second] = (await shardsOf(server, arn)) as [Shard, Shard];
    await splitShard(server, name, first.ShardId);
    const childrenOf = async (ShardId: string | undefined) =>
      (await describe(server, arn, { ShardFilter: { Type: "CHILD_SHARDS", ShardId } })).Shards;
    const children = await childrenOf(first.ShardId);
    expect(children).toHaveLength(2);
    for (const child of children ?? []) expect(child.ParentShardId).toBe(first.ShardId);
    expect(await childrenOf(second.ShardId)).toEqual([]);
  });

  test.each([
    [101, "less than or equal to 100"],
    [0, "greater than or equal to 1"],
  ])("refuses the limit %d", async (Limit, words) => {
    const { arn } = await createStreamTable(server);
    await streamError(
      describe(server, arn, { Limit }),
      "ValidationException",
      `1 validation error detected: Value '${Limit}' at 'limit' failed to satisfy constraint: Member must have value ${words}`,
    );
  });

  test("refuses what is no ARN", () =>
    streamError(describe(server, "x".repeat(50)), "ValidationException", "Invalid StreamArn"));

  test("refuses an ARN that is too short to be one", () =>
    streamError(
      describe(server, "arn:aws:dynamodb"),
      "ValidationException",
      "1 validation error detected: Value 'arn:aws:dynamodb' at 'streamArn' failed to satisfy constraint: Member must have length greater than or equal to 37",
    ));

  test("refuses an unknown filter", async () => {
    const { arn } = await createStreamTable(server);
    const ShardId = (await shardsOf(server, arn))[0]?.ShardId;
    await streamError(
      describe(server, arn, { ShardFilter: { Type: "PARENTS" as "CHILD_SHARDS", ShardId } }),
      "ValidationException",
      "1 validation error detected: Value 'PARENTS' at 'shardFilter.type' failed to satisfy constraint: Member must satisfy enum value set: [CHILD_SHARDS]",
    );
  });

  test("refuses a request without a stream", () =>
    streamError(
      server.streams.send(new DescribeStreamCommand({} as DescribeStreamCommandInput)),
      "ValidationException",
      "1 validation error detected: Value null at 'streamArn' failed to satisfy constraint: Member must not be null",
    ));

  test.each([
    ["another label", (arn: string) => `${arn.slice(0, -3)}999`],
    ["another table", (arn: string) => arn.replace("table/", "table/not-")],
    ["another Region", (arn: string) => arn.replace("us-east-1", "eu-west-1")],
    ["another account", (arn: string) => arn.replace(/:\d{12}:/, ":123456789012:")],
  ])("does not find %s", async (_, change) => {
    const { arn } = await createStreamTable(server);
    await streamError(
      describe(server, change(arn)),
      "ResourceNotFoundException",
      `Requested resource not found: Stream: ${change(arn)} not found`,
    );
  });
});

suite("ListStreams", () => {
  test("of a table names its stream", async () => {
    const { name, arn } = await createStreamTable(server);
    const answer = await list({ TableName: name });
    expect(answer.Streams).toEqual([
      { StreamArn: arn, TableName: name, StreamLabel: arn.split("/stream/")[1] },
    ]);
    expect(answer.LastEvaluatedStreamArn).toBeUndefined();
  });

  test("of a table without one is empty", async () => {
    const name = await createTable(server, { key: "pk:S" });
    expect((await list({ TableName: name })).Streams).toEqual([]);
  });

  test("of a table that is not there is empty", async () => {
    expect((await list({ TableName: "not-there" })).Streams).toEqual([]);
  });

  test("of a table does not name those of tables with longer names", async () => {
    const name = freshName("stem");
    const { arn } = await createStreamTable(server, "KEYS_ONLY", { TableName: name });
    await createStreamTable(server, "KEYS_ONLY", { TableName: `${name}-more` });
    expect((await list({ TableName: name })).Streams?.map(({ StreamArn }) => StreamArn)).toEqual([
      arn,
    ]);
  });

  test("goes through all streams in pages, each once", async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i += 1) made.push((await createStreamTable(server)).arn);
    const found: (string | undefined)[] = [];
    let start: string | undefined;
    do {
      const page = await list({ Limit: 2, ExclusiveStartStreamArn: start });
      expect(page.Streams?.length).toBeLessThanOrEqual(2);
      found.push(...(page.Streams ?? []).map(({ StreamArn }) => StreamArn));
      start = page.LastEvaluatedStreamArn;
      if (start !== undefined) expect(start).toBe(found.at(-1));
    } while (start !== undefined);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(made));
  });

  test("is not put out by a table that comes meanwhile", async () => {
    const made: string[] = [];
    for (let i = 0; i < 3; i += 1) made.push((await createStreamTable(server)).arn);
    const first = await list({ Limit: 1 });
    await createStreamTable(server, "KEYS_ONLY", { TableName: `aaa-${process.pid}` });
    const rest = await list({ ExclusiveStartStreamArn: first.LastEvaluatedStreamArn });
    const arns = [...(first.Streams ?? []), ...(rest.Streams ?? [])].map((s) => s.StreamArn);
    for (const arn of made) expect(arns.filter((one) => one === arn)).toHaveLength(1);
  });

  test.each([
    [101, "less than or equal to 100"],
    [0, "greater than or equal to 1"],
  ])("refuses the limit %d", (Limit, words) =>
    streamError(
      list({ Limit }),
      "ValidationException",
      `1 validation error detected: Value '${Limit}' at 'limit' failed to satisfy constraint: Member must have value ${words}`,
    ),
  );

  test("refuses a start that is no ARN", () =>
    streamError(
      list({ ExclusiveStartStreamArn: "x".repeat(50) }),
      "ValidationException",
      "Invalid StreamArn",
    ));

  test("refuses a name that can be no table's", () =>
    streamError(
      list({ TableName: "a b c" }),
      "ValidationException",
      "1 validation error detected: Value 'a b c' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
    ));
});

suite("accounts and Regions", () => {
  const strangers = ["AKIDSOMEBODYELSE", "AKIDEXAMPLE"].map((key, i) => ({
    key,
    region: i === 0 ? "us-east-1" : "eu-west-1",
  }));
  const clients: { destroy(): void }[] = [];
  afterAll(() => {
    for (const client of clients) client.destroy();
  });

  test.each(strangers)("$key in $region knows nothing of others' streams", async (stranger) => {
    const { name, arn } = await createStreamTable(server);
    const streams = streamsClientFor(server.running.url, stranger.key, stranger.region);
    clients.push(streams);
    const other = { ...server, streams };
    const { Streams } = await streams.send(new ListStreamsCommand({ TableName: name }));
    expect(Streams).toEqual([]);
    await streamError(describe(other, arn), "ResourceNotFoundException");
    const [shard] = (await shardsOf(server, arn)) as [Shard];
    await streamError(iteratorOf(other, arn, shard.ShardId), "ResourceNotFoundException");
    const iterator = await iteratorOf(server, arn, shard.ShardId);
    await streamError(getRecords(other, iterator), "ResourceNotFoundException");
  });

  test("tables of one name in two Regions have streams of their own", async () => {
    const region = "eu-west-1";
    const client = clientFor(server.running.url, "AKIDEXAMPLE", region);
    const streams = streamsClientFor(server.running.url, "AKIDEXAMPLE", region);
    clients.push(client, streams);
    const { name, arn } = await createStreamTable(server);
    const there = { ...server, client, streams };
    const other = await createStreamTable(there, "KEYS_ONLY", { TableName: name });
    expect(other.arn.split(":")[3]).toBe(region);
    expect((await describe(there, other.arn)).StreamViewType).toBe("KEYS_ONLY");
    expect((await describe(server, arn)).StreamViewType).toBe("NEW_AND_OLD_IMAGES");
  });
});
