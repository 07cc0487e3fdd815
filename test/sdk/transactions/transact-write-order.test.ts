import type { AttributeValue, TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { beforeAll, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { get, type Item, transact } from "./outcomes.ts";

/** Actions are judged one by one in their order; of two problems the earlier action's is reported. */

const server = useServer();

let table = "";

beforeAll(async () => {
  table = await createTable(server, { key: "id:S" });
});

const nested = (levels: number): AttributeValue =>
  levels === 0 ? { S: "leaf" } : { M: { in: nested(levels - 1) } };

interface Problem {
  readonly name: string;
  readonly action: TransactWriteItem;
  readonly message: string;
}

let serial = 0;
/** Every action has a target of its own. */
function key(): Item {
  serial += 1;
  return { id: { S: `k${serial}` } };
}

const tooDeep =
  "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
const absent = "absent";

const problems: Problem[] = [
  {
    name: "a put nested too deep",
    action: { Put: { TableName: absent, Item: { ...key(), v: nested(40) } } },
    message: tooDeep,
  },
  {
    name: "a put with an empty attribute name",
    action: { Put: { TableName: absent, Item: { ...key(), "": { S: "x" } } } },
    message: "Empty attribute name",
  },
  {
    name: "a condition with a syntax error",
    action: { Put: { TableName: absent, Item: key(), ConditionExpression: "a = = b" } },
    message: 'Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"',
  },
  {
    name: "a deletion's key nested too deep",
    action: { Delete: { TableName: absent, Key: { id: nested(40) } } },
    message: tooDeep,
  },
  {
    name: "a value nested too deep",
    action: {
      ConditionCheck: {
        TableName: absent,
        Key: key(),
        ConditionExpression: "x = :deep",
        ExpressionAttributeValues: { ":deep": nested(40) },
      },
    },
    message: tooDeep,
  },
  {
    name: "an unused value",
    action: {
      Update: {
        TableName: absent,
        Key: key(),
        UpdateExpression: "REMOVE x",
        ExpressionAttributeValues: { ":u": { S: "x" } },
      },
    },
    message: "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}",
  },
  {
    name: "an update that is too large",
    action: {
      Update: { TableName: absent, Key: key(), UpdateExpression: "REMOVE x".padEnd(4109) },
    },
    message: "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;",
  },
];

const pairs = problems.flatMap((first) =>
  problems
    .filter((second) => second.message !== first.message)
    .map((second) => ({ first, second, title: `${first.name}, then ${second.name}` })),
);

test.each(pairs)("$title", async ({ first, second }) => {
  await validation(transact(server, [first.action, second.action]), first.message);
});

const condition4109 = "attribute_exists(x)".padEnd(4109);

test.each<[string, TransactWriteItem, string]>([
  [
    "an empty name beats depth in the same item, deep attribute first",
    { Put: { TableName: absent, Item: { ...key(), v: nested(40), "": { S: "" } } } },
    "Empty attribute name",
  ],
  [
    "an empty name beats depth in the same item, deep attribute last",
    { Put: { TableName: absent, Item: { "": { S: "" }, ...key(), v: nested(40) } } },
    "Empty attribute name",
  ],
  [
    "depth beats an empty name inside a map of the same item",
    {
      Put: {
        TableName: absent,
        Item: { ...key(), m: { M: { "": { S: "x" } } }, v: nested(40) },
      },
    },
    tooDeep,
  ],
  [
    "a condition's syntax beats the depth of the key beside it",
    { Delete: { TableName: absent, Key: { id: nested(40) }, ConditionExpression: "a = = b" } },
    'Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"',
  ],
  [
    "a condition's size beats the depth of the key beside it",
    { Delete: { TableName: absent, Key: { id: nested(40) }, ConditionExpression: condition4109 } },
    "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4109",
  ],
])("%s", async (_, action, message) => {
  await validation(transact(server, [action]), message);
});

test("a problem in a later action beats a missing table in an earlier one", async () => {
  for (const { action, message } of problems) {
    await validation(
      transact(server, [{ Put: { TableName: absent, Item: key() } }, action]),
      message,
    );
  }
});

test("and beats two actions on one item, and nothing is written", async () => {
  const twice: TransactWriteItem = { Put: { TableName: table, Item: { id: { S: "twice" } } } };
  for (const { action, message } of problems) {
    await validation(transact(server, [twice, twice, action]), message);
  }
  expect(await get(server, table, { id: { S: "twice" } })).toBeUndefined();
});
