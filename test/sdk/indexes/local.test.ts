import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { column, type Item, itemsOf, N, putAll, query, queryPages, S, scan } from "../reading.ts";

const server = useServer();

let TableName: string;

beforeAll(async () => {
  TableName = await createTable(server, {
    key: "pk:S sk:S",
    local: {
      all: { range: "score:N" },
      keys: { range: "score:N", projection: { ProjectionType: "KEYS_ONLY" } },
      some: {
        range: "label:S",
        projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["score"] },
      },
    },
  });
});

let pk: AttributeValue.SMember;
let serial = 0;
beforeEach(() => {
  serial += 1;
  pk = S(`p${serial}`);
});

const ask = (IndexName: string, more: Partial<QueryCommandInput> = {}) =>
  query(server, {
    TableName,
    IndexName,
    KeyConditionExpression: "pk = :p",
    ConsistentRead: true,
    ...more,
    ExpressionAttributeValues: { ":p": pk, ...more.ExpressionAttributeValues },
  });

const item = (sk: string, more: Item = {}): Item => ({ pk, sk: S(sk), ...more });

describe("a strongly consistent read of the index", () => {
  test("sees a put, an update and a deletion at once", async () => {
    await server.client.send(new PutItemCommand({ TableName, Item: item("a", { score: N(1) }) }));
    expect(column((await ask("all")).Items, "score")).toEqual(["1"]);
    await server.client.send(
      new UpdateItemCommand({
        TableName,
        Key: item("a"),
        UpdateExpression: "SET score = score + :n",
        ExpressionAttributeValues: { ":n": N(41) },
      }),
    );
    expect(column((await ask("all")).Items, "score")).toEqual(["42"]);
    expect(column((await ask("keys")).Items, "score")).toEqual(["42"]);
    await server.client.send(new DeleteItemCommand({ TableName, Key: item("a") }));
    expect((await ask("all")).Items).toEqual([]);
    expect((await ask("keys")).Items).toEqual([]);
  });

  test("is also possible by a scan", async () => {
    await putAll(server, TableName, [item("a", { score: N(1) })]);
    const page = await scan(server, { TableName, IndexName: "all", ConsistentRead: true });
    expect(column(page.Items, "pk")).toContain(pk.S);
  });
});

describe("order and membership", () => {
  beforeEach(async () => {
    await putAll(server, TableName, [
      item("a", { score: N(10), label: S("x") }),
      item("b", { score: N(-1) }),
      item("c", { label: S("w") }),
      item("d", { score: N(9.5), label: S("x") }),
      item("e"),
      { pk: S(`${pk.S} other`), sk: S("a"), score: N(0), label: S("x") },
    ]);
  });

  test("sparse and by the index's sort key", async () => {
    expect(column((await ask("all")).Items, "sk")).toEqual(["b", "d", "a"]);
    const back = await ask("all", { ScanIndexForward: false });
    expect(column(back.Items, "sk")).toEqual(["a", "d", "b"]);
  });

  test.each<[string, Item, string[]]>([
    ["score = :v", { ":v": N("9.50") }, ["d"]],
    ["score < :v", { ":v": N(9.5) }, ["b"]],
    ["score >= :v", { ":v": N(9.5) }, ["d", "a"]],
    ["score BETWEEN :v AND :w", { ":v": N(-5), ":w": N(9.5) }, ["b", "d"]],
  ])("%s", async (condition, ExpressionAttributeValues, expected) => {
    const found = await ask("all", {
      KeyConditionExpression: `pk = :p AND ${condition}`,
      ExpressionAttributeValues,
    });
    expect(column(found.Items, "sk")).toEqual(expected);
  });

  test("several items may have one index key", async () => {
    const found = await ask("some", {
      KeyConditionExpression: "pk = :p AND begins_with(label, :v)",
      ExpressionAttributeValues: { ":v": S("x") },
    });
    expect(column(found.Items, "sk").toSorted()).toEqual(["a", "d"]);
    const pages = await queryPages(server, {
      TableName,
      IndexName: "some",
      KeyConditionExpression: "pk = :p",
      ExpressionAttributeValues: { ":p": pk },
      Limit: 1,
    });
    expect(column(itemsOf(pages), "sk").toSorted()).toEqual(["a", "c", "d"]);
  });

  test("an item leaves when its key attribute goes", async () => {
    await server.client.send(
      new UpdateItemCommand({ TableName, Key: item("a"), UpdateExpression: "REMOVE score" }),
    );
    expect(column((await ask("all")).Items, "sk")).toEqual(["b", "d"]);
  });

  test("the table's other reads do not change", async () => {
    const { Items } = await query(server, {
      TableName,
      KeyConditionExpression: "pk = :p",
      ExpressionAttributeValues: { ":p": pk },
    });
    expect(column(Items, "sk")).toEqual(["a", "b", "c", "d", "e"]);
  });
});

describe("attributes", () => {
  const whole = (): Item =>
    item("a", { score: N(1), label: S("x"), load: S("heavy"), deep: { M: { er: N(2) } } });

  beforeEach(async () => {
    await putAll(server, TableName, [whole()]);
  });

  test("by the projection of the index", async () => {
    expect((await ask("all")).Items).toEqual([whole()]);
    expect((await ask("keys")).Items).toEqual([item("a", { score: N(1) })]);
    expect((await ask("some")).Items).toEqual([item("a", { score: N(1), label: S("x") })]);
  });

  test.each(["keys", "some"])("ALL_ATTRIBUTES of index %s comes from the table", async (index) => {
    expect((await ask(index, { Select: "ALL_ATTRIBUTES" })).Items).toEqual([whole()]);
  });

  test("a projection that the index does not hold comes from the table", async () => {
    const found = await ask("keys", { ProjectionExpression: "deep.er, score" });
    expect(found.Items).toEqual([{ deep: { M: { er: N(2) } }, score: N(1) }]);
    const legacy = await query(server, {
      TableName,
      IndexName: "keys",
      KeyConditions: { pk: { ComparisonOperator: "EQ", AttributeValueList: [pk] } },
      AttributesToGet: ["load"],
    });
    expect(legacy.Items).toEqual([{ load: S("heavy") }]);
  });

  test("ALL_PROJECTED_ATTRIBUTES is the index's own", async () => {
    const found = await ask("keys", { Select: "ALL_PROJECTED_ATTRIBUTES" });
    expect(found.Items).toEqual([item("a", { score: N(1) })]);
  });

  test("COUNT needs none", async () => {
    expect(await ask("keys", { Select: "COUNT" })).toMatchObject({ Count: 1, ScannedCount: 1 });
  });
});

test.each<[string, AttributeValue, string]>([
  [
    "score",
    S("1"),
    "One or more parameter values were invalid: Type mismatch for Index Key score Expected: N Actual: S IndexName: all",
  ],
  [
    "label",
    S(""),
    "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: some, IndexKey: label",
  ],
])("a write with %s of %j is refused", async (name, value, message) => {
  await validation(
    server.client.send(new PutItemCommand({ TableName, Item: item("a", { [name]: value }) })),
    // Which of two indexes on one attribute is named is not told.
    name === "score" ? new RegExp(`^${message.replace(/all$/, "(all|keys)")}$`) : message,
  );
});
