import {
  BatchWriteItemCommand,
  CreateTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ManualClock, type RunningServer, startServer } from "../../src/index.ts";
import { clientFor } from "../sdk/harness.ts";
import { type PostgresServer, startPostgresServer } from "../storage/postgres-server.ts";

const clock = new ManualClock();
const hour = 3_600;

let database: PostgresServer | undefined;
let store: string;
let servers: RunningServer[];
let clients: DynamoDBClient[];

beforeAll(async () => {
  database = await startPostgresServer();
  store = `${database.connectionString}?connections=6`;
  servers = await Promise.all([startServer({ store, clock }), startServer({ store, clock })]);
  clients = servers.map(({ url }) => clientFor(url));
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  await Promise.all(servers.map((server) => server.close()));
  await database?.stop();
});

const now = (): number => clock.now() / 1_000;
const one = (): DynamoDBClient => clients[0] as DynamoDBClient;
const two = (): DynamoDBClient => clients[1] as DynamoDBClient;

async function makeTable(TableName: string): Promise<void> {
  await one().send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "g", AttributeType: "S" },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "byG",
          KeySchema: [{ AttributeName: "g", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      ],
    }),
  );
}

const enable = (client: DynamoDBClient, TableName: string) =>
  client.send(
    new UpdateTimeToLiveCommand({
      TableName,
      TimeToLiveSpecification: { Enabled: true, AttributeName: "ttl" },
    }),
  );

async function fill(TableName: string, count: number, ttl: number): Promise<void> {
  for (let first = 0; first < count; first += 25) {
    const requests = Array.from({ length: Math.min(25, count - first) }, (_, i) => ({
      PutRequest: {
        Item: { pk: { S: `${first + i}` }, g: { S: "x" }, ttl: { N: String(ttl + (i % 5)) } },
      },
    }));
    const client = clients[(first / 25) % 2] as DynamoDBClient;
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
  }
}

async function countOf(client: DynamoDBClient, TableName: string, IndexName?: string) {
  const select = { TableName, Select: "COUNT" as const, ...(IndexName && { IndexName }) };
  return (await client.send(new ScanCommand(select))).Count;
}

/** How many items each server says that it has deleted. */
async function deletedBy(TableName: string): Promise<number[]> {
  const pages = await Promise.all(servers.map(({ url }) => fetch(`${url}/metrics`)));
  const texts = await Promise.all(pages.map((page) => page.text()));
  const name = "dynamodb_time_to_live_deleted_item_count_total";
  return texts.map((text) => {
    const line = text
      .split("\n")
      .find((each) => each.startsWith(name) && each.includes(`"${TableName}"`));
    return Number(line?.split(" ").at(-1) ?? 0);
  });
}

test("both delete at once: every item goes, once, and neither fails for the other", async () => {
  await makeTable("Shared");
  await enable(one(), "Shared");
  await fill("Shared", 400, now() + hour);
  clock.advance(2 * hour * 1_000);
  await Promise.all(servers.map(({ workbench }) => workbench.idle()));
  expect(await countOf(one(), "Shared")).toBe(0);
  expect(await countOf(two(), "Shared", "byG")).toBe(0);
  const [first = 0, second = 0] = await deletedBy("Shared");
  expect(first + second).toBe(400);
  for (const { workbench } of servers) expect((await workbench.verify()).problems).toEqual([]);
});

test("one goes on writing what the other deletes", async () => {
  await makeTable("Busy");
  await enable(one(), "Busy");
  await fill("Busy", 200, now() + hour);
  clock.advance(2 * hour * 1_000);
  const later = { N: String(now() + 90 * hour) };
  const writes = Array.from({ length: 100 }, (_, i) =>
    two().send(
      new PutItemCommand({ TableName: "Busy", Item: { pk: { S: `${i * 2}` }, ttl: later } }),
    ),
  );
  await Promise.all([...writes, ...servers.map(({ workbench }) => workbench.idle())]);
  expect(await countOf(one(), "Busy")).toBe(100);
  expect(await servers[0]?.workbench.verify()).toMatchObject({ problems: [] });
});

test("what one server was told, the other deletes when the first is gone", async () => {
  await makeTable("Left");
  const third = await startServer({ store, clock });
  const client = clientFor(third.url);
  try {
    await enable(client, "Left");
    await client.send(
      new PutItemCommand({
        TableName: "Left",
        Item: { pk: { S: "a" }, ttl: { N: String(now() + 30) } },
      }),
    );
  } finally {
    client.destroy();
    await third.close();
  }
  // Word of the change of the table reaches them, or they find it when they look again.
  clock.advance(120_000);
  await expect
    .poll(async () => {
      clock.advance(1_000);
      return countOf(one(), "Left");
    })
    .toBe(0);
});
