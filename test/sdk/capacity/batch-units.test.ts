import { BatchWriteItemCommand, type WriteRequest } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { type Item, put } from "../transactions/outcomes.ts";

const server = useServer();

let plain = "";
let indexed = "";

beforeEach(async () => {
  plain = await createTable(server, { key: "id:S" });
  indexed = await createTable(server, {
    key: "id:S sk:S",
    global: { byOwner: { hash: "own:S" } },
    local: { byRank: { range: "rank:N" } },
  });
});

const id = (text: string): Item => ({ id: { S: text } });
const at = (text: string, more: Item = {}): Item => ({ ...id(text), sk: { S: "s" }, ...more });
const large = (text: string, bytes: number): Item => ({ ...id(text), v: { S: "x".repeat(bytes) } });
const putting = (Item: Item): WriteRequest => ({ PutRequest: { Item } });
const deleting = (Key: Item): WriteRequest => ({ DeleteRequest: { Key } });

async function spent(
  RequestItems: Record<string, WriteRequest[]>,
  ReturnConsumedCapacity: "TOTAL" | "INDEXES" = "TOTAL",
) {
  const answer = await server.client.send(
    new BatchWriteItemCommand({ RequestItems, ReturnConsumedCapacity }),
  );
  return answer.ConsumedCapacity;
}

describe("a batch pays for each of its writes", () => {
  test("each item is rounded up by itself", async () => {
    const requests = [putting(large("a", 100)), putting(large("b", 1500)), putting(id("c"))];
    expect(await spent({ [plain]: requests })).toEqual([{ TableName: plain, CapacityUnits: 4 }]);
  });

  test("puts that replace and deletes pay for the larger image", async () => {
    await put(server, plain, large("a", 3000), large("b", 2000));
    const requests = [putting(id("a")), deleting(id("b")), deleting(id("nobody"))];
    expect(await spent({ [plain]: requests })).toEqual([
      { TableName: plain, CapacityUnits: 3 + 2 + 1 },
    ]);
  });

  test("twenty-five small puts cost twenty-five units", async () => {
    const requests = Array.from({ length: 25 }, (_, i) => putting(id(`k${i}`)));
    expect(await spent({ [plain]: requests })).toEqual([{ TableName: plain, CapacityUnits: 25 }]);
  });

  test("tables are reported apart", async () => {
    const entries = await spent({
      [plain]: [putting(id("a")), putting(large("b", 1500))],
      [indexed]: [putting(at("a", { own: { S: "o" } }))],
    });
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual({ TableName: plain, CapacityUnits: 3 });
    expect(entries).toContainEqual({ TableName: indexed, CapacityUnits: 2 });
  });

  test("a table named by its ARN is reported by its ARN", async () => {
    const described = await server.raw("DescribeTable", { TableName: plain });
    const arn = described.json.Table.TableArn as string;
    expect(await spent({ [arn]: [putting(id("a"))] })).toEqual([
      { TableName: arn, CapacityUnits: 1 },
    ]);
  });
});

describe("INDEXES", () => {
  test("sums every index over the batch", async () => {
    await put(server, indexed, at("moves", { own: { S: "o" }, rank: { N: "1" } }));
    const entries = await spent(
      {
        [indexed]: [
          putting(at("both", { own: { S: "o" }, rank: { N: "1" } })),
          putting(at("one", { own: { S: "o" } })),
          putting(at("none")),
          putting(at("moves", { own: { S: "p" }, rank: { N: "1" } })),
        ],
      },
      "INDEXES",
    );
    expect(entries).toEqual([
      {
        TableName: indexed,
        CapacityUnits: 4 + 4 + 2,
        Table: { CapacityUnits: 4 },
        GlobalSecondaryIndexes: { byOwner: { CapacityUnits: 1 + 1 + 2 } },
        LocalSecondaryIndexes: { byRank: { CapacityUnits: 1 + 1 } },
      },
    ]);
  });

  test("leaves out indexes that nothing touched", async () => {
    const entries = await spent(
      { [indexed]: [putting(at("none"))], [plain]: [putting(id("a"))] },
      "INDEXES",
    );
    expect(entries).toContainEqual({
      TableName: indexed,
      CapacityUnits: 1,
      Table: { CapacityUnits: 1 },
    });
    expect(entries).toContainEqual({
      TableName: plain,
      CapacityUnits: 1,
      Table: { CapacityUnits: 1 },
    });
  });

  test("NONE reports nothing", async () => {
    const { json } = await server.raw("BatchWriteItem", {
      RequestItems: { [plain]: [putting(id("a"))] },
      ReturnConsumedCapacity: "NONE",
    });
    expect(json).toEqual({ UnprocessedItems: {} });
  });
});
