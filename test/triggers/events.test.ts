import {
  DeleteItemCommand,
  PutItemCommand,
  type StreamViewType,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { accountOf } from "../../src/workbench/account.ts";
import { createTable, onDemand, put, telling, until, useWorkplace, valuesOf } from "./support.ts";

const work = useWorkplace();
const account = accountOf("AKIDEXAMPLE");

test("a function is called with Lambda's event", async () => {
  const handler = work.write("event.mjs", telling);
  const { client, told } = await work.start({ triggers: [`Orders=${handler}`] });
  await createTable(client, "Orders");
  const Key = { pk: { S: "a" } };
  await client.send(
    new PutItemCommand({
      TableName: "Orders",
      Item: {
        ...Key,
        n: { N: "1.50" },
        b: { B: Buffer.from("hi") },
        list: { L: [{ NULL: true }] },
      },
    }),
  );
  const UpdateExpression = "SET n = :n REMOVE b, #list";
  await client.send(
    new UpdateItemCommand({
      TableName: "Orders",
      Key,
      UpdateExpression,
      ExpressionAttributeNames: { "#list": "list" },
      ExpressionAttributeValues: { ":n": { N: "2" } },
    }),
  );
  await client.send(new DeleteItemCommand({ TableName: "Orders", Key }));
  await until(() => expect(told().flatMap(({ records }) => records)).toHaveLength(3));
  const records = told().flatMap(({ records }) => records);
  const common = {
    eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: "us-east-1",
    eventSourceARN: expect.stringMatching(
      new RegExp(`^arn:aws:dynamodb:us-east-1:${account}:table/Orders/stream/20[-0-9T:.]+$`),
    ),
  };
  const place = {
    ApproximateCreationDateTime: expect.any(Number),
    Keys: Key,
    SequenceNumber: expect.stringMatching(/^[0-9]{21,}$/),
    SizeBytes: expect.any(Number),
    StreamViewType: "NEW_AND_OLD_IMAGES",
  };
  const first = { ...Key, n: { N: "1.5" }, b: { B: "aGk=" }, list: { L: [{ NULL: true }] } };
  const second = { ...Key, n: { N: "2" } };
  expect(records).toEqual([
    { ...common, eventName: "INSERT", dynamodb: { ...place, NewImage: first } },
    { ...common, eventName: "MODIFY", dynamodb: { ...place, OldImage: first, NewImage: second } },
    { ...common, eventName: "REMOVE", dynamodb: { ...place, OldImage: second } },
  ]);
  const age = Date.now() / 1_000 - records[0].dynamodb.ApproximateCreationDateTime;
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(60);
});

test.each<[StreamViewType, string[]]>([
  ["KEYS_ONLY", ["Keys"]],
  ["NEW_IMAGE", ["Keys", "NewImage"]],
  ["OLD_IMAGE", ["Keys", "OldImage"]],
])("of a stream of %s, what it has", async (StreamViewType, members) => {
  const handler = work.write("views.mjs", telling);
  const { client, told } = await work.start({ triggers: [`Views=${handler}`] });
  await createTable(client, "Views", {
    StreamSpecification: { StreamEnabled: true, StreamViewType },
  });
  await put(client, "Views", "a", 1);
  await put(client, "Views", "a", 2);
  await until(() => expect(told().flatMap(({ records }) => records)).toHaveLength(2));
  const { dynamodb } = told().flatMap(({ records }) => records)[1];
  expect(dynamodb.StreamViewType).toBe(StreamViewType);
  const present = ["Keys", "NewImage", "OldImage"].filter((name) => name in dynamodb);
  expect(present).toEqual(members);
});

test("a call comes soon after the write", async () => {
  const handler = work.write(
    "soon.mjs",
    `export const handler = async ({ Records }) => {
       for (const { dynamodb } of Records) {
         console.log(JSON.stringify({ ms: Date.now() - Number(dynamodb.NewImage.v.N) }));
       }
     };`,
  );
  const { client, told } = await work.start({ triggers: [`Soon=${handler}`] });
  await createTable(client, "Soon");
  for (let i = 0; i < 10; i += 1) {
    await put(client, "Soon", "a", Date.now());
    await until(() => expect(told()).toHaveLength(i + 1));
  }
  // The first call waits for the thread, and others may be held up by what else the machine does.
  expect(Math.min(...told().map(({ ms }) => ms))).toBeLessThan(100);
});

test("records of one key come in order, also from many writers", async () => {
  const handler = work.write("order.mjs", telling);
  const { client, told } = await work.start({
    triggers: [`Order=${handler}?batch-size=7&parallel=3`],
  });
  await createTable(client, "Order", onDemand);
  const keys = Array.from({ length: 20 }, (_, i) => `key${i}`);
  await Promise.all(
    keys.map(async (key) => {
      for (let value = 1; value <= 10; value += 1) await put(client, "Order", key, value);
    }),
  );
  await until(() => expect(valuesOf(told())).toHaveLength(200));
  for (const key of keys) {
    const values = valuesOf(told()).filter((text) => text.startsWith(`${key}=`));
    expect(values).toEqual(Array.from({ length: 10 }, (_, i) => `${key}=${i + 1}`));
  }
  expect(Math.max(...told().map(({ records }) => records.length))).toBeLessThanOrEqual(7);
});
