import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";

const today = useServer();
const older = useServer({ dialect: "2026-05" });

let TableName: string;
let olderTable: string;

beforeAll(async () => {
  TableName = await createTable(today, { key: "pk:S" });
  olderTable = await createTable(older, { key: "pk:S" });
});

const condition = {
  KeyConditionExpression: "pk = :p",
  ExpressionAttributeValues: { ":p": { S: "a" } },
};
const legacy = {
  KeyConditions: { pk: { ComparisonOperator: "EQ", AttributeValueList: [{ S: "a" }] } },
  QueryFilter: { a: { ComparisonOperator: "NULL" }, b: { ComparisonOperator: "NULL" } },
};

const one = "1 validation error detected: ";
const selectSet =
  "Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]";
const capacitySet = "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
const operatorSet =
  "Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]";
const failed = (value: string | null, member: string, text: string) =>
  `Value ${value === null ? "null" : `'${value}'`} at '${member}' failed to satisfy constraint: ${text}`;
const pattern = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

describe("today", () => {
  test.each<[string, object, string]>([
    [
      "no table",
      { ...condition, TableName: undefined },
      one + failed(null, "tableName", "Member must not be null"),
    ],
    [
      "an empty name",
      { ...condition, TableName: "" },
      `${one}Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1`,
    ],
    ["a bad name", { ...condition, TableName: "a b" }, one + failed("a b", "tableName", pattern)],
    [
      "a name of 256 characters",
      { ...condition, TableName: "t".repeat(256) },
      one +
        failed("t".repeat(256), "tableName", "Member must have length less than or equal to 255"),
    ],
    [
      "Limit 0",
      { ...condition, Limit: 0 },
      `${one}Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
    ],
    [
      "an unknown Select",
      { ...condition, Select: "SOME" },
      one + failed("SOME", "select", selectSet),
    ],
    [
      "an unknown ReturnConsumedCapacity",
      { ...condition, ReturnConsumedCapacity: "total" },
      one + failed("total", "returnConsumedCapacity", capacitySet),
    ],
    [
      "an unknown ConditionalOperator, and Select after it",
      { ...legacy, ConditionalOperator: "XOR", Select: "BOGUS" },
      "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]",
    ],
  ])("%s", async (_, body, message) => {
    const answer = await today.raw("Query", { TableName, ...body });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      __type: "com.amazon.coral.validate#ValidationException",
      message,
    });
  });

  test("Limit 1 will do", async () => {
    const answer = await today.raw("Query", { TableName, ...condition, Limit: 1 });
    expect(answer.json).toEqual({ Items: [], Count: 0, ScannedCount: 0 });
  });
});

describe("older dialect", () => {
  test("all failures at once, in the order of the members", async () => {
    const answer = await older.raw("Query", {
      TableName: "abc;",
      ReturnConsumedCapacity: "hi",
      AttributesToGet: [],
      IndexName: "abc;",
      Select: "hi",
      KeyConditions: { a: {}, b: { ComparisonOperator: "" } },
      ConditionalOperator: "AN",
      QueryFilter: { a: {}, b: { ComparisonOperator: "" } },
    });
    const expected = [
      failed("hi", "select", selectSet),
      failed("abc;", "indexName", pattern),
      failed("hi", "returnConsumedCapacity", capacitySet),
      failed(null, "queryFilter.a.member.comparisonOperator", "Member must not be null"),
      failed("", "queryFilter.b.member.comparisonOperator", operatorSet),
      failed("abc;", "tableName", pattern),
      failed("AN", "conditionalOperator", "Member must satisfy enum value set: [OR, AND]"),
      failed("[]", "attributesToGet", "Member must have length greater than or equal to 1"),
      failed(null, "keyConditions.a.member.comparisonOperator", "Member must not be null"),
      failed("", "keyConditions.b.member.comparisonOperator", operatorSet),
    ];
    expect(answer.json.message).toBe(`10 validation errors detected: ${expected.join("; ")}`);
  });

  test.each([
    ["", "Member must have length greater than or equal to 3"],
    ["ab", "Member must have length greater than or equal to 3"],
    ["i".repeat(256), "Member must have length less than or equal to 255"],
  ])("index name %j", async (IndexName, text) => {
    const answer = await older.raw("Query", { TableName: olderTable, ...condition, IndexName });
    expect(answer.json.message).toContain(failed(IndexName, "indexName", text));
  });

  test("Limit 0", async () => {
    const answer = await older.raw("Query", { TableName: olderTable, ...condition, Limit: 0 });
    expect(answer.json.message).toBe(
      `${one}Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
    );
  });
});

test.each([
  ["TableName", 1],
  ["ExclusiveStartKey", "a"],
  ["AttributesToGet", "a"],
  ["ConsistentRead", {}],
  ["QueryFilter", []],
  ["ScanIndexForward", []],
  ["Select", {}],
  ["Limit", "1"],
  ["KeyConditions", "a"],
  ["KeyConditionExpression", 4],
  ["ExpressionAttributeValues", "a"],
  ["ExpressionAttributeNames", 1],
])("%s of the wrong JSON type cannot be read", async (member, value) => {
  const answer = await today.raw("Query", { TableName, ...condition, [member]: value });
  expect(answer.status).toBe(400);
  expect(answer.json.__type).toBe("com.amazon.coral.service#SerializationException");
});
