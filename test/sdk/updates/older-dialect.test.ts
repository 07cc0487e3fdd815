import { type AttributeValue, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { expectError, useServer, validation } from "../harness.ts";
import { change, ItemTable } from "../item-table.ts";

/** Where updates did otherwise until the middle of 2026. */

const server = useServer({ dialect: "2026-05" });
const table = new ItemTable(server);

const limit = 409_600;
const tooLarge = "Item size to update has exceeded the maximum allowed size";

test("a statement had no weight: only the item counted", async () => {
  const set = (pk: string, bytes: number) =>
    table.update({ pk }, change("SET b = :pad", { pad: "x".repeat(bytes) }));
  // The item has "pk", its value of one byte, and "b".
  await set("K", limit - 4);
  await validation(set("L", limit - 3), tooLarge);
});

test("the condition came before the size", async () => {
  await expectError(
    table.update(table.freshKey(), {
      ...change("SET b = :pad", { pad: "x".repeat(limit) }),
      ConditionExpression: "attribute_exists(pk)",
    }),
    "ConditionalCheckFailedException",
  );
});

test("a value that is nested too deeply could be compared with", async () => {
  let deep: AttributeValue = { S: "leaf" };
  for (let at = 0; at < 32; at++) deep = { M: { a: deep } };
  const request = {
    TableName: table.name,
    Key: { pk: { S: "deep" } },
    ExpressionAttributeValues: { ":v": deep },
  };
  await expectError(
    server.client.send(new UpdateItemCommand({ ...request, ConditionExpression: "a = :v" })),
    "ConditionalCheckFailedException",
    "The conditional request failed",
  );
  await validation(
    server.client.send(new UpdateItemCommand({ ...request, UpdateExpression: "SET a = :v" })),
    /Nesting Levels have exceeded supported limits/,
  );
  expect(await table.get({ pk: "deep" })).toBeUndefined();
});

test("errors of the item were worded as they are now", async () => {
  const key = await table.put({ s: "x" });
  await validation(
    table.update(key, change("SET a = s + :one", { one: 1 })),
    "An operand in the update expression has an incorrect data type",
  );
  await validation(
    table.update(key, change("SET a = gone")),
    "The provided expression refers to an attribute that does not exist in the item",
  );
});
