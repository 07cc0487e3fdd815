import { PutItemCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { expectError, freshName, useServer } from "../harness.ts";
import {
  all,
  byName,
  create,
  define,
  describeTable,
  globalIndex,
  hash,
  range,
  units,
} from "./support.ts";

const server = useServer();
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe("CreateTable describes", () => {
  test("a provisioned table", async () => {
    const TableName = freshName();
    const table = await create(server, {
      TableName,
      AttributeDefinitions: define("a"),
      KeySchema: [hash("a")],
      BillingMode: undefined,
      ProvisionedThroughput: units(3, 4),
    });
    expect(table).toEqual({
      AttributeDefinitions: define("a"),
      TableName,
      KeySchema: [hash("a")],
      TableStatus: "CREATING",
      CreationDateTime: expect.any(Date),
      ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...units(3, 4) },
      TableSizeBytes: 0,
      ItemCount: 0,
      TableArn: expect.stringMatching(`^arn:aws:dynamodb:us-east-1:[0-9]{12}:table/${TableName}$`),
      TableId: expect.stringMatching(uuid),
      DeletionProtectionEnabled: false,
    });
    const age = Date.now() - (table.CreationDateTime?.getTime() ?? 0);
    expect(Math.abs(age)).toBeLessThan(60_000);
  });

  test("an on-demand table", async () => {
    const table = await create(server);
    expect(table.BillingModeSummary).toEqual({ BillingMode: "PAY_PER_REQUEST" });
    expect(table.ProvisionedThroughput).toEqual({ NumberOfDecreasesToday: 0, ...units(0) });
    expect(byName(table.AttributeDefinitions)).toEqual(define("a b"));
    expect(table.KeySchema).toEqual([hash("a"), range("b")]);
  });

  test.each(["S", "N", "B"])("keys of type %s", async (type) => {
    const definitions = define(`a:${type} b:${type}`);
    const table = await create(server, { AttributeDefinitions: definitions });
    expect(byName(table.AttributeDefinitions)).toEqual(definitions);
  });

  test("local indexes", async () => {
    const indexes = [
      { IndexName: "byC", KeySchema: [hash("a"), range("c")], Projection: all },
      {
        IndexName: "byD",
        KeySchema: [hash("a"), range("d")],
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["x", "y"] },
      },
      {
        IndexName: "byB",
        KeySchema: [hash("a"), range("b")],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ];
    const table = await create(server, {
      AttributeDefinitions: define("a b c:N d:B"),
      LocalSecondaryIndexes: indexes,
    });
    expect(table.LocalSecondaryIndexes).toHaveLength(3);
    for (const index of indexes) {
      expect(table.LocalSecondaryIndexes).toContainEqual({
        ...index,
        IndexSizeBytes: 0,
        ItemCount: 0,
        IndexArn: `${table.TableArn}/index/${index.IndexName}`,
      });
    }
    expect(byName(table.AttributeDefinitions)).toEqual(define("a b c:N d:B"));
  });

  test("global indexes with their own throughput", async () => {
    const index = {
      IndexName: "byC",
      KeySchema: [hash("c"), range("a")],
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["x"] },
    };
    const table = await create(server, {
      AttributeDefinitions: define("a b c:N"),
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: units(1),
      GlobalSecondaryIndexes: [{ ...index, ProvisionedThroughput: units(5, 6) }],
    });
    const described = {
      ...index,
      IndexSizeBytes: 0,
      ItemCount: 0,
      IndexArn: `${table.TableArn}/index/byC`,
      ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...units(5, 6) },
    };
    expect(globalIndex(table, "byC")).toMatchObject({ ...described, IndexStatus: "CREATING" });
    const later = await describeTable(server, table.TableName ?? "");
    expect(globalIndex(later, "byC")).toMatchObject({ ...described, IndexStatus: "ACTIVE" });
  });

  test("global indexes of an on-demand table", async () => {
    const table = await create(server, {
      GlobalSecondaryIndexes: [{ IndexName: "byB", KeySchema: [hash("b")], Projection: all }],
    });
    expect(globalIndex(table, "byB")).toMatchObject({
      IndexStatus: "CREATING",
      ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...units(0) },
    });
  });

  test("a global index of four and four key attributes, in their order", async () => {
    const KeySchema = [
      ...["h4", "h1", "h3", "h2"].map(hash),
      ...["r2", "r1", "r4", "r3"].map(range),
    ];
    const table = await create(server, {
      AttributeDefinitions: define("a b h1 h2:N h3:B h4 r1 r2:N r3:B r4"),
      GlobalSecondaryIndexes: [{ IndexName: "wide", KeySchema, Projection: all }],
    });
    expect(globalIndex(table, "wide")?.KeySchema).toEqual(KeySchema);
  });

  test("table class, deletion protection, encryption and limits", async () => {
    const table = await create(server, {
      TableClass: "STANDARD_INFREQUENT_ACCESS",
      DeletionProtectionEnabled: true,
      SSESpecification: { Enabled: true },
      OnDemandThroughput: { MaxReadRequestUnits: 7, MaxWriteRequestUnits: 8 },
    });
    const later = await describeTable(server, table.TableName ?? "");
    expect(later).toMatchObject({
      TableClassSummary: { TableClass: "STANDARD_INFREQUENT_ACCESS" },
      DeletionProtectionEnabled: true,
      SSEDescription: {
        Status: "ENABLED",
        SSEType: "KMS",
        KMSMasterKeyArn: expect.stringMatching(/^arn:aws:kms:us-east-1:[0-9]{12}:key\//),
      },
      OnDemandThroughput: { MaxReadRequestUnits: 7, MaxWriteRequestUnits: 8 },
    });
  });

  test("no encryption, class or streams unless asked for", async () => {
    const table = await create(server, { StreamSpecification: { StreamEnabled: false } });
    const later = await describeTable(server, table.TableName ?? "");
    expect(later.SSEDescription).toBeUndefined();
    expect(later.LatestStreamArn).toBeUndefined();
    expect(later.DeletionProtectionEnabled).toBe(false);
  });
});

describe("DescribeTable", () => {
  test("says of an active table what CreateTable said", async () => {
    const created = await create(server, {
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: units(2, 3),
    });
    const TableName = created.TableName ?? "";
    await waitUntilTableExists({ client: server.client, maxWaitTime: 60 }, { TableName });
    const table = await describeTable(server, TableName);
    expect(table).toMatchObject({ ...created, TableStatus: "ACTIVE" });
    expect(table.WarmThroughput).toEqual({
      ReadUnitsPerSecond: 2,
      WriteUnitsPerSecond: 3,
      Status: "ACTIVE",
    });
  });

  test("tells since when a table is on-demand, and what it serves from the start", async () => {
    const { TableName = "" } = await create(server);
    const table = await describeTable(server, TableName);
    expect(table.BillingModeSummary).toEqual({
      BillingMode: "PAY_PER_REQUEST",
      LastUpdateToPayPerRequestDateTime: expect.any(Date),
    });
    expect(table.WarmThroughput).toEqual({
      ReadUnitsPerSecond: 12_000,
      WriteUnitsPerSecond: 4_000,
      Status: "ACTIVE",
    });
  });

  test("answers to the table's ARN", async () => {
    const { TableArn = "", TableId } = await create(server);
    expect((await describeTable(server, TableArn)).TableId).toBe(TableId);
  });

  test("counts items and bytes, of indexes those of their entries", async () => {
    const { TableName = "" } = await create(server, {
      AttributeDefinitions: define("a b c d"),
      GlobalSecondaryIndexes: [
        { IndexName: "byC", KeySchema: [hash("c")], Projection: { ProjectionType: "KEYS_ONLY" } },
      ],
      LocalSecondaryIndexes: [
        { IndexName: "byD", KeySchema: [hash("a"), range("d")], Projection: all },
      ],
    });
    const items = [
      { a: { S: "1" }, b: { S: "1" } },
      { a: { S: "1" }, b: { S: "2" }, c: { S: "cc" }, x: { S: "xxx" } },
      { a: { S: "2" }, b: { S: "1" }, c: { S: "cc" }, d: { S: "d" } },
    ];
    for (const Item of [...items, ...items]) {
      await server.client.send(new PutItemCommand({ TableName, Item }));
    }
    const table = await describeTable(server, TableName);
    expect([table.ItemCount, table.TableSizeBytes]).toEqual([3, 4 + (4 + 3 + 4) + (4 + 3 + 2)]);
    const byC = globalIndex(table, "byC");
    expect([byC?.ItemCount, byC?.IndexSizeBytes]).toEqual([2, 2 * (4 + 3)]);
    const [byD] = table.LocalSecondaryIndexes ?? [];
    expect([byD?.ItemCount, byD?.IndexSizeBytes]).toEqual([1, 4 + 3 + 2]);
  });

  test("does not find a table that does not exist", async () => {
    const name = freshName();
    await expectError(
      describeTable(server, name),
      "ResourceNotFoundException",
      `Requested resource not found: Table: ${name} not found`,
    );
  });
});

describe("a table that exists", () => {
  test("is not made again, whatever its key", async () => {
    const { TableName = "", TableId } = await create(server);
    const change = { AttributeDefinitions: define("z"), KeySchema: [hash("z")] };
    await expectError(
      create(server, { TableName, ...change }),
      "ResourceInUseException",
      `Table already exists: ${TableName}`,
    );
    expect((await describeTable(server, TableName)).TableId).toBe(TableId);
  });

  test("is made once, however many ask at the same time", async () => {
    const TableName = freshName();
    const attempts = Array.from({ length: 8 }, () =>
      create(server, { TableName }).then(
        () => "made",
        (error: Error) => error.name,
      ),
    );
    const results = await Promise.all(attempts);
    expect(results.filter((result) => result === "made")).toHaveLength(1);
    expect(results.filter((result) => result === "ResourceInUseException")).toHaveLength(7);
  });

  test("has a name of its own in capitals", async () => {
    const TableName = freshName("case");
    await create(server, { TableName });
    await create(server, { TableName: TableName.toUpperCase() });
    expect((await describeTable(server, TableName)).TableName).toBe(TableName);
  });
});

test.each([3, 254, 255])("a table name may have %i characters", async (length) => {
  const TableName = `n.-_${"x".repeat(255)}`.slice(0, length);
  expect((await create(server, { TableName })).TableName).toBe(TableName);
});
