import { ThrottlingException, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import {
  arnOf,
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

const throttling = "ThrottlingException";

describe("the maximum of an on-demand table", () => {
  const server = useThrottling();
  const message = "Throughput exceeds the maximum OnDemandThroughput configured on table or index";

  test("holds for writes", async () => {
    const table = await makeTable(server, { maximum: { write: 3 } });
    await putSome(server, table, 3);
    const failure = await failureOf(put(server, table, { pk: "a" }));
    expect(failure.error).toBeInstanceOf(ThrottlingException);
    expect(failure.error.$metadata.httpStatusCode).toBe(400);
    expect(failure.message).toBe(message);
    expect(failure.error).toHaveProperty("throttlingReasons", [
      { reason: "TableWriteMaxOnDemandThroughputExceeded", resource: arnOf(table) },
    ]);
    expect(failure.error).not.toHaveProperty("ThrottlingReasons");
  });

  test("holds for reads", async () => {
    const table = await makeTable(server, { maximum: { read: 3 } });
    await readSome(server, table, 3);
    const failure = await failureOf(get(server, table, { pk: "a" }));
    expect(failure.message).toBe(message);
    expect(failure.reasons).toEqual([
      { reason: "TableReadMaxOnDemandThroughputExceeded", resource: arnOf(table) },
    ]);
  });

  test("as it is on the wire", async () => {
    const table = await makeTable(server, { maximum: { write: 1 } });
    await putSome(server, table, 1);
    const answer = await server.raw("PutItem", { TableName: table, Item: { pk: { S: "a" } } });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      __type: "com.amazon.coral.availability#ThrottlingException",
      message,
      throttlingReasons: [
        { reason: "TableWriteMaxOnDemandThroughputExceeded", resource: arnOf(table) },
      ],
    });
  });

  test("limits one direction and leaves the other alone", async () => {
    const table = await makeTable(server, { maximum: { write: 1 } });
    await putSome(server, table, 1);
    await readSome(server, table, 20);
  });

  test("is for every second, without anything saved", async () => {
    const table = await makeTable(server, { maximum: { write: 2 } });
    server.clock.advance(60_000);
    await putSome(server, table, 2);
    server.clock.advance(999);
    await expectThrottled(
      put(server, table, { pk: "a" }),
      throttling,
      "TableWriteMaxOnDemandThroughputExceeded",
      arnOf(table),
    );
    server.clock.advance(1);
    await putSome(server, table, 2);
  });

  test("can be raised, and taken away", async () => {
    const table = await makeTable(server, { maximum: { write: 1 } });
    const limit = (MaxWriteRequestUnits: number) =>
      server.client.send(
        new UpdateTableCommand({ TableName: table, OnDemandThroughput: { MaxWriteRequestUnits } }),
      );
    await putSome(server, table, 1);
    await limit(2);
    await put(server, table, { pk: "a" });
    expect((await failureOf(put(server, table, { pk: "b" }))).name).toBe(throttling);
    await limit(-1);
    await putSome(server, table, 20);
  });

  test("of an index holds for its reads, and the table's go on", async () => {
    const table = await makeTable(server, { indexes: { colour: { read: 1 } } });
    const query = new QueryCommand({
      TableName: table,
      IndexName: "colour",
      KeyConditionExpression: "colour = :red",
      ExpressionAttributeValues: { ":red": "red" },
    });
    await server.documents.send(query);
    await server.documents.send(query);
    await expectThrottled(
      server.documents.send(query),
      throttling,
      "IndexReadMaxOnDemandThroughputExceeded",
      arnOf(table, "colour"),
    );
    await readSome(server, table, 20);
  });

  test("of an index holds up the writes of its table", async () => {
    const table = await makeTable(server, { indexes: { colour: { write: 1 } } });
    await put(server, table, { pk: "a", colour: "red" });
    const failure = await failureOf(put(server, table, { pk: "b", colour: "blue" }));
    expect(failure.message).toBe(message);
    expect(failure.reasons).toEqual([
      { reason: "IndexWriteMaxOnDemandThroughputExceeded", resource: arnOf(table, "colour") },
    ]);
    await put(server, table, { pk: "b" });
  });
});

describe("one partition, at a hundredth of the limits", () => {
  const server = useThrottling(0.01);
  const table = () => makeTable(server, { sorted: true });
  const message =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";

  test("takes 10 write units in a second", async () => {
    const name = await table();
    for (let i = 0; i < 10; i += 1) await put(server, name, { pk: "hot", sk: `${i}` });
    const failure = await failureOf(put(server, name, { pk: "hot", sk: "a" }));
    expect(failure.error).toBeInstanceOf(ThrottlingException);
    expect(failure.message).toBe(message);
    expect(failure.reasons).toEqual([
      { reason: "TableWriteKeyRangeThroughputExceeded", resource: arnOf(name) },
    ]);
    server.clock.advance(1_000);
    await put(server, name, { pk: "hot", sk: "a" });
  });

  test("takes 30 read units in a second", async () => {
    const name = await table();
    for (let i = 0; i < 30; i += 1) await get(server, name, { pk: "hot", sk: "a" });
    await expectThrottled(
      get(server, name, { pk: "hot", sk: "b" }),
      throttling,
      "TableReadKeyRangeThroughputExceeded",
      arnOf(name),
    );
  });

  test("does not hold up the others", async () => {
    const name = await table();
    for (let i = 0; i < 10; i += 1) await put(server, name, { pk: "hot", sk: `${i}` });
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        put(server, name, { pk: `cold-${i}`, sk: "a" }).then(
          () => "written",
          (error: Error) => error.name,
        ),
      ),
    );
    expect(new Set(outcomes)).toEqual(new Set(["written", throttling]));
  });

  test("has the same ceiling in a provisioned table", async () => {
    const name = await makeTable(server, { units: { read: 30_000, write: 10_000 } });
    for (let i = 0; i < 10; i += 1) await put(server, name, { pk: "hot" });
    await expectThrottled(
      put(server, name, { pk: "hot" }),
      "ProvisionedThroughputExceededException",
      "TableWriteKeyRangeThroughputExceeded",
      arnOf(name),
    );
  });

  test("of an index holds up the writes of its table", async () => {
    const name = await makeTable(server, { indexes: { colour: {} } });
    const keys = Array.from({ length: 11 }, (_, i) => `${i}`);
    const last = keys.pop() as string;
    for (const pk of keys) await put(server, name, { pk, colour: "red" });
    const failure = await failureOf(put(server, name, { pk: last, colour: "red" }));
    expect(failure.name).toBe(throttling);
    expect(failure.message).toBe(
      "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly.",
    );
    expect(failure.reasons).toEqual([
      { reason: "IndexWriteKeyRangeThroughputExceeded", resource: arnOf(name, "colour") },
    ]);
  });

  test("of an index is read by its queries", async () => {
    const name = await makeTable(server, { indexes: { colour: {} } });
    const query = new QueryCommand({
      TableName: name,
      IndexName: "colour",
      KeyConditionExpression: "colour = :red",
      ExpressionAttributeValues: { ":red": "red" },
    });
    for (let i = 0; i < 60; i += 1) await server.documents.send(query);
    await expectThrottled(
      server.documents.send(query),
      throttling,
      "IndexReadKeyRangeThroughputExceeded",
      arnOf(name, "colour"),
    );
  });
});

describe("the quota of a table, at a thousandth of the limits", () => {
  const server = useThrottling(0.001);
  const limited = "RequestLimitExceeded";
  const message =
    "Throughput exceeds the current throughput limit for your account. To request a limit increase, contact AWS Support at https://aws.amazon.com/support";

  test("holds for its writes together", async () => {
    const table = await makeTable(server, {});
    await put(server, table, { pk: "a", x: kilobytes(40) });
    const failure = await failureOf(put(server, table, { pk: "b" }));
    expect(failure.error.name).toBe(limited);
    expect(failure.error.$metadata.httpStatusCode).toBe(400);
    expect(failure.message).toBe(message);
    expect(failure.error).toHaveProperty("ThrottlingReasons", [
      { reason: "TableWriteAccountLimitExceeded", resource: arnOf(table) },
    ]);
  });

  test("holds for its reads together", async () => {
    const table = await makeTable(server, {});
    await put(server, table, { pk: "a", x: kilobytes(160) });
    await get(server, table, { pk: "a" });
    await expectThrottled(
      get(server, table, { pk: "b" }),
      limited,
      "TableReadAccountLimitExceeded",
      arnOf(table),
    );
  });

  test("counts indexes too", async () => {
    const table = await makeTable(server, { indexes: { colour: {} } });
    await put(server, table, { pk: "a", colour: "red", x: kilobytes(20) });
    const failure = await failureOf(put(server, table, { pk: "b", x: kilobytes(1) }));
    expect(failure.name).toBe(limited);
  });

  test("of an index is told as the index's", async () => {
    const table = await makeTable(server, { indexes: { colour: {} } });
    await put(server, table, { pk: "a", x: kilobytes(40) });
    server.clock.advance(1_000);
    const query = new QueryCommand({
      TableName: table,
      IndexName: "colour",
      KeyConditionExpression: "colour = :red",
      ExpressionAttributeValues: { ":red": "red" },
    });
    await put(server, table, { pk: "b", colour: "red", x: kilobytes(330) });
    await server.documents.send(query);
    await expectThrottled(
      server.documents.send(query),
      limited,
      "IndexReadAccountLimitExceeded",
      arnOf(table, "colour"),
    );
  });

  test("is for each table by itself", async () => {
    const [one, two] = [await makeTable(server, {}), await makeTable(server, {})];
    await put(server, one, { pk: "a", x: kilobytes(40) });
    await put(server, two, { pk: "a" });
  });
});
