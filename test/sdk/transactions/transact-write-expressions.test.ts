import type { AttributeValue, TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { get, type Item, transact } from "./outcomes.ts";

const server = useServer();

let table = "";

beforeAll(async () => {
  table = await createTable(server, { key: "id:S" });
});

const id = (text: string): Item => ({ id: { S: text } });
const absent = "absent";

describe("expressions fail the request, before any table is looked for", () => {
  const withCondition = (ConditionExpression: string, more: object = {}): TransactWriteItem[] => [
    { Put: { TableName: absent, Item: id("a"), ConditionExpression, ...more } },
    { Delete: { TableName: absent, Key: id("a"), ConditionExpression, ...more } },
    { ConditionCheck: { TableName: absent, Key: id("a"), ConditionExpression, ...more } },
    {
      Update: {
        TableName: absent,
        Key: id("a"),
        UpdateExpression: "REMOVE x",
        ConditionExpression,
        ...more,
      },
    },
  ];

  test.each<[string, string, object, string]>([
    ["an empty condition", "", {}, "Invalid ConditionExpression: The expression can not be empty;"],
    [
      "a condition that breaks off",
      "attribute_not_exists(",
      {},
      'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("',
    ],
    [
      "redundant parentheses",
      "((attribute_exists(id)))",
      {},
      "Invalid ConditionExpression: The expression has redundant parentheses;",
    ],
    [
      "an unused value",
      "attribute_exists(id)",
      { ExpressionAttributeValues: { ":v": { S: "x" } } },
      "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
    ],
    [
      "an unused name",
      "attribute_exists(id)",
      { ExpressionAttributeNames: { "#n": "x" } },
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}",
    ],
    [
      "an undefined value",
      "x = :nope",
      {},
      "Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :nope",
    ],
    [
      "an undefined name",
      "attribute_exists(#nope)",
      {},
      "Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #nope",
    ],
    [
      "a condition of 4,109 bytes",
      "attribute_exists(id)".padEnd(4109),
      {},
      "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4109",
    ],
  ])("%s", async (_, condition, more, message) => {
    for (const action of withCondition(condition, more)) {
      await validation(transact(server, [action]), message);
      await validation(
        transact(server, [{ Put: { TableName: table, Item: id("beside") } }, action]),
        message,
      );
    }
    expect(await get(server, table, id("beside"))).toBeUndefined();
  });

  const update = (UpdateExpression: string, more: object = {}): TransactWriteItem => ({
    Update: { TableName: absent, Key: id("a"), UpdateExpression, ...more },
  });

  test.each<[string, TransactWriteItem, string]>([
    [
      "an update that is none",
      update("INVALID SYNTAX HERE"),
      'Invalid UpdateExpression: Syntax error; token: "INVALID", near: "INVALID SYNTAX"',
    ],
    ["an empty update", update(""), "Invalid UpdateExpression: The expression can not be empty;"],
    [
      "an update with an undefined value",
      update("SET x = :nope"),
      "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :nope",
    ],
    [
      "an update of more than 4,096 bytes",
      update("REMOVE x".padEnd(4109)),
      "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;",
    ],
    [
      "an update with overlapping paths",
      update("SET x = :v REMOVE x.y", { ExpressionAttributeValues: { ":v": { S: "" } } }),
      "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [x], path two: [x, y]",
    ],
  ])("%s", async (_, action, message) => {
    await validation(transact(server, [action]), message);
  });

  test("an expression of 4,096 bytes is taken", async () => {
    await transact(server, [
      {
        ConditionCheck: {
          TableName: table,
          Key: id("nobody"),
          ConditionExpression: "attribute_not_exists(id)".padEnd(4096),
        },
      },
      { Update: { TableName: table, Key: id("up"), UpdateExpression: "REMOVE x".padEnd(4096) } },
    ]);
  });
});

describe("values fail the request, before any table is looked for", () => {
  const nested = (levels: number): AttributeValue =>
    levels === 0 ? { S: "leaf" } : { M: { in: nested(levels - 1) } };
  const tooDeep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";

  test.each<[string, AttributeValue, string]>([
    ["no number", { N: "abc" }, "The parameter cannot be converted to a numeric value: abc"],
    [
      "a number too large",
      { N: "1e126" },
      "Number overflow. Attempting to store a number with magnitude larger than supported range",
    ],
    [
      "an empty set",
      { SS: [] },
      "One or more parameter values were invalid: An string set  may not be empty",
    ],
    ["33 levels", nested(32), tooDeep],
  ])("an item with %s", async (_, value, message) => {
    await validation(
      transact(server, [{ Put: { TableName: absent, Item: { ...id("a"), v: value } } }]),
      message,
    );
  });

  test("a value of 33 levels that only a condition uses", async () => {
    const values = { ":deep": nested(32) };
    const actions: TransactWriteItem[] = [
      {
        ConditionCheck: {
          TableName: table,
          Key: id("a"),
          ConditionExpression: "x = :deep",
          ExpressionAttributeValues: values,
        },
      },
      {
        Update: {
          TableName: table,
          Key: id("a"),
          UpdateExpression: "REMOVE y",
          ConditionExpression: "x = :deep",
          ExpressionAttributeValues: values,
        },
      },
    ];
    for (const action of actions) await validation(transact(server, [action]), tooDeep);
  });

  test("32 levels are stored", async () => {
    await transact(server, [
      { Put: { TableName: table, Item: { ...id("deep"), v: nested(31) } } },
      {
        Update: {
          TableName: table,
          Key: id("deeper"),
          UpdateExpression: "SET v = :v",
          ExpressionAttributeValues: { ":v": nested(31) },
        },
      },
    ]);
    expect(await get(server, table, id("deeper"))).toEqual({ ...id("deeper"), v: nested(31) });
  });

  test("an empty string in a set is fine", async () => {
    await transact(server, [
      { Put: { TableName: table, Item: { ...id("set"), v: { SS: ["a", ""] } } } },
    ]);
    expect(await get(server, table, id("set"))).toEqual({ ...id("set"), v: { SS: ["", "a"] } });
  });
});
