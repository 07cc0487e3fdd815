import { beforeEach, expect, suite, test } from "vitest";
import { FaultyStore } from "../../test/storage/faulty-store.ts";
import { plain } from "../api/response-json.ts";
import { createTable } from "../operations/create-table.ts";
import { deleteTable } from "../operations/delete-table.ts";
import { describeStream } from "../operations/describe-stream.ts";
import { getRecords } from "../operations/get-records.ts";
import { getShardIterator } from "../operations/get-shard-iterator.ts";
import { listStreams } from "../operations/list-streams.ts";
import { putItem } from "../operations/put-item.ts";
import {
  type Bench,
  define,
  hash,
  openBench,
  run,
} from "../operations/table-operations.test-support.ts";
import { updateTable } from "../operations/update-table.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Store } from "../storage/store.ts";
import { Database } from "./database.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { allLogs, allStreams } from "./layout.ts";
import { verify } from "./verify.ts";

const hour = 3_600_000;
const all = { limit: 100_000, bytesMax: Number.MAX_SAFE_INTEGER };

let bench: Bench;

beforeEach(async () => {
  bench = await openBench();
  await run(bench, createTable, {
    TableName: "Things",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [hash("pk")],
    AttributeDefinitions: define("pk"),
    StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
  });
});

const put = async (count: number, mark = "x"): Promise<void> => {
  for (let i = 0; i < count; i += 1) {
    await run(bench, putItem, { TableName: "Things", Item: { pk: { S: `${mark}${i}` } } });
  }
};

const keep = () => bench.database.streamKeeper.keep();

/** How many entries of logs there are, marks included. */
const entries = async (store: Store = bench.store): Promise<number> =>
  (await store.scan(allLogs, all)).entries.length;

const streams = async (): Promise<number> =>
  (await bench.store.scan(allStreams, all)).entries.length;

async function arn(): Promise<string> {
  const { Streams } = (await run(bench, listStreams, {})) as never as {
    Streams: { StreamArn: string }[];
  };
  return Streams[0]?.StreamArn as string;
}

interface DescribedShard {
  readonly ShardId: string;
  readonly SequenceNumberRange: { readonly StartingSequenceNumber: string };
}

async function shards(): Promise<DescribedShard[]> {
  const answer = await run(bench, describeStream, { StreamArn: await arn() });
  return answer.StreamDescription?.Shards as DescribedShard[];
}

async function readable(): Promise<number> {
  let count = 0;
  const StreamArn = await arn();
  for (const { ShardId } of await shards()) {
    let { ShardIterator } = (await run(bench, getShardIterator, {
      StreamArn,
      ShardId,
      ShardIteratorType: "TRIM_HORIZON",
    })) as never as { ShardIterator: string | undefined };
    while (ShardIterator !== undefined) {
      const page = plain<{ Records: unknown[]; NextShardIterator?: string }>(
        await run(bench, getRecords, { ShardIterator }),
      );
      count += page.Records.length;
      ShardIterator = page.Records.length === 0 ? undefined : page.NextShardIterator;
    }
  }
  return count;
}

suite("records", () => {
  test("are cleared when their day is over, and no others", async () => {
    await put(30, "old");
    bench.clock.advance(3 * hour);
    await put(20, "young");
    bench.clock.advance(21 * hour + 10 * 60_000);
    expect(await readable()).toBe(20);
    await keep();
    expect(await readable()).toBe(20);
    // The young ones, and the marks of the shard that they are in and of the one that it went on in.
    expect(await entries()).toBe(20 + 3);
    expect((await verify(bench.store)).problems).toEqual([]);
    expect((await verify(bench.store)).records).toBe(20);
  });

  test("are left alone before", async () => {
    await put(30);
    bench.clock.advance(23 * hour);
    await keep();
    expect(await readable()).toBe(30);
    expect((await verify(bench.store)).records).toBe(30);
  });

  test("that are cleared are told as trimmed", async () => {
    await put(2);
    const [shard] = (await shards()) as [DescribedShard];
    const StreamArn = await arn();
    bench.clock.advance(2 * hour);
    await put(1, "young");
    bench.clock.advance(22 * hour + 10 * 60_000);
    await keep();
    const request = {
      StreamArn,
      ShardId: shard.ShardId,
      ShardIteratorType: "AT_SEQUENCE_NUMBER",
      SequenceNumber: shard.SequenceNumberRange.StartingSequenceNumber,
    };
    await expect(run(bench, getShardIterator, request)).rejects.toThrow(
      "The data you are trying to access has been trimmed",
    );
  });
});

test("an iterator at a record that was cleared is refused", async () => {
  await put(1);
  const StreamArn = await arn();
  const [{ ShardId }] = (await shards()) as [DescribedShard];
  bench.clock.advance(23 * hour + 52 * 60_000);
  const request = { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" };
  const { ShardIterator } = await run(bench, getShardIterator, request);
  bench.clock.advance(14 * 60_000);
  // One that does not remember to have been here an hour ago.
  const other = await Database.open(bench.store, { clock: bench.clock });
  await other.streamKeeper.keep();
  expect((await verify(bench.store)).records).toBe(0);
  await expect(run(bench, getRecords, { ShardIterator })).rejects.toThrow(
    "The data you are trying to access has been trimmed",
  );
});

suite("shards", () => {
  test("roll although nobody reads", async () => {
    bench.clock.advance(4 * hour);
    await keep();
    expect(bench.database.catalog.find("main", "Things")).toMatchObject({
      stream: { shards: [{ number: 1, openedAt: bench.clock.now() }] },
    });
  });

  test("that are closed go when their day is over", async () => {
    await put(5);
    bench.clock.advance(4 * hour);
    expect(await shards()).toHaveLength(2);
    bench.clock.advance(24 * hour - 1);
    await keep();
    expect(await shards()).toHaveLength(3);
    bench.clock.advance(1);
    expect(await shards()).toHaveLength(2);
    bench.clock.advance(hour);
    await keep();
    // Marks alone: what is closed has two, what is open one.
    expect(await entries()).toBe(2 + 1);
    expect((await verify(bench.store)).problems).toEqual([]);
  });

  test("are as many as a table of its size has partitions, from when they roll", async () => {
    let count = 1;
    const database = await Database.open(bench.store, {
      clock: bench.clock,
      partitions: (_, bytes) => Array.from({ length: count + bytes * 0 }, (__, i) => i * 1_000),
    });
    count = 4;
    bench.clock.advance(4 * hour);
    await database.streamKeeper.keep();
    const table = await database.catalog.reload("main", "Things");
    expect(table?.stream?.shards.map(({ start }) => start)).toEqual([
      0,
      2 ** 46,
      2 ** 47,
      2 ** 47 + 2 ** 46,
    ]);
  });
});

suite("streams", () => {
  test("that are disabled go with all that is theirs when their day is over", async () => {
    await put(10);
    await run(bench, updateTable, {
      TableName: "Things",
      StreamSpecification: { StreamEnabled: false },
    });
    bench.clock.advance(24 * hour - 1);
    await keep();
    expect(await readable()).toBe(10);
    bench.clock.advance(hour);
    await keep();
    expect(await streams()).toBe(0);
    expect(await entries()).toBe(0);
    expect((await verify(bench.store)).problems).toEqual([]);
  });

  test("of deleted tables do too", async () => {
    await put(10);
    await run(bench, deleteTable, { TableName: "Things" });
    expect(await readable()).toBe(10);
    bench.clock.advance(25 * hour);
    await keep();
    expect(await streams()).toBe(0);
    expect(await entries()).toBe(0);
  });
});

/** At each of its calls in turn the store dies; the next process must find things in order and end the work. */
test("what was begun before a crash is done after it", async () => {
  for (let at = 1; ; at += 1) {
    const store = openMemoryStore();
    bench = await openBench({ store });
    await run(bench, createTable, {
      TableName: "Things",
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [hash("pk")],
      AttributeDefinitions: define("pk"),
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
    });
    await put(4);
    await run(bench, updateTable, {
      TableName: "Things",
      StreamSpecification: { StreamEnabled: false },
    });
    await run(bench, updateTable, {
      TableName: "Things",
      StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
    });
    await put(4, "y");
    // What is to be seen is the work of the one that dies, and of the one after it.
    await bench.database.streamKeeper.stop();
    bench.clock.advance(4 * hour);
    await bench.database.streams.keepShards(
      (await bench.database.catalog.find("main", "Things")) as TableDescriptor,
    );
    await put(2, "x");
    bench.clock.advance(3 * hour);
    await put(3, "z");
    bench.clock.advance(22 * hour);
    const faulty = new FaultyStore(store, ({ kind, number }) =>
      number === at ? (kind === "clear" ? { do: "tear" } : { do: "fail" }) : undefined,
    );
    const victim = await Database.open(faulty, { clock: bench.clock }).catch(() => undefined);
    await victim?.streamKeeper.keep().catch(() => {});
    expect((await verify(store)).problems).toEqual([]);
    await victim?.streamKeeper.stop();
    const next = await Database.open(store, { clock: bench.clock });
    await next.streamKeeper.keep();
    const report = await verify(store);
    expect(report.problems).toEqual([]);
    expect(report.records).toBe(3);
    expect((await store.scan(allStreams, all)).entries).toHaveLength(1);
    if (faulty.met.length === 0) break;
    expect(at).toBeLessThan(200);
  }
});
