import { PutItemCommand, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import {
  type _Record,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  type Shard,
} from "@aws-sdk/client-dynamodb-streams";
import { expect, suite, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import {
  createStreamTable,
  getRecords,
  iteratorOf,
  minute,
  readOn,
  recordsOf,
  shardsOf,
  splitShard,
  streamError,
  streamsClientFor,
  useStreamServer,
} from "./support.ts";

const clock = new ManualClock(Date.UTC(2026, 4, 1));
const server = useStreamServer({ clock });
const oneShard = {
  BillingMode: "PROVISIONED",
  ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
} as const;

/** A table whose stream has one shard, with so many records in it. */
async function shardWith(records: number) {
  const { name, arn } = await createStreamTable(server, "KEYS_ONLY", oneShard);
  const [shard] = (await shardsOf(server, arn)) as [Shard];
  const put = async (from: number, to: number): Promise<void> => {
    for (let i = from; i < to; i += 1) {
      await server.client.send(
        new PutItemCommand({ TableName: name, Item: { pk: { S: `${i}` } } }),
      );
    }
  };
  await put(0, records);
  return { name, arn, shardId: shard.ShardId as string, shard, put };
}

const keysOf = (records: readonly _Record[] | undefined) =>
  (records ?? []).map(({ dynamodb }) => dynamodb?.Keys?.pk?.S);
const numberOf = (record: _Record | undefined) => record?.dynamodb?.SequenceNumber as string;

suite("TRIM_HORIZON", () => {
  test("begins with the oldest record", async () => {
    const { arn, shardId } = await shardWith(3);
    const { records } = await readOn(server, await iteratorOf(server, arn, shardId));
    expect(keysOf(records)).toEqual(["0", "1", "2"]);
  });

  test("of an empty shard waits for the first", async () => {
    const { arn, shardId, put } = await shardWith(0);
    const { records, next } = await readOn(server, await iteratorOf(server, arn, shardId));
    expect(records).toEqual([]);
    await put(0, 1);
    expect(keysOf((await getRecords(server, next)).Records)).toEqual(["0"]);
  });
});

suite("LATEST", () => {
  test("begins behind the newest record", async () => {
    const { arn, shardId, put } = await shardWith(3);
    const iterator = await iteratorOf(server, arn, shardId, "LATEST");
    const first = await getRecords(server, iterator);
    expect(first.Records).toEqual([]);
    await put(3, 5);
    expect(keysOf((await getRecords(server, first.NextShardIterator)).Records)).toEqual(["3", "4"]);
  });

  test("keeps its place from when it was asked for", async () => {
    const { arn, shardId, put } = await shardWith(1);
    const iterator = await iteratorOf(server, arn, shardId, "LATEST");
    await put(1, 3);
    expect(keysOf((await getRecords(server, iterator)).Records)).toEqual(["1", "2"]);
  });

  test("of a closed shard is at its end", async () => {
    const { name, arn, shardId } = await shardWith(3);
    await splitShard(server, name, shardId);
    const page = await getRecords(server, await iteratorOf(server, arn, shardId, "LATEST"));
    expect(page.Records).toEqual([]);
    expect(page.NextShardIterator).toBeUndefined();
  });
});

suite("AT_SEQUENCE_NUMBER and AFTER_SEQUENCE_NUMBER", () => {
  test("begin with the record, and behind it", async () => {
    const { arn, shardId } = await shardWith(4);
    const records = await recordsOf(server, arn, shardId);
    const from = async (type: "AT_SEQUENCE_NUMBER" | "AFTER_SEQUENCE_NUMBER", i: number) => {
      const iterator = await iteratorOf(server, arn, shardId, type, numberOf(records[i]));
      return keysOf((await readOn(server, iterator)).records);
    };
    expect(await from("AT_SEQUENCE_NUMBER", 0)).toEqual(["0", "1", "2", "3"]);
    expect(await from("AT_SEQUENCE_NUMBER", 2)).toEqual(["2", "3"]);
    expect(await from("AFTER_SEQUENCE_NUMBER", 0)).toEqual(["1", "2", "3"]);
    expect(await from("AFTER_SEQUENCE_NUMBER", 3)).toEqual([]);
  });

  test("take the number with which the shard starts", async () => {
    const { arn, shardId, shard } = await shardWith(2);
    const start = shard.SequenceNumberRange?.StartingSequenceNumber;
    const iterator = await iteratorOf(server, arn, shardId, "AT_SEQUENCE_NUMBER", start);
    expect(keysOf((await readOn(server, iterator)).records)).toEqual(["0", "1"]);
  });

  test("take the number with which a closed shard ends", async () => {
    const { name, arn, shardId } = await shardWith(2);
    await splitShard(server, name, shardId);
    const closed = (await shardsOf(server, arn)).find(({ ShardId }) => ShardId === shardId);
    const end = closed?.SequenceNumberRange?.EndingSequenceNumber;
    const iterator = await iteratorOf(server, arn, shardId, "AFTER_SEQUENCE_NUMBER", end);
    const page = await getRecords(server, iterator);
    expect(page.Records).toEqual([]);
    expect(page.NextShardIterator).toBeUndefined();
  });

  test("go on where a reader stopped", async () => {
    const { arn, shardId, put } = await shardWith(5);
    const page = await getRecords(server, await iteratorOf(server, arn, shardId), 2);
    const checkpoint = numberOf(page.Records?.at(-1));
    await put(5, 7);
    const again = await iteratorOf(server, arn, shardId, "AFTER_SEQUENCE_NUMBER", checkpoint);
    expect(keysOf((await readOn(server, again)).records)).toEqual(["2", "3", "4", "5", "6"]);
  });

  test.each(["AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"] as const)(
    "%s is refused without a number",
    async (ShardIteratorType) => {
      const { arn, shardId } = await shardWith(0);
      await streamError(
        server.streams.send(
          new GetShardIteratorCommand({ StreamArn: arn, ShardId: shardId, ShardIteratorType }),
        ),
        "ValidationException",
      );
    },
  );

  test.each(["TRIM_HORIZON", "LATEST"] as const)(
    "%s is refused with a number",
    async (ShardIteratorType) => {
      const { arn, shardId, shard } = await shardWith(0);
      await streamError(
        server.streams.send(
          new GetShardIteratorCommand({
            StreamArn: arn,
            ShardId: shardId,
            ShardIteratorType,
            SequenceNumber: shard.SequenceNumberRange?.StartingSequenceNumber,
          }),
        ),
        "ValidationException",
      );
    },
  );

  test("are refused with something that is no number", async () => {
    const { arn, shardId } = await shardWith(0);
    await streamError(
      iteratorOf(server, arn, shardId, "AT_SEQUENCE_NUMBER", "x".repeat(25)),
      "ValidationException",
    );
  });

  test.each([
    ["too short", "1".repeat(20), "greater than or equal to 21"],
    ["too long", "1".repeat(41), "less than or equal to 40"],
  ])("are refused with a number that is %s", async (_, number, words) => {
    const { arn, shardId } = await shardWith(0);
    await streamError(
      iteratorOf(server, arn, shardId, "AT_SEQUENCE_NUMBER", number),
      "ValidationException",
      `1 validation error detected: Value '${number}' at 'sequenceNumber' failed to satisfy constraint: Member must have length ${words}`,
    );
  });
});

suite("an iterator", () => {
  test("can be used again: reading takes nothing away", async () => {
    const { arn, shardId } = await shardWith(3);
    const iterator = await iteratorOf(server, arn, shardId);
    const first = await getRecords(server, iterator);
    expect((await getRecords(server, iterator)).Records).toEqual(first.Records);
  });

  test("is good for 15 minutes", async () => {
    const { arn, shardId } = await shardWith(1);
    const iterator = await iteratorOf(server, arn, shardId);
    clock.advance(15 * minute - 1_000);
    expect((await getRecords(server, iterator)).Records).toHaveLength(1);
    clock.advance(2_000);
    await streamError(getRecords(server, iterator), "ExpiredIteratorException");
  });

  test("that comes with a page is good for as long from then", async () => {
    const { arn, shardId, put } = await shardWith(1);
    let iterator: string | undefined = await iteratorOf(server, arn, shardId);
    for (let i = 0; i < 3; i += 1) {
      clock.advance(10 * minute);
      iterator = (await getRecords(server, iterator)).NextShardIterator;
    }
    await put(1, 2);
    expect(keysOf((await getRecords(server, iterator)).Records)).toEqual(["1"]);
  });

  test("of each shard is another", async () => {
    const { arn } = await createStreamTable(server);
    const iterators = await Promise.all(
      (await shardsOf(server, arn)).map(({ ShardId }) => iteratorOf(server, arn, ShardId)),
    );
    expect(new Set(iterators).size).toBe(4);
  });

  test.each([
    ["nonsense", () => "x".repeat(60)],
    ["one that was changed", (iterator: string) => `${iterator.slice(0, -3)}AA=`],
    ["one that was cut off", (iterator: string) => iterator.slice(0, -4)],
    ["one of another table", (iterator: string) => iterator.replace("table/t", "table/u")],
  ])("that is %s is refused", async (_, change) => {
    const { arn, shardId } = await shardWith(1);
    const iterator = await iteratorOf(server, arn, shardId);
    await streamError(getRecords(server, change(iterator)), "ValidationException");
  });

  test("of another account is of a stream that is not there", async () => {
    const { arn, shardId } = await shardWith(1);
    const iterator = await iteratorOf(server, arn, shardId);
    const stranger = streamsClientFor(server.running.url, "AKIDSOMEBODYELSE");
    try {
      await streamError(
        getRecords({ ...server, streams: stranger }, iterator),
        "ResourceNotFoundException",
      );
    } finally {
      stranger.destroy();
    }
  });

  test("goes on when its stream is disabled", async () => {
    const { name, arn, shardId } = await shardWith(2);
    const iterator = await iteratorOf(server, arn, shardId);
    await server.client.send(
      new UpdateTableCommand({ TableName: name, StreamSpecification: { StreamEnabled: false } }),
    );
    const page = await getRecords(server, iterator);
    expect(keysOf(page.Records)).toEqual(["0", "1"]);
    expect(page.NextShardIterator).toBeUndefined();
  });
});

suite("GetShardIterator is refused", () => {
  const base = async (): Promise<GetShardIteratorCommandInput> => {
    const { arn, shardId } = await shardWith(0);
    return { StreamArn: arn, ShardId: shardId, ShardIteratorType: "LATEST" };
  };
  const send = (input: GetShardIteratorCommandInput) =>
    server.streams.send(new GetShardIteratorCommand(input));

  test("for a shard that is not there", async () => {
    await streamError(
      send({ ...(await base()), ShardId: "shardId-00000001531923654000-00000000" }),
      "ResourceNotFoundException",
      "Requested resource not found: Shard does not exist",
    );
  });

  test("for a shard of another stream", async () => {
    const other = await shardWith(0);
    await streamError(
      send({ ...(await base()), ShardId: other.shardId }),
      "ResourceNotFoundException",
      "Requested resource not found: Shard does not exist",
    );
  });

  test("for a stream that is not there", async () => {
    const input = await base();
    const StreamArn = `${input.StreamArn?.slice(0, -1)}x`;
    await streamError(
      send({ ...input, StreamArn }),
      "ResourceNotFoundException",
      `Requested resource not found: Stream: ${StreamArn} not found`,
    );
  });

  test("for something that is no ARN", async () => {
    await streamError(
      send({ ...(await base()), StreamArn: "x".repeat(50) }),
      "ValidationException",
      "Invalid StreamArn",
    );
  });

  test("for an unknown type", async () => {
    await streamError(
      send({ ...(await base()), ShardIteratorType: "AT_TIMESTAMP" as "LATEST" }),
      "ValidationException",
      /^1 validation error detected: Value 'AT_TIMESTAMP' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value set: \[/,
    );
  });

  test.each(["StreamArn", "ShardId", "ShardIteratorType"] as const)(
    "without %s",
    async (member) => {
      const { [member]: _, ...rest } = await base();
      const name = member.charAt(0).toLowerCase() + member.slice(1);
      await streamError(
        send(rest as GetShardIteratorCommandInput),
        "ValidationException",
        `1 validation error detected: Value null at '${name}' failed to satisfy constraint: Member must not be null`,
      );
    },
  );
});
