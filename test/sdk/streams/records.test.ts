import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import type { _Record } from "@aws-sdk/client-dynamodb-streams";
import { expect, suite, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import { createTable, expectError } from "../harness.ts";
import { allRecords, createStreamTable, latestArn, told, useStreamServer } from "./support.ts";

const clock = new ManualClock(Date.UTC(2026, 4, 1, 12, 30, 15, 987));
const server = useStreamServer({ clock });

const send = <T>(command: T) => server.client.send(command as never);
const put = (TableName: string, Item: PutItemCommand["input"]["Item"]) =>
  send(new PutItemCommand({ TableName, Item }));
const remove = (TableName: string, Key: DeleteItemCommand["input"]["Key"]) =>
  send(new DeleteItemCommand({ TableName, Key }));
const update = (
  TableName: string,
  Key: UpdateItemCommand["input"]["Key"],
  UpdateExpression?: string,
  values?: UpdateItemCommand["input"]["ExpressionAttributeValues"],
) =>
  send(
    new UpdateItemCommand({
      TableName,
      Key,
      ...(UpdateExpression !== undefined && { UpdateExpression }),
      ...(values !== undefined && { ExpressionAttributeValues: values }),
    }),
  );

const a = { pk: { S: "a" } };

suite("a record", () => {
  test("has all that the service says", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, { ...a, v: { N: "1" } });
    const [record] = (await allRecords(server, arn)) as [_Record];
    expect(record).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventName: "INSERT",
      eventVersion: "1.1",
      eventSource: "aws:dynamodb",
      awsRegion: "us-east-1",
      dynamodb: {
        ApproximateCreationDateTime: new Date(Date.UTC(2026, 4, 1, 12, 30, 15)),
        Keys: a,
        NewImage: { ...a, v: { N: "1" } },
        SequenceNumber: expect.stringMatching(/^\d{21,40}$/),
        SizeBytes: 9,
        StreamViewType: "NEW_AND_OLD_IMAGES",
      },
    });
  });

  test("of a user's change has no identity", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, a);
    await remove(name, a);
    for (const record of await allRecords(server, arn)) {
      expect(record.userIdentity).toBeUndefined();
    }
  });

  test("is the same whenever it is read", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, a);
    const first = await allRecords(server, arn);
    clock.advance(5_000);
    expect(await allRecords(server, arn)).toEqual(first);
  });

  test("has an id of its own", async () => {
    const { name, arn } = await createStreamTable(server);
    for (let i = 0; i < 20; i += 1) await put(name, { pk: { S: `k${i % 5}` }, v: { N: `${i}` } });
    const records = await allRecords(server, arn);
    expect(new Set(records.map(({ eventID }) => eventID)).size).toBe(20);
    const numbers = records.map(({ dynamodb }) => dynamodb?.SequenceNumber);
    expect(new Set(numbers).size).toBe(20);
  });

  test("tells when the change was made, in whole seconds", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, a);
    const first = Math.floor(clock.now() / 1_000) * 1_000;
    clock.advance(61_500);
    await remove(name, a);
    const times = (await allRecords(server, arn)).map(
      ({ dynamodb }) => dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0,
    );
    expect(times).toEqual([first, Math.floor(clock.now() / 1_000) * 1_000]);
  });

  test("names the key of a table with a sort key", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY", { key: "pk:S sk:N" });
    await put(name, { ...a, sk: { N: "1.50" }, v: { S: "x" } });
    expect((await allRecords(server, arn)).map(told)).toEqual([
      { event: "INSERT", keys: { ...a, sk: { N: "1.5" } } },
    ]);
  });

  test("names a binary key", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY", { key: "pk:B" });
    await put(name, { pk: { B: new Uint8Array([0, 255, 7]) } });
    expect((await allRecords(server, arn))[0]?.dynamodb?.Keys).toEqual({
      pk: { B: new Uint8Array([0, 255, 7]) },
    });
  });

  test("shows values of every type as they are stored", async () => {
    const { name, arn } = await createStreamTable(server, "NEW_IMAGE");
    const item = {
      ...a,
      s: { S: '\u{1f511} é " \\ \u0000' },
      n: { N: "-1.5" },
      b: { B: new Uint8Array([1, 2, 3]) },
      ss: { SS: ["a", "b"] },
      ns: { NS: ["1", "2"] },
      bs: { BS: [new Uint8Array([1])] },
      l: { L: [{ S: "x" }, { L: [] }] },
      m: { M: { deep: { M: { er: { BOOL: true } } } } },
      t: { BOOL: false },
      z: { NULL: true },
      e: { S: "" },
    };
    await put(name, item);
    expect((await allRecords(server, arn))[0]?.dynamodb?.NewImage).toEqual(item);
  });

  test("takes names that objects have of their own", async () => {
    const { name, arn } = await createStreamTable(server, "NEW_IMAGE", { key: "constructor:S" });
    await put(name, { constructor: { S: "k" }, toString: { S: "x" } } as never);
    const [record] = await allRecords(server, arn);
    expect(Object.entries(record?.dynamodb?.Keys ?? {})).toEqual([["constructor", { S: "k" }]]);
    expect(Object.keys(record?.dynamodb?.NewImage ?? {}).toSorted()).toEqual([
      "constructor",
      "toString",
    ]);
  });
});

suite("the event", () => {
  test("of a new item is INSERT, whoever makes it", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY");
    await put(name, { pk: { S: "p" } });
    await update(name, { pk: { S: "u" } }, "SET v = :v", { ":v": { N: "1" } });
    await update(name, { pk: { S: "k" } });
    const events = (await allRecords(server, arn)).map(({ eventName }) => eventName);
    expect(events).toEqual(["INSERT", "INSERT", "INSERT"]);
  });

  test("of a replaced item is MODIFY, with both whole items", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, { ...a, x: { N: "1" } });
    await put(name, { ...a, y: { N: "2" } });
    expect((await allRecords(server, arn)).map(told)[1]).toEqual({
      event: "MODIFY",
      keys: a,
      old: { ...a, x: { N: "1" } },
      new: { ...a, y: { N: "2" } },
    });
  });

  test("of an updated item is MODIFY, with both whole items", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, { ...a, x: { N: "1" }, y: { S: "stays" } });
    await update(name, a, "ADD x :one", { ":one": { N: "1" } });
    expect((await allRecords(server, arn)).map(told)[1]).toEqual({
      event: "MODIFY",
      keys: a,
      old: { ...a, x: { N: "1" }, y: { S: "stays" } },
      new: { ...a, x: { N: "2" }, y: { S: "stays" } },
    });
  });

  test("of a deleted item is REMOVE, with the old item alone", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, { ...a, x: { N: "1" } });
    await remove(name, a);
    expect((await allRecords(server, arn)).map(told)[1]).toEqual({
      event: "REMOVE",
      keys: a,
      old: { ...a, x: { N: "1" } },
    });
  });

  test("after a deletion is INSERT again", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, a);
    await remove(name, a);
    await put(name, a);
    const events = (await allRecords(server, arn)).map(({ eventName }) => eventName);
    expect(events).toEqual(["INSERT", "REMOVE", "INSERT"]);
  });

  test("of the last attribute's removal is MODIFY: the key is left", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, { ...a, x: { N: "1" } });
    await update(name, a, "REMOVE x");
    expect((await allRecords(server, arn)).map(told)[1]).toEqual({
      event: "MODIFY",
      keys: a,
      old: { ...a, x: { N: "1" } },
      new: a,
    });
  });
});

suite("several writes in one request", () => {
  test("a batch has a record for each item", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, { pk: { S: "old" } });
    await send(
      new BatchWriteItemCommand({
        RequestItems: {
          [name]: [
            { PutRequest: { Item: { pk: { S: "x" } } } },
            { PutRequest: { Item: { pk: { S: "y" } } } },
            { DeleteRequest: { Key: { pk: { S: "old" } } } },
            { DeleteRequest: { Key: { pk: { S: "never there" } } } },
          ],
        },
      }),
    );
    const records = (await allRecords(server, arn)).map(told);
    expect(records).toHaveLength(4);
    expect(records).toEqual(
      expect.arrayContaining([
        { event: "INSERT", keys: { pk: { S: "x" } }, new: { pk: { S: "x" } } },
        { event: "INSERT", keys: { pk: { S: "y" } }, new: { pk: { S: "y" } } },
        { event: "REMOVE", keys: { pk: { S: "old" } }, old: { pk: { S: "old" } } },
      ]),
    );
  });

  test("a transaction has a record for each item that it changes", async () => {
    const { name, arn } = await createStreamTable(server);
    const other = await createStreamTable(server, "KEYS_ONLY");
    await put(name, { pk: { S: "u" }, v: { N: "1" } });
    await put(name, { pk: { S: "d" } });
    await put(name, { pk: { S: "c" } });
    await send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName: name, Item: { pk: { S: "p" } } } },
          {
            Update: {
              TableName: name,
              Key: { pk: { S: "u" } },
              UpdateExpression: "SET v = :v",
              ExpressionAttributeValues: { ":v": { N: "2" } },
            },
          },
          { Delete: { TableName: name, Key: { pk: { S: "d" } } } },
          {
            ConditionCheck: {
              TableName: name,
              Key: { pk: { S: "c" } },
              ConditionExpression: "attribute_exists(pk)",
            },
          },
          { Put: { TableName: other.name, Item: { pk: { S: "o" }, w: { S: "x" } } } },
        ],
      }),
    );
    const records = (await allRecords(server, arn)).map(told);
    expect(records).toHaveLength(6);
    expect(records).toEqual(
      expect.arrayContaining([
        { event: "INSERT", keys: { pk: { S: "p" } }, new: { pk: { S: "p" } } },
        {
          event: "MODIFY",
          keys: { pk: { S: "u" } },
          old: { pk: { S: "u" }, v: { N: "1" } },
          new: { pk: { S: "u" }, v: { N: "2" } },
        },
        { event: "REMOVE", keys: { pk: { S: "d" } }, old: { pk: { S: "d" } } },
      ]),
    );
    expect((await allRecords(server, other.arn)).map(told)).toEqual([
      { event: "INSERT", keys: { pk: { S: "o" } } },
    ]);
  });

  test("a cancelled transaction has none", async () => {
    const { name, arn } = await createStreamTable(server);
    await expectError(
      send(
        new TransactWriteItemsCommand({
          TransactItems: [
            { Put: { TableName: name, Item: { pk: { S: "p" } } } },
            {
              ConditionCheck: {
                TableName: name,
                Key: { pk: { S: "c" } },
                ConditionExpression: "attribute_exists(pk)",
              },
            },
          ],
        }),
      ),
      "TransactionCanceledException",
    );
    expect(await allRecords(server, arn)).toEqual([]);
  });

  test("a transaction that is sent again has no further ones", async () => {
    const { name, arn } = await createStreamTable(server);
    const request = new TransactWriteItemsCommand({
      ClientRequestToken: `again-${process.pid}`,
      TransactItems: [{ Put: { TableName: name, Item: { pk: { S: "p" } } } }],
    });
    await send(request);
    await send(request);
    expect(await allRecords(server, arn)).toHaveLength(1);
  });
});

suite("a write that is refused has no record", () => {
  test("of a condition", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, a);
    await expectError(
      send(
        new PutItemCommand({
          TableName: name,
          Item: { ...a, v: { N: "1" } },
          ConditionExpression: "attribute_not_exists(pk)",
        }),
      ),
      "ConditionalCheckFailedException",
    );
    expect(await allRecords(server, arn)).toHaveLength(1);
  });

  test("of an update that cannot be done", async () => {
    const { name, arn } = await createStreamTable(server);
    await put(name, { ...a, v: { S: "x" } });
    await expectError(update(name, a, "ADD v :one", { ":one": { N: "1" } }), "ValidationException");
    expect(await allRecords(server, arn)).toHaveLength(1);
  });
});

suite("order", () => {
  test("the changes of an item are in the order in which they were made", async () => {
    const { name, arn } = await createStreamTable(server, "NEW_IMAGE");
    for (let i = 0; i < 60; i += 1) {
      await put(name, { pk: { S: `k${i % 7}` }, v: { N: `${i}` } });
    }
    const seen = new Map<string, number[]>();
    for (const { dynamodb } of await allRecords(server, arn)) {
      const key = dynamodb?.Keys?.pk?.S ?? "";
      seen.set(key, [...(seen.get(key) ?? []), Number(dynamodb?.NewImage?.v?.N)]);
    }
    for (let k = 0; k < 7; k += 1) {
      expect(seen.get(`k${k}`)).toEqual(
        Array.from({ length: 60 }, (_, i) => i).filter((i) => i % 7 === k),
      );
    }
  });

  test("sequence numbers rise within a shard as numbers do", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY");
    for (let i = 0; i < 25; i += 1) await put(name, { ...a, v: { N: `${i}` } });
    const numbers = (await allRecords(server, arn)).map(({ dynamodb }) =>
      BigInt(dynamodb?.SequenceNumber ?? ""),
    );
    expect(numbers).toHaveLength(25);
    expect(numbers.every((number, i) => i === 0 || number > (numbers[i - 1] as bigint))).toBe(true);
  });

  test("items of one partition key are all in one shard, in order", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY", { key: "pk:S sk:N" });
    for (let i = 0; i < 20; i += 1) await put(name, { ...a, sk: { N: `${i}` } });
    const order = (await allRecords(server, arn)).map(({ dynamodb }) => dynamodb?.Keys?.sk?.N);
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
  });
});

suite("indexes", () => {
  test("have no records of their own, and the building of one has none", async () => {
    const name = await createTable(
      server,
      { key: "pk:S", global: { byV: { hash: "v:S" } } },
      { StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" } },
    );
    const arn = await latestArn(server, name);
    await put(name, { ...a, v: { S: "x" } });
    await put(name, { ...a, v: { S: "y" } });
    await send(
      new UpdateTableCommand({
        TableName: name,
        AttributeDefinitions: [{ AttributeName: "w", AttributeType: "S" }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: "byW",
              KeySchema: [{ AttributeName: "w", KeyType: "HASH" }],
              Projection: { ProjectionType: "ALL" },
            },
          },
        ],
      }),
    );
    await server.running.workbench.idle();
    expect((await allRecords(server, arn)).map(told)).toEqual([
      { event: "INSERT", keys: a, new: { ...a, v: { S: "x" } } },
      { event: "MODIFY", keys: a, new: { ...a, v: { S: "y" } } },
    ]);
  });
});
