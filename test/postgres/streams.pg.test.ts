import { type DynamoDBClient, PutItemCommand, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import type { _Record, DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/index.ts";
import { clientFor, createTable, type TestServer } from "../sdk/harness.ts";
import { Consumer } from "../sdk/streams/consumer.ts";
import {
  describe,
  getRecords,
  isOpen,
  iteratorOf,
  latestArn,
  type StreamServer,
  shardsOf,
  splitShard,
  streamsClientFor,
} from "../sdk/streams/support.ts";
import { type PostgresServer, startPostgresServer } from "../storage/postgres-server.ts";

let database: PostgresServer | undefined;
let both: readonly [StreamServer, StreamServer];

function served(running: RunningServer): StreamServer {
  const client: DynamoDBClient = clientFor(running.url);
  const streams: DynamoDBStreamsClient = streamsClientFor(running.url);
  return { running, client, streams } as TestServer & StreamServer;
}

beforeAll(async () => {
  database = await startPostgresServer();
  const store = `${database.connectionString}?connections=6`;
  const servers = await Promise.all([startServer({ store }), startServer({ store })]);
  both = servers.map(served) as [StreamServer, StreamServer];
});
afterAll(async () => {
  for (const { client, streams, running } of both) {
    client.destroy();
    streams.destroy();
    await running.close();
  }
  await database?.stop();
});

async function streamTable(): Promise<{ name: string; arn: string }> {
  const name = await createTable(
    both[0],
    { key: "pk:S" },
    { StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" } },
  );
  return { name, arn: await latestArn(both[0], name) };
}

test("a stream that one server has made is read through the other", async () => {
  const { name, arn } = await streamTable();
  const [one, two] = both;
  await one.client.send(new PutItemCommand({ TableName: name, Item: { pk: { S: "a" } } }));
  expect((await describe(two, arn)).StreamStatus).toBe("ENABLED");
  const found: _Record[] = [];
  for (const { ShardId } of await shardsOf(two, arn)) {
    // An iterator of one is good for the other.
    const page = await getRecords(two, await iteratorOf(one, arn, ShardId));
    found.push(...(page.Records ?? []));
  }
  expect(found.map(({ dynamodb }) => dynamodb?.Keys)).toEqual([{ pk: { S: "a" } }]);
});

test("what both write at once, while shards split, is read once and in order", async () => {
  const { name, arn } = await streamTable();
  const written = new Map<string, string[]>();
  const read = new Map<string, string[]>();
  const consumer = new Consumer(both[1].streams, arn, ({ dynamodb }) => {
    const key = dynamodb?.Keys?.pk?.S ?? "";
    read.set(key, [...(read.get(key) ?? []), dynamodb?.NewImage?.v?.N ?? ""]);
  });
  let writing = true;
  const reading = (async () => {
    while (writing) await consumer.round();
  })();
  const write = async (who: number): Promise<void> => {
    const server = both[who % 2] as StreamServer;
    for (let i = 0; i < 60; i += 1) {
      const key = `${who}/${i % 5}`;
      await server.client.send(
        new PutItemCommand({ TableName: name, Item: { pk: { S: key }, v: { N: `${i}` } } }),
      );
      written.set(key, [...(written.get(key) ?? []), `${i}`]);
      if (i % 25 === who) {
        const [shard] = (await shardsOf(server, arn)).filter(isOpen);
        // The other may have been faster.
        await splitShard(server, name, shard?.ShardId).catch(() => {});
      }
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map(write));
  writing = false;
  await reading;
  await consumer.catchUp();
  expect(Object.fromEntries(read)).toEqual(Object.fromEntries(written));
  expect((await shardsOf(both[0], arn)).length).toBeGreaterThan(8);
  expect((await both[0].running.workbench.verify()).problems).toEqual([]);
});

test("nothing is written behind the end of a stream that the other server ends", async () => {
  const { name, arn } = await streamTable();
  const [one, two] = both;
  let stop = false;
  const writing = (async () => {
    for (let i = 0; !stop; i += 1) {
      await two.client.send(
        new PutItemCommand({ TableName: name, Item: { pk: { S: `${i % 9}` }, v: { N: `${i}` } } }),
      );
    }
  })();
  for (let i = 0; i < 3; i += 1) {
    await one.client.send(
      new UpdateTableCommand({ TableName: name, StreamSpecification: { StreamEnabled: false } }),
    );
    await one.client.send(
      new UpdateTableCommand({
        TableName: name,
        StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
      }),
    );
  }
  stop = true;
  await writing;
  expect((await describe(two, arn)).StreamStatus).toBe("DISABLED");
  expect((await one.running.workbench.verify()).problems).toEqual([]);
});
