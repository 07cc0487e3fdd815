import {
  type AttributeValue,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, useServer, validation } from "../harness.ts";
import { ItemTable } from "../item-table.ts";

/**
 * Two limits hold for an update expression: the item it leaves has at most 400 KB, and so has the
 * statement, which is weighed by what it writes and by a fixed price for each of its parts.
 */

const server = useServer();
const table = new ItemTable(server);

const limit = 409_600;
const tooLarge = "Item size to update has exceeded the maximum allowed size";

type Values = Record<string, AttributeValue>;
const text = (bytes: number): AttributeValue => ({ S: "x".repeat(bytes) });
const pad = (bytes: number): Values => ({ ":pad": text(bytes) });

async function put(item: Values, pk = "K") {
  await server.client.send(
    new PutItemCommand({ TableName: table.name, Item: { ...item, pk: { S: pk } } }),
  );
}

function update(input: Partial<UpdateItemCommandInput>, pk = "K") {
  return server.client.send(
    new UpdateItemCommand({ TableName: table.name, Key: { pk: { S: pk } }, ...input }),
  );
}

beforeEach(() => put({}));

/** Exactly `bytes` of padding are as much as the statement may have. */
async function checkEdge(
  bytes: number,
  UpdateExpression: string,
  values: (bytes: number) => Values,
  before: Values = {},
) {
  const send = (size: number) =>
    update({ UpdateExpression, ExpressionAttributeValues: values(size) });
  await put(before);
  await send(bytes - 1);
  await put(before);
  await send(bytes);
  await put(before);
  await validation(send(bytes + 1), tooLarge);
}

/** What the statement costs besides its padding, part by part. */
describe("what a statement costs", () => {
  const base = 3;
  const set = 19;

  test("SET: its name and its value", () => checkEdge(limit - base - set - 1, "SET b = :pad", pad));

  test("SET with a longer name", () =>
    checkEdge(limit - base - set - 10, "SET bbbbbbbbbb = :pad", pad));

  test("a second SET", () =>
    checkEdge(limit - base - 2 * (set + 1) - 5, "SET b = :pad, c = :c", (bytes) => ({
      ...pad(bytes),
      ":c": text(5),
    })));

  test("a value that is used twice", () =>
    checkEdge(limit - base - 3 * (set + 1) - 200, "SET b = :pad, c = :c, d = :c", (bytes) => ({
      ...pad(bytes),
      ":c": text(100),
    })));

  test("REMOVE: its name and one byte", () =>
    checkEdge(limit - base - set - 1 - 2, "SET b = :pad REMOVE c", pad));

  test("what REMOVE takes away is free", () =>
    checkEdge(limit - base - set - 1 - 2, "SET b = :pad REMOVE c", pad, { c: text(1_000) }));

  test("DELETE: its name and one byte, not its members", () =>
    checkEdge(limit - base - set - 1 - 2, "SET b = :pad DELETE c :s", (bytes) => ({
      ...pad(bytes),
      ":s": { SS: ["y".repeat(500)] },
    })));

  test("ADD: its name and the members it adds", () =>
    checkEdge(limit - base - 2 * (set + 1) - 500, "SET b = :pad ADD c :s", (bytes) => ({
      ...pad(bytes),
      ":s": { SS: ["y".repeat(500)] },
    })));

  test("a sum: 34 and both operands", () =>
    checkEdge(
      limit - base - 2 * (set + 1) - 34 - (1 + 14 + 1) - 2,
      "SET b = :pad, n = n + :one",
      (bytes) => ({ ...pad(bytes), ":one": { N: "1" } }),
      { n: { N: "1" } },
    ));

  test("a difference: 37 and both operands", () =>
    checkEdge(
      limit - base - 2 * (set + 1) - 37 - (1 + 14 + 1) - 2,
      "SET b = :pad, n = n - :one",
      (bytes) => ({ ...pad(bytes), ":one": { N: "1" } }),
      { n: { N: "1" } },
    ));

  test("if_not_exists: 39, the path and the value, whichever is taken", async () => {
    const bytes = limit - base - 2 * (set + 1) - 39 - (1 + 14 + 1) - 10;
    const values = (size: number) => ({ ...pad(size), ":v": text(10) });
    await checkEdge(bytes, "SET b = :pad, c = if_not_exists(c, :v)", values);
    await checkEdge(bytes, "SET b = :pad, c = if_not_exists(c, :v)", values, { c: text(3) });
  });

  test("list_append: 37 and both operands", () =>
    checkEdge(
      limit - base - 2 * (set + 1) - 37 - (1 + 14 + 1) - (3 + 1 + 4),
      "SET b = :pad, l = list_append(l, :l)",
      (bytes) => ({ ...pad(bytes), ":l": { L: [text(4)] } }),
      { l: { L: [] } },
    ));

  test("a path that is read: one byte, and 14 more for each step", () =>
    checkEdge(limit - base - 2 * (set + 1) - (1 + 14 + 1 + 14 + 1), "SET b = :pad, c = m.z", pad, {
      m: { M: { z: text(3) } },
    }));

  test("a member costs what the map with it alone would", () =>
    checkEdge(limit - base - set - 1 - (4 + 4), "SET d.leaf = :pad", pad, { d: { M: {} } }));

  test("an element costs one byte more than the list with it alone", () =>
    checkEdge(limit - base - set - 1 - (4 + 1), "SET d[0] = :pad", pad, { d: { L: [] } }));

  test("a document that is written is weighed as in an item", () =>
    checkEdge(limit - base - set - 1 - (3 + 1 + 2) - (3 + 1), "SET b = :m", (bytes) => ({
      ":m": { M: { kk: { L: [text(bytes)] } } },
    })));
});

describe("what a statement does not cost", () => {
  const edge = limit - 3 - 19 - 1;

  test("aliases and the length of the text", () =>
    update({
      UpdateExpression: `SET #${"n".repeat(200)} = :${"v".repeat(200)}${" ".repeat(3_000)}`,
      ExpressionAttributeNames: { [`#${"n".repeat(200)}`]: "b" },
      ExpressionAttributeValues: { [`:${"v".repeat(200)}`]: text(edge) },
    }));

  test("attributes that it does not touch, up to the limit of the item", async () => {
    await put({ u: text(10) });
    const send = (bytes: number) =>
      update({ UpdateExpression: "SET b = :pad", ExpressionAttributeValues: pad(bytes) });
    // The item has "pk", "K", "u", its ten bytes, and "b".
    await send(limit - 3 - 11 - 1 - 8);
    await put({ u: text(30) });
    await send(limit - 3 - 31 - 1);
    await put({ u: text(30) });
    await validation(send(limit - 3 - 31), tooLarge);
  });

  test("the key: with a long one the item is the narrower limit", async () => {
    const pk = "k".repeat(30);
    const send = (bytes: number) =>
      update({ UpdateExpression: "SET b = :pad", ExpressionAttributeValues: pad(bytes) }, pk);
    await send(limit - 32 - 1);
    await validation(send(limit - 32), tooLarge);
  });

  test("a condition", () =>
    update({
      UpdateExpression: "SET b = :pad",
      ConditionExpression: "attribute_not_exists(zz) OR zz = :c",
      ExpressionAttributeValues: { ...pad(edge), ":c": text(1_000) },
    }));
});

describe("when it is weighed", () => {
  const over = limit - 3 - 19;

  test("before the condition is looked at", () =>
    validation(
      update({
        UpdateExpression: "SET b = :pad",
        ConditionExpression: "attribute_exists(nowhere)",
        ExpressionAttributeValues: pad(over),
      }),
      tooLarge,
    ));

  test("after the table is found and the key checked", async () => {
    const input = { UpdateExpression: "SET b = :pad", ExpressionAttributeValues: pad(over) };
    await expectError(
      update({ ...input, TableName: "no-such-table" }),
      "ResourceNotFoundException",
    );
    await validation(
      update({ ...input, Key: { pk: { N: "1" } } }),
      "The provided key element does not match the schema",
    );
  });

  test("in a transaction it refuses the whole", () =>
    validation(
      server.client.send(
        new TransactWriteItemsCommand({
          TransactItems: [
            {
              Update: {
                TableName: table.name,
                Key: { pk: { S: "K" } },
                UpdateExpression: "SET b = :pad",
                ExpressionAttributeValues: pad(over),
              },
            },
          ],
        }),
      ),
      tooLarge,
    ));
});

describe("AttributeUpdates", () => {
  test("have no price: only the item counts", async () => {
    const send = (bytes: number) =>
      update({ AttributeUpdates: { b: { Value: text(bytes) } } }, "L");
    await send(limit - 4);
    await validation(send(limit - 3), tooLarge);
    const answer = await server.client.send(
      new GetItemCommand({ TableName: table.name, Key: { pk: { S: "L" } } }),
    );
    expect(answer.Item?.b?.S).toHaveLength(limit - 4);
  });
});
