import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { expectError, useServer } from "../harness.ts";
import { ItemTable, type Plain } from "../item-table.ts";

/** What a condition does to a write, and what a failure shows. */

const server = useServer();
const table = new ItemTable(server);

type More = Plain & { ConditionExpression: string };

const put = (key: Plain, more: More) =>
  server.documents.send(
    new PutCommand({ TableName: table.name, Item: { ...key, written: true }, ...more }),
  );
const update = (key: Plain, more: More) => {
  const values = more.ExpressionAttributeValues as Plain | undefined;
  return server.documents.send(
    new UpdateCommand({
      TableName: table.name,
      Key: key,
      UpdateExpression: "SET written = :written",
      ...more,
      ExpressionAttributeValues: { ":written": true, ...values },
    }),
  );
};
const remove = (key: Plain, more: More) =>
  server.documents.send(new DeleteCommand({ TableName: table.name, Key: key, ...more }));

const failed = (request: Promise<unknown>) =>
  expectError(request, "ConditionalCheckFailedException", "The conditional request failed");

describe.each([
  ["PutItem", put, { written: true }],
  ["UpdateItem", update, { a: 1, written: true }],
  ["DeleteItem", remove, undefined],
] as const)("%s", (_operation, write, after) => {
  test("is done if the condition holds", async () => {
    const key = await table.put({ a: 1 });
    const condition = { ConditionExpression: "a = :v", ExpressionAttributeValues: { ":v": 1 } };
    await write(key, condition);
    expect(await table.get(key)).toEqual(after === undefined ? undefined : { ...key, ...after });
  });

  test("leaves the item alone if it does not", async () => {
    const key = await table.put({ a: 1 });
    const condition = { ConditionExpression: "a = :v", ExpressionAttributeValues: { ":v": 2 } };
    await failed(write(key, condition));
    expect(await table.get(key)).toEqual({ ...key, a: 1 });
  });

  test("judges an item that is not there as one without attributes", async () => {
    const key = table.freshKey();
    await failed(write(key, { ConditionExpression: "attribute_exists(pk)" }));
    await failed(
      write(key, {
        ConditionExpression: "pk = :v",
        ExpressionAttributeValues: { ":v": key.pk },
      }),
    );
    expect(await table.get(key)).toBeUndefined();
    await write(key, { ConditionExpression: "attribute_not_exists(pk) AND a <> b" });
  });

  test("shows the item that failed only if asked to", async () => {
    const key = await table.put({ a: 1, m: { x: [true] } });
    const ConditionExpression = "attribute_not_exists(pk)";
    const silent = await failed(write(key, { ConditionExpression }));
    expect((silent as ConditionalCheckFailedException).Item).toBeUndefined();
    const none = await failed(
      write(key, { ConditionExpression, ReturnValuesOnConditionCheckFailure: "NONE" }),
    );
    expect((none as ConditionalCheckFailedException).Item).toBeUndefined();
    const shown = await failed(
      write(key, { ConditionExpression, ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
    );
    expect((shown as ConditionalCheckFailedException).Item).toEqual({
      pk: { S: key.pk },
      a: { N: "1" },
      m: { M: { x: { L: [{ BOOL: true }] } } },
    });
  });

  test("has no item to show where there is none", async () => {
    const error = await failed(
      write(table.freshKey(), {
        ConditionExpression: "attribute_exists(pk)",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    expect((error as ConditionalCheckFailedException).Item).toBeUndefined();
  });
});

test("on the wire a failure is a plain error, with Item only if there is one to show", async () => {
  const { pk } = await table.put({ a: 1 });
  const request = {
    TableName: table.name,
    Key: { pk: { S: pk } },
    ConditionExpression: "attribute_not_exists(a)",
  };
  const plain = await server.raw("DeleteItem", request);
  expect(plain.status).toBe(400);
  expect(plain.json).toEqual({
    __type: "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
    message: "The conditional request failed",
  });
  const shown = await server.raw("DeleteItem", {
    ...request,
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  expect(shown.json).toEqual({ ...plain.json, Item: { pk: { S: pk }, a: { N: "1" } } });
});

test("an update is judged by the item before it", async () => {
  const key = await table.put({ n: 1 });
  await table.update(key, {
    UpdateExpression: "SET n = :two",
    ConditionExpression: "n = :one",
    ExpressionAttributeValues: { ":one": 1, ":two": 2 },
  });
  expect(await table.get(key)).toEqual({ ...key, n: 2 });
});

test("the condition comes before what only the item can show to be wrong", async () => {
  const key = await table.put({ s: "text" });
  await failed(
    table.update(key, {
      UpdateExpression: "SET n = s + :one",
      ConditionExpression: "attribute_exists(gone)",
      ExpressionAttributeValues: { ":one": 1 },
    }),
  );
});

test("of many that expect one version, one wins each time", async () => {
  const key = await table.put({ version: 0, log: [] });
  const attempt = async (writer: number) => {
    for (;;) {
      const item = await table.get(key);
      try {
        return await table.update(key, {
          UpdateExpression: "SET version = version + :one, #log = list_append(#log, :entry)",
          ConditionExpression: "version = :seen",
          ExpressionAttributeNames: { "#log": "log" },
          ExpressionAttributeValues: { ":one": 1, ":seen": item?.version, ":entry": [writer] },
        });
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(attempt));
  const { version, log } = (await table.get(key)) ?? {};
  expect(version).toBe(6);
  expect(new Set(log as number[])).toEqual(new Set([1, 2, 3, 4, 5, 6]));
});
