import {
  CreateBackupCommand,
  DeleteBackupCommand,
  DeleteTableCommand,
  DescribeBackupCommand,
  ListBackupsCommand,
  type ListBackupsCommandInput,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, validation } from "../harness.ts";
import { day, describeBackup, minute, shown, useBackups } from "./support.ts";

const server = useBackups();

const create = (TableName: string, BackupName = "nightly") =>
  server.client.send(new CreateBackupCommand({ TableName, BackupName }));

const list = (input: ListBackupsCommandInput) => server.client.send(new ListBackupsCommand(input));

const remove = (BackupArn: string) => server.client.send(new DeleteBackupCommand({ BackupArn }));

async function names(input: ListBackupsCommandInput): Promise<(string | undefined)[]> {
  return ((await list(input)).BackupSummaries ?? []).map(({ BackupName }) => BackupName);
}

describe("CreateBackup", () => {
  test("answers the details of a backup that is being made", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.put(table, { pk: "a", v: 1 });
    const { BackupDetails: details } = await create(table, "first");
    expect(details).toEqual({
      BackupArn: expect.stringMatching(
        new RegExp(
          `^arn:aws:dynamodb:us-east-1:\\d{12}:table/${table}/backup/\\d{14}-[0-9a-f]{8}$`,
        ),
      ),
      BackupName: "first",
      BackupSizeBytes: 6,
      BackupStatus: "CREATING",
      BackupType: "USER",
      BackupCreationDateTime: new Date(server.clock.now()),
    });
    await server.running.workbench.idle();
  });

  test("the id begins with the moment", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const arn = await server.backup(table);
    expect(arn.split("/backup/")[1]?.slice(0, 14)).toBe(
      String(server.clock.now()).padStart(14, "0"),
    );
  });

  test("takes the table's ARN", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const { TableArn = "" } = await server.describe(table);
    const { BackupDetails: details } = await create(TableArn);
    expect(details?.BackupArn).toContain(`${TableArn}/backup/`);
  });

  test("names need not differ", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const arns = [
      await server.backup(table),
      await server.backup(table),
      await server.backup(table),
    ];
    expect(new Set(arns).size).toBe(3);
    expect(await names({ TableName: table })).toEqual(["nightly", "nightly", "nightly"]);
  });

  test("several at a time are no conflict", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.put(table, { pk: "a" });
    const made = await Promise.all(Array.from({ length: 12 }, () => create(table)));
    await server.running.workbench.idle();
    for (const { BackupDetails: details } of made) {
      const found = await describeBackup(server, details?.BackupArn ?? "");
      expect(found?.BackupDetails?.BackupStatus).toBe("AVAILABLE");
    }
  });

  test("a table that is not there is not found", async () => {
    const name = freshName();
    await expectError(create(name), "TableNotFoundException", `Table not found: ${name}`);
  });

  test.for([
    ["ab", /Member must have length greater than or equal to 3/],
    ["not a name", /Member must satisfy regular expression pattern: \[a-zA-Z0-9_.-\]\+/],
    ["x".repeat(256), /Member must have length less than or equal to 255/],
  ] as const)("the name %s is refused", async ([name, message]) => {
    const table = await createTable(server, { key: "pk:S" });
    await validation(create(table, name), message);
  });
});

describe("DescribeBackup", () => {
  test("tells of the table as it was", async () => {
    const table = await createTable(
      server,
      {
        key: "pk:S sk:N",
        global: { byG: { hash: "g:S", projection: { ProjectionType: "KEYS_ONLY" } } },
        local: {
          byL: { range: "l:S", projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["x"] } },
        },
      },
      {
        StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
        SSESpecification: { Enabled: true },
        OnDemandThroughput: { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 },
      },
    );
    await server.client.send(
      new UpdateTimeToLiveCommand({
        TableName: table,
        TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      }),
    );
    await server.put(table, { pk: "a", sk: 1, v: "x" });
    await server.put(table, { pk: "b", sk: 1, v: "x" });
    const { TableArn, TableId, CreationDateTime, SSEDescription } = await server.describe(table);
    const arn = await server.backup(table, "whole");
    await server.put(table, { pk: "c", sk: 1 });
    expect(await describeBackup(server, arn)).toEqual({
      BackupDetails: {
        BackupArn: arn,
        BackupName: "whole",
        BackupSizeBytes: 18,
        BackupStatus: "AVAILABLE",
        BackupType: "USER",
        BackupCreationDateTime: new Date(server.clock.now()),
      },
      SourceTableDetails: {
        TableName: table,
        TableId,
        TableArn,
        TableSizeBytes: 18,
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
        TableCreationDateTime: CreationDateTime,
        ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
        OnDemandThroughput: { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 },
        ItemCount: 2,
        BillingMode: "PAY_PER_REQUEST",
      },
      SourceTableFeatureDetails: {
        LocalSecondaryIndexes: [
          {
            IndexName: "byL",
            KeySchema: [
              { AttributeName: "pk", KeyType: "HASH" },
              { AttributeName: "l", KeyType: "RANGE" },
            ],
            Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["x"] },
          },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: "byG",
            KeySchema: [{ AttributeName: "g", KeyType: "HASH" }],
            Projection: { ProjectionType: "KEYS_ONLY" },
            ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
          },
        ],
        StreamDescription: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
        TimeToLiveDescription: { TimeToLiveStatus: "ENABLED", AttributeName: "ttl" },
        SSEDescription,
      },
    });
  });

  test("of a plain table there are no features to tell", async () => {
    const arn = await server.backup(await createTable(server, { key: "pk:S" }));
    expect((await describeBackup(server, arn))?.SourceTableFeatureDetails).toEqual({});
  });

  test("the Region of the ARN does not matter, and is answered as it was given", async () => {
    const arn = await server.backup(await createTable(server, { key: "pk:S" }));
    const other = arn.replace("us-east-1", "eu-west-1");
    expect((await describeBackup(server, other))?.BackupDetails?.BackupArn).toBe(other);
  });

  test("one that is not there is not found", async () => {
    const arn = await server.backup(await createTable(server, { key: "pk:S" }));
    const other = arn.replace(/.{8}$/, "ffffffff");
    await expectError(
      describeBackup(server, other),
      "BackupNotFoundException",
      `Backup not found: ${other}`,
    );
  });

  test("an ARN of something else is refused", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const arn = await server.backup(table);
    const { TableArn = "" } = await server.describe(table);
    await validation(describeBackup(server, TableArn), "Invalid Backup ARN");
    await validation(describeBackup(server, "x".repeat(48)), "Invalid Backup ARN");
    const queue = arn.replace("dynamodb", "sqs");
    await validation(describeBackup(server, queue), "Invalid Request: BackupArn is not valid");
    const foreign = arn.replace(/:\d{12}:/, ":999999999999:");
    await expectError(describeBackup(server, foreign), "AccessDeniedException", "Access is denied");
    await validation(describeBackup(server, "arn:short"), /length greater than or equal to 37/);
  });
});

describe("ListBackups", () => {
  test("lists those of one table by time, and all of them by table", async () => {
    const [one, two] = [
      await createTable(server, { key: "pk:S" }),
      await createTable(server, { key: "pk:S" }),
    ];
    await server.backup(two, "two-1");
    for (const name of ["one-1", "one-2"]) {
      await server.elapse(minute);
      await server.backup(one, name);
    }
    expect(await names({ TableName: one })).toEqual(["one-1", "one-2"]);
    const all = await names({});
    expect(all.filter((name) => /^(one|two)-/.test(name ?? ""))).toEqual([
      "one-1",
      "one-2",
      "two-1",
    ]);
  });

  test("a summary names the table", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const arn = await server.backup(table, "told");
    const { TableArn, TableId } = await server.describe(table);
    expect((await list({ TableName: TableArn })).BackupSummaries).toEqual([
      {
        TableName: table,
        TableId,
        TableArn,
        BackupArn: arn,
        BackupName: "told",
        BackupCreationDateTime: new Date(server.clock.now()),
        BackupStatus: "AVAILABLE",
        BackupType: "USER",
        BackupSizeBytes: 0,
      },
    ]);
  });

  test("pages go on after the last ARN, and end when nothing is left", async () => {
    const table = await createTable(server, { key: "pk:S" });
    for (let i = 0; i < 5; i += 1) {
      await server.elapse(minute);
      await server.backup(table, `b-${i}`);
    }
    const first = await list({ TableName: table, Limit: 2 });
    expect(first.LastEvaluatedBackupArn).toBe(first.BackupSummaries?.[1]?.BackupArn);
    const rest = await list({
      TableName: table,
      ExclusiveStartBackupArn: first.LastEvaluatedBackupArn ?? "",
      Limit: 3,
    });
    expect(rest.BackupSummaries?.map(({ BackupName }) => BackupName)).toEqual([
      "b-2",
      "b-3",
      "b-4",
    ]);
    expect(rest.LastEvaluatedBackupArn).toBeUndefined();
  });

  test("the ARN of a backup that is gone is as good a place to go on", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.backup(table, "b-1");
    await server.elapse(minute);
    const gone = await server.backup(table, "b-2");
    await server.elapse(minute);
    await server.backup(table, "b-3");
    await remove(gone);
    expect(await names({ TableName: table, ExclusiveStartBackupArn: gone })).toEqual(["b-3"]);
    const elsewhere = gone.replace("us-east-1", "eu-west-1");
    await validation(
      list({ TableName: table, ExclusiveStartBackupArn: elsewhere }),
      "Invalid Request: The supplied ExclusiveStartBackupArn does not match the region",
    );
  });

  test("the lower bound of a range of times is part of it, the upper is not", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.elapse(minute);
    const at = server.clock.now();
    await server.backup(table, "then");
    const inRange = (from: number, to: number) =>
      names({
        TableName: table,
        TimeRangeLowerBound: new Date(at + from),
        TimeRangeUpperBound: new Date(at + to),
      });
    expect(await inRange(0, 1)).toEqual(["then"]);
    expect(await inRange(-1, 0)).toEqual([]);
    expect(await inRange(1, 2)).toEqual([]);
    await validation(
      inRange(1, 0),
      "One or more parameter values were invalid: Time range lower bound must be less than or equal to upper bound",
    );
  });

  test("of a table that never was there are none", async () => {
    expect(await names({ TableName: freshName() })).toEqual([]);
  });

  test("limits and types have their bounds", async () => {
    await validation(list({ Limit: 101 }), /Member must have value less than or equal to 100/);
    await validation(list({ Limit: 0 }), /Member must have value greater than or equal to 1/);
    await validation(list({ BackupType: "BOGUS" as "USER" }), /Member must satisfy enum value set/);
    expect(await names({ BackupType: "AWS_BACKUP" })).toEqual([]);
  });
});

describe("DeleteBackup", () => {
  test("answers what it was, and it is gone at once", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.put(table, { pk: "a" });
    const arn = await server.backup(table);
    const before = await describeBackup(server, arn);
    const { BackupDescription: deleted } = await remove(arn);
    expect(deleted).toEqual({
      ...before,
      BackupDetails: { ...before?.BackupDetails, BackupStatus: "DELETED" },
    });
    const gone = `Backup not found: ${arn}`;
    await expectError(describeBackup(server, arn), "BackupNotFoundException", gone);
    await expectError(remove(arn), "BackupNotFoundException", gone);
    expect(await names({ TableName: table })).toEqual([]);
  });
});

describe("backups and their tables", () => {
  test("a backup outlives its table, and a later one of the same name", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.put(table, { pk: "old" });
    const arn = await server.backup(table, "old");
    const { TableId } = await server.describe(table);
    await server.client.send(new DeleteTableCommand({ TableName: table }));
    await createTable(server, { key: "pk:S" }, { TableName: table });
    await server.elapse(minute);
    await server.backup(table, "new");
    expect(await names({ TableName: table })).toEqual(["old", "new"]);
    expect((await describeBackup(server, arn))?.SourceTableDetails?.TableId).toBe(TableId);
    expect(await server.items(await server.restore(arn))).toEqual([shown({ pk: "old" })]);
  });

  test("a table can be deleted while it is copied", async () => {
    const table = await createTable(server, { key: "pk:S" });
    for (let i = 0; i < 30; i += 1) await server.put(table, { pk: `${i}` });
    const { BackupDetails: details } = await create(table);
    await server.client.send(new DeleteTableCommand({ TableName: table }));
    await server.running.workbench.idle();
    const restored = await server.restore(details?.BackupArn ?? "");
    expect(await server.items(restored)).toHaveLength(30);
    expect((await server.running.workbench.verify()).problems).toEqual([]);
  });

  test("what is written while it is copied is not part of it", async () => {
    const table = await createTable(server, { key: "pk:S" });
    const before: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      await server.put(table, { pk: `${i}`, v: "before" });
      before.push(shown({ pk: `${i}`, v: "before" }));
    }
    const { BackupDetails: details } = await create(table);
    for (let i = 0; i < 60; i += 1) {
      if (i % 3 === 0) await server.remove(table, { pk: `${i}` });
      else await server.put(table, { pk: `${i}`, v: "after" });
    }
    await server.running.workbench.idle();
    const restored = await server.restore(details?.BackupArn ?? "");
    expect(await server.items(restored)).toEqual(before.sort());
  });

  test("a table without point-in-time recovery leaves no backup behind", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.client.send(new DeleteTableCommand({ TableName: table }));
    expect(await names({ TableName: table, BackupType: "ALL" })).toEqual([]);
  });

  test("with it, the service makes one that nobody can delete, and that expires", async () => {
    const table = await createTable(server, { key: "pk:S", global: { byG: { hash: "g:S" } } });
    await server.enable(table);
    await server.put(table, { pk: "a", g: "x" });
    await server.elapse(minute);
    await server.client.send(new DeleteTableCommand({ TableName: table }));
    const madeAt = server.clock.now();
    expect(await names({ TableName: table })).toEqual([]);
    const [found] = (await list({ TableName: table, BackupType: "SYSTEM" })).BackupSummaries ?? [];
    expect(found).toMatchObject({
      BackupName: `${table}$DeletedTableBackup`,
      BackupType: "SYSTEM",
      BackupStatus: "AVAILABLE",
      BackupCreationDateTime: new Date(madeAt),
      BackupExpiryDateTime: new Date(madeAt + 35 * day),
    });
    const arn = found?.BackupArn ?? "";
    expect(arn).toMatch(/-00000000$/);
    await validation(
      remove(arn),
      new RegExp(
        `^Invalid Request: User is not allowed to delete the system backup with arn ${arn}. It will automatically expire on `,
      ),
    );
    await server.running.workbench.idle();
    const restored = await server.restore(arn);
    expect(await server.items(restored)).toEqual([shown({ g: "x", pk: "a" })]);
    expect(await server.items(restored, "byG")).toHaveLength(1);
    await server.elapse(35 * day);
    expect(await names({ TableName: table, BackupType: "ALL" })).toEqual([]);
    await expectError(
      server.client.send(new DescribeBackupCommand({ BackupArn: arn })),
      "BackupNotFoundException",
    );
    expect((await server.running.workbench.verify()).problems).toEqual([]);
  });
});
