import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { useServer, validation } from "../harness.ts";
import { all, create, define, hash, invalid, range, units } from "./support.ts";

const server = useServer();

const counted = "1 validation error detected: ";
const index = (IndexName: string, more: object = {}) => ({
  IndexName,
  KeySchema: [hash("a"), range("b")],
  Projection: all,
  ...more,
});
const many = (count: number) => Array.from({ length: count }, (_, i) => index(`index${i}`));
const local = (...indexes: object[]) => ({ LocalSecondaryIndexes: indexes });
const global = (...indexes: object[]) => ({ GlobalSecondaryIndexes: indexes });
const provisioned = (read: number, write = read) => ({
  BillingMode: "PROVISIONED",
  ProvisionedThroughput: units(read, write),
});
const failed = (shown: string, member: string, must: string) =>
  `Value ${shown} at '${member}' failed to satisfy constraint: Member must ${must}`;
const undefinedKeys = (keys: string, defined: string) =>
  `${invalid}Some index key attributes are not defined in AttributeDefinitions. Keys: [${keys}], AttributeDefinitions: [${defined}]`;
const noDefinition = "Invalid KeySchema: Some index key attribute have no definition";
const sameName = "Both the Hash Key and the Range Key element in the KeySchema have the same name";
const firstNotHash = "Invalid KeySchema: The first KeySchemaElement is not a HASH key type";
const secondNotRange = "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type";
const bothMissing = `${invalid}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`;
const noType = `${invalid}Unknown ProjectionType: null`;
const include = (ProjectionType: string, ...NonKeyAttributes: string[]) => ({
  Projection: { ProjectionType, ...(NonKeyAttributes.length > 0 && { NonKeyAttributes }) },
});

/** What is changed of an on-demand table with the key `a`, `b`. */
type Case = readonly [what: string, change: object, message: string | RegExp];

const cases: readonly Case[] = [
  // Constraints
  [
    "no table name",
    { TableName: undefined },
    "The parameter 'TableName' is required but was not present in the request",
  ],
  [
    "a table name of two characters",
    { TableName: "ab" },
    counted + failed("'ab'", "tableName", "have length greater than or equal to 3"),
  ],
  ["an empty table name", { TableName: "" }, /tableName/],
  [
    "a table name of 256 characters",
    { TableName: "x".repeat(256) },
    counted + failed(`'${"x".repeat(256)}'`, "tableName", "have length less than or equal to 255"),
  ],
  [
    "a table name with other characters",
    { TableName: "abc;" },
    counted + failed("'abc;'", "tableName", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"),
  ],
  ["no key", { KeySchema: undefined }, counted + failed("null", "keySchema", "not be null")],
  [
    "an empty key",
    { KeySchema: [] },
    counted + failed("'[]'", "keySchema", "have length greater than or equal to 1"),
  ],
  [
    "three key attributes",
    { KeySchema: [hash("a"), range("b"), range("c")], AttributeDefinitions: define("a b c") },
    /^1 validation error detected: Value '\[.+\]' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2$/,
  ],
  [
    "no definitions",
    { AttributeDefinitions: undefined },
    counted + failed("null", "attributeDefinitions", "not be null"),
  ],
  [
    "a key type that does not exist",
    { KeySchema: [{ AttributeName: "a", KeyType: "INVALID" }] },
    counted +
      failed("'INVALID'", "keySchema.1.member.keyType", "satisfy enum value set: [HASH, RANGE]"),
  ],
  [
    "an attribute type that is no key's",
    { AttributeDefinitions: define("a:SS b") },
    counted +
      failed(
        "'SS'",
        "attributeDefinitions.1.member.attributeType",
        "satisfy enum value set: [B, N, S]",
      ),
  ],
  [
    "a billing mode that does not exist",
    { BillingMode: "FREE" },
    counted +
      failed("'FREE'", "billingMode", "satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"),
  ],
  [
    "no write units",
    { BillingMode: "PROVISIONED", ProvisionedThroughput: { ReadCapacityUnits: 1 } },
    counted + failed("null", "provisionedThroughput.writeCapacityUnits", "not be null"),
  ],
  [
    "read units of zero",
    provisioned(0, 1),
    counted +
      failed(
        "'0'",
        "provisionedThroughput.readCapacityUnits",
        "have value greater than or equal to 1",
      ),
  ],
  [
    "index names of two characters, global ones first",
    { ...local(index("l1")), ...global(index("g1")) },
    "2 validation errors detected: " +
      `${failed("'g1'", "globalSecondaryIndexes.1.member.indexName", "have length greater than or equal to 3")}; ` +
      failed(
        "'l1'",
        "localSecondaryIndexes.1.member.indexName",
        "have length greater than or equal to 3",
      ),
  ],
  // Throughput before keys
  [
    "no throughput, no billing mode",
    { BillingMode: undefined, AttributeDefinitions: [] },
    bothMissing,
  ],
  ["no throughput, provisioned", { BillingMode: "PROVISIONED" }, bothMissing],
  [
    "throughput of an on-demand table",
    { ProvisionedThroughput: units(1), KeySchema: [hash("a"), hash("a")] },
    `${invalid}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
  ],
  [
    "read units too high",
    { ...provisioned(1_000_000_000_001), AttributeDefinitions: [] },
    "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
  ],
  [
    "write units too high",
    { ...provisioned(1_000_000_000_000, 1_000_000_000_001), AttributeDefinitions: [] },
    "Given value 1000000000001 for WriteCapacityUnits is out of bounds",
  ],
  // The key
  ["fewer definitions than keys", { AttributeDefinitions: define("b") }, noDefinition],
  [
    "one definition for a key named twice",
    { AttributeDefinitions: define("a"), KeySchema: [hash("a"), hash("a")] },
    noDefinition,
  ],
  [
    "a key without definition",
    { AttributeDefinitions: define("b"), KeySchema: [hash("a")] },
    undefinedKeys("a", "b"),
  ],
  ["a key named twice", { KeySchema: [hash("a"), hash("a")] }, sameName],
  ["two hash keys", { KeySchema: [hash("a"), hash("b")] }, secondNotRange],
  ["range before hash", { KeySchema: [range("a"), hash("b")] }, firstNotHash],
  ["two range keys", { KeySchema: [range("a"), range("b")] }, firstNotHash],
  [
    "a definition that no key uses",
    { AttributeDefinitions: define("a b c") },
    `${invalid}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`,
  ],
  // Local indexes
  ["an empty list of local indexes", local(), `${invalid}List of LocalSecondaryIndexes is empty`],
  [
    "a local index of a table without range key",
    { KeySchema: [hash("a")], ...local(index("abc")) },
    `${invalid}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`,
  ],
  [
    "a local index without range key",
    local(index("abc", { KeySchema: [hash("a")] })),
    `${invalid}Index KeySchema does not have a range key for index: abc`,
  ],
  [
    "a local index with another hash key",
    local(index("abc", { KeySchema: [hash("b"), range("a")] })),
    `${invalid}Index KeySchema does not have the same leading hash key as table KeySchema for index: abc. index hash key: b, table hash key: a`,
  ],
  ["a local index without projection type", local(index("abc", { Projection: {} })), noType],
  [
    "a local index that includes nothing",
    local(index("abc", include("INCLUDE"))),
    `${invalid}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`,
  ],
  [
    "attributes of a local index that takes all",
    local(index("abc", include("ALL", "x"))),
    `${invalid}ProjectionType is ALL, but NonKeyAttributes is specified`,
  ],
  [
    "local indexes of one name",
    local(index("abc"), index("abc")),
    `${invalid}Duplicate index name: abc`,
  ],
  [
    "six local indexes",
    local(...many(6)),
    `${invalid}Number of LocalSecondaryIndexes exceeds per-table limit of 5`,
  ],
  // Global indexes
  [
    "an empty list of global indexes",
    global(),
    `${invalid}List of GlobalSecondaryIndexes is empty`,
  ],
  [
    "a global index whose first key is no hash key",
    global(index("abc", { KeySchema: [range("a")] })),
    firstNotHash,
  ],
  [
    "a global index with a key named twice",
    global(index("abc", { KeySchema: [hash("a"), range("a")] })),
    sameName,
  ],
  ["a global index without projection type", global(index("abc", { Projection: {} })), noType],
  [
    "a global index that includes nothing",
    global(index("abc", include("INCLUDE"))),
    `${invalid}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`,
  ],
  [
    "attributes of a global index that takes keys only",
    global(index("abc", include("KEYS_ONLY", "x"))),
    `${invalid}ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified`,
  ],
  [
    "throughput of an index of an on-demand table",
    global(index("abc"), index("abd", { ProvisionedThroughput: units(1) })),
    `${invalid}ProvisionedThroughput should not be specified for index: abd when BillingMode is PAY_PER_REQUEST`,
  ],
  [
    "global indexes of one name",
    global(index("abc"), index("abc")),
    `${invalid}Duplicate index name: abc`,
  ],
  [
    "a local and a global index of one name",
    { ...local(index("abc")), ...global(index("abc")) },
    `${invalid}Duplicate index name: abc`,
  ],
  [
    "21 global indexes",
    global(...many(21)),
    `${invalid}GlobalSecondaryIndex count exceeds the per-table limit of 20`,
  ],
  [
    "a view of a stream that is disabled",
    { StreamSpecification: { StreamEnabled: false, StreamViewType: "NEW_IMAGE" } },
    `${invalid}Table is being created with a stream disabled, UpdateViewType should not be specified`,
  ],
];

test.each(cases)("CreateTable refuses %s", async (_, change, message) => {
  await validation(create(server, change), message);
  expect((await server.client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
});
