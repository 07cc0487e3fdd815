import {
  BatchWriteItemCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { expectError, freshName, useServer } from "../harness.ts";
import { all, create, define, describeTable, drop, hash, range, units } from "./support.ts";

const server = useServer();

const gone = (name: string) => `Requested resource not found: Table: ${name} not found`;
const putItem = (TableName: string, Item: Record<string, { S: string }>) =>
  server.client.send(new PutItemCommand({ TableName, Item }));

describe("DeleteTable", () => {
  test("describes the table as being deleted, without its global indexes", async () => {
    const table = await create(server, {
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: units(3, 4),
      GlobalSecondaryIndexes: [
        {
          IndexName: "byB",
          KeySchema: [hash("b")],
          Projection: all,
          ProvisionedThroughput: units(1),
        },
      ],
    });
    const TableName = table.TableName ?? "";
    const answer = await drop(server, TableName);
    expect(answer).toMatchObject({
      TableName,
      TableStatus: "DELETING",
      TableArn: table.TableArn,
      TableId: table.TableId,
      ProvisionedThroughput: units(3, 4),
    });
    expect(answer.GlobalSecondaryIndexes).toBeUndefined();
  });

  test("leaves nothing to describe, list, read or write", async () => {
    const { TableName = "" } = await create(server);
    await putItem(TableName, { a: { S: "1" }, b: { S: "1" } });
    await drop(server, TableName);
    await waitUntilTableNotExists({ client: server.client, maxWaitTime: 60 }, { TableName });
    await expectError(
      describeTable(server, TableName),
      "ResourceNotFoundException",
      gone(TableName),
    );
    const { TableNames } = await server.client.send(new ListTablesCommand({}));
    expect(TableNames).not.toContain(TableName);
    const Key = { a: { S: "1" }, b: { S: "1" } };
    await expectError(
      server.client.send(new GetItemCommand({ TableName, Key })),
      "ResourceNotFoundException",
      "Requested resource not found",
    );
    await expectError(putItem(TableName, Key), "ResourceNotFoundException");
    await expectError(
      server.client.send(new ScanCommand({ TableName })),
      "ResourceNotFoundException",
    );
  });

  test("does not find a table that never was, or that is gone", async () => {
    const name = freshName();
    await expectError(drop(server, name), "ResourceNotFoundException", gone(name));
    const { TableName = "" } = await create(server);
    await drop(server, TableName);
    await waitUntilTableNotExists({ client: server.client, maxWaitTime: 60 }, { TableName });
    await expectError(drop(server, TableName), "ResourceNotFoundException", gone(TableName));
  });

  test("leaves other tables alone", async () => {
    const { TableName: kept = "" } = await create(server);
    const { TableName: dropped = "" } = await create(server);
    const Item = { a: { S: "1" }, b: { S: "1" } };
    for (const TableName of [kept, dropped]) await putItem(TableName, Item);
    await drop(server, dropped);
    const { Items } = await server.client.send(new ScanCommand({ TableName: kept }));
    expect(Items).toEqual([Item]);
  });

  test("takes the table's ARN", async () => {
    const { TableName = "", TableArn = "" } = await create(server);
    expect((await drop(server, TableArn)).TableName).toBe(TableName);
    await waitUntilTableNotExists({ client: server.client, maxWaitTime: 60 }, { TableName });
  });
});

describe("a table that is made again", () => {
  test("with the same key is empty and another table", async () => {
    const first = await create(server);
    const TableName = first.TableName ?? "";
    const RequestItems = (page: number) => ({
      [TableName]: Array.from({ length: 25 }, (_, i) => ({
        PutRequest: { Item: { a: { S: `${page}` }, b: { S: `${i}` }, v: { S: "x".repeat(500) } } },
      })),
    });
    for (let page = 0; page < 12; page += 1) {
      await server.client.send(new BatchWriteItemCommand({ RequestItems: RequestItems(page) }));
    }
    await drop(server, TableName);
    await waitUntilTableNotExists({ client: server.client, maxWaitTime: 60 }, { TableName });
    const second = await create(server, { TableName });
    expect(second.TableId).not.toBe(first.TableId);
    const table = await describeTable(server, TableName);
    expect([table.ItemCount, table.TableSizeBytes]).toEqual([0, 0]);
    const { Items } = await server.client.send(new ScanCommand({ TableName }));
    expect(Items).toEqual([]);
    const Key = { a: { S: "3" }, b: { S: "3" } };
    expect((await server.client.send(new GetItemCommand({ TableName, Key }))).Item).toBe(undefined);
  });

  test("with another key shows no item of the old one", async () => {
    const { TableName = "" } = await create(server);
    await putItem(TableName, { a: { S: "1" }, b: { S: "1" }, z: { S: "1" } });
    await drop(server, TableName);
    await waitUntilTableNotExists({ client: server.client, maxWaitTime: 60 }, { TableName });
    await create(server, {
      TableName,
      AttributeDefinitions: define("z"),
      KeySchema: [hash("z")],
    });
    expect((await describeTable(server, TableName)).KeySchema).toEqual([hash("z")]);
    const { Items } = await server.client.send(new ScanCommand({ TableName }));
    expect(Items).toEqual([]);
    await putItem(TableName, { z: { S: "1" } });
    const got = await server.client.send(new GetItemCommand({ TableName, Key: { z: { S: "1" } } }));
    expect(got.Item).toEqual({ z: { S: "1" } });
  });

  test("with a local index counts its collections anew", async () => {
    const indexed = {
      LocalSecondaryIndexes: [
        { IndexName: "byB", KeySchema: [hash("a"), range("b")], Projection: all },
      ],
    };
    const { TableName = "" } = await create(server, indexed);
    await putItem(TableName, { a: { S: "1" }, b: { S: "1" } });
    await drop(server, TableName);
    await waitUntilTableNotExists({ client: server.client, maxWaitTime: 60 }, { TableName });
    await create(server, { TableName, ...indexed });
    const { json } = await server.raw("Scan", { TableName, IndexName: "byB" });
    expect(json.Items).toEqual([]);
    const [index] = (await describeTable(server, TableName)).LocalSecondaryIndexes ?? [];
    expect(index?.ItemCount).toBe(0);
  });
});
