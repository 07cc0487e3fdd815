import {
  BatchWriteItemCommand,
  type Get,
  TransactGetItemsCommand,
  type TransactGetItemsCommandInput,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { cancelled, type Item, put } from "./outcomes.ts";

const server = useServer();
const older = useServer({ dialect: "2026-05" });

let hashed = "";
let ranged = "";

const id = (text: string): Item => ({ id: { S: text } });
const ps = (pk: string, sk: string): Item => ({ pk: { S: pk }, sk: { N: sk } });
const first: Item = {
  ...id("a"),
  city: { S: "Oslo" },
  map: { M: { x: { N: "1" }, y: { N: "2" } } },
};

beforeAll(async () => {
  hashed = await createTable(server, { key: "id:S" });
  ranged = await createTable(server, { key: "pk:S sk:N" });
  await put(server, hashed, first, { ...id("b"), city: { S: "Bergen" } }, id("c"));
  await put(server, ranged, { ...ps("p", "1"), v: { S: "one" } });
});

function transactGet(gets: Get[], more: Partial<TransactGetItemsCommandInput> = {}, on = server) {
  const TransactItems = gets.map((one) => ({ Get: one }));
  return on.client.send(new TransactGetItemsCommand({ TransactItems, ...more }));
}

const from = (text: string, more: Partial<Get> = {}): Get => ({
  TableName: hashed,
  Key: id(text),
  ...more,
});

describe("what is read", () => {
  test("comes in the order of the request", async () => {
    const { Responses } = await transactGet([from("c"), from("a"), from("b")]);
    expect(Responses?.map(({ Item }) => Item?.id?.S)).toEqual(["c", "a", "b"]);
    expect(Responses?.[1]?.Item).toEqual(first);
  });

  test("comes from several tables", async () => {
    const { Responses } = await transactGet([
      from("c"),
      { TableName: ranged, Key: ps("p", "1.0") },
      from("b"),
    ]);
    expect(Responses).toEqual([
      { Item: id("c") },
      { Item: { ...ps("p", "1"), v: { S: "one" } } },
      { Item: { ...id("b"), city: { S: "Bergen" } } },
    ]);
  });

  test("has an empty place for an item that is not there", async () => {
    const gets = [from("nobody"), from("c"), from("nothing")];
    const { json } = await server.raw("TransactGetItems", {
      TransactItems: gets.map((one) => ({ Get: one })),
    });
    expect(json).toEqual({ Responses: [{}, { Item: id("c") }, {}] });
  });

  test("is projected, each action by its own expression", async () => {
    const { Responses } = await transactGet([
      from("a", {
        ProjectionExpression: "#m.x, city",
        ExpressionAttributeNames: { "#m": "map" },
      }),
      { TableName: ranged, Key: ps("p", "1"), ProjectionExpression: "sk" },
      from("b"),
    ]);
    expect(Responses).toEqual([
      { Item: { map: { M: { x: { N: "1" } } }, city: { S: "Oslo" } } },
      { Item: { sk: { N: "1" } } },
      { Item: { ...id("b"), city: { S: "Bergen" } } },
    ]);
  });

  test("is nothing where the projection matches nothing", async () => {
    const { json } = await server.raw("TransactGetItems", {
      TransactItems: [
        { Get: from("c", { ProjectionExpression: "city" }) },
        { Get: from("b", { ProjectionExpression: "city" }) },
      ],
    });
    expect(json).toEqual({ Responses: [{}, { Item: { city: { S: "Bergen" } } }] });
  });

  test("includes the last acknowledged write", async () => {
    for (let round = 0; round < 5; round += 1) {
      await put(server, hashed, { ...id("fresh"), round: { N: `${round}` } });
      const { Responses } = await transactGet([from("fresh")]);
      expect(Responses?.[0]?.Item?.round).toEqual({ N: `${round}` });
    }
  });
});

describe("a hundred items", () => {
  const many = (size: number): Get[] => Array.from({ length: size }, (_, i) => from(`many${i}`));

  test("are read", async () => {
    const { Responses } = await transactGet(many(100));
    expect(Responses).toHaveLength(100);
  });

  test("and one are too many", async () => {
    await validation(
      transactGet(many(101)),
      "1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: Member must have length less than or equal to 100",
    );
    await validation(
      transactGet(many(101), {}, older),
      /^1 validation error detected: Value '\[.+\]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100$/s,
    );
  });

  test("may be 4 MB together, not more", async () => {
    const table = await createTable(server, { key: "id:S" });
    const keys = Array.from({ length: 11 }, (_, i) => id(`k${i}`));
    const Items = keys.map((key) => ({
      ...key,
      filler: { S: "x".repeat(400_000) },
    }));
    await server.client.send(
      new BatchWriteItemCommand({
        RequestItems: { [table]: Items.map((Item) => ({ PutRequest: { Item } })) },
      }),
    );
    const gets = keys.map((Key): Get => ({ TableName: table, Key }));
    const { Responses } = await transactGet(gets.slice(0, 10));
    expect(Responses?.every(({ Item }) => Item !== undefined)).toBe(true);
    await expect(transactGet(gets)).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } });
  });
});

describe("what is refused", () => {
  const counted = "1 validation error detected: ";
  const capacity =
    "Value 'BOGUS' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
  const absent: Get = { TableName: "absent", Key: id("a") };

  test("no actions", async () => {
    await validation(
      transactGet([]),
      `${counted}Value at 'TransactItems' failed to satisfy constraint: Member must have length greater than or equal to 1`,
    );
    await validation(
      transactGet([], {}, older),
      `${counted}Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1`,
    );
  });

  test("a bad option, before tables and targets are looked at", async () => {
    const ReturnConsumedCapacity = "BOGUS" as "TOTAL";
    for (const gets of [[absent], [from("a"), from("a")]]) {
      await validation(transactGet(gets, { ReturnConsumedCapacity }), counted + capacity);
    }
  });

  test("a bad table name, with its place", async () => {
    const pattern =
      "failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
    const bad: Get = { TableName: "bad!name", Key: id("a") };
    await validation(
      transactGet([bad]),
      `${counted}Value 'bad!name' at 'transactItems.1.member.get.tableName' ${pattern}`,
    );
    await validation(
      transactGet([from("a"), bad]),
      `${counted}Value 'bad!name' at 'transactItems.2.member.get.tableName' ${pattern}`,
    );
  });

  test("an action without Get", async () => {
    const { status, json } = await server.raw("TransactGetItems", { TransactItems: [{}] });
    expect(status).toBe(400);
    expect(json.__type).toBe("com.amazon.coral.validate#ValidationException");
  });

  test("a missing table", async () => {
    await expectError(
      transactGet([from("a"), absent]),
      "ResourceNotFoundException",
      "Requested resource not found",
    );
  });

  test("one item twice", async () => {
    const twice = "Transaction request cannot include multiple operations on one item";
    await validation(transactGet([from("a"), from("b"), from("a")]), twice);
    const numbered = (sk: string): Get => ({ TableName: ranged, Key: ps("p", sk) });
    await validation(transactGet([numbered("1"), numbered("1")]), twice);
  });

  test.each<[string, Partial<Get>, string]>([
    [
      "a projection with a syntax error",
      { ProjectionExpression: "!!!" },
      'Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"',
    ],
    [
      "an empty projection",
      { ProjectionExpression: "" },
      "Invalid ProjectionExpression: The expression can not be empty;",
    ],
    [
      "an unused name",
      { ProjectionExpression: "city", ExpressionAttributeNames: { "#q": "q" } },
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#q}",
    ],
    [
      "an undefined name",
      { ProjectionExpression: "#zz" },
      "Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #zz",
    ],
  ])("%s, before the table is looked for", async (_, more, message) => {
    await validation(transactGet([from("a", more)]), message);
    await validation(transactGet([absent, from("b", more)]), message);
  });

  test.each<[string, Item]>([
    ["no key", {}],
    ["a key of another type", { id: { N: "1" } }],
    ["a list as key", { id: { L: [] } }],
    ["one attribute too many", { ...id("a"), city: { S: "Oslo" } }],
  ])("%s cancels the transaction", async (_, Key) => {
    await cancelled(
      transactGet([from("a"), { TableName: hashed, Key }, from("b")]),
      "None",
      "ValidationError",
      "None",
    );
  });
});
