import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, expect, suite, test } from "vitest";
import { allRecords, createStreamTable, useStreamServer } from "./support.ts";

const server = useStreamServer();
const Key = { pk: { S: "item" } };
const item: Record<string, AttributeValue> = {
  ...Key,
  n: { N: "10" },
  s: { SS: ["a", "b", "c"] },
  ns: { NS: ["1", "2"] },
  m: { M: { x: { N: "1" }, y: { M: { z: { S: "deep" } } } } },
  l: { L: [{ S: "first" }, { S: "second" }] },
};

let TableName: string;
let arn: string;

beforeEach(async () => {
  ({ name: TableName, arn } = await createStreamTable(server));
  await server.client.send(new PutItemCommand({ TableName, Item: item }));
});

const put = (Item: Record<string, AttributeValue>) =>
  server.client.send(new PutItemCommand({ TableName, Item }));
const update = (UpdateExpression: string, values?: Record<string, AttributeValue>) =>
  server.client.send(
    new UpdateItemCommand({
      TableName,
      Key,
      UpdateExpression,
      ...(values !== undefined && { ExpressionAttributeValues: values }),
    }),
  );

async function expectRecords(count: number): Promise<void> {
  expect(await allRecords(server, arn)).toHaveLength(1 + count);
}

suite("a write that changes nothing has no record:", () => {
  test("the same item put again", async () => {
    await put(item);
    await expectRecords(0);
  });

  test("the same attributes in another order", async () => {
    await put(Object.fromEntries(Object.entries(item).toReversed()));
    await expectRecords(0);
  });

  test("a map with its members in another order", async () => {
    await put({ ...item, m: { M: { y: { M: { z: { S: "deep" } } }, x: { N: "1" } } } });
    await expectRecords(0);
  });

  test("a set with its members in another order", async () => {
    await put({ ...item, s: { SS: ["c", "a", "b"] }, ns: { NS: ["2", "1"] } });
    await expectRecords(0);
  });

  test("a number written another way", async () => {
    await put({ ...item, n: { N: "1.0e1" } });
    await expectRecords(0);
  });

  test("an update to the value that is there", async () => {
    await update("SET n = :n", { ":n": { N: "10" } });
    await expectRecords(0);
  });

  test("an update to an attribute's own value", async () => {
    await update("SET n = n");
    await expectRecords(0);
  });

  test("the removal of an attribute that is not there", async () => {
    await update("REMOVE nothing");
    await expectRecords(0);
  });

  test("zero added to a number", async () => {
    await update("ADD n :zero", { ":zero": { N: "0" } });
    await expectRecords(0);
  });

  test("members added to a set that has them", async () => {
    await update("ADD s :a", { ":a": { SS: ["a"] } });
    await expectRecords(0);
  });

  test("members taken from a set that has them not", async () => {
    await update("DELETE s :d", { ":d": { SS: ["d"] } });
    await expectRecords(0);
  });

  test("an update without an expression", async () => {
    await server.client.send(new UpdateItemCommand({ TableName, Key }));
    await expectRecords(0);
  });

  test("the deletion of an item that is not there", async () => {
    await server.client.send(new DeleteItemCommand({ TableName, Key: { pk: { S: "other" } } }));
    await expectRecords(0);
  });

  test("in a batch", async () => {
    await server.client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [TableName]: [
            { PutRequest: { Item: item } },
            { DeleteRequest: { Key: { pk: { S: "other" } } } },
          ],
        },
      }),
    );
    await expectRecords(0);
  });

  test("in a transaction", async () => {
    await server.client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName, Item: item } },
          { Delete: { TableName, Key: { pk: { S: "other" } } } },
        ],
      }),
    );
    await expectRecords(0);
  });
});

suite("a small change is one:", () => {
  test("a list in another order", async () => {
    await put({ ...item, l: { L: [{ S: "second" }, { S: "first" }] } });
    await expectRecords(1);
  });

  test("another type of the same text", async () => {
    await put({ ...item, n: { S: "10" } });
    await expectRecords(1);
  });

  test("another value of the same size", async () => {
    await put({ ...item, n: { N: "11" } });
    await expectRecords(1);
  });

  test("something deep in a map", async () => {
    await update("SET m.y.z = :z", { ":z": { S: "DEEP" } });
    await expectRecords(1);
  });

  test("a change and its undoing are two", async () => {
    await update("SET n = :n", { ":n": { N: "11" } });
    await update("SET n = :n", { ":n": { N: "10" } });
    await expectRecords(2);
  });

  test("a write that changes nothing does not hide the next", async () => {
    await put(item);
    await put({ ...item, n: { N: "12" } });
    await put({ ...item, n: { N: "12" } });
    await expectRecords(1);
  });
});
