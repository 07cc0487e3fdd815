import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer, validation } from "../harness.ts";
import { counted, get, type Item, put, remove, stored } from "./support.ts";

const server = useServer();
let TableName: string;
let withRange: string;
let withLocalIndex: string;
let arn: string;

beforeAll(async () => {
  TableName = await createTable(server, { key: "pk:S" });
  withRange = await createTable(server, { key: "pk:S sk:N" });
  withLocalIndex = await createTable(server, {
    key: "pk:S sk:S",
    local: { byDay: { range: "day:S" } },
  });
  const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
  arn = Table?.TableArn ?? "";
});

describe("PutItem", () => {
  test("answers an empty object", async () => {
    const answer = await server.raw("PutItem", { TableName, Item: { pk: { S: "bare" } } });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe("{}");
  });

  test("stores an item that has nothing but its key", async () => {
    const Item: Item = { pk: { S: "only key" } };
    await put(server, { TableName, Item });
    expect(await stored(server, TableName, Item)).toEqual(Item);
  });

  test("replaces the whole item: attributes of the old one do not stay", async () => {
    const pk = { S: "replaced" };
    await put(server, { TableName, Item: { pk, old: { S: "x" }, both: { N: "1" } } });
    await put(server, { TableName, Item: { pk, both: { N: "2" } } });
    expect(await stored(server, TableName, { pk })).toEqual({ pk, both: { N: "2" } });
  });

  test("items that differ in the sort key only are two items", async () => {
    const pk = { S: "same" };
    const items = [1, 2].map((n) => ({ pk, sk: { N: `${n}` }, v: { S: `v${n}` } }));
    for (const Item of items) await put(server, { TableName: withRange, Item });
    for (const { sk, v } of items) {
      expect((await stored(server, withRange, { pk, sk }))?.v).toEqual(v);
    }
  });

  test("a number key is the same number however it is written", async () => {
    const pk = { S: "spelling" };
    await put(server, { TableName: withRange, Item: { pk, sk: { N: "1.50e1" }, v: { S: "a" } } });
    await put(server, { TableName: withRange, Item: { pk, sk: { N: "+015" }, v: { S: "b" } } });
    expect(await stored(server, withRange, { pk, sk: { N: "15.0" } })).toEqual({
      pk,
      sk: { N: "15" },
      v: { S: "b" },
    });
  });

  test("keys are compared by their exact characters", async () => {
    await put(server, { TableName, Item: { pk: { S: "Exact" }, v: { S: "upper" } } });
    await put(server, { TableName, Item: { pk: { S: "exact" }, v: { S: "lower" } } });
    await put(server, { TableName, Item: { pk: { S: "exact " }, v: { S: "blank" } } });
    expect((await stored(server, TableName, { pk: { S: "Exact" } }))?.v).toEqual({ S: "upper" });
    expect((await stored(server, TableName, { pk: { S: "exact" } }))?.v).toEqual({ S: "lower" });
    expect((await stored(server, TableName, { pk: { S: "exact " } }))?.v).toEqual({ S: "blank" });
  });

  test.each(["NONE", undefined])("ReturnValues %s returns nothing", async (ReturnValues) => {
    const Item = { pk: { S: "none" } };
    await put(server, { TableName, Item });
    const answer = await put(server, { TableName, Item, ReturnValues });
    expect(answer.Attributes).toBeUndefined();
  });

  test("ALL_OLD returns the item that was replaced, in its stored form", async () => {
    const pk = { S: "all old" };
    await put(server, { TableName, Item: { pk, n: { N: "-0015.789e6" }, ss: { SS: ["b", "a"] } } });
    const answer = await put(server, { TableName, Item: { pk }, ReturnValues: "ALL_OLD" });
    expect(answer.Attributes).toEqual({ pk, n: { N: "-15789000" }, ss: { SS: ["a", "b"] } });
  });

  test("ALL_OLD returns no attributes if there was no item", async () => {
    const body = { TableName, Item: { pk: { S: "none before" } }, ReturnValues: "ALL_OLD" };
    expect((await server.raw("PutItem", body)).text).toBe("{}");
  });
});

describe("GetItem", () => {
  test("answers an empty object for an item that does not exist", async () => {
    const answer = await server.raw("GetItem", { TableName, Key: { pk: { S: "nothing" } } });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe("{}");
  });

  test.each([true, false, undefined])("reads with ConsistentRead %s", async (ConsistentRead) => {
    const Item = { pk: { S: "consistent" }, v: { BOOL: true } };
    await put(server, { TableName, Item });
    const answer = await get(server, { TableName, Key: { pk: Item.pk }, ConsistentRead });
    expect(answer.Item).toEqual(Item);
  });
});

describe("DeleteItem", () => {
  test("removes the item and answers an empty object", async () => {
    const pk = { S: "removed" };
    await put(server, { TableName, Item: { pk, v: { S: "x" } } });
    expect((await server.raw("DeleteItem", { TableName, Key: { pk } })).text).toBe("{}");
    expect(await stored(server, TableName, { pk })).toBeUndefined();
  });

  test("of an item that does not exist succeeds, with ALL_OLD too", async () => {
    const Key = { pk: { S: "never was" } };
    for (const ReturnValues of ["NONE", "ALL_OLD"]) {
      expect((await server.raw("DeleteItem", { TableName, Key, ReturnValues })).text).toBe("{}");
    }
  });

  test("ALL_OLD returns the item as it was", async () => {
    const Item = { pk: { S: "gone" }, v: { L: [{ N: "1" }] } };
    await put(server, { TableName, Item });
    const Key = { pk: Item.pk };
    expect((await remove(server, { TableName, Key, ReturnValues: "ALL_OLD" })).Attributes).toEqual(
      Item,
    );
    expect((await remove(server, { TableName, Key, ReturnValues: "ALL_OLD" })).Attributes).toBe(
      undefined,
    );
  });

  test("leaves the other items of the partition alone", async () => {
    const pk = { S: "partition" };
    for (const n of ["1", "2", "3"])
      await put(server, { TableName: withRange, Item: { pk, sk: { N: n } } });
    await remove(server, { TableName: withRange, Key: { pk, sk: { N: "2" } } });
    expect(await stored(server, withRange, { pk, sk: { N: "1" } })).toBeDefined();
    expect(await stored(server, withRange, { pk, sk: { N: "2" } })).toBeUndefined();
    expect(await stored(server, withRange, { pk, sk: { N: "3" } })).toBeDefined();
  });
});

const writes = { PutItem: put, DeleteItem: remove };
const input = (operation: keyof typeof writes, pk: { S: string }) =>
  operation === "PutItem"
    ? { TableName, Item: { pk, v: { S: "new" } } }
    : { TableName, Key: { pk } };

describe.each(["PutItem", "DeleteItem"] as const)("%s", (operation) => {
  test.each(["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])(
    "refuses ReturnValues %s",
    async (ReturnValues) => {
      await validation(
        writes[operation](server, { ...input(operation, { S: "a" }), ReturnValues }),
        `${counted}ReturnValues can only be ALL_OLD or NONE`,
      );
    },
  );

  test("a condition that fails changes nothing", async () => {
    const Item = { pk: { S: `kept by ${operation}` }, v: { S: "old" } };
    await put(server, { TableName, Item });
    const error = await expectError(
      writes[operation](server, {
        ...input(operation, Item.pk),
        ConditionExpression: "attribute_not_exists(pk)",
      }),
      "ConditionalCheckFailedException",
      "The conditional request failed",
    );
    expect(error.$metadata.httpStatusCode).toBe(400);
    expect(error).toHaveProperty("Item", undefined);
    expect(await stored(server, TableName, { pk: Item.pk })).toEqual(Item);
  });

  test("ReturnValuesOnConditionCheckFailure ALL_OLD tells the item that is there", async () => {
    const Item = { pk: { S: `told by ${operation}` }, n: { N: "7" }, ss: { SS: ["x", "y"] } };
    await put(server, { TableName, Item });
    const error = await expectError(
      writes[operation](server, {
        ...input(operation, Item.pk),
        ConditionExpression: "attribute_not_exists(pk)",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
      "ConditionalCheckFailedException",
      "The conditional request failed",
    );
    expect(error).toHaveProperty("Item", Item);
  });

  test("ReturnValuesOnConditionCheckFailure NONE tells nothing", async () => {
    const Item = { pk: { S: `untold by ${operation}` } };
    await put(server, { TableName, Item });
    const answer = await server.raw(operation, {
      ...input(operation, Item.pk),
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "NONE",
    });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      __type: "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
      message: "The conditional request failed",
    });
  });

  test("a condition that fails on a missing item has no item to tell", async () => {
    const answer = await server.raw(operation, {
      ...input(operation, { S: `absent for ${operation}` }),
      ConditionExpression: "attribute_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    expect(answer.json).toEqual({
      __type: "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
      message: "The conditional request failed",
    });
  });

  test("tells the item collection of a table with a local index", async () => {
    const key = { pk: { S: `collection of ${operation}` }, sk: { S: "1" } };
    const request = (ReturnItemCollectionMetrics: string) => ({
      TableName: withLocalIndex,
      ...(operation === "PutItem" ? { Item: key } : { Key: key }),
      ReturnItemCollectionMetrics,
    });
    const told = await writes[operation](server, request("SIZE"));
    expect(told.ItemCollectionMetrics).toEqual({
      ItemCollectionKey: { pk: key.pk },
      SizeEstimateRangeGB: [0, 1],
    });
    const untold = await writes[operation](server, request("NONE"));
    expect(untold.ItemCollectionMetrics).toBeUndefined();
  });

  test("tells no item collection of a table without local index", async () => {
    const answer = await writes[operation](server, {
      ...input(operation, { S: "no collection" }),
      ReturnItemCollectionMetrics: "SIZE",
    });
    expect(answer.ItemCollectionMetrics).toBeUndefined();
  });
});

describe("a table's ARN in place of its name", () => {
  test("puts, gets and deletes", async () => {
    const Item = { pk: { S: "by arn" }, v: { S: "x" } };
    await put(server, { TableName: arn, Item });
    expect(await stored(server, TableName, { pk: Item.pk })).toEqual(Item);
    expect(await stored(server, arn, { pk: Item.pk })).toEqual(Item);
    const answer = await remove(server, {
      TableName: arn,
      Key: { pk: Item.pk },
      ReturnValues: "ALL_OLD",
    });
    expect(answer.Attributes).toEqual(Item);
    expect(await stored(server, TableName, { pk: Item.pk })).toBeUndefined();
  });

  test("is what the consumed capacity names", async () => {
    const answer = await put(server, {
      TableName: arn,
      Item: { pk: { S: "metered" } },
      ReturnConsumedCapacity: "TOTAL",
    });
    expect(answer.ConsumedCapacity).toEqual({ TableName: arn, CapacityUnits: 1 });
  });

  test("of a table that does not exist is not found", async () => {
    await expectError(
      get(server, { TableName: `${arn}x`, Key: { pk: { S: "a" } } }),
      "ResourceNotFoundException",
    );
  });
});

test.each(["PutItem", "DeleteItem", "GetItem"])("%s of a missing table", async (operation) => {
  const answer = await server.raw(operation, {
    TableName: "missing-table",
    [operation === "PutItem" ? "Item" : "Key"]: { pk: { S: "a" } },
  });
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual({
    __type: "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
    message: "Requested resource not found",
  });
});
