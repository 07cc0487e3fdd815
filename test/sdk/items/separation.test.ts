import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterEach, describe, expect, test } from "vitest";
import { clientFor, expectError, freshName, useServer } from "../harness.ts";

const server = useServer();
const opened: DynamoDBClient[] = [];

function client(accessKey: string, region: string): DynamoDBClient {
  const made = clientFor(server.running.url, accessKey, region);
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const each of opened.splice(0)) each.destroy();
});

const create = (by: DynamoDBClient, TableName: string, name = "pk") =>
  by.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: name, KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: name, AttributeType: "S" }],
    }),
  );
const names = async (by: DynamoDBClient) => (await by.send(new ListTablesCommand({}))).TableNames;

type Place = readonly [account: string, region: string];

describe.each<readonly [string, Place, Place]>([
  ["accounts", ["111122223333", "us-east-1"], ["444455556666", "us-east-1"]],
  ["Regions", ["111122223333", "us-east-1"], ["111122223333", "eu-west-2"]],
])("%s", (what, one, two) => {
  test("do not see each other's tables", async () => {
    const [here, there] = [client(...one), client(...two)];
    const TableName = freshName("own");
    await create(here, TableName);
    expect(await names(here)).toContain(TableName);
    expect(await names(there)).not.toContain(TableName);
    await expectError(
      there.send(new DescribeTableCommand({ TableName })),
      "ResourceNotFoundException",
      `Requested resource not found: Table: ${TableName} not found`,
    );
    await expectError(
      there.send(new GetItemCommand({ TableName, Key: { pk: { S: "a" } } })),
      "ResourceNotFoundException",
      "Requested resource not found",
    );
  });

  test("may have tables of one name with different keys and items", async () => {
    const [here, there] = [client(...one), client(...two)];
    const TableName = freshName("both");
    await create(here, TableName, "left");
    await create(there, TableName, "right");
    await here.send(new PutItemCommand({ TableName, Item: { left: { S: "a" }, by: { S: what } } }));
    await there.send(new PutItemCommand({ TableName, Item: { right: { S: "a" } } }));
    const got = await here.send(new GetItemCommand({ TableName, Key: { left: { S: "a" } } }));
    expect(got.Item).toEqual({ left: { S: "a" }, by: { S: what } });
    await here.send(new DeleteTableCommand({ TableName }));
    expect(await names(here)).not.toContain(TableName);
    const kept = await there.send(new GetItemCommand({ TableName, Key: { right: { S: "a" } } }));
    expect(kept.Item).toEqual({ right: { S: "a" } });
  });

  test("show in the ARN", async () => {
    for (const [account, region] of [one, two]) {
      const by = client(account, region);
      const TableName = freshName("arn");
      const { TableDescription } = await create(by, TableName);
      const arn = `arn:aws:dynamodb:${region}:${account}:table/${TableName}`;
      expect(TableDescription?.TableArn).toBe(arn);
      const described = await by.send(new DescribeTableCommand({ TableName: arn }));
      expect(described.Table?.TableName).toBe(TableName);
    }
  });
});

test("two clients of one account and Region share their tables", async () => {
  const [one, two] = [client("111122223333", "us-east-1"), client("111122223333", "us-east-1")];
  const TableName = freshName("shared");
  await create(one, TableName);
  await two.send(new PutItemCommand({ TableName, Item: { pk: { S: "a" } } }));
  const got = await one.send(new GetItemCommand({ TableName, Key: { pk: { S: "a" } } }));
  expect(got.Item).toEqual({ pk: { S: "a" } });
});
