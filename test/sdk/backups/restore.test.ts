import {
  DescribeContinuousBackupsCommand,
  DescribeTimeToLiveCommand,
  ListTagsOfResourceCommand,
  RestoreTableFromBackupCommand,
  type RestoreTableFromBackupCommandInput,
  TagResourceCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, validation } from "../harness.ts";
import { shown, useBackups } from "./support.ts";

const server = useBackups();

type Overrides = Partial<RestoreTableFromBackupCommandInput>;

/** Only asks: the table is being filled when this is answered. */
const begin = (BackupArn: string, more: Overrides = {}) =>
  server.client.send(
    new RestoreTableFromBackupCommand({ TargetTableName: freshName("r"), BackupArn, ...more }),
  );

const units = (read: number, write: number) => ({
  ReadCapacityUnits: read,
  WriteCapacityUnits: write,
});

/** With a local and a global index, and some items. */
async function indexed(more: Parameters<typeof createTable>[2] = {}): Promise<string> {
  const table = await createTable(
    server,
    {
      key: "pk:S sk:N",
      global: { byG: { hash: "g:S", range: "sk:N" } },
      local: { byL: { range: "l:S", projection: { ProjectionType: "KEYS_ONLY" } } },
    },
    more,
  );
  for (let i = 0; i < 12; i += 1) {
    await server.put(table, {
      pk: `p${i % 3}`,
      sk: i,
      ...(i % 2 === 0 && { g: `g${i % 4}` }),
      ...(i % 3 !== 0 && { l: `l${i}` }),
      v: "x".repeat(i),
    });
  }
  return table;
}

describe("RestoreTableFromBackup", () => {
  test("answers a table that is being made", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const arn = await server.backup(table);
    const { TableArn } = await server.describe(table);
    const { TableDescription: made } = await begin(arn, { TargetTableName: freshName("new") });
    expect(made).toMatchObject({
      TableStatus: "CREATING",
      RestoreSummary: {
        SourceBackupArn: arn,
        SourceTableArn: TableArn,
        RestoreDateTime: new Date(server.clock.now()),
        RestoreInProgress: true,
      },
    });
    await server.running.workbench.idle();
  });

  test("the items are those of the backup, whatever became of the table", async () => {
    const table = await indexed();
    const before = await server.items(table);
    const arn = await server.backup(table);
    await server.put(table, { pk: "p0", sk: 0, v: "changed" });
    await server.remove(table, { pk: "p1", sk: 1 });
    await server.put(table, { pk: "p9", sk: 9 });
    expect(await server.items(await server.restore(arn))).toEqual(before);
  });

  test("the indexes hold what those of the source held", async () => {
    const table = await indexed();
    const byG = await server.items(table, "byG");
    const byL = await server.items(table, "byL");
    expect([byG.length, byL.length]).toEqual([6, 8]);
    const restored = await server.restore(await server.backup(table));
    expect(await server.items(restored, "byG")).toEqual(byG);
    expect(await server.items(restored, "byL")).toEqual(byL);
    const { Items } = await server.documents.send(
      new QueryCommand({
        TableName: restored,
        IndexName: "byG",
        KeyConditionExpression: "g = :g AND sk > :sk",
        ExpressionAttributeValues: { ":g": "g0", ":sk": 3 },
      }),
    );
    expect(Items?.map(({ sk }) => sk)).toEqual([4, 8]);
    expect((await server.running.workbench.verify()).problems).toEqual([]);
  });

  test("counts and sizes are those of the source, and it is ACTIVE in the end", async () => {
    const table = await indexed();
    const source = await server.describe(table);
    const restored = await server.describe(await server.restore(await server.backup(table)));
    expect(restored.TableStatus).toBe("ACTIVE");
    expect(restored.RestoreSummary).toBeUndefined();
    expect(restored.TableId).not.toBe(source.TableId);
    const sizes = ({
      ItemCount,
      TableSizeBytes,
      GlobalSecondaryIndexes: g,
      LocalSecondaryIndexes: l,
    }: typeof source) => [
      ItemCount,
      TableSizeBytes,
      g?.map(({ ItemCount, IndexSizeBytes, IndexStatus }) => [
        ItemCount,
        IndexSizeBytes,
        IndexStatus,
      ]),
      l?.map(({ ItemCount, IndexSizeBytes }) => [ItemCount, IndexSizeBytes]),
    ];
    expect(sizes(restored)).toEqual(sizes(source));
  });

  test("a restored table is a table like others", async () => {
    const restored = await server.restore(await server.backup(await indexed()));
    await server.put(restored, { pk: "p0", sk: 0, g: "other" });
    await server.remove(restored, { pk: "p1", sk: 1 });
    expect(await server.items(restored)).toHaveLength(11);
    const { ItemCollectionMetrics } = await server.documents.send(
      new PutCommand({
        TableName: restored,
        Item: { pk: "p2", sk: 2 },
        ReturnItemCollectionMetrics: "SIZE",
      }),
    );
    expect(ItemCollectionMetrics?.ItemCollectionKey).toEqual({ pk: "p2" });
    expect((await server.running.workbench.verify()).problems).toEqual([]);
  });

  test("encryption, mode and limits are taken over; streams, tags, protection, class and the rest are not", async () => {
    const table = await createTable(
      server,
      { key: "pk:S" },
      {
        StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
        SSESpecification: { Enabled: true },
        OnDemandThroughput: { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 },
        TableClass: "STANDARD_INFREQUENT_ACCESS",
        DeletionProtectionEnabled: true,
      },
    );
    const { TableArn = "", SSEDescription } = await server.describe(table);
    await server.client.send(
      new UpdateTimeToLiveCommand({
        TableName: table,
        TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      }),
    );
    await server.client.send(
      new TagResourceCommand({ ResourceArn: TableArn, Tags: [{ Key: "k", Value: "v" }] }),
    );
    await server.enable(table);
    await server.elapse(60_000);
    const name = await server.restore(await server.backup(table));
    const restored = await server.describe(name);
    expect(restored).toMatchObject({
      BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
      OnDemandThroughput: { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 },
      SSEDescription,
      DeletionProtectionEnabled: false,
    });
    expect(restored.StreamSpecification).toBeUndefined();
    expect(restored.LatestStreamArn).toBeUndefined();
    expect(restored.TableClassSummary).toBeUndefined();
    const { TimeToLiveDescription } = await server.client.send(
      new DescribeTimeToLiveCommand({ TableName: name }),
    );
    expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: "DISABLED" });
    const { ContinuousBackupsDescription: backups } = await server.client.send(
      new DescribeContinuousBackupsCommand({ TableName: name }),
    );
    expect(backups?.PointInTimeRecoveryDescription).toEqual({
      PointInTimeRecoveryStatus: "DISABLED",
    });
    const { Tags } = await server.client.send(
      new ListTagsOfResourceCommand({ ResourceArn: restored.TableArn ?? "" }),
    );
    expect(Tags).toEqual([]);
  });

  test("a backup can be restored again and again, one after the other", async () => {
    const table = await indexed();
    const arn = await server.backup(table);
    const [one, two] = [await server.restore(arn), await server.restore(arn)];
    expect(await server.items(one)).toEqual(await server.items(two));
  });

  test("the same attributes as names of any kind come back", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const item = { pk: "a", __proto__x: 1, constructor: "c", "a.b": { n: null, l: [1, "x"] } };
    await server.put(table, item);
    const restored = await server.restore(await server.backup(table));
    const { Item } = await server.documents.send(
      new GetCommand({ TableName: restored, Key: { pk: "a" } }),
    );
    expect(Item).toEqual(item);
  });
});

describe("what a restore refuses", () => {
  test("a name that is taken", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const arn = await server.backup(table);
    await expectError(
      begin(arn, { TargetTableName: table }),
      "TableAlreadyExistsException",
      `Table already exists: ${table}`,
    );
  });

  test("a backup that is not there, or no backup at all", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const arn = (await server.backup(table)).replace(/.{8}$/, "ffffffff");
    await expectError(begin(arn), "BackupNotFoundException", `Backup not found: ${arn}`);
    const { TableArn = "" } = await server.describe(table);
    await validation(begin(TableArn), "Invalid Backup ARN");
    await validation(
      begin(arn, { TargetTableName: "bad name!" }),
      /Member must satisfy regular expression pattern: \[a-zA-Z0-9_.-\]\+/,
    );
  });

  test("a backup of another Region, unless an encryption is asked for", async () => {
    const arn = await server.backup(await createTable(server, { key: "pk:S" }));
    await validation(
      begin(arn.replace("us-east-1", "eu-west-1")),
      "Invalid Request: sseSpecificationOverride must be provided for cross-region restores",
    );
  });

  test("throughput that does not fit the mode", async () => {
    const arn = await server.backup(await createTable(server, { key: "pk:S" }));
    await validation(
      begin(arn, { ProvisionedThroughputOverride: units(1, 1) }),
      "Invalid Request: Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED",
    );
    await validation(
      begin(arn, { BillingModeOverride: "PROVISIONED" }),
      "Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED",
    );
    await validation(
      begin(arn, {
        BillingModeOverride: "PAY_PER_REQUEST",
        ProvisionedThroughputOverride: units(1, 1),
      }),
      "Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST",
    );
    await validation(
      begin(arn, {
        OnDemandThroughputOverride: { MaxReadRequestUnits: 0, MaxWriteRequestUnits: 0 },
      }),
      "Invalid Request: Requested MaxReadRequestUnits for OnDemandThroughput is outside of valid range",
    );
    await validation(
      begin(arn, { BillingModeOverride: "BOGUS" as "PROVISIONED" }),
      /enum value set/,
    );
  });

  test("limits of a table that is provisioned", async () => {
    const table = await createTable(
      server,
      { key: "pk:S" },
      { BillingMode: "PROVISIONED", ProvisionedThroughput: units(5, 5) },
    );
    const arn = await server.backup(table);
    await validation(
      begin(arn, { OnDemandThroughputOverride: { MaxReadRequestUnits: 10 } }),
      "Invalid Request: Cannot override MaxReadRequestUnits for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST",
    );
  });

  test("indexes that the source did not have", async () => {
    const arn = await server.backup(await indexed());
    const gsi = (hash: string, type: "ALL" | "KEYS_ONLY") => ({
      IndexName: "other",
      KeySchema: [
        { AttributeName: hash, KeyType: "HASH" as const },
        { AttributeName: "sk", KeyType: "RANGE" as const },
      ],
      Projection: { ProjectionType: type },
    });
    const message =
      "Invalid Request: Index other does not match a secondary index that existed in the source table and cannot be created during the restore operation";
    await validation(begin(arn, { GlobalSecondaryIndexOverride: [gsi("v", "ALL")] }), message);
    await validation(
      begin(arn, { GlobalSecondaryIndexOverride: [gsi("g", "KEYS_ONLY")] }),
      message,
    );
    await validation(
      begin(arn, {
        LocalSecondaryIndexOverride: [
          { ...gsi("pk", "KEYS_ONLY"), KeySchema: gsi("pk", "ALL").KeySchema },
        ],
      }),
      message,
    );
  });

  test("throughput of indexes that does not fit the mode", async () => {
    const table = await createTable(
      server,
      { key: "pk:S" },
      {
        BillingMode: "PROVISIONED",
        ProvisionedThroughput: units(5, 5),
        AttributeDefinitions: [
          { AttributeName: "pk", AttributeType: "S" },
          { AttributeName: "g", AttributeType: "S" },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: "byG",
            KeySchema: [{ AttributeName: "g", KeyType: "HASH" }],
            Projection: { ProjectionType: "ALL" },
            ProvisionedThroughput: units(7, 8),
          },
        ],
      },
    );
    const arn = await server.backup(table);
    const index = {
      IndexName: "byG",
      KeySchema: [{ AttributeName: "g", KeyType: "HASH" as const }],
      Projection: { ProjectionType: "ALL" as const },
    };
    await validation(
      begin(arn, { GlobalSecondaryIndexOverride: [index] }),
      "Invalid Request: Must specify provisioned throughput for index byG",
    );
    await validation(
      begin(arn, {
        BillingModeOverride: "PAY_PER_REQUEST",
        GlobalSecondaryIndexOverride: [{ ...index, ProvisionedThroughput: units(1, 1) }],
      }),
      "Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST for index byG",
    );
    const kept = await server.describe(await server.restore(arn));
    expect(kept.ProvisionedThroughput).toMatchObject(units(5, 5));
    expect(kept.GlobalSecondaryIndexes?.[0]?.ProvisionedThroughput).toMatchObject(units(7, 8));
    const changed = await server.describe(
      await server.restore(arn, {
        ProvisionedThroughputOverride: units(2, 3),
        GlobalSecondaryIndexOverride: [{ ...index, ProvisionedThroughput: units(4, 1) }],
      }),
    );
    expect(changed.ProvisionedThroughput).toMatchObject(units(2, 3));
    expect(changed.GlobalSecondaryIndexes?.[0]?.ProvisionedThroughput).toMatchObject(units(4, 1));
    const onDemand = await server.describe(
      await server.restore(arn, { BillingModeOverride: "PAY_PER_REQUEST" }),
    );
    expect(onDemand.BillingModeSummary?.BillingMode).toBe("PAY_PER_REQUEST");
    expect(onDemand.ProvisionedThroughput).toMatchObject(units(0, 0));
    expect(onDemand.GlobalSecondaryIndexes?.[0]?.ProvisionedThroughput).toMatchObject(units(0, 0));
  });
});

describe("overrides", () => {
  test("empty lists leave out all indexes", async () => {
    const table = await indexed();
    const arn = await server.backup(table);
    const name = await server.restore(arn, {
      GlobalSecondaryIndexOverride: [],
      LocalSecondaryIndexOverride: [],
    });
    const restored = await server.describe(name);
    expect(restored.GlobalSecondaryIndexes).toBeUndefined();
    expect(restored.LocalSecondaryIndexes).toBeUndefined();
    expect(restored.AttributeDefinitions?.map(({ AttributeName }) => AttributeName)).toEqual([
      "pk",
      "sk",
    ]);
    expect(await server.items(name)).toEqual(await server.items(table));
  });

  test("indexes can get other names", async () => {
    const table = await indexed();
    const arn = await server.backup(table);
    const name = await server.restore(arn, {
      GlobalSecondaryIndexOverride: [
        {
          IndexName: "renamed",
          KeySchema: [
            { AttributeName: "g", KeyType: "HASH" },
            { AttributeName: "sk", KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "ALL" },
        },
      ],
    });
    expect(await server.items(name, "renamed")).toEqual(await server.items(table, "byG"));
    expect(await server.items(name, "byL")).toEqual(await server.items(table, "byL"));
    await expectError(server.items(name, "byG") as Promise<unknown>, "ValidationException");
  });

  test("an on-demand table becomes a provisioned one", async () => {
    const arn = await server.backup(await createTable(server, { key: "pk:S" }));
    const name = await server.restore(arn, {
      BillingModeOverride: "PROVISIONED",
      ProvisionedThroughputOverride: units(3, 4),
    });
    const restored = await server.describe(name);
    expect(restored.ProvisionedThroughput).toMatchObject(units(3, 4));
    expect(restored.BillingModeSummary).toBeUndefined();
  });

  test("limits and encryption can be others", async () => {
    const table = await createTable(
      server,
      { key: "pk:S" },
      { SSESpecification: { Enabled: true } },
    );
    const arn = await server.backup(table);
    const restored = await server.describe(
      await server.restore(arn, {
        OnDemandThroughputOverride: { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 11 },
        SSESpecificationOverride: { Enabled: false },
      }),
    );
    expect(restored.OnDemandThroughput).toEqual({
      MaxReadRequestUnits: 10,
      MaxWriteRequestUnits: 11,
    });
    expect(restored.SSEDescription).toBeUndefined();
    const keyed = await server.describe(
      await server.restore(arn, {
        SSESpecificationOverride: { Enabled: true, SSEType: "KMS", KMSMasterKeyId: "alias/mine" },
      }),
    );
    expect(keyed.SSEDescription?.KMSMasterKeyArn).toContain(":alias/mine");
  });
});

describe("a restored table", () => {
  test("can itself be backed up", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.put(table, { pk: "a" });
    const restored = await server.restore(await server.backup(table));
    await server.put(restored, { pk: "b" });
    const again = await server.restore(await server.backup(restored));
    expect(await server.items(again)).toEqual([shown({ pk: "a" }), shown({ pk: "b" })]);
  });
});
