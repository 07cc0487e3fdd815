import {
  type AttributeValue,
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

describe("a value that an update moves down", () => {
  test("may not end up below level 32", async () => {
    const Item = { pk: { S: "deep" }, d: nested(30), m: { M: { n: { M: {} } } } };
    await server.client.send(new PutItemCommand({ TableName: table.name, Item }));
    await update({ UpdateExpression: "SET m.a = d" }, "deep");
    await validation(update({ UpdateExpression: "SET m.n.a = d" }, "deep"), /Nesting Levels/);
  });
});
