import {
  DeleteItemCommand,
  DeleteTableCommand,
  PutItemCommand,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import type { _Record } from "@aws-sdk/client-dynamodb-streams";
import { expect, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import { Random } from "../../random.ts";
import { Consumer } from "./consumer.ts";
import {
  createStreamTable,
  hour,
  isOpen,
  minute,
  shardsOf,
  splitShard,
  useStreamServer,
} from "./support.ts";

const clock = new ManualClock(Date.UTC(2026, 4, 1));
const server = useStreamServer({ clock });

/** What was written and what was read of each key, in order. */
class Ledger {
  readonly written = new Map<string, string[]>();
  readonly read = new Map<string, string[]>();

  write(key: string, value: string): void {
    this.written.set(key, [...(this.written.get(key) ?? []), value]);
  }

  take = ({ eventName, dynamodb }: _Record): void => {
    const key = dynamodb?.Keys?.pk?.S as string;
    const value = eventName === "REMOVE" ? "gone" : (dynamodb?.NewImage?.v?.N as string);
    this.read.set(key, [...(this.read.get(key) ?? []), value]);
  };

  check(): void {
    expect(Object.fromEntries(this.read)).toEqual(Object.fromEntries(this.written));
  }
}

class Writer {
  readonly #random: Random;
  readonly #table: string;
  readonly #ledger: Ledger;
  readonly #there = new Set<string>();
  #value = 0;

  constructor(table: string, ledger: Ledger, seed: number) {
    this.#table = table;
    this.#ledger = ledger;
    this.#random = new Random(seed);
  }

  async write(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      const key = `key-${this.#random.between(0, 15)}`;
      const pk = { S: key };
      if (this.#there.has(key) && this.#random.chance(0.2)) {
        await server.client.send(new DeleteItemCommand({ TableName: this.#table, Key: { pk } }));
        this.#there.delete(key);
        this.#ledger.write(key, "gone");
      } else {
        this.#value += 1;
        const v = `${this.#value}`;
        await server.client.send(
          new PutItemCommand({ TableName: this.#table, Item: { pk, v: { N: v } } }),
        );
        this.#there.add(key);
        this.#ledger.write(key, v);
      }
    }
  }
}

test("sees every change once and in order while shards split and roll", async () => {
  const { name, arn } = await createStreamTable(server, "NEW_IMAGE");
  const ledger = new Ledger();
  const writer = new Writer(name, ledger, 1);
  const consumer = new Consumer(server.streams, arn, ledger.take, { limit: 7 });
  const random = new Random(2);
  for (let i = 0; i < 12; i += 1) {
    await writer.write(15);
    if (random.chance(0.4)) {
      const open = (await shardsOf(server, arn)).filter(isOpen);
      await splitShard(server, name, random.pick(open).ShardId);
    }
    if (random.chance(0.3)) clock.advance(hour);
    if (random.chance(0.7)) await consumer.round();
  }
  await consumer.catchUp();
  ledger.check();
});

test("another takes over from its checkpoints, again and again", async () => {
  const { name, arn } = await createStreamTable(server, "NEW_IMAGE");
  const ledger = new Ledger();
  const writer = new Writer(name, ledger, 3);
  let consumer = new Consumer(server.streams, arn, ledger.take, { limit: 5 });
  for (let i = 0; i < 8; i += 1) {
    await writer.write(20);
    if (i === 2 || i === 5) {
      for (const { ShardId } of (await shardsOf(server, arn)).filter(isOpen)) {
        await splitShard(server, name, ShardId);
      }
    }
    clock.advance(hour);
    await consumer.round();
    const { checkpoints } = consumer;
    consumer = new Consumer(server.streams, arn, ledger.take, { checkpoints, limit: 5 });
  }
  await consumer.catchUp();
  ledger.check();
});

test("writers and the consumer at the same time", async () => {
  const { name, arn } = await createStreamTable(server, "NEW_IMAGE");
  const ledger = new Ledger();
  const consumer = new Consumer(server.streams, arn, ledger.take);
  let writing = true;
  const reading = (async () => {
    while (writing) await consumer.round();
  })();
  // Each writes keys of its own: who else was first is not known to it.
  const write = async (who: number): Promise<void> => {
    for (let i = 0; i < 40; i += 1) {
      const key = `${who}-${i % 4}`;
      await server.client.send(
        new PutItemCommand({ TableName: name, Item: { pk: { S: key }, v: { N: `${i}` } } }),
      );
      ledger.write(key, `${i}`);
      if (i === 20) {
        const [shard] = (await shardsOf(server, arn)).filter(isOpen);
        // Another may have been faster.
        await splitShard(server, name, shard?.ShardId).catch(() => {});
      }
    }
  };
  await Promise.all([0, 1, 2, 3].map(write));
  writing = false;
  await reading;
  await consumer.catchUp();
  ledger.check();
});

test("that was idle for too long goes on with new iterators", async () => {
  const { name, arn } = await createStreamTable(server, "NEW_IMAGE");
  const ledger = new Ledger();
  const writer = new Writer(name, ledger, 4);
  const consumer = new Consumer(server.streams, arn, ledger.take);
  await writer.write(20);
  await consumer.catchUp();
  clock.advance(20 * minute);
  await writer.write(20);
  await consumer.catchUp();
  ledger.check();
});

test("comes to the end when the stream is disabled", async () => {
  const { name, arn } = await createStreamTable(server, "NEW_IMAGE");
  const ledger = new Ledger();
  const writer = new Writer(name, ledger, 5);
  const consumer = new Consumer(server.streams, arn, ledger.take);
  await writer.write(30);
  await server.client.send(
    new UpdateTableCommand({ TableName: name, StreamSpecification: { StreamEnabled: false } }),
  );
  await consumer.catchUp();
  ledger.check();
  expect([...consumer.checkpoints.values()]).toEqual(["end", "end", "end", "end"]);
});

test("comes to the end when the table is deleted", async () => {
  const { name, arn } = await createStreamTable(server, "NEW_IMAGE");
  const ledger = new Ledger();
  const writer = new Writer(name, ledger, 6);
  await writer.write(30);
  await server.client.send(new DeleteTableCommand({ TableName: name }));
  const consumer = new Consumer(server.streams, arn, ledger.take);
  await consumer.catchUp();
  ledger.check();
  expect(new Set(consumer.checkpoints.values())).toEqual(new Set(["end"]));
});
