import { expect, test } from "vitest";
import { createTable } from "./create-table.ts";
import { deleteTable } from "./delete-table.ts";
import { describeStream } from "./describe-stream.ts";
import { describeTable } from "./describe-table.ts";
import {
  type Bench,
  define,
  failure,
  hash,
  openBench,
  run,
} from "./table-operations.test-support.ts";
import { updateTable } from "./update-table.ts";

const transitionMs = 5_000;
const on = { StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" } };
const off = { StreamSpecification: { StreamEnabled: false } };

async function openTable(): Promise<Bench> {
  const bench = await openBench({ transitionMs });
  await run(bench, createTable, {
    TableName: "abc",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [hash("a")],
    AttributeDefinitions: define("a"),
    ...on,
  });
  return bench;
}

const tableOf = async (bench: Bench) =>
  (await run(bench, describeTable, { TableName: "abc" })).Table as Record<string, unknown>;

const statusOf = async (bench: Bench, StreamArn: unknown) =>
  (await run(bench, describeStream, { StreamArn })).StreamDescription?.StreamStatus;

test("a stream is ENABLING while its table is CREATING or UPDATING", async () => {
  const bench = await openTable();
  const { LatestStreamArn, TableStatus } = await tableOf(bench);
  expect(TableStatus).toBe("CREATING");
  expect(await statusOf(bench, LatestStreamArn)).toBe("ENABLING");
  bench.clock.advance(transitionMs);
  expect(await statusOf(bench, LatestStreamArn)).toBe("ENABLED");
});

test("and DISABLING while it is being disabled", async () => {
  const bench = await openTable();
  bench.clock.advance(transitionMs);
  const { LatestStreamArn } = await tableOf(bench);
  await run(bench, updateTable, { TableName: "abc", ...off });
  expect((await tableOf(bench)).TableStatus).toBe("UPDATING");
  expect(await statusOf(bench, LatestStreamArn)).toBe("DISABLING");
  bench.clock.advance(transitionMs);
  expect(await statusOf(bench, LatestStreamArn)).toBe("DISABLED");
});

test("and while its table is DELETING, which still names it", async () => {
  const bench = await openTable();
  bench.clock.advance(transitionMs);
  const { LatestStreamArn } = await tableOf(bench);
  await run(bench, deleteTable, { TableName: "abc" });
  expect(await tableOf(bench)).toMatchObject({ TableStatus: "DELETING", LatestStreamArn });
  expect(await statusOf(bench, LatestStreamArn)).toBe("DISABLING");
  bench.clock.advance(transitionMs);
  expect(await statusOf(bench, LatestStreamArn)).toBe("DISABLED");
});

test("a table that is busy takes no change of its stream", async () => {
  const bench = await openTable();
  expect(await failure(run(bench, updateTable, { TableName: "abc", ...off }))).toBe(
    "ResourceInUseException: Attempt to change a resource which is still in use: Table is being created: abc",
  );
  bench.clock.advance(transitionMs);
  await run(bench, updateTable, { TableName: "abc", ...off });
  expect(await failure(run(bench, updateTable, { TableName: "abc", ...on }))).toBe(
    "ResourceInUseException: Attempt to change a resource which is still in use: Table is being updated: abc",
  );
  bench.clock.advance(transitionMs);
  await run(bench, updateTable, { TableName: "abc", ...on });
});
