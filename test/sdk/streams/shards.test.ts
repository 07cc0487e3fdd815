import {
  type CreateTableCommandInput,
  PutItemCommand,
  UpdateTableCommand,
  type UpdateTableCommandInput,
} from "@aws-sdk/client-dynamodb";
import type { Shard } from "@aws-sdk/client-dynamodb-streams";
import { expect, suite, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import {
  allRecords,
  createStreamTable,
  describe,
  hour,
  isOpen,
  recordsOf,
  shardsOf,
  splitShard,
  useStreamServer,
} from "./support.ts";

const clock = new ManualClock(Date.UTC(2026, 4, 1));
const server = useStreamServer({ clock });

const put = (TableName: string, pk: string, v = 0) =>
  server.client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, v: { N: `${v}` } } }));

async function putMany(TableName: string, count: number, v = 0): Promise<void> {
  for (let i = 0; i < count; i += 1) await put(TableName, `k${i}`, v);
}

const provisioned = (read: number, write: number): Partial<CreateTableCommandInput> => ({
  BillingMode: "PROVISIONED",
  ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write },
});

const update = (TableName: string, change: Partial<UpdateTableCommandInput>) =>
  server.client.send(new UpdateTableCommand({ TableName, ...change }));

const numbers = ({ SequenceNumberRange: range }: Shard): [bigint, bigint | undefined] => [
  BigInt(range?.StartingSequenceNumber ?? ""),
  range?.EndingSequenceNumber === undefined ? undefined : BigInt(range.EndingSequenceNumber),
];

suite("a new stream", () => {
  test("of an on-demand table has four shards", async () => {
    const { arn } = await createStreamTable(server);
    expect(await shardsOf(server, arn)).toHaveLength(4);
  });

  test.each([
    [1, 1, 1],
    [3_000, 1_000, 2],
    [10, 2_500, 3],
  ])("of a table with %d and %d units has %d", async (read, write, count) => {
    const { arn } = await createStreamTable(server, "KEYS_ONLY", provisioned(read, write));
    expect(await shardsOf(server, arn)).toHaveLength(count);
  });

  test("of a warm table has as many as carry that", async () => {
    const { arn } = await createStreamTable(server, "KEYS_ONLY", {
      WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 6_000 },
    });
    expect(await shardsOf(server, arn)).toHaveLength(6);
  });

  test("has open shards without parents", async () => {
    const { arn } = await createStreamTable(server);
    for (const shard of await shardsOf(server, arn)) {
      expect(shard).toEqual({
        ShardId: expect.stringMatching(/^shardId-\d{20}-[0-9a-f]{8}$/),
        SequenceNumberRange: { StartingSequenceNumber: expect.stringMatching(/^\d{21,40}$/) },
      });
    }
  });

  test("spreads items over its shards", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY");
    await putMany(name, 40);
    for (const { ShardId } of await shardsOf(server, arn)) {
      expect((await recordsOf(server, arn, ShardId)).length).toBeGreaterThan(0);
    }
    expect(await allRecords(server, arn)).toHaveLength(40);
  });

  test("has all records of an item in one of them", async () => {
    const { name, arn } = await createStreamTable(server, "NEW_IMAGE");
    for (let v = 0; v < 5; v += 1) await putMany(name, 8, v);
    const homes = new Map<string, Set<string>>();
    for (const { ShardId = "" } of await shardsOf(server, arn)) {
      for (const { dynamodb } of await recordsOf(server, arn, ShardId)) {
        const key = dynamodb?.Keys?.pk?.S ?? "";
        homes.set(key, (homes.get(key) ?? new Set()).add(ShardId));
      }
    }
    expect([...homes.values()].map(({ size }) => size)).toEqual(Array(8).fill(1));
  });
});

suite("a shard that is split", () => {
  test("is closed and has two open children", async () => {
    const { name, arn } = await createStreamTable(server);
    const [first] = (await shardsOf(server, arn)) as [Shard];
    await splitShard(server, name, first.ShardId);
    const after = await shardsOf(server, arn);
    const parent = after.find(({ ShardId }) => ShardId === first.ShardId) as Shard;
    const children = after.filter(({ ParentShardId }) => ParentShardId === first.ShardId);
    expect(after).toHaveLength(6);
    expect(isOpen(parent)).toBe(false);
    expect(children).toHaveLength(2);
    expect(children.every(isOpen)).toBe(true);
    const [, end] = numbers(parent);
    for (const child of children) expect(numbers(child)[0]).toBeGreaterThan(end as bigint);
    expect(after.filter((shard) => isOpen(shard)).length).toBe(5);
  });

  test("keeps its records; later ones are in its children", async () => {
    const { name, arn } = await createStreamTable(server, "NEW_IMAGE", provisioned(1, 1));
    const [parent] = (await shardsOf(server, arn)) as [Shard];
    await putMany(name, 20, 1);
    await splitShard(server, name, parent.ShardId);
    await putMany(name, 20, 2);
    const [closed, ...children] = (await shardsOf(server, arn)) as [Shard, Shard, Shard];
    expect(await recordsOf(server, arn, closed.ShardId)).toHaveLength(20);
    const halves = await Promise.all(
      children.map(({ ShardId }) => recordsOf(server, arn, ShardId)),
    );
    expect(halves.flat()).toHaveLength(20);
    for (const half of halves) expect(half.length).toBeGreaterThan(0);
    for (const { dynamodb } of halves.flat()) expect(dynamodb?.NewImage?.v?.N).toBe("2");
  });

  test("has numbers between which its records lie", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY", provisioned(1, 1));
    await putMany(name, 10, 1);
    const [parent] = (await shardsOf(server, arn)) as [Shard];
    await splitShard(server, name, parent.ShardId);
    await putMany(name, 10, 2);
    for (const shard of await shardsOf(server, arn)) {
      const [start, end] = numbers(shard);
      for (const { dynamodb } of await recordsOf(server, arn, shard.ShardId)) {
        const number = BigInt(dynamodb?.SequenceNumber ?? "");
        expect(number >= start && (end === undefined || number <= end)).toBe(true);
      }
    }
  });

  test("has children that sort behind it, so that pages are in order", async () => {
    const { name, arn } = await createStreamTable(server);
    for (let i = 0; i < 3; i += 1) {
      const [open] = (await shardsOf(server, arn)).filter(isOpen) as [Shard];
      await splitShard(server, name, open.ShardId);
    }
    const shards = await shardsOf(server, arn);
    const ids = shards.map(({ ShardId = "" }) => ShardId);
    expect(ids.toSorted()).toEqual(ids);
    for (const { ShardId = "", ParentShardId } of shards) {
      if (ParentShardId !== undefined) expect(ShardId > ParentShardId).toBe(true);
    }
  });

  test("can be split again: children become parents", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY", provisioned(1, 1));
    for (let round = 0; round < 3; round += 1) {
      for (const { ShardId } of (await shardsOf(server, arn)).filter(isOpen)) {
        await splitShard(server, name, ShardId);
      }
      await putMany(name, 30, round);
    }
    const shards = await shardsOf(server, arn);
    expect(shards).toHaveLength(1 + 2 + 4 + 8);
    expect(shards.filter(isOpen)).toHaveLength(8);
    expect(await allRecords(server, arn)).toHaveLength(90);
  });
});

suite("settings that mean more partitions split shards:", () => {
  test("throughput", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY", provisioned(10, 10));
    await update(name, {
      ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 4_000 },
    });
    const shards = await shardsOf(server, arn);
    expect(shards.filter(isOpen)).toHaveLength(5);
    const parents = new Set(shards.map(({ ParentShardId }) => ParentShardId));
    expect(parents).toContain(shards[0]?.ShardId);
  });

  test("warm throughput", async () => {
    const { name, arn } = await createStreamTable(server);
    await update(name, {
      WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 8_000 },
    });
    const shards = await shardsOf(server, arn);
    expect(shards.filter(isOpen)).toHaveLength(8);
    expect(shards).toHaveLength(12);
  });

  test("a change to on-demand", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY", provisioned(1, 1));
    await update(name, { BillingMode: "PAY_PER_REQUEST" });
    expect((await shardsOf(server, arn)).filter(isOpen)).toHaveLength(4);
  });

  test("but never make them fewer", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY", provisioned(10, 3_000));
    const before = await shardsOf(server, arn);
    await update(name, {
      ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 10 },
    });
    expect(await shardsOf(server, arn)).toEqual(before);
  });

  test("and other changes leave them alone", async () => {
    const { name, arn } = await createStreamTable(server);
    const before = await shardsOf(server, arn);
    await update(name, { TableClass: "STANDARD_INFREQUENT_ACCESS" });
    expect(await shardsOf(server, arn)).toEqual(before);
  });
});

suite("after four hours", () => {
  test("a shard is closed and goes on in one child", async () => {
    const { name, arn } = await createStreamTable(server, "NEW_IMAGE", provisioned(1, 1));
    await put(name, "a", 1);
    clock.advance(4 * hour - 1);
    expect(await shardsOf(server, arn)).toHaveLength(1);
    clock.advance(1);
    const [parent, child, ...more] = (await shardsOf(server, arn)) as [Shard, Shard];
    expect(more).toEqual([]);
    expect(isOpen(parent)).toBe(false);
    expect(child.ParentShardId).toBe(parent.ShardId);
    expect(isOpen(child)).toBe(true);
    await put(name, "a", 2);
    const values = async ({ ShardId }: Shard) =>
      (await recordsOf(server, arn, ShardId)).map(({ dynamodb }) => dynamodb?.NewImage?.v?.N);
    expect(await values(parent)).toEqual(["1"]);
    expect(await values(child)).toEqual(["2"]);
  });

  test("each open shard does so, and again after four more", async () => {
    const { arn } = await createStreamTable(server);
    clock.advance(4 * hour);
    expect(await shardsOf(server, arn)).toHaveLength(8);
    clock.advance(4 * hour);
    const shards = await shardsOf(server, arn);
    expect(shards).toHaveLength(12);
    expect(shards.filter(isOpen)).toHaveLength(4);
    const ids = new Set(shards.map(({ ShardId }) => ShardId));
    const roots = shards.filter(({ ParentShardId }) => ParentShardId === undefined);
    expect(roots).toHaveLength(4);
    for (const { ParentShardId } of shards) {
      if (ParentShardId !== undefined) expect(ids).toContain(ParentShardId);
    }
  });

  test("the stream itself stays what it is", async () => {
    const { arn } = await createStreamTable(server);
    const before = await describe(server, arn);
    clock.advance(5 * hour);
    const after = await describe(server, arn);
    expect({ ...after, Shards: [] }).toEqual({ ...before, Shards: [] });
  });
});
