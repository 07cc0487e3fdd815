import { expect, test } from "vitest";
import type { Dialect } from "./dialect.ts";
import { ServiceError } from "./errors/service-error.ts";
import { batchGetItemShape } from "./requests/batch-get-item.ts";
import { batchWriteItemShape } from "./requests/batch-write-item.ts";
import { createTableShape } from "./requests/create-table.ts";
import { deleteItemShape } from "./requests/delete-item.ts";
import { deleteTableShape } from "./requests/delete-table.ts";
import { describeTableShape } from "./requests/describe-table.ts";
import { getItemShape } from "./requests/get-item.ts";
import { listTablesShape } from "./requests/list-tables.ts";
import { putItemShape } from "./requests/put-item.ts";
import { queryShape } from "./requests/query.ts";
import { scanShape } from "./requests/scan.ts";
import { transactGetItemsShape } from "./requests/transact-get-items.ts";
import { transactWriteItemsShape } from "./requests/transact-write-items.ts";
import { updateItemShape } from "./requests/update-item.ts";
import { updateTableShape } from "./requests/update-table.ts";
import type { StructShape } from "./shape.ts";
import { checkConstraints } from "./shape-constraints.ts";
import { checkTypes } from "./shape-types.ts";

const shapes: Record<string, StructShape<unknown>> = {
  BatchGetItem: batchGetItemShape,
  BatchWriteItem: batchWriteItemShape,
  CreateTable: createTableShape,
  DeleteItem: deleteItemShape,
  DeleteTable: deleteTableShape,
  DescribeTable: describeTableShape,
  GetItem: getItemShape,
  ListTables: listTablesShape,
  PutItem: putItemShape,
  Query: queryShape,
  Scan: scanShape,
  TransactGetItems: transactGetItemsShape,
  TransactWriteItems: transactWriteItemsShape,
  UpdateItem: updateItemShape,
  UpdateTable: updateTableShape,
};

function failure(operation: string, request: object, dialect: Dialect): string {
  const shape = shapes[operation];
  if (shape === undefined) throw new Error(`no shape of ${operation}`);
  try {
    checkConstraints(operation, shape, checkTypes(shape, request), dialect);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.type).toBe("ValidationException");
    return error.message;
  }
  return "accepted";
}

const one = "1 validation error detected: ";

function several(...failures: string[]): string {
  return failures.length === 1
    ? one + failures[0]
    : `${failures.length} validation errors detected: ${failures.join("; ")}`;
}

function value(shown: string, path: string, must: string): string {
  return `Value '${shown}' at '${path}' failed to satisfy constraint: Member must ${must}`;
}

function missing(path: string): string {
  return `Value null at '${path}' failed to satisfy constraint: Member must not be null`;
}

function member(path: string, must: string): string {
  return `Value at '${path}' failed to satisfy constraint: Member must ${must}`;
}

const lengthMin = (min: number) => `have length greater than or equal to ${min}`;
const lengthMax = (max: number) => `have length less than or equal to ${max}`;
const valueMin = (min: number) => `have value greater than or equal to ${min}`;
const valueMax = (max: number) => `have value less than or equal to ${max}`;
const oneOf = (values: string) => `satisfy enum value set: [${values}]`;
const pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

const capacity = value("BAD", "returnConsumedCapacity", oneOf("INDEXES, TOTAL, NONE"));
const metrics = value("BAD", "returnItemCollectionMetrics", oneOf("SIZE, NONE"));
const returned = value(
  "BAD",
  "returnValues",
  oneOf("ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW"),
);
const newerReturned =
  "Failed to satisfy constraint: Member must satisfy enum value set: " +
  "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]";
const operator = value("XOR", "conditionalOperator", oneOf("OR, AND"));
const newerOperator = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
const selected = value(
  "BAD",
  "select",
  oneOf("SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES"),
);
const comparisons = oneOf(
  "IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS",
);
const mapKeys =
  "failed to satisfy constraint: Map keys must satisfy constraint: " +
  "[Member must have length less than or equal to 255, " +
  "Member must have length greater than or equal to 3, " +
  "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]";
const mapValues =
  "failed to satisfy constraint: Map value must satisfy constraint: " +
  "[Member must have length less than or equal to 25, " +
  "Member must have length greater than or equal to 1]";
const absentTypes =
  "n=null, b=null, iNT=null, dECIMAL=null, dOUBLE=null, sS=null, nS=null, bS=null, " +
  "iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=null, nULL=null, bOOL=null";
const put = (text: string) =>
  `WriteRequest(putRequest=PutRequest(item={pk=AttributeValue(s=${text}, ${absentTypes})}, ` +
  "workloadProfileName=null), deleteRequest=null)";

const long = "a".repeat(256);
const key = { pk: { S: "a" } };
const bad = { ReturnConsumedCapacity: "BAD", ReturnItemCollectionMetrics: "BAD" };
const required = "The parameter 'TableName' is required but was not present in the request";
const nameLength = "TableName must be at least 3 characters long and at most 255 characters long";
const definitions = [{ AttributeName: "pk", AttributeType: "S" }];
const keySchema = [{ AttributeName: "pk", KeyType: "HASH" }];
const table = { TableName: "abc", AttributeDefinitions: definitions, KeySchema: keySchema };
const arn = "arn:aws:dynamodb:eu-west-2:000000000000:table/orders";

function nested(levels: number): unknown {
  let inner: unknown = { S: "a" };
  for (let level = 0; level < levels; level++) inner = { M: { a: inner } };
  return inner;
}

type Case = [operation: string, request: object, older: string, newer?: string];

/** One text: both dialects answer alike. */
const cases: Case[] = [
  // One item
  ["PutItem", { TableName: "abc", Item: key }, "accepted"],
  ["PutItem", { TableName: "a", Item: {} }, "accepted"],
  ["PutItem", { TableName: arn, Item: key }, "accepted"],
  ["PutItem", { Item: key }, one + missing("tableName")],
  ["PutItem", { TableName: null, Item: key }, one + missing("tableName")],
  ["PutItem", { TableName: "abc" }, one + missing("item")],
  ["PutItem", {}, several(missing("tableName"), missing("item"))],
  [
    "PutItem",
    { TableName: "", Item: {} },
    one + value("", "tableName", lengthMin(1)),
    one + member("TableName", lengthMin(1)),
  ],
  ["PutItem", { TableName: long, Item: key }, one + value(long, "tableName", lengthMax(255))],
  [
    "PutItem",
    { TableName: "bad table!@#", Item: key },
    one + value("bad table!@#", "tableName", pattern),
  ],
  [
    "PutItem",
    { TableName: `arn:${"a".repeat(1_021)}`, Item: key },
    one + value(`arn:${"a".repeat(1_021)}`, "tableName", lengthMax(1_024)),
  ],
  [
    "PutItem",
    { TableName: "", ReturnValues: "BAD", Item: {} },
    several(returned, value("", "tableName", lengthMin(1))),
    one + member("TableName", lengthMin(1)),
  ],
  [
    "PutItem",
    { TableName: "abc", Item: key, ReturnValues: "BAD", ...bad },
    several(capacity, returned, metrics),
    several(capacity, newerReturned, metrics),
  ],
  [
    "PutItem",
    { TableName: "abc;", Item: key, ReturnValues: "BAD" },
    several(returned, value("abc;", "tableName", pattern)),
  ],
  [
    "PutItem",
    { TableName: "abc", Item: key, ConditionalOperator: "XOR" },
    one + operator,
    one + newerOperator,
  ],
  [
    "PutItem",
    { TableName: "abc", Item: { a: nested(40) }, ConditionalOperator: "XOR" },
    one + operator,
    one + newerOperator,
  ],
  [
    "PutItem",
    {
      TableName: "abc",
      Item: key,
      Expected: { a: { Value: nested(100) } },
      ConditionalOperator: "XOR",
    },
    one + operator,
  ],
  [
    "PutItem",
    { TableName: "abc", Item: key, Expected: { a: { ComparisonOperator: "BAD" } } },
    one + value("BAD", "expected.a.member.comparisonOperator", comparisons),
  ],
  [
    "PutItem",
    { TableName: "abc", Item: key, Expected: { a: null } },
    one + missing("expected.a.member"),
  ],
  [
    "PutItem",
    { TableName: "abc", Item: key, ReturnValuesOnConditionCheckFailure: "BAD" },
    one + value("BAD", "returnValuesOnConditionCheckFailure", oneOf("ALL_OLD, NONE")),
  ],
  ["DeleteItem", {}, several(missing("tableName"), missing("key"))],
  [
    "DeleteItem",
    { TableName: "abc", Key: key, ReturnValues: "BAD", ReturnConsumedCapacity: "BAD" },
    several(capacity, returned),
    several(capacity, newerReturned),
  ],
  [
    "DeleteItem",
    { TableName: "", Key: {} },
    one + value("", "tableName", lengthMin(1)),
    one + member("TableName", lengthMin(1)),
  ],
  ["DeleteItem", { TableName: "x!", Key: {} }, one + value("x!", "tableName", pattern)],
  [
    "DeleteItem",
    { TableName: "abc", Key: { pk: nested(63) }, ReturnValues: "BAD" },
    one + returned,
  ],
  [
    "DeleteItem",
    { TableName: "abc", Key: { pk: nested(40) }, ReturnValues: "BAD" },
    one + returned,
    one + newerReturned,
  ],
  [
    "UpdateItem",
    { TableName: "abc", Key: key, ReturnValues: "BAD", ReturnConsumedCapacity: "BAD" },
    several(capacity, returned),
    one + newerReturned,
  ],
  ["UpdateItem", { TableName: "abc", Key: key, ...bad }, several(capacity, metrics)],
  ["UpdateItem", { TableName: "" }, several(value("", "tableName", lengthMin(1)), missing("key"))],
  [
    "UpdateItem",
    { TableName: "", ReturnConsumedCapacity: "BAD", ReturnValues: "BAD" },
    several(capacity, value("", "tableName", lengthMin(1)), returned, missing("key")),
  ],
  [
    "UpdateItem",
    { TableName: "abc", ConditionalOperator: "XOR", Expected: {} },
    several(operator, missing("key")),
  ],
  [
    "UpdateItem",
    { TableName: "", Key: {} },
    one + value("", "tableName", lengthMin(1)),
    one + member("TableName", lengthMin(1)),
  ],
  [
    "UpdateItem",
    { TableName: "abc", Key: key, AttributeUpdates: { a: { Action: "BAD" } } },
    one + value("BAD", "attributeUpdates.a.member.action", oneOf("ADD, PUT, DELETE")),
  ],
  ["GetItem", {}, several(missing("key"), missing("tableName"))],
  [
    "GetItem",
    { TableName: long },
    several(missing("key"), value(long, "tableName", lengthMax(255))),
  ],
  [
    "GetItem",
    { TableName: "abc", Key: key, AttributesToGet: [] },
    one + value("[]", "attributesToGet", lengthMin(1)),
    one + member("AttributesToGet", lengthMin(1)),
  ],
  [
    "GetItem",
    { TableName: "abc", Key: key, AttributesToGet: ["a", null] },
    one + missing("attributesToGet.2.member"),
  ],
  ["GetItem", { TableName: "abc", Key: key, ReturnConsumedCapacity: "BAD" }, one + capacity],
  // Query and Scan
  ["Query", {}, one + missing("tableName")],
  ["Query", { TableName: "abc", Limit: 1 }, "accepted"],
  ["Query", { TableName: "abc", Limit: 0 }, one + member("Limit", valueMin(1))],
  ["Query", { TableName: "abc", Select: "BAD" }, one + selected],
  [
    "Query",
    { TableName: "abc", Select: "BAD", ReturnConsumedCapacity: "BAD" },
    several(selected, capacity),
  ],
  [
    "Query",
    { TableName: "abc!", Select: "BAD" },
    several(selected, value("abc!", "tableName", pattern)),
  ],
  [
    "Query",
    { TableName: "abc", ConditionalOperator: "XOR", Select: "BAD" },
    several(selected, operator),
    newerOperator,
  ],
  [
    "Query",
    { TableName: "abc", IndexName: "" },
    several(value("", "indexName", pattern), value("", "indexName", lengthMin(3))),
  ],
  [
    "Query",
    { TableName: "abc", IndexName: "a;" },
    several(value("a;", "indexName", pattern), value("a;", "indexName", lengthMin(3))),
  ],
  ["Query", { TableName: "abc", IndexName: long }, one + value(long, "indexName", lengthMax(255))],
  [
    "Query",
    { TableName: "abc", KeyConditions: { a: {}, b: { ComparisonOperator: "" } } },
    several(
      missing("keyConditions.a.member.comparisonOperator"),
      value("", "keyConditions.b.member.comparisonOperator", comparisons),
    ),
  ],
  [
    "Query",
    {
      TableName: "abc;",
      ReturnConsumedCapacity: "BAD",
      AttributesToGet: [],
      IndexName: "abc;",
      Select: "BAD",
      KeyConditions: { a: {}, b: { ComparisonOperator: "" }, c: {}, d: {} },
      ConditionalOperator: "XOR",
      QueryFilter: { a: {}, b: { ComparisonOperator: "" } },
    },
    several(
      selected,
      value("abc;", "indexName", pattern),
      capacity,
      missing("queryFilter.a.member.comparisonOperator"),
      value("", "queryFilter.b.member.comparisonOperator", comparisons),
      value("abc;", "tableName", pattern),
      operator,
      value("[]", "attributesToGet", lengthMin(1)),
      missing("keyConditions.a.member.comparisonOperator"),
      value("", "keyConditions.b.member.comparisonOperator", comparisons),
    ),
  ],
  [
    "Scan",
    { TableName: "abc", Limit: 0 },
    one + value("0", "limit", valueMin(1)),
    one + member("Limit", valueMin(1)),
  ],
  [
    "Scan",
    { TableName: "abc", Segment: -1 },
    one + value("-1", "segment", valueMin(0)),
    one + member("Segment", valueMin(0)),
  ],
  [
    "Scan",
    { TableName: "abc", TotalSegments: 0, Segment: 0 },
    one + value("0", "totalSegments", valueMin(1)),
    one + member("TotalSegments", valueMin(1)),
  ],
  [
    "Scan",
    { TableName: "abc", TotalSegments: 1_000_001, Segment: 0 },
    one + value("1000001", "totalSegments", valueMax(1_000_000)),
    one + member("TotalSegments", valueMax(1_000_000)),
  ],
  ["Scan", { TableName: "abc", TotalSegments: 1_000_000, Segment: 999_999 }, "accepted"],
  ["Scan", { TableName: "abc", Select: "BAD" }, one + selected],
  [
    "Scan",
    { TableName: "abc", ScanFilter: { a: {} } },
    one + missing("scanFilter.a.member.comparisonOperator"),
  ],
  // Batches
  ["BatchGetItem", {}, one + missing("requestItems")],
  [
    "BatchGetItem",
    { RequestItems: {} },
    "The requestItems parameter is required for BatchGetItem",
    one + member("RequestItems", lengthMin(1)),
  ],
  [
    "BatchGetItem",
    { RequestItems: { abc: { Keys: Array(101).fill(key) } } },
    one + member("RequestItems.abc.member.Keys", lengthMax(100)),
  ],
  ["BatchGetItem", { RequestItems: { abc: { Keys: Array(100).fill(key) } } }, "accepted"],
  ["BatchGetItem", { RequestItems: { [arn]: { Keys: [key] } } }, "accepted"],
  [
    "BatchGetItem",
    { RequestItems: { abc: { Keys: [] } } },
    one + member("RequestItems.abc.member.Keys", lengthMin(1)),
  ],
  ["BatchGetItem", { RequestItems: { abc: {} } }, one + missing("requestItems.abc.member.keys")],
  [
    "BatchGetItem",
    { RequestItems: { abc: { Keys: [null] } } },
    one + missing("requestItems.abc.member.keys.1.member"),
  ],
  [
    "BatchGetItem",
    { RequestItems: { "bad!name": { Keys: [key] } } },
    `${one}Value '{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}' at 'requestItems' ${mapKeys}`,
  ],
  [
    "BatchGetItem",
    { RequestItems: { "bad!name": { Keys: [key] } }, ReturnConsumedCapacity: "BAD" },
    several(
      `Value '{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}' at 'requestItems' ${mapKeys}`,
      capacity,
    ),
  ],
  ["BatchWriteItem", {}, one + missing("requestItems")],
  [
    "BatchWriteItem",
    { RequestItems: {} },
    "The requestItems parameter is required for BatchWriteItem",
    one + member("RequestItems", lengthMin(1)),
  ],
  [
    "BatchWriteItem",
    { RequestItems: { abc: [] } },
    `${one}Value '{abc=[]}' at 'requestItems' ${mapValues}`,
  ],
  [
    "BatchWriteItem",
    { RequestItems: { abc: Array(26).fill({ PutRequest: { Item: key } }) } },
    `${one}Value '{abc=[${Array(26).fill(put("a")).join(", ")}]}' at 'requestItems' ${mapValues}`,
    one + member("RequestItems.abc.member", lengthMax(25)),
  ],
  [
    "BatchWriteItem",
    { RequestItems: { abc: Array(25).fill({ PutRequest: { Item: key } }) } },
    "accepted",
  ],
  [
    "BatchWriteItem",
    { RequestItems: { "bad!name": [{ PutRequest: { Item: key } }] } },
    `${one}Value '{bad!name=[${put("a")}]}' at 'requestItems' ${mapKeys}`,
  ],
  [
    "BatchWriteItem",
    { RequestItems: { "bad!name": [{ PutRequest: { Item: key } }] }, ...bad },
    several(capacity, metrics, `Value '{bad!name=[${put("a")}]}' at 'requestItems' ${mapKeys}`),
    several(capacity, metrics),
  ],
  ["BatchWriteItem", { RequestItems: { abc: [{}] }, ...bad }, several(capacity, metrics)],
  [
    "BatchWriteItem",
    { RequestItems: { abc: [{ PutRequest: {}, DeleteRequest: {} }] } },
    several(
      missing("requestItems.abc.member.1.member.deleteRequest.key"),
      missing("requestItems.abc.member.1.member.putRequest.item"),
    ),
  ],
  // Transactions
  ["TransactGetItems", {}, one + missing("transactItems")],
  [
    "TransactGetItems",
    { TransactItems: [] },
    one + value("[]", "transactItems", lengthMin(1)),
    one + member("TransactItems", lengthMin(1)),
  ],
  [
    "TransactGetItems",
    { TransactItems: [{ Get: { TableName: "bad!name", Key: key } }] },
    one + value("bad!name", "transactItems.1.member.get.tableName", pattern),
  ],
  ["TransactGetItems", { TransactItems: [{}] }, one + missing("transactItems.1.member.get")],
  [
    "TransactWriteItems",
    { TransactItems: [] },
    one + value("[]", "transactItems", lengthMin(1)),
    one + member("TransactItems", lengthMin(1)),
  ],
  ...["Put", "Update", "Delete", "ConditionCheck"].map((action): Case => {
    const name = action.charAt(0).toLowerCase() + action.slice(1);
    const expressions = { UpdateExpression: "SET a = b", ConditionExpression: "a = b" };
    return [
      "TransactWriteItems",
      {
        TransactItems: [
          {},
          { [action]: { TableName: "bad!name", Item: key, Key: key, ...expressions } },
        ],
      },
      one + value("bad!name", `transactItems.2.member.${name}.tableName`, pattern),
    ];
  }),
  [
    "TransactWriteItems",
    { TransactItems: [{}], ClientRequestToken: "x".repeat(37), ReturnConsumedCapacity: "BAD" },
    several(value("x".repeat(37), "clientRequestToken", lengthMax(36)), capacity),
    one + member("ClientRequestToken", lengthMax(36)),
  ],
  ["TransactWriteItems", { TransactItems: [{}], ClientRequestToken: "x".repeat(36) }, "accepted"],
  ["TransactWriteItems", { TransactItems: [{}], ...bad }, several(capacity, metrics)],
  [
    "TransactWriteItems",
    { TransactItems: [{ ConditionCheck: { TableName: "abc", Key: key } }] },
    one + missing("transactItems.1.member.conditionCheck.conditionExpression"),
  ],
  // Tables
  ["CreateTable", table, "accepted"],
  ["CreateTable", {}, required],
  ["CreateTable", { ...table, TableName: "ab" }, one + value("ab", "tableName", lengthMin(3))],
  ["CreateTable", { ...table, TableName: "abc" }, "accepted"],
  ["CreateTable", { ...table, TableName: "a".repeat(255) }, "accepted"],
  ["CreateTable", { ...table, TableName: long }, one + value(long, "tableName", lengthMax(255))],
  [
    "CreateTable",
    { TableName: "abc;" },
    several(
      missing("attributeDefinitions"),
      value("abc;", "tableName", pattern),
      missing("keySchema"),
    ),
  ],
  [
    "CreateTable",
    { ...table, AttributeDefinitions: [{}] },
    several(
      missing("attributeDefinitions.1.member.attributeName"),
      missing("attributeDefinitions.1.member.attributeType"),
    ),
  ],
  [
    "CreateTable",
    { ...table, AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "SS" }] },
    one + value("SS", "attributeDefinitions.1.member.attributeType", oneOf("B, N, S")),
  ],
  [
    "CreateTable",
    { ...table, KeySchema: [{ AttributeName: "pk", KeyType: "BAD" }] },
    one + value("BAD", "keySchema.1.member.keyType", oneOf("HASH, RANGE")),
  ],
  [
    "CreateTable",
    {
      ...table,
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
        { AttributeName: "extra", KeyType: "RANGE" },
      ],
    },
    one +
      value(
        "[KeySchemaElement(attributeName=pk, keyType=HASH), " +
          "KeySchemaElement(attributeName=sk, keyType=RANGE), " +
          "KeySchemaElement(attributeName=extra, keyType=RANGE)]",
        "keySchema",
        lengthMax(2),
      ),
  ],
  [
    "CreateTable",
    {
      ...table,
      KeySchema: [],
      ProvisionedThroughput: { ReadCapacityUnits: -1, WriteCapacityUnits: -1 },
      BillingMode: "A",
    },
    several(
      value("A", "billingMode", oneOf("PROVISIONED, PAY_PER_REQUEST")),
      value("-1", "provisionedThroughput.writeCapacityUnits", valueMin(1)),
      value("-1", "provisionedThroughput.readCapacityUnits", valueMin(1)),
      value("[]", "keySchema", lengthMin(1)),
    ),
  ],
  [
    "CreateTable",
    { ...table, ProvisionedThroughput: {} },
    several(
      missing("provisionedThroughput.writeCapacityUnits"),
      missing("provisionedThroughput.readCapacityUnits"),
    ),
  ],
  [
    "CreateTable",
    {
      ...table,
      LocalSecondaryIndexes: [
        { IndexName: "l1", KeySchema: keySchema, Projection: { ProjectionType: "ALL" } },
      ],
      GlobalSecondaryIndexes: [
        { IndexName: "g1", KeySchema: keySchema, Projection: { ProjectionType: "ALL" } },
      ],
    },
    several(
      value("g1", "globalSecondaryIndexes.1.member.indexName", lengthMin(3)),
      value("l1", "localSecondaryIndexes.1.member.indexName", lengthMin(3)),
    ),
  ],
  [
    "CreateTable",
    {
      ...table,
      GlobalSecondaryIndexes: [
        {
          IndexName: "wide",
          KeySchema: Array(8).fill(keySchema[0]),
          Projection: { ProjectionType: "ALL" },
        },
      ],
    },
    "accepted",
  ],
  [
    "CreateTable",
    {
      ...table,
      LocalSecondaryIndexes: [
        {
          IndexName: "abc",
          KeySchema: keySchema,
          Projection: { ProjectionType: "BAD", NonKeyAttributes: [] },
        },
      ],
    },
    several(
      value(
        "BAD",
        "localSecondaryIndexes.1.member.projection.projectionType",
        oneOf("ALL, INCLUDE, KEYS_ONLY"),
      ),
      value("[]", "localSecondaryIndexes.1.member.projection.nonKeyAttributes", lengthMin(1)),
    ),
  ],
  [
    "CreateTable",
    { ...table, TableClass: "BAD" },
    one + value("BAD", "tableClass", oneOf("STANDARD, STANDARD_INFREQUENT_ACCESS")),
  ],
  ...["DescribeTable", "DeleteTable", "UpdateTable"].flatMap((operation): Case[] => [
    [operation, {}, required],
    [operation, { TableName: "" }, nameLength],
    [operation, { TableName: "a;" }, nameLength],
    [operation, { TableName: long }, nameLength],
    [operation, { TableName: "abc;" }, one + value("abc;", "tableName", pattern)],
    [operation, { TableName: arn }, "accepted"],
  ]),
  [
    "UpdateTable",
    {
      TableName: "abc",
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: "a", ProvisionedThroughput: {} } },
        {
          Update: {
            IndexName: "abc;",
            ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 0 },
          },
        },
      ],
    },
    several(
      value("a", "globalSecondaryIndexUpdates.1.member.update.indexName", lengthMin(3)),
      missing(
        "globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.writeCapacityUnits",
      ),
      missing(
        "globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.readCapacityUnits",
      ),
      value("abc;", "globalSecondaryIndexUpdates.2.member.update.indexName", pattern),
      value(
        "0",
        "globalSecondaryIndexUpdates.2.member.update.provisionedThroughput.writeCapacityUnits",
        valueMin(1),
      ),
    ),
  ],
  ["ListTables", {}, "accepted"],
  ["ListTables", { Limit: 0 }, one + value("0", "limit", valueMin(1))],
  ["ListTables", { Limit: 101 }, one + value("101", "limit", valueMax(100))],
  ["ListTables", { Limit: 100 }, "accepted"],
  [
    "ListTables",
    { ExclusiveStartTableName: "a;", Limit: 500 },
    several(
      value("a;", "exclusiveStartTableName", pattern),
      value("a;", "exclusiveStartTableName", lengthMin(3)),
      value("500", "limit", valueMax(100)),
    ),
  ],
];

for (const dialect of ["2026-05", "2026-10"] as const) {
  test.each(cases)(`${dialect} %s %j`, (operation, request, older, newer = older) => {
    const expected = dialect === "2026-05" ? older : newer;
    expect(failure(operation, structuredClone(request), dialect)).toBe(expected);
  });
}

test("a hundred thousand levels do not use up the stack", () => {
  const request = () => ({ RequestItems: { "bad!": { Keys: [{ pk: nested(100_000) }] } } });
  expect(failure("BatchGetItem", request(), "2026-05")).toContain(mapKeys);
  expect(failure("BatchGetItem", request(), "2026-10")).toContain(mapKeys);
  const writes = { RequestItems: { "bad!": [{ PutRequest: { Item: { a: nested(100_000) } } }] } };
  expect(failure("BatchWriteItem", writes, "2026-10")).toContain(mapKeys);
});

test("at most ten failures are reported", () => {
  const request = { ...table, AttributeDefinitions: Array(8).fill({}) };
  expect(failure("CreateTable", request, "2026-10")).toMatch(/^10 validation errors detected: /);
});
