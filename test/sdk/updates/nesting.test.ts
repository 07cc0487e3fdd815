import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { describe, test } from "vitest";
import { expectError, useServer, validation } from "../harness.ts";
import { ItemTable } from "../item-table.ts";

/** An attribute's own value is level 1, and there are 32. */

const server = useServer();
const table = new ItemTable(server);

const tooDeep =
  "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";

function nested(wrappers: number, kind: "M" | "L" = "M"): AttributeValue {
  let value: AttributeValue = { S: "leaf" };
  for (let at = 0; at < wrappers; at++) value = kind === "M" ? { M: { a: value } } : { L: [value] };
  return value;
}

function update(input: Partial<UpdateItemCommandInput>, pk = "x") {
  return server.client.send(
    new UpdateItemCommand({ TableName: table.name, Key: { pk: { S: pk } }, ...input }),
  );
}

describe("the values of a request", () => {
  test.each(["M", "L"] as const)(
    "31 wrappers of type %s are accepted, 32 refused",
    async (kind) => {
      const set = (wrappers: number) =>
        update({
          UpdateExpression: "SET d = :v",
          ExpressionAttributeValues: { ":v": nested(wrappers, kind) },
        });
      await set(31);
      await validation(set(32), `1 validation error detected: ${tooDeep}`);
    },
  );

  test("a value that only a condition uses is judged too, before the condition", async () => {
    const compare = (wrappers: number) =>
      update({
        UpdateExpression: "REMOVE d",
        ConditionExpression: "nowhere = :v",
        ExpressionAttributeValues: { ":v": nested(wrappers) },
      });
    await expectError(compare(31), "ConditionalCheckFailedException");
    await validation(compare(32), `1 validation error detected: ${tooDeep}`);
  });

  test("it comes before the table is looked for", () =>
    validation(
      update({
        TableName: "no-such-table",
        UpdateExpression: "SET d = :v",
        ExpressionAttributeValues: { ":v": nested(32) },
      }),
      `1 validation error detected: ${tooDeep}`,
    ));

  test("AttributeUpdates and Expected", async () => {
    await update({ AttributeUpdates: { d: { Value: nested(31) } } });
    await validation(
      update({ AttributeUpdates: { d: { Value: nested(32) } } }),
      `1 validation error detected: ${tooDeep}`,
    );
    await validation(
      update({ Expected: { d: { Value: nested(32) } } }),
      `1 validation error detected: ${tooDeep}`,
    );
  });

  test("in a transaction there is no count in front", () =>
    validation(
      server.client.send(
        new TransactWriteItemsCommand({
          TransactItems: [
            {
              Update: {
                TableName: table.name,
                Key: { pk: { S: "x" } },
                UpdateExpression: "SET d = :v",
                ExpressionAttributeValues: { ":v": nested(32) },
              },
            },
          ],
        }),
      ),
      tooDeep,
    ));
});

/** A body of more than 127 JSON levels, two for each wrapper, is read by the older layer, which names placeholders. */
describe("a request that is too deep for the newer layer", () => {
  const tooDeepFor = (placeholder: string) =>
    `ExpressionAttributeValues contains invalid value: ${tooDeep} for key ${placeholder}`;

  test("UpdateItem, PutItem and DeleteItem name the placeholder from 63 wrappers on", async () => {
    const condition = (wrappers: number) => ({
      TableName: table.name,
      ConditionExpression: "d = :deep",
      ExpressionAttributeValues: { ":deep": nested(wrappers) },
    });
    const Key = { pk: { S: "x" } };
    const { client } = server;
    for (const send of [
      (wrappers: number) => update({ UpdateExpression: "REMOVE e", ...condition(wrappers) }),
      (wrappers: number) => client.send(new PutItemCommand({ ...condition(wrappers), Item: Key })),
      (wrappers: number) => client.send(new DeleteItemCommand({ ...condition(wrappers), Key })),
    ]) {
      await validation(send(61), `1 validation error detected: ${tooDeep}`);
      await validation(send(63), tooDeepFor(":deep"));
    }
  });

  test.each(["M", "L"] as const)(
    "a transaction, whose values lie deeper, names it from 61 wrappers of type %s on",
    async (kind) => {
      const check = (wrappers: number) =>
        server.client.send(
          new TransactWriteItemsCommand({
            TransactItems: [
              {
                ConditionCheck: {
                  TableName: "no-such-table",
                  Key: { pk: { S: "x" } },
                  ConditionExpression: "d = :deep",
                  ExpressionAttributeValues: { ":deep": nested(wrappers, kind) },
                },
              },
            ],
          }),
        );
      await validation(check(60), tooDeep);
      await validation(check(61), tooDeepFor(":deep"));
      await validation(check(100), tooDeepFor(":deep"));
    },
  );

  test("an item itself has no placeholder to name", async () => {
    const put = (wrappers: number) => ({
      TableName: table.name,
      Item: { pk: { S: "x" }, d: nested(wrappers) },
    });
    const { client } = server;
    await validation(client.send(new PutItemCommand(put(63))), tooDeep);
    await validation(
      client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put(100) }] })),
      tooDeep,
    );
  });
});

describe("a value that an update moves down", () => {
  test("may not end up below level 32", async () => {
    const Item = { pk: { S: "deep" }, d: nested(30), m: { M: { n: { M: {} } } } };
    await server.client.send(new PutItemCommand({ TableName: table.name, Item }));
    await update({ UpdateExpression: "SET m.a = d" }, "deep");
    await validation(update({ UpdateExpression: "SET m.n.a = d" }, "deep"), /Nesting Levels/);
  });
});
