import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  paginateScan,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { expectError, useServer, validation } from "../harness.ts";
import {
  all,
  byName,
  create,
  define,
  describeTable,
  drop,
  globalIndex,
  hash,
  invalid,
  range,
  units,
  untilActive,
  update,
} from "./support.ts";

const server = useServer();
type Item = Record<string, { S: string } | { N: string }>;

const keyedByA = { AttributeDefinitions: define("a"), KeySchema: [hash("a")] };
const made = async (change: object = {}) =>
  (await create(server, { ...keyedByA, ...change })).TableName ?? "";

const add = (TableName: string, names: string, Create: object) =>
  update(server, {
    TableName,
    AttributeDefinitions: define(names),
    GlobalSecondaryIndexUpdates: [{ Create: { Projection: all, ...Create } }],
  });
const addByG = (TableName: string) =>
  add(TableName, "g", { IndexName: "byG", KeySchema: [hash("g")] });
const removeIndex = (TableName: string, IndexName: string) =>
  update(server, { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] });

async function putAll(TableName: string, items: readonly Item[]): Promise<void> {
  for (let start = 0; start < items.length; start += 25) {
    const requests = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await server.client.send(
      new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }),
    );
  }
}

/** The names `a` of all entries of an index, in order. */
async function entries(TableName: string, IndexName: string): Promise<string[]> {
  const found: string[] = [];
  for await (const page of paginateScan({ client: server.client }, { TableName, IndexName })) {
    for (const item of page.Items ?? []) found.push(item.a?.S ?? "");
  }
  return found.sort();
}

const numbered = (count: number, prefix: string, more: (i: number) => Item = () => ({})) =>
  Array.from({ length: count }, (_, i) => ({
    a: { S: `${prefix}${String(i).padStart(3, "0")}` },
    ...more(i),
  }));
const namesOf = (items: readonly Item[]) => items.map((item) => (item.a as { S: string }).S).sort();

describe("an index that is added", () => {
  test("is announced as being made, and becomes active", async () => {
    const TableName = await made();
    const answer = await addByG(TableName);
    expect(answer.TableStatus).toBe("UPDATING");
    expect(globalIndex(answer, "byG")).toMatchObject({
      IndexName: "byG",
      IndexStatus: "CREATING",
      KeySchema: [hash("g")],
      Projection: all,
      IndexArn: `${answer.TableArn}/index/byG`,
    });
    const table = await untilActive(server, TableName);
    expect(globalIndex(table, "byG")?.Backfilling).toBeUndefined();
    expect(byName(table.AttributeDefinitions)).toEqual(define("a g"));
  });

  test("takes in the items that were there, but those without its key", async () => {
    const TableName = await made();
    const indexed = numbered(230, "in", (i) => ({ g: { S: `g${i % 7}` } }));
    await putAll(TableName, [...indexed, ...numbered(40, "out")]);
    await addByG(TableName);
    const table = await untilActive(server, TableName);
    expect(await entries(TableName, "byG")).toEqual(namesOf(indexed));
    expect(globalIndex(table, "byG")?.ItemCount).toBe(230);
    const { Items = [] } = await server.client.send(
      new QueryCommand({
        TableName,
        IndexName: "byG",
        KeyConditionExpression: "g = :g",
        ExpressionAttributeValues: { ":g": { S: "g3" } },
      }),
    );
    expect(Items).toHaveLength(33);
  });

  test("passes by items whose key is no key: of another type, empty, too long", async () => {
    const TableName = await made();
    await putAll(TableName, [
      { a: { S: "right" }, g: { S: "x" } },
      { a: { S: "longest" }, g: { S: "x".repeat(2_048) } },
      { a: { S: "number" }, g: { N: "1" } },
      { a: { S: "empty" }, g: { S: "" } },
      { a: { S: "too long" }, g: { S: "x".repeat(2_049) } },
    ]);
    await server.raw("PutItem", {
      TableName,
      Item: { a: { S: "list" }, g: { L: [{ S: "x" }] } },
    });
    await addByG(TableName);
    await untilActive(server, TableName);
    expect(await entries(TableName, "byG")).toEqual(["longest", "right"]);
    expect((await server.raw("Scan", { TableName, Select: "COUNT" })).json.Count).toBe(6);

    await add(TableName, "a g", { IndexName: "byAG", KeySchema: [hash("a"), range("g")] });
    await untilActive(server, TableName);
    expect(await entries(TableName, "byAG")).toEqual(["right"]);
    for (const S of ["number", "empty", "too long", "list", "longest"]) {
      await server.client.send(new DeleteItemCommand({ TableName, Key: { a: { S } } }));
    }
    expect(await entries(TableName, "byG")).toEqual(["right"]);
    expect(await entries(TableName, "byAG")).toEqual(["right"]);
  });

  test("follows what is written later", async () => {
    const TableName = await made();
    await putAll(
      TableName,
      numbered(3, "old", () => ({ g: { S: "x" } })),
    );
    await addByG(TableName);
    await untilActive(server, TableName);
    await putAll(TableName, [
      { a: { S: "new" }, g: { S: "x" } },
      { a: { S: "sparse" } },
      { a: { S: "old001" } },
    ]);
    await server.client.send(new DeleteItemCommand({ TableName, Key: { a: { S: "old002" } } }));
    expect(await entries(TableName, "byG")).toEqual(["new", "old000"]);
  });

  test("refuses items whose key has another type from then on", async () => {
    const TableName = await made();
    await addByG(TableName);
    await untilActive(server, TableName);
    await validation(
      server.client.send(new PutItemCommand({ TableName, Item: { a: { S: "a" }, g: { N: "1" } } })),
      `${invalid}Type mismatch for Index Key g Expected: S Actual: N IndexName: byG`,
    );
  });

  test("misses nothing that is written while it is filled", async () => {
    const TableName = await made();
    const before = numbered(300, "old", () => ({ g: { S: "x" } }));
    await putAll(TableName, before);
    const during = numbered(75, "new", () => ({ g: { S: "y" } }));
    const [kept, changed, removed] = [
      before.slice(0, 100),
      before.slice(100, 150),
      before.slice(150),
    ];
    await Promise.all([
      addByG(TableName),
      putAll(TableName, during),
      putAll(
        TableName,
        changed.map(({ a }) => ({ a })),
      ),
      ...removed.map(({ a }) =>
        server.client.send(new DeleteItemCommand({ TableName, Key: { a } })),
      ),
    ]);
    await untilActive(server, TableName);
    expect(await entries(TableName, "byG")).toEqual(namesOf([...kept, ...during]));
  });

  test.each<[string, object, object]>([
    ["all", all, { a: { S: "a" }, g: { S: "x" }, v: { S: "v" }, w: { S: "w" } }],
    ["its keys", { ProjectionType: "KEYS_ONLY" }, { a: { S: "a" }, g: { S: "x" } }],
    [
      "what it includes",
      { ProjectionType: "INCLUDE", NonKeyAttributes: ["v", "absent"] },
      { a: { S: "a" }, g: { S: "x" }, v: { S: "v" } },
    ],
  ])("holds %s of the items that were there", async (_, Projection, expected) => {
    const TableName = await made();
    await putAll(TableName, [{ a: { S: "a" }, g: { S: "x" }, v: { S: "v" }, w: { S: "w" } }]);
    await add(TableName, "g", { IndexName: "byG", KeySchema: [hash("g")], Projection });
    const table = await untilActive(server, TableName);
    expect(globalIndex(table, "byG")?.Projection).toEqual(Projection);
    const { json } = await server.raw("Scan", { TableName, IndexName: "byG" });
    expect(json.Items).toEqual([expected]);
  });

  test("needs all attributes of its key in an item, and sorts by its range key", async () => {
    const TableName = await made();
    await putAll(TableName, [
      { a: { S: "two" }, g: { S: "x" }, n: { N: "2" } },
      { a: { S: "ten" }, g: { S: "x" }, n: { N: "10" } },
      { a: { S: "minus" }, g: { S: "x" }, n: { N: "-1" } },
      { a: { S: "half" }, g: { S: "x" } },
      { a: { S: "other half" }, n: { N: "1" } },
    ]);
    await add(TableName, "g n:N", { IndexName: "byGN", KeySchema: [hash("g"), range("n")] });
    await untilActive(server, TableName);
    const { json } = await server.raw("Query", {
      TableName,
      IndexName: "byGN",
      KeyConditionExpression: "g = :g",
      ExpressionAttributeValues: { ":g": { S: "x" } },
    });
    expect(json.Items.map((item: { a: { S: string } }) => item.a.S)).toEqual([
      "minus",
      "two",
      "ten",
    ]);
  });

  test("of a provisioned table has its own units", async () => {
    const TableName = await made({
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: units(1),
    });
    await add(TableName, "g", {
      IndexName: "byG",
      KeySchema: [hash("g")],
      ProvisionedThroughput: units(3, 4),
    });
    const table = await untilActive(server, TableName);
    expect(globalIndex(table, "byG")?.ProvisionedThroughput).toMatchObject(units(3, 4));
  });
});

describe("the definitions that come with an index", () => {
  test("do not change the type of an attribute that is known", async () => {
    const TableName = await made();
    await add(TableName, "a:N g", { IndexName: "byGA", KeySchema: [hash("g"), range("a")] });
    const table = await untilActive(server, TableName);
    expect(byName(table.AttributeDefinitions)).toEqual(define("a g"));
  });

  test("are forgotten if no key uses them", async () => {
    const TableName = await made();
    await add(TableName, "g unused", { IndexName: "byG", KeySchema: [hash("g")] });
    const table = await untilActive(server, TableName);
    expect(byName(table.AttributeDefinitions)).toEqual(define("a g"));
  });

  test("name every attribute of its key, also those that the table knows", async () => {
    const TableName = await made();
    await expectError(
      add(TableName, "g", { IndexName: "byGA", KeySchema: [hash("g"), range("a")] }),
      "ValidationException",
    );
    expect((await describeTable(server, TableName)).GlobalSecondaryIndexes).toBeUndefined();
  });
});

describe("an index that is deleted", () => {
  test("is announced as going, then gone", async () => {
    const TableName = await made();
    await addByG(TableName);
    await untilActive(server, TableName);
    const answer = await removeIndex(TableName, "byG");
    expect(answer.TableStatus).toBe("UPDATING");
    expect(globalIndex(answer, "byG")?.IndexStatus).toBe("DELETING");
    const table = await untilActive(server, TableName);
    expect(table.GlobalSecondaryIndexes).toBeUndefined();
    expect(table.AttributeDefinitions).toEqual(define("a"));
    await validation(
      server.client.send(
        new QueryCommand({
          TableName,
          IndexName: "byG",
          KeyConditionExpression: "g = :g",
          ExpressionAttributeValues: { ":g": { S: "x" } },
        }),
      ),
      "The table does not have the specified index: byG",
    );
  });

  test("takes only those definitions along that no other key uses", async () => {
    const TableName = await made();
    await add(TableName, "g n:N", { IndexName: "one", KeySchema: [hash("g"), range("n")] });
    await untilActive(server, TableName);
    await add(TableName, "g", { IndexName: "two", KeySchema: [hash("g")] });
    await untilActive(server, TableName);
    await removeIndex(TableName, "one");
    const table = await untilActive(server, TableName);
    expect(byName(table.AttributeDefinitions)).toEqual(define("a g"));
    expect(table.GlobalSecondaryIndexes?.map((index) => index.IndexName)).toEqual(["two"]);
  });

  test("leaves the items, and its attributes may have any type again", async () => {
    const TableName = await made();
    await addByG(TableName);
    await untilActive(server, TableName);
    await putAll(TableName, [{ a: { S: "old" }, g: { S: "x" } }]);
    await removeIndex(TableName, "byG");
    await untilActive(server, TableName);
    await putAll(TableName, [{ a: { S: "new" }, g: { N: "1" } }]);
    expect((await server.raw("Scan", { TableName, Select: "COUNT" })).json.Count).toBe(2);
  });

  test("may be made again with another key and holds nothing of the old one", async () => {
    const TableName = await made();
    await addByG(TableName);
    await untilActive(server, TableName);
    await putAll(TableName, [{ a: { S: "g only" }, g: { S: "x" } }]);
    await removeIndex(TableName, "byG");
    await untilActive(server, TableName);
    await putAll(TableName, [{ a: { S: "h only" }, h: { N: "1" } }]);
    await add(TableName, "h:N", { IndexName: "byG", KeySchema: [hash("h")] });
    const table = await untilActive(server, TableName);
    expect(globalIndex(table, "byG")?.KeySchema).toEqual([hash("h")]);
    expect(await entries(TableName, "byG")).toEqual(["h only"]);
  });
});

describe("UpdateTable refuses", () => {
  test("an index whose name is taken", async () => {
    const TableName = await made();
    await addByG(TableName);
    await untilActive(server, TableName);
    await expectError(addByG(TableName), "ValidationException");
  });

  test("to delete an index that does not exist", async () => {
    await expectError(removeIndex(await made(), "absent"), "ResourceNotFoundException");
  });

  test("a key attribute without definition", async () => {
    const TableName = await made();
    await expectError(
      add(TableName, "a", { IndexName: "byG", KeySchema: [hash("g")] }),
      "ValidationException",
    );
  });

  test("more than one index at a time", async () => {
    const TableName = await made();
    const Create = (IndexName: string) => ({
      Create: { IndexName, KeySchema: [hash("g")], Projection: all },
    });
    await expectError(
      update(server, {
        TableName,
        AttributeDefinitions: define("g"),
        GlobalSecondaryIndexUpdates: [Create("one"), Create("two")],
      }),
      "LimitExceededException",
      "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table",
    );
    expect((await describeTable(server, TableName)).GlobalSecondaryIndexes).toBeUndefined();
  });
});

test("a table may be deleted with its indexes and made again without them", async () => {
  const TableName = await made();
  await putAll(
    TableName,
    numbered(30, "x", () => ({ g: { S: "x" } })),
  );
  await addByG(TableName);
  await untilActive(server, TableName);
  await drop(server, TableName);
  await made({ TableName });
  const table = await untilActive(server, TableName);
  expect(table.GlobalSecondaryIndexes).toBeUndefined();
  await addByG(TableName);
  await untilActive(server, TableName);
  expect(await entries(TableName, "byG")).toEqual([]);
});
