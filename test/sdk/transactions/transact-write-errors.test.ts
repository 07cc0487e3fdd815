import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, type TestServer, useServer, validation } from "../harness.ts";
import { get, type Item, put, transact } from "./outcomes.ts";

const server = useServer();
const older = useServer({ dialect: "2026-05" });

let table = "";

beforeAll(async () => {
  table = await createTable(server, { key: "id:S" });
});

const id = (text: string): Item => ({ id: { S: text } });
const absent = "absent";

const counted = "1 validation error detected: ";
const capacity =
  "Value 'BOGUS' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
const metrics =
  "Value 'BOGUS2' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]";

async function refused(on: TestServer, body: object, message: string): Promise<void> {
  const { status, json } = await on.raw("TransactWriteItems", body);
  expect(status).toBe(400);
  expect(json.__type).toBe("com.amazon.coral.validate#ValidationException");
  expect(json.message).toBe(message);
}

describe("the request by itself", () => {
  test("no actions", async () => {
    await validation(
      transact(server, []),
      `${counted}Value at 'TransactItems' failed to satisfy constraint: Member must have length greater than or equal to 1`,
    );
    await validation(
      transact(older, []),
      `${counted}Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1`,
    );
  });

  test("an empty action", async () => {
    await validation(
      transact(server, [{}]),
      `${counted}Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest should contain Delete or Put or Update or ConditionCheck`,
    );
    await validation(
      transact(older, [{}]),
      "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request",
    );
  });

  test("two actions in one", async () => {
    await validation(
      transact(server, [
        { Put: { TableName: table, Item: id("a") }, Delete: { TableName: table, Key: id("b") } },
      ]),
      "TransactItems can only contain one of Check, Put, Update or Delete",
    );
  });

  test.each<[string, object, string]>([
    ["ReturnConsumedCapacity", { ReturnConsumedCapacity: "BOGUS" }, counted + capacity],
    ["ReturnItemCollectionMetrics", { ReturnItemCollectionMetrics: "BOGUS2" }, counted + metrics],
    [
      "both",
      { ReturnConsumedCapacity: "BOGUS", ReturnItemCollectionMetrics: "BOGUS2" },
      `2 validation errors detected: ${capacity}; ${metrics}`,
    ],
  ])("a bad option, before tables and targets are looked at: %s", async (_, options, message) => {
    const missing = { Put: { TableName: absent, Item: id("a") } };
    const twice = { Put: { TableName: table, Item: id("a") } };
    for (const on of [server, older]) {
      await refused(on, { TransactItems: [missing], ...options }, message);
      await refused(on, { TransactItems: [twice, twice], ...options }, message);
    }
  });

  test.each<[string, (TableName: string) => TransactWriteItem[], string]>([
    ["Put", (TableName) => [{ Put: { TableName, Item: id("a") } }], "1.member.put"],
    [
      "Update in second place",
      (TableName) => [
        { Put: { TableName: table, Item: id("a") } },
        { Update: { TableName, Key: id("b"), UpdateExpression: "REMOVE x" } },
      ],
      "2.member.update",
    ],
    ["Delete", (TableName) => [{ Delete: { TableName, Key: id("a") } }], "1.member.delete"],
    [
      "ConditionCheck",
      (TableName) => [
        { ConditionCheck: { TableName, Key: id("a"), ConditionExpression: "attribute_exists(x)" } },
      ],
      "1.member.conditionCheck",
    ],
  ])("a bad table name: %s", async (_, actions, path) => {
    await validation(
      transact(server, actions("bad!name")),
      `${counted}Value 'bad!name' at 'transactItems.${path}.tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+`,
    );
  });

  test("a ConditionCheck without condition, an Update without update", async () => {
    const check = { ConditionCheck: { TableName: table, Key: id("a") } };
    const update = { Update: { TableName: table, Key: id("a") } };
    for (const [action, member] of [
      [check, "conditionCheck.conditionExpression"],
      [update, "update.updateExpression"],
    ] as const) {
      await refused(
        server,
        { TransactItems: [action] },
        `${counted}Value null at 'transactItems.1.member.${member}' failed to satisfy constraint: Member must not be null`,
      );
    }
  });

  test("an unknown ReturnValuesOnConditionCheckFailure", async () => {
    const { status, json } = await server.raw("TransactWriteItems", {
      TransactItems: [
        {
          Update: {
            TableName: table,
            Key: id("a"),
            UpdateExpression: "REMOVE x",
            ReturnValuesOnConditionCheckFailure: "dog",
          },
        },
      ],
    });
    expect(status).toBe(400);
    expect(json.__type).toBe("com.amazon.coral.validate#ValidationException");
    expect(json.message).toMatch(/eturnValuesOnConditionCheckFailure/);
  });
});

describe("the client's token", () => {
  const token = "x".repeat(37);
  const body = { TransactItems: [{ Put: { TableName: absent, Item: id("a") } }] };
  const tooLong = "failed to satisfy constraint: Member must have length less than or equal to 36";

  test("of 37 characters", async () => {
    await refused(
      server,
      { ...body, ClientRequestToken: token },
      `${counted}Value at 'ClientRequestToken' ${tooLong}`,
    );
    await refused(
      older,
      { ...body, ClientRequestToken: token },
      `${counted}Value '${token}' at 'clientRequestToken' ${tooLong}`,
    );
  });

  test("and a bad option", async () => {
    const both = { ...body, ClientRequestToken: token, ReturnConsumedCapacity: "BOGUS" };
    await refused(server, both, `${counted}Value at 'ClientRequestToken' ${tooLong}`);
    await refused(
      older,
      both,
      `2 validation errors detected: Value '${token}' at 'clientRequestToken' ${tooLong}; ${capacity}`,
    );
  });

  test.each([35, 36])("of %i characters is taken", async (length) => {
    const ClientRequestToken = `${Math.random()}`.padEnd(length, "t").slice(0, length);
    await transact(server, [{ Put: { TableName: table, Item: id(`t${length}`) } }], {
      ClientRequestToken,
    });
    expect(await get(server, table, id(`t${length}`))).toEqual(id(`t${length}`));
  });
});

describe("tables and targets", () => {
  const missing = (request: Promise<unknown>) =>
    expectError(request, "ResourceNotFoundException", "Requested resource not found");

  test("a missing table undoes the rest", async () => {
    await missing(
      transact(server, [
        { Put: { TableName: table, Item: id("left") } },
        { Put: { TableName: absent, Item: id("a") } },
      ]),
    );
    expect(await get(server, table, id("left"))).toBeUndefined();
  });

  const targets: [string, TransactWriteItem[]][] = [
    [
      "Put and Put",
      [{ Put: { TableName: "", Item: id("a") } }, { Put: { TableName: "", Item: id("a") } }],
    ],
    [
      "Put and Delete",
      [{ Put: { TableName: "", Item: id("a") } }, { Delete: { TableName: "", Key: id("a") } }],
    ],
    [
      "Update and ConditionCheck",
      [
        { Update: { TableName: "", Key: id("a"), UpdateExpression: "REMOVE x" } },
        {
          ConditionCheck: {
            TableName: "",
            Key: id("a"),
            ConditionExpression: "attribute_exists(id)",
          },
        },
      ],
    ],
    [
      "ConditionCheck and ConditionCheck",
      [
        {
          ConditionCheck: {
            TableName: "",
            Key: id("a"),
            ConditionExpression: "attribute_exists(id)",
          },
        },
        {
          ConditionCheck: {
            TableName: "",
            Key: id("a"),
            ConditionExpression: "attribute_exists(x)",
          },
        },
      ],
    ],
  ];

  test.each(targets)("one item twice: %s", async (_, actions) => {
    const named = actions.map((action) =>
      Object.fromEntries(
        Object.entries(action).map(([kind, content]) => [kind, { ...content, TableName: table }]),
      ),
    );
    await validation(
      transact(server, [{ Put: { TableName: table, Item: id("first") } }, ...named]),
      "Transaction request cannot include multiple operations on one item",
    );
    expect(await get(server, table, id("first"))).toBeUndefined();
  });

  test("the same key in two tables is fine", async () => {
    const other = await createTable(server, { key: "id:S" });
    await put(server, other, id("a"));
    await transact(server, [
      { Put: { TableName: table, Item: id("twin") } },
      { Put: { TableName: other, Item: id("twin") } },
    ]);
    expect(await get(server, other, id("twin"))).toEqual(id("twin"));
  });
});
