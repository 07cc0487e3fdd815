import {
  type AttributeValue,
  BatchWriteItemCommand,
  ScanCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import type { Item } from "../transactions/outcomes.ts";

const server = useServer();
const older = useServer({ dialect: "2026-05" });

const batchWrite = (RequestItems: Record<string, WriteRequest[]>, on = server) =>
  on.client.send(new BatchWriteItemCommand({ RequestItems }));

const putting = (Item: Item): WriteRequest => ({ PutRequest: { Item } });
const deleting = (Key: Item): WriteRequest => ({ DeleteRequest: { Key } });
const good = putting({ id: { S: "good" } });

const notFound = (request: Promise<unknown>) =>
  expectError(request, "ResourceNotFoundException", "Requested resource not found");

const schemaMismatch = "The provided key element does not match the schema";
const duplicates = "Provided list of item keys contains duplicates";

async function expectEmpty(TableName: string): Promise<void> {
  const { Count } = await server.client.send(new ScanCommand({ TableName, ConsistentRead: true }));
  expect(Count).toBe(0);
}

let hashed = "";
let ranged = "";

beforeEach(async () => {
  hashed = await createTable(server, { key: "id:S" });
  ranged = await createTable(server, {
    key: "pk:S sk:N",
    global: { gsi1: { hash: "mark:S" } },
    local: { lsi1: { range: "mark:S" } },
  });
});

describe("the request by itself", () => {
  test("no tables", async () => {
    await validation(
      batchWrite({}),
      "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
    await validation(
      batchWrite({}, older),
      "The requestItems parameter is required for BatchWriteItem",
    );
  });

  test("no requests for a table", async () => {
    const text =
      "1 validation error detected: Value '{absent=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]";
    await validation(batchWrite({ absent: [] }), text);
    await validation(batchWrite({ absent: [] }, older), text);
  });

  test("26 requests, in the older dialect with the requests shown", async () => {
    const many = Array.from({ length: 26 }, (_, i) => putting({ id: { S: `${i}` } }));
    await validation(
      batchWrite({ absent: many }, older),
      /^1 validation error detected: Value '\{absent=\[.+\]\}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: \[Member must have length less than or equal to 25, Member must have length greater than or equal to 1\]$/s,
    );
  });

  const capacity =
    "Value 'BOGUS' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
  const metrics =
    "Value 'BOGUS2' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]";
  const absent = { absent: [good] };

  test.each([
    [
      "a bad ReturnConsumedCapacity",
      { RequestItems: absent, ReturnConsumedCapacity: "BOGUS" },
      `1 validation error detected: ${capacity}`,
    ],
    [
      "a bad ReturnItemCollectionMetrics",
      { RequestItems: absent, ReturnItemCollectionMetrics: "BOGUS2" },
      `1 validation error detected: ${metrics}`,
    ],
    [
      "both",
      {
        RequestItems: absent,
        ReturnConsumedCapacity: "BOGUS",
        ReturnItemCollectionMetrics: "BOGUS2",
      },
      `2 validation errors detected: ${capacity}; ${metrics}`,
    ],
    [
      "a bad option wins over a bad table name",
      {
        RequestItems: { "bad!name": [{ PutRequest: { Item: { pk: { S: "a" } } } }] },
        ReturnConsumedCapacity: "BOGUS",
      },
      `1 validation error detected: ${capacity}`,
    ],
    [
      "nothing at all",
      {},
      "1 validation error detected: Value null at 'requestItems' failed to satisfy constraint: Member must not be null",
    ],
  ])("%s", async (_, body, message) => {
    const { status, json } = await server.raw("BatchWriteItem", body);
    expect(status).toBe(400);
    expect(json.__type).toBe("com.amazon.coral.validate#ValidationException");
    expect(json.message).toBe(message);
  });

  test("a bad table name", async () => {
    await validation(
      batchWrite({ "bad!name": [putting({ pk: { S: "a" } })] }),
      /^1 validation error detected: Value '\{bad!name=\[WriteRequest\(putRequest=PutRequest\(item=\{pk=.+\)\]\}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: \[Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: \[a-zA-Z0-9_\.-\]\+\]$/s,
    );
  });

  test("a request that is neither put nor delete", async () => {
    const { status, json } = await older.raw("BatchWriteItem", { RequestItems: { absent: [{}] } });
    expect(status).toBe(400);
    expect(json.message).toBe(
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
    );
  });
});

describe("one bad request spoils the batch", () => {
  const nested = (levels: number): AttributeValue =>
    levels === 0 ? { S: "leaf" } : { M: { in: nested(levels - 1) } };
  const invalid = "One or more parameter values were invalid: ";

  test.each<[string, Item, string]>([
    ["a key of another type", { id: { N: "1" } }, schemaMismatch],
    ["a key that is a list", { id: { L: [] } }, schemaMismatch],
    ["no key", { other: { S: "a" } }, schemaMismatch],
    ["an empty item", {}, schemaMismatch],
    [
      "an empty key value",
      { id: { S: "" } },
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: id",
    ],
    [
      "a partition key of 2049 bytes",
      { id: { S: "x".repeat(2049) } },
      `${invalid}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
    ],
    [
      "an empty set",
      { id: { S: "a" }, v: { SS: [] } },
      `${invalid}An string set  may not be empty`,
    ],
    [
      "a set with duplicates, in the older wording",
      { id: { S: "a" }, v: { SS: ["b", "a", "b"] } },
      `${invalid}Input collection [b, a, b] contains duplicates.`,
    ],
    [
      "a number set with duplicates",
      { id: { S: "a" }, v: { NS: ["2", "1", "2"] } },
      "Input collection contains duplicates",
    ],
    [
      "no number",
      { id: { S: "a" }, v: { N: "abc" } },
      "The parameter cannot be converted to a numeric value: abc",
    ],
    [
      "an empty number, in the older wording",
      { id: { S: "a" }, v: { N: "" } },
      "The parameter cannot be converted to a numeric value",
    ],
    [
      "a number out of range",
      { id: { S: "a" }, v: { N: "1e126" } },
      "Number overflow. Attempting to store a number with magnitude larger than supported range",
    ],
    [
      "a number so far out of range that it is taken for a small one",
      { id: { S: "a" }, v: { N: "1e2147483647" } },
      "Number underflow. Attempting to store a number with magnitude smaller than supported range",
    ],
    [
      "a value nested 33 levels deep",
      { id: { S: "a" }, v: nested(32) },
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
    ],
    [
      "an item of 409,601 bytes",
      { id: { S: "a" }, v: { S: "x".repeat(409_601 - 4) } },
      "Item size has exceeded the maximum allowed size",
    ],
  ])("%s", async (_, item, message) => {
    await validation(batchWrite({ [hashed]: [good, putting(item)] }), message);
    await validation(
      batchWrite({
        [ranged]: [putting({ pk: { S: "p" }, sk: { N: "1" } })],
        [hashed]: [putting(item)],
      }),
      message,
    );
    await expectEmpty(hashed);
    await expectEmpty(ranged);
  });

  test.each<[string, Item, string]>([
    ["a key of another type", { id: { N: "1" } }, schemaMismatch],
    ["no key", {}, schemaMismatch],
    ["more than the key", { id: { S: "a" }, v: { S: "x" } }, schemaMismatch],
    [
      "an empty key value",
      { id: { S: "" } },
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: id",
    ],
  ])("a delete with %s", async (_, key, message) => {
    await validation(batchWrite({ [hashed]: [good, deleting(key)] }), message);
    await expectEmpty(hashed);
  });

  test("a missing sort key", async () => {
    await validation(batchWrite({ [ranged]: [putting({ pk: { S: "p" } })] }), schemaMismatch);
    await validation(batchWrite({ [ranged]: [deleting({ pk: { S: "p" } })] }), schemaMismatch);
  });

  test("the largest item and the deepest value are taken", async () => {
    await batchWrite({
      [hashed]: [
        putting({ id: { S: "a" }, v: { S: "x".repeat(409_600 - 4) } }),
        putting({ id: { S: "b" }, v: nested(31) }),
        putting({ id: { S: "x".repeat(2048) } }),
      ],
    });
  });

  const mark = (value: AttributeValue): Item => ({ pk: { S: "p" }, sk: { N: "1" }, mark: value });

  test.each<[string, Item, string]>([
    [
      "a number as index key",
      mark({ N: "1" }),
      `${invalid}Type mismatch for Index Key mark Expected: S Actual: N IndexName: gsi1`,
    ],
    [
      "a list as index key",
      mark({ L: [] }),
      `${invalid}Type mismatch for Index Key mark Expected: S Actual: L IndexName: gsi1`,
    ],
    [
      "an empty index key",
      mark({ S: "" }),
      "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: gsi1, IndexKey: mark",
    ],
  ])("%s", async (_, item, message) => {
    await validation(batchWrite({ [hashed]: [good], [ranged]: [putting(item)] }), message);
    await expectEmpty(hashed);
    await expectEmpty(ranged);
  });
});

describe("duplicates and missing tables", () => {
  const item = { id: { S: "a" } };

  test.each<[string, WriteRequest[]]>([
    ["two puts", [putting(item), putting({ ...item, v: { S: "x" } })]],
    ["two deletes", [deleting(item), deleting(item)]],
    ["put, then delete", [putting(item), deleting(item)]],
    ["delete, then put", [deleting(item), putting(item)]],
    ["far apart", [putting(item), good, putting(item)]],
  ])("%s of one item", async (_, requests) => {
    await validation(batchWrite({ [hashed]: requests }), duplicates);
    await expectEmpty(hashed);
  });

  test.each([
    ["1", "1.0"],
    ["100", "1e2"],
    ["0", "-0"],
  ])("keys %s and %s are one number", async (one, two) => {
    const table = await createTable(server, { key: "n:N" });
    const requests = [putting({ n: { N: one } }), deleting({ n: { N: two } })];
    await validation(batchWrite({ [table]: requests }), duplicates);
  });

  test("a missing table, and nothing is written to the other", async () => {
    await notFound(batchWrite({ [hashed]: [good], absent: [good] }));
    await notFound(batchWrite({ absent: [good], [hashed]: [good] }));
    await expectEmpty(hashed);
  });

  test("a missing table is found before duplicates and keys", async () => {
    await notFound(batchWrite({ absent: [putting(item), putting(item)] }));
    await notFound(batchWrite({ absent: [putting({})] }));
  });

  test("bad values and sizes are found before a missing table", async () => {
    await validation(
      batchWrite({ absent: [putting({ id: { S: "a" }, v: { N: "abc" } })] }),
      "The parameter cannot be converted to a numeric value: abc",
    );
    await validation(
      batchWrite({ absent: [putting({ id: { S: "a" }, v: { S: "x".repeat(409_600) } })] }),
      "Item size has exceeded the maximum allowed size",
    );
  });
});
