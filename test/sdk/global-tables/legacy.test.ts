import {
  CreateGlobalTableCommand,
  DescribeGlobalTableCommand,
  DescribeGlobalTableSettingsCommand,
  ListGlobalTablesCommand,
  UpdateGlobalTableCommand,
  UpdateGlobalTableSettingsCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, useServer, validation } from "../harness.ts";

const server = useServer();
const notFound = "GlobalTableNotFoundException";
const tooOld =
  "One or more parameter values were invalid: DynamoDB global tables version 2017.11.29 is not " +
  "supported. We recommend using DynamoDB global tables version 2019.11.21, instead of version " +
  "2017.11.29 (Legacy).";
const nameLength = "TableName must be at least 3 characters long and at most 255 characters long";

const missing = (name: string) => `Global table with name: '${name}' does not exist.`;

describe("global tables of version 2017.11.29", () => {
  test("cannot be made", async () => {
    const GlobalTableName = await createTable(
      server,
      { key: "pk:S" },
      { StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } },
    );
    const ReplicationGroup = [{ RegionName: "us-east-1" }, { RegionName: "us-west-2" }];
    const made = server.client.send(
      new CreateGlobalTableCommand({ GlobalTableName, ReplicationGroup }),
    );
    await validation(made, tooOld);
  });

  test("are none", async () => {
    for (const input of [{}, { Limit: 1 }, { RegionName: "us-east-1" }]) {
      const answer = await server.client.send(new ListGlobalTablesCommand(input));
      expect(answer.GlobalTables).toEqual([]);
      expect(answer.LastEvaluatedGlobalTableName).toBeUndefined();
    }
  });

  test("are not found, whether there is a table of the name or not", async () => {
    for (const GlobalTableName of [freshName(), await createTable(server, { key: "pk:S" })]) {
      await expectError(
        server.client.send(new DescribeGlobalTableCommand({ GlobalTableName })),
        notFound,
        `Global table not found: ${missing(GlobalTableName)}`,
      );
      await expectError(
        server.client.send(new DescribeGlobalTableSettingsCommand({ GlobalTableName })),
        notFound,
        missing(GlobalTableName),
      );
      await expectError(
        server.client.send(
          new UpdateGlobalTableSettingsCommand({
            GlobalTableName,
            GlobalTableBillingMode: "PAY_PER_REQUEST",
          }),
        ),
        notFound,
        missing(GlobalTableName),
      );
    }
  });

  test("can neither grow nor shrink", async () => {
    const GlobalTableName = freshName();
    const update = (ReplicaUpdates: object[]) =>
      server.client.send(new UpdateGlobalTableCommand({ GlobalTableName, ReplicaUpdates }));
    const region = { RegionName: "us-west-2" };
    await validation(update([{ Create: region }]), tooOld);
    await expectError(
      update([{ Delete: region }]),
      notFound,
      `Global table not found: ${missing(GlobalTableName)}`,
    );
    await validation(update([]), "One or more parameter values were invalid");
    await validation(update([{}]), "One or more parameter values were invalid");
  });

  test("have names of three characters at least", async () => {
    const GlobalTableName = "";
    await validation(
      server.client.send(new DescribeGlobalTableCommand({ GlobalTableName })),
      nameLength,
    );
    await validation(
      server.client.send(new DescribeGlobalTableSettingsCommand({ GlobalTableName })),
      nameLength,
    );
  });

  test("are listed one at least at a time", async () => {
    await validation(
      server.client.send(new ListGlobalTablesCommand({ Limit: 0 })),
      "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    );
  });

  test("need a Region for every setting of a replica", async () => {
    const answer = await server.raw("UpdateGlobalTableSettings", {
      GlobalTableName: "things",
      ReplicaSettingsUpdate: [{}],
    });
    expect(answer.json.message).toBe(
      "1 validation error detected: Value null at 'replicaSettingsUpdate.1.member.regionName' failed to satisfy constraint: Member must not be null",
    );
  });
});
