import { GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import { createTable, useServer } from "./harness.ts";

const server = useServer();

test("an item that was put is got", async () => {
  const TableName = await createTable(server, { key: "pk:S sk:N" });
  const Item = { pk: { S: "a" }, sk: { N: "1" }, tags: { SS: ["x", "y"] } };
  await server.client.send(new PutItemCommand({ TableName, Item }));
  const { pk, sk } = Item;
  const got = await server.client.send(new GetItemCommand({ TableName, Key: { pk, sk } }));
  expect(got.Item).toEqual(Item);
});

test("the document client round-trips native values", async () => {
  const TableName = await createTable(server, { key: "id:S" });
  const Item = { id: "a", n: 1.5, list: [1, "two", null], map: { flag: true } };
  await server.documents.send(new PutCommand({ TableName, Item }));
  const got = await server.documents.send(new GetCommand({ TableName, Key: { id: "a" } }));
  expect(got.Item).toEqual(Item);
});
