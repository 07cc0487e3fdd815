import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { clientFor, expectError, rawRequest, validation } from "../harness.ts";
import {
  arnOf,
  exceeded,
  expectThrottled,
  failureOf,
  get,
  kilobytes,
  makeTable,
  put,
  putSome,
  readSome,
  useThrottling,
} from "./support.ts";

const server = useThrottling();
const message =
  "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.";
const second = () => server.clock.advance(1_000);

describe("a request beyond the provisioned throughput", () => {
  type Send = (table: string) => Promise<unknown>;
  const reads: Record<string, Send> = {
    GetItem: (TableName) => server.documents.send(new GetCommand({ TableName, Key: { pk: "a" } })),
    Query: (TableName) =>
      server.documents.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: "pk = :a",
          ExpressionAttributeValues: { ":a": "a" },
        }),
      ),
    Scan: (TableName) => server.documents.send(new ScanCommand({ TableName })),
  };
  const writes: Record<string, Send> = {
    PutItem: (TableName) => put(server, TableName, { pk: "a" }),
    UpdateItem: (TableName) =>
      server.documents.send(new UpdateCommand({ TableName, Key: { pk: "a" } })),
    DeleteItem: (TableName) =>
      server.documents.send(new DeleteCommand({ TableName, Key: { pk: "a" } })),
  };

  test.each(Object.entries(reads))("%s", async (_, send) => {
    const table = await makeTable(server, { units: { read: 2, write: 2 } });
    await readSome(server, table, 2);
    const failure = await failureOf(send(table));
    expect(failure.error).toBeInstanceOf(ProvisionedThroughputExceededException);
    expect(failure.error.$metadata.httpStatusCode).toBe(400);
    expect(failure.message).toBe(message);
    expect(failure.reasons).toEqual([
      { reason: "TableReadProvisionedThroughputExceeded", resource: arnOf(table) },
    ]);
  });

  test.each(Object.entries(writes))("%s", async (_, send) => {
    const table = await makeTable(server, { units: { read: 2, write: 2 } });
    await putSome(server, table, 2);
    const failure = await failureOf(send(table));
    expect(failure.error).toBeInstanceOf(ProvisionedThroughputExceededException);
    expect(failure.error.$metadata.httpStatusCode).toBe(400);
    expect(failure.message).toBe(message);
    expect(failure.reasons).toEqual([
      { reason: "TableWriteProvisionedThroughputExceeded", resource: arnOf(table) },
    ]);
  });

  test("as it is on the wire", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await putSome(server, table, 1);
    const answer = await server.raw("PutItem", { TableName: table, Item: { pk: { S: "a" } } });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      __type: "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
      message,
      ThrottlingReasons: [
        { reason: "TableWriteProvisionedThroughputExceeded", resource: arnOf(table) },
      ],
    });
  });

  test("is let through when a second has passed", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await putSome(server, table, 1);
    await expectError(put(server, table, { pk: "a" }), exceeded);
    server.clock.advance(999);
    await expectError(put(server, table, { pk: "a" }), exceeded);
    server.clock.advance(1);
    await put(server, table, { pk: "a" });
    await expectError(put(server, table, { pk: "b" }), exceeded);
  });

  test("is tried again by the SDK, which succeeds when there is throughput again", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await putSome(server, table, 1);
    const retrying = new DynamoDBClient({
      endpoint: server.running.url,
      region: "us-east-1",
      credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" },
      maxAttempts: 3,
    });
    let attempts = 0;
    retrying.middlewareStack.add(
      (next) => (args) => {
        attempts += 1;
        if (attempts > 1) second();
        return next(args);
      },
      { step: "finalizeRequest", priority: "low" },
    );
    const answer = await retrying.send(new PutCommand({ TableName: table, Item: { pk: "a" } }));
    expect(attempts).toBe(2);
    expect(answer.$metadata.attempts).toBe(2);
    retrying.destroy();
  });
});

describe("what a request takes", () => {
  test("an eventually consistent read takes half", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await get(server, table, { pk: "a" }, false);
    await get(server, table, { pk: "a" }, false);
    await expectError(get(server, table, { pk: "a" }, false), exceeded);
  });

  test("a large item takes as many units as it has kilobytes", async () => {
    const table = await makeTable(server, { units: { read: 5, write: 5 } });
    await put(server, table, { pk: "a", x: kilobytes(4) });
    await put(server, table, { pk: "b" });
    await expectError(put(server, table, { pk: "c" }), exceeded);
  });

  test("what is larger than a second's worth leaves a debt", async () => {
    const table = await makeTable(server, { units: { read: 2, write: 2 } });
    await put(server, table, { pk: "a", x: kilobytes(6) });
    second();
    second();
    await expectError(put(server, table, { pk: "b" }), exceeded);
    second();
    await put(server, table, { pk: "b" });
  });

  test("reads and writes do not touch each other", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await putSome(server, table, 1);
    await readSome(server, table, 1);
    await expectThrottled(
      put(server, table, { pk: "a" }),
      exceeded,
      "TableWriteProvisionedThroughputExceeded",
      arnOf(table),
    );
    await expectThrottled(
      get(server, table, { pk: "a" }),
      exceeded,
      "TableReadProvisionedThroughputExceeded",
      arnOf(table),
    );
  });

  test("a put over a large item takes what the larger of the two would", async () => {
    const table = await makeTable(server, { units: { read: 4, write: 4 } });
    await put(server, table, { pk: "a", x: kilobytes(3) });
    await put(server, table, { pk: "b" });
    second();
    await put(server, table, { pk: "a" });
    await put(server, table, { pk: "b" });
    await expectError(put(server, table, { pk: "b" }), exceeded);
  });

  test("a filter saves nothing, a limit does", async () => {
    const table = await makeTable(server, { units: { read: 6, write: 100 }, sorted: true });
    for (const sk of ["1", "2", "3"]) await put(server, table, { pk: "a", sk, x: kilobytes(4) });
    const query = {
      TableName: table,
      KeyConditionExpression: "pk = :a",
      ExpressionAttributeValues: { ":a": "a" },
      ConsistentRead: true,
    };
    const none = { ...query.ExpressionAttributeValues, ":no": "no" };
    await server.documents.send(
      new QueryCommand({ ...query, FilterExpression: "x = :no", ExpressionAttributeValues: none }),
    );
    await server.documents.send(new QueryCommand({ ...query, Limit: 1 }));
    await expectError(server.documents.send(new QueryCommand({ ...query, Limit: 3 })), exceeded);
    await server.documents.send(new QueryCommand({ ...query, Limit: 1 }));
    await expectError(server.documents.send(new QueryCommand({ ...query, Limit: 2 })), exceeded);
  });

  test("a request that is invalid takes nothing", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    const bad = new UpdateCommand({
      TableName: table,
      Key: { pk: "a" },
      UpdateExpression: "SET b = a",
    });
    await validation(server.documents.send(bad), /does not exist in the item/);
    await put(server, table, { pk: "a" });
  });

  test("a condition that fails takes as much as the write would have", async () => {
    const table = await makeTable(server, { units: { read: 3, write: 3 } });
    await put(server, table, { pk: "a" });
    const condition = { ConditionExpression: "attribute_not_exists(pk)" };
    const large = { pk: "a", x: kilobytes(2) };
    await expectError(put(server, table, large, condition), "ConditionalCheckFailedException");
    await expectError(put(server, table, { pk: "b" }), exceeded);
  });

  test("unused throughput is saved for five minutes, not longer", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await putSome(server, table, 1);
    server.clock.advance(3_600_000);
    await put(server, table, { pk: "a", x: kilobytes(299) });
    await put(server, table, { pk: "b" });
    await expectError(put(server, table, { pk: "c" }), exceeded);
  });
});

describe("a request that is throttled", () => {
  test("puts nothing", async () => {
    const table = await makeTable(server, { units: { read: 5, write: 1 } });
    await putSome(server, table, 1);
    await expectError(put(server, table, { pk: "a" }), exceeded);
    expect((await get(server, table, { pk: "a" })).Item).toBeUndefined();
  });

  test("updates nothing", async () => {
    const table = await makeTable(server, { units: { read: 5, write: 1 } });
    await put(server, table, { pk: "a", n: 1 });
    const add = new UpdateCommand({
      TableName: table,
      Key: { pk: "a" },
      UpdateExpression: "ADD n :one",
      ExpressionAttributeValues: { ":one": 1 },
    });
    await expectError(server.documents.send(add), exceeded);
    expect((await get(server, table, { pk: "a" })).Item).toEqual({ pk: "a", n: 1 });
    second();
    await server.documents.send(add);
    expect((await get(server, table, { pk: "a" })).Item).toEqual({ pk: "a", n: 2 });
  });

  test("deletes nothing", async () => {
    const table = await makeTable(server, { units: { read: 5, write: 1 } });
    await put(server, table, { pk: "a" });
    const remove = new DeleteCommand({ TableName: table, Key: { pk: "a" } });
    await expectError(server.documents.send(remove), exceeded);
    expect((await get(server, table, { pk: "a" })).Item).toEqual({ pk: "a" });
  });

  test("takes nothing", async () => {
    const table = await makeTable(server, { units: { read: 2, write: 2 } });
    await putSome(server, table, 1);
    for (let i = 0; i < 5; i += 1) {
      await expectError(put(server, table, { pk: "a", x: kilobytes(2) }), exceeded);
    }
    await put(server, table, { pk: "a" });
  });

  test("is not told whether its condition would have held", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await put(server, table, { pk: "a" });
    const condition = {
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
    };
    const failure = await failureOf(put(server, table, { pk: "a" }, condition));
    expect(failure.name).toBe(exceeded);
    expect(failure.error).not.toHaveProperty("Item");
  });

  test("is throttled before a table of the same name elsewhere is", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await putSome(server, table, 1);
    await expectError(put(server, table, { pk: "a" }), exceeded);
    const other = clientFor(server.running.url, "OTHERKEY");
    await other.send(
      new CreateTableCommand({
        TableName: table,
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
        ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      }),
    );
    await other.send(new PutCommand({ TableName: table, Item: { pk: "a" } }));
    other.destroy();
  });
});

describe("when the table is changed", () => {
  const update = (TableName: string, read: number, write: number) =>
    server.client.send(
      new UpdateTableCommand({
        TableName,
        ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write },
      }),
    );

  test("higher throughput is there at once", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await putSome(server, table, 1);
    await expectError(put(server, table, { pk: "a" }), exceeded);
    await update(table, 1, 3);
    await put(server, table, { pk: "a" });
    await put(server, table, { pk: "b" });
    await expectError(put(server, table, { pk: "c" }), exceeded);
  });

  test("lower throughput holds at once", async () => {
    const table = await makeTable(server, { units: { read: 5, write: 5 } });
    await putSome(server, table, 5);
    await update(table, 5, 1);
    second();
    await put(server, table, { pk: "a" });
    await expectError(put(server, table, { pk: "b" }), exceeded);
  });

  test("an on-demand table is no longer bound by what was provisioned", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await putSome(server, table, 1);
    await expectError(put(server, table, { pk: "a" }), exceeded);
    await server.client.send(
      new UpdateTableCommand({ TableName: table, BillingMode: "PAY_PER_REQUEST" }),
    );
    await putSome(server, table, 20);
  });

  test("a table that becomes provisioned is bound", async () => {
    const table = await makeTable(server, {});
    await putSome(server, table, 5);
    await server.client.send(
      new UpdateTableCommand({
        TableName: table,
        BillingMode: "PROVISIONED",
        ProvisionedThroughput: { ReadCapacityUnits: 2, WriteCapacityUnits: 2 },
      }),
    );
    await putSome(server, table, 2);
    await expectThrottled(
      put(server, table, { pk: "a" }),
      exceeded,
      "TableWriteProvisionedThroughputExceeded",
      arnOf(table),
    );
  });

  test("a new table of the same name owes nothing", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await put(server, table, { pk: "a", x: kilobytes(50) });
    await expectError(put(server, table, { pk: "a" }), exceeded);
    await server.client.send(new DeleteTableCommand({ TableName: table }));
    const again = await rawRequest(server.running.url, "CreateTable", {
      TableName: table,
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
    });
    expect(again.status).toBe(200);
    await put(server, table, { pk: "a" });
  });
});
