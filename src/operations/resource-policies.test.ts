import { beforeEach, expect, test } from "vitest";
import { createTable } from "./create-table.ts";
import { deleteResourcePolicy } from "./delete-resource-policy.ts";
import { deleteTable } from "./delete-table.ts";
import { getResourcePolicy } from "./get-resource-policy.ts";
import { putResourcePolicy } from "./put-resource-policy.ts";
import {
  type Bench,
  define,
  failure,
  hash,
  openBench,
  run,
  start,
} from "./table-operations.test-support.ts";

/** Tables that take their time, and so do their policies. */
const transitionMs = 2_000;
const cooldownMs = 15_000;
const ResourceArn = "arn:aws:dynamodb:eu-west-1:000000000000:table/things";
const policy = (action: string) =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::000000000000:root" },
        Action: `dynamodb:${action}`,
        Resource: "*",
      },
    ],
  });

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({ transitionMs });
  await run(bench, createTable, {
    TableName: "things",
    AttributeDefinitions: define("a"),
    KeySchema: [hash("a")],
    BillingMode: "PAY_PER_REQUEST",
  });
  bench.clock.advance(transitionMs);
});

const put = (action: string, ExpectedRevisionId?: unknown) =>
  run(bench, putResourcePolicy, {
    ResourceArn,
    Policy: policy(action),
    ...(ExpectedRevisionId !== undefined && { ExpectedRevisionId }),
  });
const remove = () => run(bench, deleteResourcePolicy, { ResourceArn });
const told = async () => {
  const { Policy } = await run(bench, getResourcePolicy, { ResourceArn });
  return String(Policy).match(/dynamodb:(\w+)/)?.[1];
};
const none = `PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: ${ResourceArn}`;
const pending =
  "ResourceInUseException: Attempt to change a resource which is still in use: " +
  "Table is pending previous resource-based policy update: things";

test("a change shows when it is done", async () => {
  await put("GetItem");
  expect(await failure(told())).toBe(none);
  bench.clock.advance(transitionMs);
  expect(await told()).toBe("GetItem");
  bench.clock.advance(cooldownMs);
  await put("Query");
  expect(await told()).toBe("GetItem");
  bench.clock.advance(transitionMs);
  expect(await told()).toBe("Query");
  bench.clock.advance(cooldownMs);
  await remove();
  expect(await told()).toBe("Query");
  bench.clock.advance(transitionMs);
  expect(await failure(told())).toBe(none);
});

test("the next one has to wait until it is done, and then some more", async () => {
  const { RevisionId } = await put("GetItem");
  expect(RevisionId).toBe(String(start + transitionMs));
  expect(await failure(put("Query"))).toBe(pending);
  expect(await failure(put("Query", RevisionId))).toBe(pending);
  expect(await failure(remove())).toBe(pending);
  // The same again is no change.
  expect(await put("GetItem")).toEqual({ RevisionId });
  bench.clock.advance(transitionMs);
  const until = new Date(Number(RevisionId) + cooldownMs).toISOString();
  const soon =
    "ThrottlingException: Resource-based policy for table things modified within the previous " +
    `15000 milliseconds. Please try again after ${until}.`;
  expect(await failure(put("Query"))).toBe(soon);
  expect(await failure(remove())).toBe(soon);
  bench.clock.advance(cooldownMs - transitionMs - 1);
  expect(await failure(put("Query"))).toBe(soon);
  bench.clock.advance(1);
  await put("Query");
});

test("a revision that is not expected is told before that", async () => {
  await put("GetItem");
  expect(await failure(put("Query", "1"))).toContain("PolicyNotFoundException");
});

test("after a deletion its revision is told for a while", async () => {
  await put("GetItem");
  bench.clock.advance(cooldownMs);
  await remove();
  const deletedAt = bench.clock.now();
  bench.clock.advance(cooldownMs - 1);
  expect(await remove()).toEqual({ RevisionId: String(deletedAt) });
  expect(await failure(put("Query", "1"))).toContain(`has revision id ${deletedAt}.`);
  bench.clock.advance(1);
  expect(await remove()).toEqual({});
  expect(await failure(put("Query", "1"))).toContain("but table things has no associated policy.");
});

test("meanwhile the table is not deleted", async () => {
  await put("GetItem");
  const going = () => run(bench, deleteTable, { TableName: "things" });
  expect(await failure(going())).toBe(
    "ResourceInUseException: Attempt to change a resource which is still in use: " +
      "Table: things has a pending resource-based policy update.",
  );
  bench.clock.advance(transitionMs);
  await going();
  expect(await told()).toBe("GetItem");
  await put("GetItem");
  expect(await failure(put("Query"))).toBe(
    "ResourceInUseException: Attempt to change a resource which is still in use: " +
      "Table is being deleted: things",
  );
});

test("a table that is being made is not found", async () => {
  const young = await openBench({ transitionMs });
  await run(young, createTable, {
    TableName: "things",
    AttributeDefinitions: define("a"),
    KeySchema: [hash("a")],
    BillingMode: "PAY_PER_REQUEST",
    ResourcePolicy: policy("GetItem"),
  });
  expect(await failure(run(young, getResourcePolicy, { ResourceArn }))).toBe(
    "ResourceNotFoundException: Requested resource not found: Table: things not found",
  );
  young.clock.advance(transitionMs);
  expect(await run(young, getResourcePolicy, { ResourceArn })).toMatchObject({
    RevisionId: String(start),
  });
});

test("two changes within a millisecond have two revisions, the later one the larger", async () => {
  bench = await openBench();
  await run(bench, createTable, {
    TableName: "things",
    AttributeDefinitions: define("a"),
    KeySchema: [hash("a")],
    BillingMode: "PAY_PER_REQUEST",
  });
  const revisions: number[] = [];
  for (const action of ["GetItem", "Query", "GetItem"]) {
    const { RevisionId } = await put(action);
    revisions.push(Number(RevisionId));
  }
  expect(revisions).toEqual([start, start + 1, start + 2]);
});
