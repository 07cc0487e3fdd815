import { UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { expectError } from "../harness.ts";
import {
  arnOf,
  exceeded,
  expectThrottled,
  failureOf,
  get,
  kilobytes,
  makeTable,
  put,
  readSome,
  useThrottling,
} from "./support.ts";

const server = useThrottling();
const plenty = { read: 100, write: 100 };
const second = () => server.clock.advance(1_000);
const held = "IndexWriteProvisionedThroughputExceeded";

const query = (TableName: string, IndexName: string) =>
  server.documents.send(
    new QueryCommand({
      TableName,
      IndexName,
      KeyConditionExpression: "#name = :value",
      ExpressionAttributeNames: { "#name": IndexName },
      ExpressionAttributeValues: { ":value": "red" },
    }),
  );

describe("an index that is too small", () => {
  test("holds up the writes of its table, and is named", async () => {
    const table = await makeTable(server, { units: plenty, indexes: { colour: { write: 1 } } });
    await put(server, table, { pk: "a", colour: "red" });
    const failure = await failureOf(put(server, table, { pk: "b", colour: "blue" }));
    expect(failure.name).toBe(exceeded);
    expect(failure.message).toBe(
      "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API.",
    );
    expect(failure.reasons).toEqual([{ reason: held, resource: arnOf(table, "colour") }]);
    expect((await get(server, table, { pk: "b" })).Item).toBeUndefined();
  });

  test("lets writes pass that do not touch it", async () => {
    const table = await makeTable(server, { units: plenty, indexes: { colour: { write: 1 } } });
    await put(server, table, { pk: "a", colour: "red" });
    await put(server, table, { pk: "b" });
    await put(server, table, { pk: "c", size: "large" });
    await expectError(put(server, table, { pk: "d", colour: "red" }), exceeded);
  });

  test("lets a write pass that leaves its entry as it is", async () => {
    const table = await makeTable(server, { units: plenty, indexes: { colour: { write: 1 } } });
    await put(server, table, { pk: "a", colour: "red" });
    await put(server, table, { pk: "a", colour: "red" });
  });

  test("takes nothing from the table when it refuses", async () => {
    const units = { read: 2, write: 2 };
    const table = await makeTable(server, { units, indexes: { colour: { write: 1 } } });
    await put(server, table, { pk: "a", colour: "red" });
    await expectError(put(server, table, { pk: "b", colour: "red" }), exceeded);
    await put(server, table, { pk: "b" });
  });

  test("takes nothing from other indexes when it refuses", async () => {
    const indexes = { colour: { write: 2 }, shape: { write: 1 } };
    const table = await makeTable(server, { units: plenty, indexes });
    await put(server, table, { pk: "a", colour: "red", shape: "round" });
    await expectThrottled(
      put(server, table, { pk: "b", colour: "red", shape: "round" }),
      exceeded,
      held,
      arnOf(table, "shape"),
    );
    await put(server, table, { pk: "b", colour: "red" });
    await expectThrottled(
      put(server, table, { pk: "c", colour: "red" }),
      exceeded,
      held,
      arnOf(table, "colour"),
    );
  });

  test("holds up deletes and updates too", async () => {
    const table = await makeTable(server, { units: plenty, indexes: { colour: { write: 1 } } });
    await put(server, table, { pk: "a", colour: "red" });
    const remove = new DeleteCommand({ TableName: table, Key: { pk: "a" } });
    await expectError(server.documents.send(remove), exceeded);
    const update = new UpdateCommand({
      TableName: table,
      Key: { pk: "a" },
      UpdateExpression: "SET x = :x",
      ExpressionAttributeValues: { ":x": 1 },
    });
    await expectError(server.documents.send(update), exceeded);
    second();
    await server.documents.send(remove);
  });

  test("is a matter of the entry's size", async () => {
    const table = await makeTable(server, { units: plenty, indexes: { colour: { write: 3 } } });
    await put(server, table, { pk: "a", colour: "red", x: kilobytes(2) });
    await put(server, table, { pk: "b", colour: "red" });
    await expectError(put(server, table, { pk: "c", colour: "red" }), exceeded);
  });

  test("pays twice for an entry that moves", async () => {
    const table = await makeTable(server, { units: plenty, indexes: { colour: { write: 2 } } });
    await put(server, table, { pk: "a", colour: "red" });
    await expectError(put(server, table, { pk: "a", colour: "blue" }), exceeded);
    second();
    await put(server, table, { pk: "a", colour: "blue" });
    server.clock.advance(500);
    await put(server, table, { pk: "b", colour: "red" });
    await put(server, table, { pk: "c", colour: "red" });
    await expectError(put(server, table, { pk: "d", colour: "red" }), exceeded);
  });
});

describe("reads of an index", () => {
  test("use its throughput, not the table's", async () => {
    const units = { read: 1, write: 100 };
    const table = await makeTable(server, { units, indexes: { colour: { read: 1 } } });
    await query(table, "colour");
    await query(table, "colour");
    const failure = await failureOf(query(table, "colour"));
    expect(failure.name).toBe(exceeded);
    expect(failure.reasons).toEqual([
      { reason: "IndexReadProvisionedThroughputExceeded", resource: arnOf(table, "colour") },
    ]);
    await readSome(server, table, 1);
    await expectError(get(server, table, { pk: "a" }), exceeded);
  });

  test("go on when the table's are throttled", async () => {
    const units = { read: 1, write: 100 };
    const table = await makeTable(server, { units, indexes: { colour: { read: 5 } } });
    await readSome(server, table, 1);
    await expectError(get(server, table, { pk: "a" }), exceeded);
    await query(table, "colour");
  });
});

describe("a local index", () => {
  test("is written with the throughput of its table", async () => {
    const table = await makeTable(server, { units: { read: 3, write: 3 }, local: "rank" });
    await put(server, table, { pk: "a", sk: "1", rank: "first" });
    await expectThrottled(
      put(server, table, { pk: "a", sk: "2", rank: "second" }),
      exceeded,
      "TableWriteProvisionedThroughputExceeded",
      arnOf(table),
    );
    await put(server, table, { pk: "a", sk: "2" });
  });

  test("is read with the throughput of its table", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 10 }, local: "rank" });
    const read = () =>
      server.documents.send(
        new QueryCommand({
          TableName: table,
          IndexName: "rank",
          ConsistentRead: true,
          KeyConditionExpression: "pk = :a",
          ExpressionAttributeValues: { ":a": "a" },
        }),
      );
    await read();
    await expectThrottled(read(), exceeded, "TableReadProvisionedThroughputExceeded", arnOf(table));
  });
});

describe("when indexes are changed", () => {
  const update = (TableName: string, change: object) =>
    server.client.send(
      new UpdateTableCommand({
        TableName,
        AttributeDefinitions: ["pk", "colour"].map((AttributeName) => ({
          AttributeName,
          AttributeType: "S",
        })),
        GlobalSecondaryIndexUpdates: [change],
      }),
    );
  const throughput = (units: number) => ({ ReadCapacityUnits: units, WriteCapacityUnits: units });

  test("higher throughput lets writes pass", async () => {
    const table = await makeTable(server, { units: plenty, indexes: { colour: { write: 1 } } });
    await put(server, table, { pk: "a", colour: "red" });
    await expectError(put(server, table, { pk: "b", colour: "red" }), exceeded);
    await update(table, {
      Update: { IndexName: "colour", ProvisionedThroughput: throughput(2) },
    });
    await put(server, table, { pk: "b", colour: "red" });
    await expectError(put(server, table, { pk: "c", colour: "red" }), exceeded);
  });

  test("a removed index holds up nothing", async () => {
    const table = await makeTable(server, { units: plenty, indexes: { colour: { write: 1 } } });
    await put(server, table, { pk: "a", colour: "red" });
    await expectError(put(server, table, { pk: "b", colour: "red" }), exceeded);
    await update(table, { Delete: { IndexName: "colour" } });
    await put(server, table, { pk: "b", colour: "red" });
    await put(server, table, { pk: "c", colour: "red" });
  });

  test("a new index holds up what is too much for it", async () => {
    const table = await makeTable(server, { units: plenty });
    await put(server, table, { pk: "a", colour: "red" });
    await update(table, {
      Create: {
        IndexName: "colour",
        KeySchema: [{ AttributeName: "colour", KeyType: "HASH" }],
        Projection: { ProjectionType: "ALL" },
        ProvisionedThroughput: throughput(1),
      },
    });
    await server.running.workbench.idle();
    await put(server, table, { pk: "b", colour: "red" });
    await expectThrottled(
      put(server, table, { pk: "c", colour: "red" }),
      exceeded,
      held,
      arnOf(table, "colour"),
    );
  });
});
