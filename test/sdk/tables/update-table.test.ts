import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { expectError, freshName, useServer, validation } from "../harness.ts";
import {
  all,
  create,
  define,
  describeTable,
  drop,
  globalIndex,
  hash,
  invalid,
  range,
  units,
  untilActive,
  update,
} from "./support.ts";

const server = useServer();
const provisioned = (read: number, write = read) => ({
  BillingMode: "PROVISIONED",
  ProvisionedThroughput: units(read, write),
});
const made = async (change: object = {}) => (await create(server, change)).TableName ?? "";
const withIndexes = (more: object = {}) => ({
  GlobalSecondaryIndexes: ["byA", "byB"].map((IndexName) => ({
    IndexName,
    KeySchema: IndexName === "byA" ? [hash("a")] : [hash("b"), range("a")],
    Projection: all,
    ...more,
  })),
});

describe("throughput", () => {
  test("is raised: the answer shows the old units, the table then has the new ones", async () => {
    const TableName = await made(provisioned(5));
    const answer = await update(server, { TableName, ProvisionedThroughput: units(20, 15) });
    expect(answer.TableStatus).toBe("UPDATING");
    expect(answer.ProvisionedThroughput).toMatchObject(units(5));
    const table = await untilActive(server, TableName);
    expect(table.ProvisionedThroughput).toEqual({
      ...units(20, 15),
      NumberOfDecreasesToday: 0,
      LastIncreaseDateTime: expect.any(Date),
    });
  });

  test("is lowered, and the decrease is counted", async () => {
    const TableName = await made(provisioned(5));
    const answer = await update(server, { TableName, ProvisionedThroughput: units(4, 5) });
    expect(answer.ProvisionedThroughput).toMatchObject({ ...units(5), NumberOfDecreasesToday: 0 });
    const table = await untilActive(server, TableName);
    expect(table.ProvisionedThroughput).toEqual({
      ...units(4, 5),
      NumberOfDecreasesToday: 1,
      LastDecreaseDateTime: expect.any(Date),
    });
  });

  test("of an index is its own", async () => {
    const TableName = await made({
      ...provisioned(5),
      ...withIndexes({ ProvisionedThroughput: units(5) }),
    });
    await update(server, {
      TableName,
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: "byA", ProvisionedThroughput: units(9, 8) } },
      ],
    });
    const table = await untilActive(server, TableName);
    expect(globalIndex(table, "byA")?.ProvisionedThroughput).toMatchObject(units(9, 8));
    expect(globalIndex(table, "byB")?.ProvisionedThroughput).toMatchObject(units(5));
    expect(table.ProvisionedThroughput).toMatchObject(units(5));
  });

  test("that is already so is refused", async () => {
    const TableName = await made(provisioned(5));
    const unchanged =
      /^The provisioned throughput for the table will not change\. The requested value equals the current value\. Current ReadCapacityUnits provisioned for the table: 5\./;
    await validation(update(server, { TableName, ProvisionedThroughput: units(5) }), unchanged);
    await validation(update(server, { TableName, ...provisioned(5) }), unchanged);
  });

  test("of an on-demand table is refused", async () => {
    const TableName = await made();
    await validation(
      update(server, { TableName, ProvisionedThroughput: units(1) }),
      `${invalid}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
    );
  });

  test("is refused together with the on-demand mode", async () => {
    const TableName = await made(provisioned(5));
    await validation(
      update(server, {
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        ProvisionedThroughput: units(5),
      }),
      `${invalid}ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST`,
    );
    expect((await describeTable(server, TableName)).BillingModeSummary).toBeUndefined();
  });
});

describe("billing mode", () => {
  test("goes to on-demand and back", async () => {
    const TableName = await made({
      ...provisioned(5),
      ...withIndexes({ ProvisionedThroughput: units(5) }),
    });
    const answer = await update(server, { TableName, BillingMode: "PAY_PER_REQUEST" });
    expect(answer.TableStatus).toBe("UPDATING");
    expect(answer.BillingModeSummary?.BillingMode).toBe("PAY_PER_REQUEST");
    expect(answer.GlobalSecondaryIndexes?.map((index) => index.IndexStatus)).toEqual([
      "UPDATING",
      "UPDATING",
    ]);
    const onDemand = await untilActive(server, TableName);
    expect(onDemand.BillingModeSummary).toEqual({
      BillingMode: "PAY_PER_REQUEST",
      LastUpdateToPayPerRequestDateTime: expect.any(Date),
    });
    expect(onDemand.ProvisionedThroughput).toMatchObject(units(0));
    for (const index of onDemand.GlobalSecondaryIndexes ?? []) {
      expect(index.ProvisionedThroughput).toMatchObject(units(0));
    }

    await validation(
      update(server, { TableName, ...provisioned(7) }),
      /^One or more parameter values were invalid: ProvisionedThroughput must be specified for index: (byA,byB|byB,byA)$/,
    );
    await update(server, {
      TableName,
      ...provisioned(7),
      GlobalSecondaryIndexUpdates: ["byA", "byB"].map((IndexName) => ({
        Update: { IndexName, ProvisionedThroughput: units(3) },
      })),
    });
    const back = await untilActive(server, TableName);
    expect(back.BillingModeSummary).toEqual({
      BillingMode: "PROVISIONED",
      LastUpdateToPayPerRequestDateTime:
        onDemand.BillingModeSummary?.LastUpdateToPayPerRequestDateTime,
    });
    expect(back.ProvisionedThroughput).toMatchObject(units(7));
    for (const index of back.GlobalSecondaryIndexes ?? []) {
      expect(index.ProvisionedThroughput).toMatchObject(units(3));
    }
  });

  test("keeps the items", async () => {
    const TableName = await made(provisioned(5));
    const Item = { a: { S: "1" }, b: { S: "2" } };
    await server.client.send(new PutItemCommand({ TableName, Item }));
    await update(server, { TableName, BillingMode: "PAY_PER_REQUEST" });
    await untilActive(server, TableName);
    const { json } = await server.raw("Scan", { TableName });
    expect(json.Items).toEqual([Item]);
  });

  test("may be set to what it is if it is on-demand", async () => {
    const TableName = await made();
    await update(server, { TableName, BillingMode: "PAY_PER_REQUEST" });
    const table = await untilActive(server, TableName);
    expect(table.BillingModeSummary?.BillingMode).toBe("PAY_PER_REQUEST");
  });

  test("needs throughput to become provisioned", async () => {
    const TableName = await made();
    await validation(
      update(server, { TableName, BillingMode: "PROVISIONED" }),
      `${invalid}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`,
    );
  });
});

describe("other properties", () => {
  test("deletion protection keeps a table from deletion until it is taken away", async () => {
    const TableName = await made();
    await update(server, { TableName, DeletionProtectionEnabled: true });
    expect((await untilActive(server, TableName)).DeletionProtectionEnabled).toBe(true);
    await validation(
      drop(server, TableName),
      "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.",
    );
    expect((await describeTable(server, TableName)).TableStatus).toBe("ACTIVE");
    await update(server, { TableName, DeletionProtectionEnabled: false });
    expect((await untilActive(server, TableName)).DeletionProtectionEnabled).toBe(false);
    expect((await drop(server, TableName)).TableStatus).toBe("DELETING");
  });

  test("the table class alone is a change", async () => {
    const TableName = await made();
    await update(server, { TableName, TableClass: "STANDARD_INFREQUENT_ACCESS" });
    const table = await untilActive(server, TableName);
    expect(table.TableClassSummary?.TableClass).toBe("STANDARD_INFREQUENT_ACCESS");
  });

  test("on-demand limits are merged, and -1 takes one away", async () => {
    const TableName = await made({ OnDemandThroughput: { MaxReadRequestUnits: 5 } });
    await update(server, { TableName, OnDemandThroughput: { MaxWriteRequestUnits: 6 } });
    expect((await untilActive(server, TableName)).OnDemandThroughput).toEqual({
      MaxReadRequestUnits: 5,
      MaxWriteRequestUnits: 6,
    });
    await update(server, { TableName, OnDemandThroughput: { MaxReadRequestUnits: -1 } });
    expect((await untilActive(server, TableName)).OnDemandThroughput).toMatchObject({
      MaxWriteRequestUnits: 6,
    });
    await update(server, { TableName, ...provisioned(1) });
    expect((await untilActive(server, TableName)).OnDemandThroughput).toBeUndefined();
  });

  test("warm throughput is raised, never lowered", async () => {
    const TableName = await made();
    const WarmThroughput = { ReadUnitsPerSecond: 13_000, WriteUnitsPerSecond: 5_000 };
    await update(server, { TableName, WarmThroughput });
    expect((await untilActive(server, TableName)).WarmThroughput).toMatchObject(WarmThroughput);
    await expectError(
      update(server, { TableName, WarmThroughput: { ReadUnitsPerSecond: 12_000 } }),
      "ValidationException",
    );
  });

  test("encryption is switched on and off", async () => {
    const TableName = await made();
    await update(server, { TableName, SSESpecification: { Enabled: true } });
    expect((await untilActive(server, TableName)).SSEDescription?.SSEType).toBe("KMS");
    await update(server, { TableName, SSESpecification: { Enabled: false } });
    expect((await untilActive(server, TableName)).SSEDescription).toBeUndefined();
  });

  test("the table may be named by its ARN", async () => {
    const { TableArn = "", TableName = "" } = await create(server);
    await update(server, { TableName: TableArn, DeletionProtectionEnabled: true });
    expect((await untilActive(server, TableName)).DeletionProtectionEnabled).toBe(true);
  });

  test("what is not named stays", async () => {
    const { WarmThroughput: _, ...before } = await describeTable(server, await made(withIndexes()));
    const TableName = before.TableName ?? "";
    await update(server, { TableName, DeletionProtectionEnabled: true });
    const { WarmThroughput: __, ...after } = await untilActive(server, TableName);
    expect(after).toEqual({ ...before, DeletionProtectionEnabled: true });
  });
});

const throughput = (member: string, shown: string, must: string) =>
  `Value ${shown} at 'provisionedThroughput.${member}' failed to satisfy constraint: Member must ${must}`;

const nothingAsked =
  "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required";

describe("UpdateTable refuses", () => {
  test.each<[string, object, string]>([
    ["to do nothing", {}, nothingAsked],
    ["to do nothing to the indexes", { GlobalSecondaryIndexUpdates: [] }, nothingAsked],
    [
      "units of zero",
      { ProvisionedThroughput: units(1, 0) },
      `1 validation error detected: ${throughput("writeCapacityUnits", "'0'", "have value greater than or equal to 1")}`,
    ],
    [
      "read units beyond all bounds",
      { ProvisionedThroughput: units(1_000_000_000_001) },
      "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
    ],
    [
      "write units beyond all bounds",
      { ProvisionedThroughput: units(1, 1_000_000_000_001) },
      "Given value 1000000000001 for WriteCapacityUnits is out of bounds",
    ],
    [
      "an index update that says nothing",
      { GlobalSecondaryIndexUpdates: [{}] },
      `${invalid}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null`,
    ],
    [
      "two updates of one index",
      {
        GlobalSecondaryIndexUpdates: [
          { Delete: { IndexName: "abc" } },
          { Delete: { IndexName: "abc" } },
        ],
      },
      `${invalid}Only one global secondary index update per index is allowed simultaneously. Index: abc`,
    ],
  ])("%s, whether or not the table exists", async (_, change, message) => {
    await validation(update(server, { TableName: freshName(), ...change }), message);
    await validation(update(server, { TableName: await made(), ...change }), message);
  });

  test("a table that does not exist", async () => {
    const TableName = freshName();
    await expectError(
      update(server, { TableName, ProvisionedThroughput: units(1) }),
      "ResourceNotFoundException",
      `Requested resource not found: Table: ${TableName} not found`,
    );
  });

  test("an index with units beyond all bounds, named or not", async () => {
    const TableName = await made(provisioned(1));
    await validation(
      update(server, {
        TableName,
        GlobalSecondaryIndexUpdates: [
          { Update: { IndexName: "abc", ProvisionedThroughput: units(1_000_000_000_001) } },
        ],
      }),
      "This operation cannot be performed with given input values. Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate",
    );
  });
});

const operations = ["DescribeTable", "UpdateTable", "DeleteTable"];
const names: readonly (readonly [string, object, string])[] = [
  ["none", {}, "The parameter 'TableName' is required but was not present in the request"],
  ...["", "a;", "x".repeat(256)].map((TableName): [string, object, string] => [
    `of ${TableName.length} characters`,
    { TableName },
    "TableName must be at least 3 characters long and at most 255 characters long",
  ]),
  [
    "with other characters",
    { TableName: "abc;" },
    "1 validation error detected: Value 'abc;' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
  ],
];

describe.each(operations)("%s refuses a table name", (operation) => {
  test.each(names)("%s", async (_, body, message) => {
    const answer = await server.raw(operation, body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      __type: "com.amazon.coral.validate#ValidationException",
      message,
    });
  });
});

test("the definitions of a table are those of its keys", async () => {
  const TableName = await made({ AttributeDefinitions: define("b:N a:B") });
  const { AttributeDefinitions = [] } = await describeTable(server, TableName);
  expect(AttributeDefinitions).toHaveLength(2);
  for (const definition of define("a:B b:N")) {
    expect(AttributeDefinitions).toContainEqual(definition);
  }
});
