import {
  DescribeTableCommand,
  ListTagsOfResourceCommand,
  TagResourceCommand,
  UntagResourceCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, expectError, useServer } from "../harness.ts";

const server = useServer();
const invalid = "One or more parameter values were invalid: ";

let arn = "";
let stream = "";
beforeAll(async () => {
  const TableName = await createTable(
    server,
    { key: "pk:S", global: { byA: { hash: "a:S" } } },
    { StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" } },
  );
  const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
  arn = Table?.TableArn ?? "";
  stream = Table?.LatestStreamArn ?? "";
});

/** What makes the ARN, the type of the error, its message. */
const cases: readonly (readonly [
  what: string,
  arn: () => string,
  type: string,
  message: (given: string) => string,
])[] = [
  [
    "no ARN",
    () => "not-a-valid-arn",
    "ValidationException",
    (given) => `${invalid}ARNs must start with 'arn:': ${given}`,
  ],
  [
    "the name of the table",
    () => arn.split("/")[1] ?? "",
    "ValidationException",
    (given) => `${invalid}ARNs must start with 'arn:': ${given}`,
  ],
  [
    "a backup",
    () => `${arn}/backup/01700000000000-abcdefab`,
    "ValidationException",
    (given) => `${invalid}Provided Arn is not a DynamoDB resource arn: ${given}`,
  ],
  [
    "an index",
    () => `${arn}/index/byA`,
    "ValidationException",
    (given) =>
      `${invalid}Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${given}`,
  ],
  [
    "another Region",
    () => arn.replace("us-east-1", "eu-west-1"),
    "ValidationException",
    (given) => `Invalid TableArn: Invalid ResourceArn provided as input ${given}`,
  ],
  [
    "another account",
    () => arn.replace(/:\d{12}:/, ":000000000001:"),
    "AccessDeniedException",
    () => "Access is denied",
  ],
  [
    "another service",
    () => "arn:aws:s3:us-east-1:123456789012:table/x",
    "AccessDeniedException",
    () => "Access is denied",
  ],
  [
    "a stream",
    () => stream,
    "ResourceNotFoundException",
    (given) => `Requested resource not found: ResourceArn: ${given} not found`,
  ],
  [
    "a table that does not exist",
    () => `${arn}x`,
    "ResourceNotFoundException",
    (given) => `Requested resource not found: ResourceArn: ${given} not found`,
  ],
  [
    "a name in other letters",
    () => arn.replace("table/t_", "table/T_"),
    "ResourceNotFoundException",
    (given) => `Requested resource not found: ResourceArn: ${given} not found`,
  ],
];

describe.each(cases)("tags of %s", (_, given, type, message) => {
  test("are not listed", async () => {
    const ResourceArn = given();
    const asked = server.client.send(new ListTagsOfResourceCommand({ ResourceArn }));
    await expectError(asked, type, message(ResourceArn));
  });

  test("are not changed", async () => {
    const ResourceArn = given();
    const Tags = [{ Key: "a", Value: "b" }];
    const added = server.client.send(new TagResourceCommand({ ResourceArn, Tags }));
    await expectError(added, type, message(ResourceArn));
    const removed = server.client.send(new UntagResourceCommand({ ResourceArn, TagKeys: ["a"] }));
    await expectError(removed, type, message(ResourceArn));
  });
});

test("a request without tags says so before it looks at the ARN", async () => {
  const answer = await server.raw("TagResource", { ResourceArn: "none" });
  expect(answer.json.message).toBe(
    "1 validation error detected: Value null at 'tags' failed to satisfy constraint: Member must not be null",
  );
});
