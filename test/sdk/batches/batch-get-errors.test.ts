import { BatchGetItemCommand, type KeysAndAttributes } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { put } from "../transactions/outcomes.ts";

const server = useServer();
const older = useServer({ dialect: "2026-05" });

let hashed = "";
let ranged = "";
let numbered = "";
let binary = "";

beforeAll(async () => {
  hashed = await createTable(server, { key: "id:S" });
  ranged = await createTable(server, { key: "pk:S sk:N" });
  numbered = await createTable(server, { key: "n:N" });
  binary = await createTable(server, { key: "bin:B" });
});

const batchGet = (RequestItems: Record<string, KeysAndAttributes>, on = server) =>
  on.client.send(new BatchGetItemCommand({ RequestItems }));

const notFound = (request: Promise<unknown>) =>
  expectError(request, "ResourceNotFoundException", "Requested resource not found");

const schemaMismatch = "The provided key element does not match the schema";
const duplicates = "Provided list of item keys contains duplicates";
const key = { id: { S: "a" } };

describe("the request by itself", () => {
  test("no tables", async () => {
    await validation(
      batchGet({}),
      "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
    await validation(
      batchGet({}, older),
      "The requestItems parameter is required for BatchGetItem",
    );
  });

  test("no keys", async () => {
    await validation(
      batchGet({ absent: { Keys: [] } }),
      "1 validation error detected: Value at 'RequestItems.absent.member.Keys' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  });

  test("no RequestItems", async () => {
    const { status, json } = await server.raw("BatchGetItem", {});
    expect(status).toBe(400);
    expect(json.__type).toBe("com.amazon.coral.validate#ValidationException");
    expect(json.message).toBe(
      "1 validation error detected: Value null at 'requestItems' failed to satisfy constraint: Member must not be null",
    );
  });

  const badName = `Value '{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]`;
  const badCapacity =
    "Value 'BOGUS' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";

  test.each([
    {
      title: "a bad table name",
      body: { RequestItems: { "bad!name": { Keys: [{ pk: { S: "a" } }] } } },
      message: `1 validation error detected: ${badName}`,
    },
    {
      title: "a bad ReturnConsumedCapacity, before the table is looked for",
      body: { RequestItems: { absent: { Keys: [key] } }, ReturnConsumedCapacity: "BOGUS" },
      message: `1 validation error detected: ${badCapacity}`,
    },
    {
      title: "both, counted",
      body: {
        RequestItems: { "bad!name": { Keys: [{ pk: { S: "a" } }] } },
        ReturnConsumedCapacity: "BOGUS",
      },
      message: `2 validation errors detected: ${badName}; ${badCapacity}`,
    },
  ])("$title", async ({ body, message }) => {
    const { status, json } = await server.raw("BatchGetItem", body);
    expect(status).toBe(400);
    expect(json.message).toBe(message);
  });

  test("duplicate keys", async () => {
    await validation(batchGet({ [hashed]: { Keys: [key, key] } }), duplicates);
    const one = { pk: { S: "p" }, sk: { N: "1" } };
    const other = { pk: { S: "p" }, sk: { N: "2" } };
    const mirrored = { sk: { N: "1" }, pk: { S: "p" } };
    await validation(batchGet({ [ranged]: { Keys: [one, other, mirrored] } }), duplicates);
  });

  test("duplicate keys in the second table", async () => {
    await validation(
      batchGet({
        [ranged]: { Keys: [{ pk: { S: "p" }, sk: { N: "1" } }] },
        [hashed]: { Keys: [key, key] },
      }),
      duplicates,
    );
  });

  test("keys that share one part are no duplicates", async () => {
    const Keys = [
      { pk: { S: "p" }, sk: { N: "1" } },
      { pk: { S: "p" }, sk: { N: "2" } },
      { pk: { S: "q" }, sk: { N: "1" } },
    ];
    const answer = await batchGet({ [ranged]: { Keys } });
    expect(answer.Responses).toEqual({ [ranged]: [] });
  });

  test("numbers are compared as they are written", async () => {
    await put(server, numbered, { n: { N: "5" } });
    await validation(
      batchGet({ [numbered]: { Keys: [{ n: { N: "5" } }, { n: { N: "5" } }] } }),
      duplicates,
    );
    const spellings = { Keys: [{ n: { N: "5" } }, { n: { N: "5.0" } }] };
    const { Responses } = await batchGet({ [numbered]: spellings });
    expect(Responses?.[numbered]?.every((item) => item.n?.N === "5")).toBe(true);
  });
});

describe("projections", () => {
  const overlap = (one: string, two: string) =>
    `Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`;

  test.each<[string, Omit<KeysAndAttributes, "Keys">, string]>([
    [
      "an empty one",
      { ProjectionExpression: "" },
      "Invalid ProjectionExpression: The expression can not be empty;",
    ],
    ["overlapping paths", { ProjectionExpression: "a, a.b" }, overlap("[a]", "[a, b]")],
    ["the same path twice", { ProjectionExpression: "a.b, a.b" }, overlap("[a, b]", "[a, b]")],
    [
      "the same name under two placeholders",
      { ProjectionExpression: "#x, #y", ExpressionAttributeNames: { "#x": "a", "#y": "a" } },
      overlap("[a]", "[a]"),
    ],
    [
      "an undefined placeholder",
      { ProjectionExpression: "#undef" },
      "Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #undef",
    ],
    [
      "an unused placeholder",
      { ProjectionExpression: "a", ExpressionAttributeNames: { "#u": "u" } },
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#u}",
    ],
    [
      "no placeholders in the map",
      { ProjectionExpression: "a", ExpressionAttributeNames: {} },
      "ExpressionAttributeNames must not be empty",
    ],
    [
      "placeholders without a projection",
      { ExpressionAttributeNames: { "#a": "a" } },
      "ExpressionAttributeNames can only be specified when using expressions",
    ],
    [
      "a projection beside AttributesToGet",
      { ProjectionExpression: "a", AttributesToGet: ["a"] },
      "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}",
    ],
    [
      "an attribute to get twice",
      { AttributesToGet: ["a", "a"] },
      "One or more parameter values were invalid: Duplicate value in attribute name: a",
    ],
  ])("%s", async (_, settings, message) => {
    await validation(batchGet({ [hashed]: { Keys: [key], ...settings } }), message);
    // None of this needs the table, and one bad table spoils the batch.
    await validation(batchGet({ absent: { Keys: [key], ...settings } }), message);
    await validation(
      batchGet({
        [numbered]: { Keys: [{ n: { N: "1" } }] },
        [hashed]: { Keys: [key], ...settings },
      }),
      message,
    );
  });

  test("a projection on one table and AttributesToGet on another", async () => {
    await validation(
      batchGet({
        [hashed]: { Keys: [key], ProjectionExpression: "a" },
        [numbered]: { Keys: [{ n: { N: "1" } }], AttributesToGet: ["a"] },
      }),
      /./,
    );
    await validation(
      batchGet({
        [hashed]: { Keys: [key], AttributesToGet: ["a"] },
        [numbered]: { Keys: [{ n: { N: "1" } }], ProjectionExpression: "a" },
      }),
      /./,
    );
  });

  test("a bad projection is found before duplicate keys", async () => {
    await validation(
      batchGet({ [hashed]: { Keys: [key, key], ProjectionExpression: "" } }),
      "Invalid ProjectionExpression: The expression can not be empty;",
    );
  });
});

describe("tables and keys", () => {
  test("a missing table", async () => {
    await notFound(batchGet({ absent: { Keys: [key] } }));
    await notFound(batchGet({ [hashed]: { Keys: [key] }, absent: { Keys: [key] } }));
  });

  test("a missing table is found before a key that does not fit", async () => {
    await notFound(batchGet({ absent: { Keys: [{}] } }));
  });

  test("duplicate keys are found before a missing table", async () => {
    await validation(batchGet({ absent: { Keys: [key, key] } }), duplicates);
  });

  test.each<[string, KeysAndAttributes["Keys"]]>([
    ["an empty key", [{}]],
    ["another attribute", [{ other: { S: "a" } }]],
    ["one attribute too many", [{ id: { S: "a" }, other: { S: "a" } }]],
    ["a number", [{ id: { N: "1" } }]],
    ["a binary", [{ id: { B: new Uint8Array([1]) } }]],
    ["a boolean", [{ id: { BOOL: true } }]],
    ["a null", [{ id: { NULL: true } }]],
    ["a set", [{ id: { SS: ["a"] } }]],
    ["a list", [{ id: { L: [] } }]],
    ["a map", [{ id: { M: {} } }]],
    ["a bad key after a good one", [{ id: { S: "good" } }, { id: { N: "1" } }]],
  ])("a key that does not fit: %s", async (_, Keys) => {
    await validation(batchGet({ [hashed]: { Keys } }), schemaMismatch);
  });

  test("a missing sort key", async () => {
    await validation(batchGet({ [ranged]: { Keys: [{ pk: { S: "p" } }] } }), schemaMismatch);
  });

  test("empty key values", async () => {
    await validation(
      batchGet({ [hashed]: { Keys: [{ id: { S: "" } }] } }),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: id",
    );
    await validation(
      batchGet({ [binary]: { Keys: [{ bin: { B: new Uint8Array() } }] } }),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: bin",
    );
  });

  test("partition keys up to 2048 bytes", async () => {
    const sized = (bytes: number) =>
      batchGet({ [hashed]: { Keys: [{ id: { S: "x".repeat(bytes) } }] } });
    expect((await sized(2047)).Responses).toEqual({ [hashed]: [] });
    expect((await sized(2048)).Responses).toEqual({ [hashed]: [] });
    await validation(
      sized(2049),
      "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes",
    );
  });

  test("bad numbers are refused in today's wording", async () => {
    const numeric = (N: string) => batchGet({ [numbered]: { Keys: [{ n: { N } }] } });
    await validation(numeric("abc"), "The parameter cannot be converted to a numeric value: abc");
    await validation(numeric(""), "The parameter cannot be converted to a numeric value: ");
    await validation(
      numeric("1e126"),
      "Number overflow. Attempting to store a number with magnitude larger than supported range",
    );
    await validation(
      numeric("1e-131"),
      "Number underflow. Attempting to store a number with magnitude smaller than supported range",
    );
  });
});
