import { describe, expect, test } from "vitest";
import { registry } from "../../../src/operations/registry.ts";
import { createTable, freshName, useServer } from "../harness.ts";
import { all, define, describeTable, hash } from "./support.ts";

const server = useServer();

const vectors = {
  IndexName: "byMeaning",
  VectorAttribute: { AttributeName: "v" },
  Dimensions: 3,
  DistanceFunction: "COSINE",
  Projection: all,
};

/** What the service would take, for every member that is refused here. */
const values: Readonly<Record<string, readonly (readonly [member: string, value: unknown])[]>> = {
  CreateTable: [
    ["GlobalTableSourceArn", "arn:aws:dynamodb:eu-west-1:123456789012:table/other"],
    ["GlobalTableSettingsReplicationMode", "ENABLED"],
    ["VectorIndexes", [vectors]],
  ],
  RestoreTableFromBackup: [["VectorIndexOverride", [vectors]]],
  RestoreTableToPointInTime: [["VectorIndexOverride", [vectors]]],
  UpdateTable: [
    ["ReplicaUpdates", [{ Create: { RegionName: "eu-west-1" } }]],
    ["MultiRegionConsistency", "STRONG"],
    ["GlobalTableWitnessUpdates", [{ Create: { RegionName: "eu-west-1" } }]],
    ["GlobalTableSettingsReplicationMode", "ENABLED"],
    ["DisassociationProtectionEnabled", true],
    ["VectorIndexUpdates", [{ Create: vectors }]],
  ],
};

test.each(Object.keys(values))("all that %s refuses is tried here", (name) => {
  const tried = (values[name] ?? []).map(([member]) => member);
  expect(tried.toSorted()).toEqual([...(registry.get(name)?.refused ?? [])].toSorted());
});

const refusal = (operation: string, member: string) => ({
  __type: "com.amazon.coral.validate#ValidationException",
  message: `The parameter ${member} of ${operation} is not supported by Keywright yet`,
});

describe.each(values.CreateTable ?? [])("CreateTable with %s", (member, value) => {
  test("is refused by name, and nothing is made", async () => {
    const TableName = freshName();
    const answer = await server.raw("CreateTable", {
      TableName,
      AttributeDefinitions: define("a"),
      KeySchema: [hash("a")],
      BillingMode: "PAY_PER_REQUEST",
      [member]: value,
    });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(refusal("CreateTable", member));
    await expect(describeTable(server, TableName)).rejects.toThrow("not found");
  });
});

describe.each(values.UpdateTable ?? [])("UpdateTable with %s", (member, value) => {
  test("is refused by name, and nothing is changed", async () => {
    const TableName = await createTable(server, { key: "a:S" });
    const before = await describeTable(server, TableName);
    const answer = await server.raw("UpdateTable", { TableName, [member]: value });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(refusal("UpdateTable", member));
    expect(await describeTable(server, TableName)).toEqual(before);
  });
});

describe.each(["RestoreTableFromBackup", "RestoreTableToPointInTime"])("%s", (operation) => {
  test.each(values[operation] ?? [])("with %s is refused by name", async (member, value) => {
    const answer = await server.raw(operation, {
      TargetTableName: freshName(),
      ...(operation === "RestoreTableFromBackup" && { BackupArn: "x".repeat(40) }),
      [member]: value,
    });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(refusal(operation, member));
  });
});
