import {
  DeleteItemCommand,
  PutItemCommand,
  type StreamViewType,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { expect, suite, test } from "vitest";
import { allRecords, createStreamTable, told, useStreamServer } from "./support.ts";

const server = useStreamServer();
const key = { pk: { S: "item" } };
const first = { ...key, v: { S: "first" } };
const second = { ...key, v: { S: "second" }, w: { N: "100.5" } };

/** An item is made, changed and deleted. */
async function life(view: StreamViewType) {
  const { name: TableName, arn } = await createStreamTable(server, view);
  await server.client.send(new PutItemCommand({ TableName, Item: first }));
  await server.client.send(
    new UpdateItemCommand({
      TableName,
      Key: key,
      UpdateExpression: "SET v = :v, w = :w",
      ExpressionAttributeValues: { ":v": second.v, ":w": second.w },
    }),
  );
  await server.client.send(new DeleteItemCommand({ TableName, Key: key }));
  return allRecords(server, arn);
}

const views: Readonly<Record<StreamViewType, { old: boolean; new: boolean }>> = {
  KEYS_ONLY: { old: false, new: false },
  NEW_IMAGE: { old: false, new: true },
  OLD_IMAGE: { old: true, new: false },
  NEW_AND_OLD_IMAGES: { old: true, new: true },
};
const names = Object.keys(views) as StreamViewType[];

// pk (2) and its value (4); v (1) and its value; w (1) and 100.5 as the service counts it (4).
const keyBytes = 6;
const firstBytes = keyBytes + 6;
const secondBytes = keyBytes + 7 + 5;

suite.each(names)("%s", (view) => {
  const shown = views[view];
  const oldOf = (item: object) => (shown.old ? { old: item } : {});
  const newOf = (item: object) => (shown.new ? { new: item } : {});

  test("shows what it says and no more", async () => {
    expect((await life(view)).map(told)).toEqual([
      { event: "INSERT", keys: key, ...newOf(first) },
      { event: "MODIFY", keys: key, ...oldOf(first), ...newOf(second) },
      { event: "REMOVE", keys: key, ...oldOf(second) },
    ]);
  });

  test("each record names it", async () => {
    for (const { dynamodb } of await life(view)) expect(dynamodb?.StreamViewType).toBe(view);
  });

  test("its size is that of the key and of the images in it", async () => {
    const sizes = (await life(view)).map(({ dynamodb }) => dynamodb?.SizeBytes);
    const ofOld = shown.old ? 1 : 0;
    const ofNew = shown.new ? 1 : 0;
    expect(sizes).toEqual([
      keyBytes + ofNew * firstBytes,
      keyBytes + ofOld * firstBytes + ofNew * secondBytes,
      keyBytes + ofOld * secondBytes,
    ]);
  });
});

/** The example of the service's own guide. */
test("sizes are as the service's documentation gives them", async () => {
  const { name: TableName, arn } = await createStreamTable(server, "NEW_AND_OLD_IMAGES", {
    key: "Id:N",
  });
  const Key = { Id: { N: "101" } };
  await server.client.send(
    new PutItemCommand({ TableName, Item: { ...Key, Message: { S: "New item!" } } }),
  );
  await server.client.send(
    new UpdateItemCommand({
      TableName,
      Key,
      UpdateExpression: "SET Message = :m",
      ExpressionAttributeValues: { ":m": { S: "This item has changed" } },
    }),
  );
  await server.client.send(new DeleteItemCommand({ TableName, Key }));
  const sizes = (await allRecords(server, arn)).map(({ dynamodb }) => dynamodb?.SizeBytes);
  expect(sizes).toEqual([26, 59, 38]);
});

test("an item with nothing but its key still has an image", async () => {
  const { name: TableName, arn } = await createStreamTable(server);
  await server.client.send(new UpdateItemCommand({ TableName, Key: key }));
  await server.client.send(new DeleteItemCommand({ TableName, Key: key }));
  expect((await allRecords(server, arn)).map(told)).toEqual([
    { event: "INSERT", keys: key, new: key },
    { event: "REMOVE", keys: key, old: key },
  ]);
});

test("images of the largest items are whole", async () => {
  const { name: TableName, arn } = await createStreamTable(server);
  const big = (fill: string) => ({ ...key, v: { S: fill.repeat(400 * 1_024 - 7) } });
  await server.client.send(new PutItemCommand({ TableName, Item: big("x") }));
  await server.client.send(new PutItemCommand({ TableName, Item: big("y") }));
  const [, change] = await allRecords(server, arn);
  expect(change?.dynamodb?.SizeBytes).toBe(keyBytes + 2 * 400 * 1_024);
  expect(change?.dynamodb?.OldImage).toEqual(big("x"));
  expect(change?.dynamodb?.NewImage).toEqual(big("y"));
});
