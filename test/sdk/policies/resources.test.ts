import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError, useServer, validation } from "../harness.ts";
import { Policies, patiently, policyOf, type Subject, statement, subject } from "./support.ts";

const server = useServer();
const policies = new Policies(server);
const invalid = "One or more parameter values were invalid: ";

let table: Subject;
beforeAll(async () => {
  table = await subject(server);
});

const cases: readonly (readonly [
  what: string,
  arn: (table: Subject) => string,
  type: string,
  message: (given: string) => string,
])[] = [
  [
    "the name of a table",
    ({ TableName }) => TableName,
    "ValidationException",
    (given) => `${invalid}ARNs must start with 'arn:': ${given}`,
  ],
  [
    "an index",
    ({ arn }) => `${arn}/index/byA`,
    "ValidationException",
    (given) =>
      `${invalid}Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${given}`,
  ],
  [
    "a backup",
    ({ arn }) => `${arn}/backup/0170`,
    "ValidationException",
    (given) => `${invalid}Provided Arn is not a DynamoDB resource arn: ${given}`,
  ],
  [
    "another account",
    ({ arn }) => arn.replace(/:\d{12}:/, ":000000000001:"),
    "ValidationException",
    () => "This action is only supported by accounts that match the resource owner’s account.",
  ],
  [
    "another Region",
    ({ arn }) => arn.replace("us-east-1", "eu-west-1"),
    "ValidationException",
    (given) => `${invalid}Invalid resource Arn: ${given}`,
  ],
  [
    "another partition",
    ({ arn }) => arn.replace("arn:aws:", "arn:aws-cn:"),
    "ValidationException",
    (given) => `${invalid}Invalid resource Arn: ${given}`,
  ],
  [
    "a table that does not exist",
    ({ arn }) => `${arn}_`,
    "ResourceNotFoundException",
    (given) => `Requested resource not found: Table: ${given.split("/")[1]} not found`,
  ],
];

describe.each(cases)("the policy of %s", (_, arnOf, type, message) => {
  test("is neither put nor told nor deleted", async () => {
    const arn = arnOf(table);
    const policy = policyOf(statement(table, { Resource: "*" }));
    await expectError(policies.put(arn, policy), type, message(arn));
    await expectError(policies.get(arn), type, message(arn));
    await expectError(policies.remove(arn), type, message(arn));
  });
});

describe("the policy of a stream", () => {
  const ofStream = (given: Subject, change: object = {}) =>
    policyOf(
      statement(given, {
        Action: ["dynamodb:DescribeStream", "dynamodb:GetRecords"],
        Resource: given.stream,
        ...change,
      }),
    );

  test("is another one than that of its table", async () => {
    const both = await subject(server);
    const revision = await policies.put(both.stream, ofStream(both));
    expect(await policies.document(both.stream, revision)).toBe(ofStream(both));
    await policies.gone(both.arn);
    const ofTable = await policies.put(both.arn, policyOf(statement(both)));
    expect(await policies.document(both.arn, ofTable)).toBe(policyOf(statement(both)));
    expect((await policies.get(both.stream)).RevisionId).toBe(revision);
    expect(await policies.remove(both.stream, revision)).toBe(revision);
    await policies.gone(both.stream);
    expect((await policies.get(both.arn)).RevisionId).toBe(ofTable);
  });

  test("is not there at first", async () => {
    const { stream } = await subject(server);
    await expectError(
      policies.get(stream),
      "PolicyNotFoundException",
      `Resource-based policy not found for the provided ResourceArn: ${stream}`,
    );
  });

  test("speaks of streams", async () => {
    await validation(
      policies.put(table.stream, ofStream(table, { Action: "dynamodb:ListStreams" })),
      `${invalid}Invalid policy document: The following action names are invalid: "dynamodb:ListStreams"`,
    );
    const error = await expectError(
      policies.put(table.stream, ofStream(table, { Resource: table.arn })),
      "ValidationException",
    );
    const id = `table/${table.TableName}`;
    expect(error.message).toContain(`The relative-id "${id}" is invalid for ARN "`);
  });

  test("is that of a stream that is there", async () => {
    const label = "2000-01-01T00:00:00.000";
    await expectError(
      policies.get(`${table.arn}/stream/${label}`),
      "ResourceNotFoundException",
      `Requested resource not found: Stream: ${label} not found for Table: ${table.TableName}`,
    );
  });

  test("goes with its table, though the stream stays", async () => {
    const both = await subject(server);
    const revision = await policies.put(both.stream, ofStream(both));
    await policies.document(both.stream, revision);
    const { TableName } = both;
    await patiently(() => server.client.send(new DeleteTableCommand({ TableName })));
    await policies.gone(both.stream);
  });
});
