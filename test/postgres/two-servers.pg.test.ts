import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/index.ts";
import { clientFor } from "../sdk/harness.ts";
import { type PostgresServer, startPostgresServer } from "../storage/postgres-server.ts";

let database: PostgresServer | undefined;
let servers: RunningServer[];
let one: DynamoDBClient;
let two: DynamoDBClient;

beforeAll(async () => {
  database = await startPostgresServer();
  const store = `${database.connectionString}?connections=6`;
  servers = await Promise.all([startServer({ store }), startServer({ store })]);
  [one, two] = servers.map(({ url }) => clientFor(url)) as [DynamoDBClient, DynamoDBClient];
});
afterAll(async () => {
  one.destroy();
  two.destroy();
  await Promise.all(servers.map((server) => server.close()));
  await database?.stop();
});

async function createTable(client: DynamoDBClient, TableName: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    }),
  );
}

const put = (client: DynamoDBClient, TableName: string, pk: string, kind = "x") =>
  client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, kind: { S: kind } } }));
const get = async (client: DynamoDBClient, TableName: string, pk: string) =>
  (await client.send(new GetItemCommand({ TableName, Key: { pk: { S: pk } } }))).Item;

test("what one server is told, the other knows", async () => {
  await createTable(one, "shared");
  await put(two, "shared", "a");
  expect(await get(one, "shared", "a")).toEqual({ pk: { S: "a" }, kind: { S: "x" } });
  const { TableNames } = await two.send(new ListTablesCommand({}));
  expect(TableNames).toContain("shared");
  await expect(createTable(two, "shared")).rejects.toThrow("Table already exists: shared");
});

test("racing updates and unique creates through both servers lose nothing", async () => {
  await createTable(one, "races");
  const clients = [one, two];
  const creates = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      clients[n % 2]?.send(
        new PutItemCommand({
          TableName: "races",
          Item: { pk: { S: "only" }, n: { N: String(n) } },
          ConditionExpression: "attribute_not_exists(pk)",
        }),
      ),
    ),
  );
  expect(creates.filter(({ status }) => status === "fulfilled").length).toBe(1);
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      clients[n % 2]?.send(
        new UpdateItemCommand({
          TableName: "races",
          Key: { pk: { S: "sum" } },
          UpdateExpression: "ADD n :one",
          ExpressionAttributeValues: { ":one": { N: "1" } },
        }),
      ),
    ),
  );
  expect((await get(one, "races", "sum"))?.n).toEqual({ N: "60" });
  const transfer = (client: DynamoDBClient | undefined, from: string, to: string) =>
    client?.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { pk: from, by: "-1" },
          { pk: to, by: "1" },
        ].map(({ pk, by }) => ({
          Update: {
            TableName: "races",
            Key: { pk: { S: pk } },
            UpdateExpression: "ADD n :by",
            ExpressionAttributeValues: { ":by": { N: by } },
          },
        })),
      }),
    );
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      n % 4 < 2
        ? transfer(clients[n % 2], "left", "right")
        : transfer(clients[n % 2], "right", "left"),
    ),
  );
  expect((await get(two, "races", "left"))?.n).toEqual({ N: "0" });
  expect((await get(one, "races", "right"))?.n).toEqual({ N: "0" });
  await one.send(new DescribeTableCommand({ TableName: "races" }));
});

test("an index that one server adds is kept by writes through the other and can be read there", async () => {
  await createTable(one, "indexed");
  await put(two, "indexed", "before", "k");
  await one.send(
    new UpdateTableCommand({
      TableName: "indexed",
      AttributeDefinitions: [{ AttributeName: "kind", AttributeType: "S" }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: "by-kind",
            KeySchema: [{ AttributeName: "kind", KeyType: "HASH" }],
            Projection: { ProjectionType: "ALL" },
          },
        },
      ],
    }),
  );
  await put(two, "indexed", "after", "k");
  const found = async () => {
    const { Items = [] } = await two.send(
      new QueryCommand({
        TableName: "indexed",
        IndexName: "by-kind",
        KeyConditionExpression: "kind = :k",
        ExpressionAttributeValues: { ":k": { S: "k" } },
      }),
    );
    return Items.map(({ pk }) => pk?.S).sort();
  };
  await expect.poll(() => found().catch(String)).toEqual(["after", "before"]);
  await Promise.all(servers.map(({ workbench }) => workbench.idle()));
  expect((await servers[1]?.workbench.verify())?.problems).toEqual([]);
});

test("a table that one server deletes and makes anew is soon another one for reads through the other", async () => {
  await createTable(one, "again");
  await put(one, "again", "a", "old");
  expect((await get(two, "again", "a"))?.kind).toEqual({ S: "old" });
  await one.send(new DeleteTableCommand({ TableName: "again" }));
  await expect
    .poll(() => get(two, "again", "a").catch((e: Error) => e.name))
    .toBe("ResourceNotFoundException");
  await createTable(one, "again");
  await put(one, "again", "a", "new");
  await expect
    .poll(() => get(two, "again", "a").catch((error: Error) => error.name))
    .toEqual({ pk: { S: "a" }, kind: { S: "new" } });
});
