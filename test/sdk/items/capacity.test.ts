import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer } from "../harness.ts";
import { get, itemOfBytes, put, remove } from "./support.ts";

const server = useServer();
let TableName: string;

beforeAll(async () => {
  TableName = await createTable(server, { key: "pk:S" });
});

const total = (CapacityUnits: number) => ({ TableName, CapacityUnits });
const ReturnConsumedCapacity = "TOTAL";

describe("writes cost a unit per 1,024 bytes begun", () => {
  const sizes = [
    [4, 1],
    [1_023, 1],
    [1_024, 1],
    [1_025, 2],
    [2_048, 2],
    [2_049, 3],
    [10_240, 10],
    [409_600, 400],
  ] as const;

  test.each(sizes)("an item of %i bytes: %i", async (bytes, units) => {
    const Item = itemOfBytes(bytes, "w");
    const Key = { pk: { S: "w" } };
    await remove(server, { TableName, Key });
    const created = await put(server, { TableName, Item, ReturnConsumedCapacity });
    expect(created.ConsumedCapacity).toEqual(total(units));
    const repeated = await put(server, { TableName, Item, ReturnConsumedCapacity });
    expect(repeated.ConsumedCapacity).toEqual(total(units));
    const removed = await remove(server, { TableName, Key, ReturnConsumedCapacity });
    expect(removed.ConsumedCapacity).toEqual(total(units));
  });

  test.each([
    [3_000, 100, 3],
    [100, 3_000, 3],
    [2_049, 1_025, 3],
    [1_024, 1_025, 2],
  ])("replacing %i bytes by %i costs the larger: %i", async (before, after, units) => {
    await put(server, { TableName, Item: itemOfBytes(before, "r") });
    const answer = await put(server, {
      TableName,
      Item: itemOfBytes(after, "r"),
      ReturnConsumedCapacity,
    });
    expect(answer.ConsumedCapacity).toEqual(total(units));
  });

  test("deleting what is not there costs one", async () => {
    const Key = { pk: { S: "not there" } };
    const answer = await remove(server, { TableName, Key, ReturnConsumedCapacity });
    expect(answer.ConsumedCapacity).toEqual(total(1));
  });

  test("returning the old item and a condition cost nothing more", async () => {
    const pk = { S: "c" };
    await put(server, { TableName, Item: itemOfBytes(5_000, "c") });
    const answer = await remove(server, {
      TableName,
      Key: { pk },
      ConditionExpression: "attribute_exists(v)",
      ReturnValues: "ALL_OLD",
      ReturnConsumedCapacity,
    });
    expect(answer.Attributes).toBeDefined();
    expect(answer.ConsumedCapacity).toEqual(total(5));
  });
});

describe("reads cost half a unit per 4,096 bytes begun, a whole one if consistent", () => {
  test.each([
    [4, 0.5],
    [1_025, 0.5],
    [4_095, 0.5],
    [4_096, 0.5],
    [4_097, 1],
    [8_192, 1],
    [8_193, 1.5],
    [12_289, 2],
    [409_600, 50],
  ])("an item of %i bytes: %f", async (bytes, units) => {
    await put(server, { TableName, Item: itemOfBytes(bytes, "g") });
    const request = { TableName, Key: { pk: { S: "g" } }, ReturnConsumedCapacity };
    const eventual = await get(server, request);
    expect(eventual.ConsumedCapacity).toEqual(total(units));
    const consistent = await get(server, { ...request, ConsistentRead: true });
    expect(consistent.ConsumedCapacity).toEqual(total(2 * units));
  });

  test("an item that does not exist costs the least there is", async () => {
    const request = { TableName, Key: { pk: { S: "absent" } }, ReturnConsumedCapacity };
    expect((await get(server, request)).ConsumedCapacity).toEqual(total(0.5));
    const consistent = await get(server, { ...request, ConsistentRead: true });
    expect(consistent.ConsumedCapacity).toEqual(total(1));
  });

  test("a projection makes it no cheaper", async () => {
    await put(server, { TableName, Item: itemOfBytes(9_000, "p") });
    const answer = await get(server, {
      TableName,
      Key: { pk: { S: "p" } },
      ProjectionExpression: "pk",
      ReturnConsumedCapacity,
    });
    expect(answer.Item).toEqual({ pk: { S: "p" } });
    expect(answer.ConsumedCapacity).toEqual(total(1.5));
  });

  test("names count as much as values", async () => {
    const pk = { S: "n" };
    await put(server, { TableName, Item: { pk, ["n".repeat(4_093)]: { S: "" } } });
    const request = { TableName, Key: { pk }, ReturnConsumedCapacity };
    expect((await get(server, request)).ConsumedCapacity).toEqual(total(0.5));
    await put(server, { TableName, Item: { pk, ["n".repeat(4_094)]: { S: "" } } });
    expect((await get(server, request)).ConsumedCapacity).toEqual(total(1));
  });
});

describe("what ReturnConsumedCapacity asks for", () => {
  const requests = {
    PutItem: { Item: { pk: { S: "form" } } },
    GetItem: { Key: { pk: { S: "form" } } },
    DeleteItem: { Key: { pk: { S: "form" } } },
  };
  const units = { PutItem: 1, GetItem: 0.5, DeleteItem: 1 };

  test.each(["PutItem", "GetItem", "DeleteItem"] as const)("%s", async (operation) => {
    const body = { TableName, ...requests[operation] };
    const told = async (level: string | null) =>
      (await server.raw(operation, { ...body, ReturnConsumedCapacity: level })).json
        .ConsumedCapacity;
    const CapacityUnits = units[operation];
    expect(await told(null)).toBeUndefined();
    expect(await told("NONE")).toBeUndefined();
    expect(await told("TOTAL")).toEqual({ TableName, CapacityUnits });
    expect(await told("INDEXES")).toEqual({ TableName, CapacityUnits, Table: { CapacityUnits } });
  });

  test("a failed condition answers with the error alone", async () => {
    const Item = { pk: { S: "failed" } };
    await put(server, { TableName, Item });
    const error = await expectError(
      put(server, {
        TableName,
        Item,
        ConditionExpression: "attribute_not_exists(pk)",
        ReturnConsumedCapacity,
      }),
      "ConditionalCheckFailedException",
    );
    expect(error).not.toHaveProperty("ConsumedCapacity");
  });
});
