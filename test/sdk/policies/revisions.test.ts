import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable, expectError, freshName, useServer } from "../harness.ts";
import { Policies, patiently, policyOf, statement, subject } from "./support.ts";

const server = useServer();
const policies = new Policies(server);
const notFound = "PolicyNotFoundException";
const missing = "Resource-based policy not found for the provided ResourceArn: ";

describe("the policy of a table", () => {
  test("is not there at first", async () => {
    const { arn } = await subject(server);
    await expectError(policies.get(arn), notFound, missing + arn);
  });

  test("is put and told", async () => {
    const table = await subject(server);
    const policy = policyOf(statement(table));
    const revision = await policies.put(table.arn, policy);
    expect(revision).toMatch(/^\d{13}$/);
    expect(await policies.document(table.arn, revision)).toBe(policy);
  });

  test("is not told by DescribeTable", async () => {
    const table = await subject(server);
    await policies.put(table.arn, policyOf(statement(table)));
    const { Table } = await server.client.send(
      new DescribeTableCommand({ TableName: table.TableName }),
    );
    expect(Object.keys(Table ?? {})).not.toContain("ResourcePolicy");
  });

  test("has a later revision after each change", async () => {
    const table = await subject(server);
    const first = await policies.put(table.arn, policyOf(statement(table)));
    const other = policyOf(statement(table, { Action: "dynamodb:PutItem" }));
    const second = await policies.put(table.arn, other);
    expect(Number(second)).toBeGreaterThan(Number(first));
    expect(await policies.document(table.arn, second)).toBe(other);
    const third = await policies.put(table.arn, policyOf(statement(table)));
    expect(Number(third)).toBeGreaterThan(Number(second));
  });

  test("has the same revision if it is the same", async () => {
    const table = await subject(server);
    const { arn, account, root } = table;
    const policy = policyOf(statement(table));
    const revision = await policies.put(arn, policy);
    const { Effect, Action, Resource } = statement(table);
    for (const same of [
      policy,
      JSON.stringify(JSON.parse(policy), null, 2),
      policyOf({ Resource, Action: [Action], Effect, Principal: { AWS: account } }),
      policyOf({
        Effect: "allow",
        Action,
        Resource: [Resource],
        Principal: { AWS: [account, root] },
      }),
      JSON.stringify({ Statement: statement(table), Version: "2012-10-17" }),
    ]) {
      expect(await policies.put(arn, same)).toBe(revision);
    }
  });

  test("is another one without a version, though it is told with one", async () => {
    const table = await subject(server);
    const bare = JSON.stringify({ Statement: [statement(table)] });
    const first = await policies.put(table.arn, bare);
    const told = await policies.document(table.arn, first);
    expect(JSON.parse(told)).toEqual({ Version: "2008-10-17", Statement: [statement(table)] });
    expect(await policies.put(table.arn, bare)).toBe(first);
    expect(await policies.put(table.arn, told)).not.toBe(first);
  });

  test("is deleted", async () => {
    const table = await subject(server);
    const revision = await policies.put(table.arn, policyOf(statement(table)));
    await policies.document(table.arn, revision);
    expect(await policies.remove(table.arn)).toBe(revision);
    await policies.gone(table.arn);
  });

  test("that is not there can be deleted", async () => {
    const { arn } = await subject(server);
    expect(await policies.remove(arn)).toBeUndefined();
    expect(await policies.remove(arn)).toBeUndefined();
  });

  test("leaves the revision of its deletion behind for a while", async () => {
    const table = await subject(server);
    const revision = await policies.put(table.arn, policyOf(statement(table)));
    await policies.remove(table.arn);
    await policies.gone(table.arn);
    const left = await policies.remove(table.arn);
    expect(Number(left)).toBeGreaterThan(Number(revision));
  });

  test("can be put again", async () => {
    const table = await subject(server);
    const policy = policyOf(statement(table));
    const first = await policies.put(table.arn, policy);
    await policies.remove(table.arn);
    const again = await policies.put(table.arn, policy);
    expect(Number(again)).toBeGreaterThan(Number(first));
    expect(await policies.document(table.arn, again)).toBe(policy);
  });

  test("is gone with the table, and does not come back", async () => {
    const table = await subject(server);
    const { TableName, arn } = table;
    await policies.put(arn, policyOf(statement(table)));
    await patiently(() => server.client.send(new DeleteTableCommand({ TableName })));
    await expect
      .poll(() => policies.get(arn).catch(({ message }: Error) => message))
      .toBe(`Requested resource not found: Table: ${TableName} not found`);
    await createTable(server, { key: "pk:S" }, { TableName });
    await policies.gone(arn);
  });
});

describe("the revision that is expected", () => {
  const twice = async () => {
    const table = await subject(server);
    const first = await policies.put(table.arn, policyOf(statement(table)));
    const second = await policies.put(
      table.arn,
      policyOf(statement(table, { Action: "dynamodb:PutItem" })),
    );
    const other = policyOf(statement(table, { Action: "dynamodb:Query" }));
    return { ...table, first, second, other };
  };

  test("is the present one", async () => {
    const { arn, second, other } = await twice();
    const third = await policies.put(arn, other, { ExpectedRevisionId: second });
    expect(Number(third)).toBeGreaterThan(Number(second));
    expect(await policies.remove(arn, third)).toBe(third);
  });

  test("is no former one, nor any other", async () => {
    const { arn, TableName, first, second, other } = await twice();
    for (const wrong of [first, "unknown", "000000000000000000"]) {
      const message =
        `${missing}Requested update for policy with revision id ${wrong}, but the policy associated ` +
        `to target table ${TableName} has revision id ${second}.`;
      await expectError(policies.put(arn, other, { ExpectedRevisionId: wrong }), notFound, message);
      await expectError(policies.remove(arn, wrong), notFound, message);
    }
    expect((await policies.get(arn)).RevisionId).toBe(second);
  });

  test("is none if there is no policy", async () => {
    const table = await subject(server);
    const { arn, TableName } = table;
    const message = `${missing}Requested update for policy with revision id 123456789, but table ${TableName} has no associated policy.`;
    const policy = policyOf(statement(table));
    await expectError(
      policies.put(arn, policy, { ExpectedRevisionId: "123456789" }),
      notFound,
      message,
    );
    await expectError(policies.remove(arn, "123456789"), notFound, message);
  });

  test("is not that of a policy that was just deleted", async () => {
    const table = await subject(server);
    const { arn } = table;
    const policy = policyOf(statement(table));
    const revision = await policies.put(arn, policy);
    await policies.remove(arn, revision);
    const attempt = policies.put(arn, policy, { ExpectedRevisionId: revision });
    await expectError(attempt, notFound, /^Resource-based policy not found/);
  });

  test("can be that of no policy", async () => {
    const table = await subject(server);
    const { arn, TableName } = table;
    const policy = policyOf(statement(table));
    const none = { ExpectedRevisionId: "NO_POLICY" };
    const revision = await policies.put(arn, policy, none);
    await expectError(
      policies.put(arn, policyOf(statement(table, { Action: "dynamodb:Query" })), none),
      notFound,
      `${missing}Requested policy update expecting none to be present for table ${TableName}, but a policy exists with revision id ${revision}.`,
    );
  });

  test("has a character at least", async () => {
    const { arn } = await subject(server);
    const answer = await server.raw("DeleteResourcePolicy", {
      ResourceArn: arn,
      ExpectedRevisionId: "",
    });
    expect(answer.json.message).toBe(
      "1 validation error detected: Value '' at 'expectedRevisionId' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  });
});

describe("the policy that comes with a table", () => {
  const made = (TableName: string, ResourcePolicy: string) =>
    server.client.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
        BillingMode: "PAY_PER_REQUEST",
        ResourcePolicy,
      }),
    );

  test("is there, with a revision", async () => {
    const other = await subject(server);
    const TableName = freshName();
    const arn = other.arn.replace(other.TableName, TableName);
    const policy = policyOf(statement({ ...other, arn }));
    await made(TableName, policy);
    await expect
      .poll(() =>
        policies.get(arn).then(
          ({ Policy }) => Policy,
          () => undefined,
        ),
      )
      .toBe(policy);
    expect((await policies.get(arn)).RevisionId).toMatch(/^\d{13}$/);
  });

  test.each([
    ["", "This policy contains invalid Json"],
    ["{}", "Syntax error at position (1,3)"],
  ])("is no %j, or no table is made", async (policy, message) => {
    const TableName = freshName();
    await expectError(
      made(TableName, policy),
      "ValidationException",
      `One or more parameter values were invalid: Invalid policy document: ${message}`,
    );
    await expectError(
      server.client.send(new DescribeTableCommand({ TableName })),
      "ResourceNotFoundException",
    );
  });
});
