import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateContributorInsightsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/index.ts";
import { clientFor, createTable, type TestServer } from "../sdk/harness.ts";

let running: RunningServer;
let client: DynamoDBClient;

beforeAll(async () => {
  running = await startServer();
  client = clientFor(running.url);
});

afterAll(async () => {
  client.destroy();
  await running.close();
});

const makeTable = () =>
  createTable({ client } as TestServer, { key: "pk:S sk:N", global: { byG: { hash: "g:S" } } });

const enable = (TableName: string, more: { IndexName?: string; mode?: "THROTTLED_KEYS" } = {}) =>
  client.send(
    new UpdateContributorInsightsCommand({
      TableName,
      ContributorInsightsAction: "ENABLE",
      ...(more.IndexName !== undefined && { IndexName: more.IndexName }),
      ...(more.mode !== undefined && { ContributorInsightsMode: more.mode }),
    }),
  );

const disable = (TableName: string) =>
  client.send(
    new UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: "DISABLE" }),
  );

async function insights(query: string) {
  const answer = await fetch(`${running.url}/insights${query}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json");
  return (await answer.json()) as Record<string, unknown>[];
}

const item = (pk: string, sk: number, g?: string) => ({
  pk: { S: pk },
  sk: { N: String(sk) },
  ...(g !== undefined && { g: { S: g } }),
});
const put = (TableName: string, pk: string, sk: number, g?: string) =>
  client.send(new PutItemCommand({ TableName, Item: item(pk, sk, g) }));

test("nothing is counted where insights are not enabled", async () => {
  const table = await makeTable();
  await put(table, "p", 1);
  expect(await insights(`?table=${table}`)).toEqual([]);
});

test("keys are ranked by their units, a write unit for three read units", async () => {
  const table = await makeTable();
  await enable(table);
  await put(table, "cold", 1);
  await put(table, "hot", 1);
  await put(table, "hot", 2);
  const Key = item("hot", 2);
  await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
  await client.send(new GetItemCommand({ TableName: table, Key }));
  await client.send(new DeleteItemCommand({ TableName: table, Key: item("cold", 9) }));
  await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :p",
      ExpressionAttributeValues: { ":p": { S: "hot" } },
    }),
  );
  const counted = (key: string, count: number) => ({ key, count, error: 0 });
  expect(await insights(`?table=${table}`)).toEqual([
    {
      account: expect.stringMatching(/^\d{12}$/),
      region: "us-east-1",
      table,
      mode: "ACCESSED_AND_THROTTLED_KEYS",
      since: expect.stringMatching(/^20\d\d-.*Z$/),
      accessed: {
        total: 14,
        partitionKeys: [counted("pk=hot", 8), counted("pk=cold", 6)],
        // The query read many keys: it counts for the partition key alone.
        keys: [
          counted("pk=hot\nsk=2", 4.5),
          counted("pk=cold\nsk=1", 3),
          counted("pk=cold\nsk=9", 3),
          counted("pk=hot\nsk=1", 3),
        ],
      },
      throttled: { total: 0, partitionKeys: [], keys: [] },
    },
  ]);
});

test("an index has counts of its own", async () => {
  const table = await makeTable();
  await enable(table, { IndexName: "byG" });
  await put(table, "p", 1, "red");
  await put(table, "p", 2, "red");
  await put(table, "p", 3);
  const [found, ...others] = await insights(`?table=${table}&index=byG`);
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    index: "byG",
    accessed: { total: 6, partitionKeys: [{ key: "g=red", count: 6, error: 0 }] },
  });
  expect(found?.accessed).not.toHaveProperty("keys");
});

test("the narrow mode forgets accesses, and disabling forgets all", async () => {
  const table = await makeTable();
  await enable(table);
  await put(table, "p", 1);
  await enable(table, { mode: "THROTTLED_KEYS" });
  await put(table, "p", 1);
  const [narrow] = await insights(`?table=${table}`);
  expect(narrow).not.toHaveProperty("accessed");
  await enable(table);
  const [wide] = await insights(`?table=${table}`);
  expect(wide).toMatchObject({ accessed: { total: 0 } });
  await put(table, "p", 1);
  await disable(table);
  expect(await insights(`?table=${table}`)).toEqual([]);
  await enable(table);
  const [again] = await insights(`?table=${table}`);
  expect(again).toMatchObject({ accessed: { total: 0 } });
});
