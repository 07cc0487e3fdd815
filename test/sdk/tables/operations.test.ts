import * as sdk from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { registry } from "../../../src/operations/registry.ts";
import { useServer } from "../harness.ts";

const server = useServer();

/** Every operation that the SDK has a command for. */
const operations = Object.keys(sdk)
  .filter((name) => /^[A-Z].*Command$/.test(name))
  .map((name) => name.slice(0, -"Command".length))
  .sort();
const unsupported = operations.filter((name) => registry.get(name) === undefined);
const supported = operations.filter((name) => registry.get(name) !== undefined);

test("the SDK's commands were found", () => {
  expect(operations.length).toBeGreaterThan(50);
  expect(operations).toContain("PutItem");
});

test("the registry knows exactly the operations of the SDK", () => {
  expect([...registry.keys()].sort()).toEqual(operations);
});

const reasons: Readonly<Record<string, string>> = {
  SearchVectors: " (it has no vector indexes)",
  StartBulkPutItems: " (it has no bulk operations)",
  CancelBulkOperation: " (it has no bulk operations)",
  DescribeBulkOperation: " (it has no bulk operations)",
  ListBulkOperations: " (it has no bulk operations)",
  DescribeTableReplicaAutoScaling: " (it has no replicas of tables)",
  UpdateTableReplicaAutoScaling: " (it has no replicas of tables)",
};

describe("an operation that is not supported says so", () => {
  test.each(unsupported)("%s", async (name) => {
    const answer = await server.raw(name, {});
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      __type: "com.amazonaws.dynamodb.v20120810#UnsupportedOperationException",
      message: `${name} is not supported by Keywright yet${reasons[name] ?? ""}; COMPATIBILITY.md lists what is.`,
    });
  });
});

test.each(supported)("%s is carried out, or refused for what is missing", async (name) => {
  const answer = await server.raw(name, {});
  if (answer.status === 200) return;
  expect(answer.status).toBe(400);
  expect(answer.json.__type).toBe("com.amazon.coral.validate#ValidationException");
});

test.each(["NoSuchOperation", "putItem", "", "__proto__", "constructor"])(
  "the target %j is unknown",
  async (name) => {
    const answer = await server.raw(name, {});
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      __type: "com.amazon.coral.service#UnknownOperationException",
    });
  },
);
