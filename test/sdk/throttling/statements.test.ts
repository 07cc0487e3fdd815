import { expect, test } from "vitest";
import { expectError } from "../harness.ts";
import { batch, reasons, run, transact } from "../partiql/support.ts";
import { makeTable, put, useThrottling } from "./support.ts";

const server = useThrottling();

const statement = (table: string, pk: string): string =>
  `SELECT * FROM "${table}" WHERE pk = '${pk}'`;
const insert = (table: string, pk: string): string =>
  `INSERT INTO "${table}" VALUE {'pk': '${pk}'}`;
const exceeded = "ProvisionedThroughputExceededException";

test("a statement is throttled as its request would be", async () => {
  const table = await makeTable(server, { units: { read: 1, write: 2 } });
  await run(server, insert(table, "a"));
  await run(server, insert(table, "b"));
  await expectError(run(server, insert(table, "c")), exceeded);
  const consistent = { ConsistentRead: true };
  await run(server, statement(table, "a"), undefined, consistent);
  await expectError(run(server, statement(table, "b"), undefined, consistent), exceeded);
  await expectError(run(server, `SELECT * FROM "${table}"`), exceeded);
  server.clock.advance(1_000);
  await run(server, insert(table, "c"));
});

test("in a batch, each for itself", async () => {
  const table = await makeTable(server, { units: { read: 1, write: 2 } });
  const writes = await batch(server, [insert(table, "a"), insert(table, "b"), insert(table, "c")]);
  expect(writes.Responses?.map(({ Error: error }) => error?.Code)).toEqual([
    undefined,
    undefined,
    "ProvisionedThroughputExceeded",
  ]);
  const reads = await batch(
    server,
    ["a", "b"].map((pk) => ({ Statement: statement(table, pk), ConsistentRead: true })),
  );
  expect(reads.Responses?.map(({ Error: error }) => error?.Code)).toEqual([
    undefined,
    "ProvisionedThroughputExceeded",
  ]);
});

test("a transaction is cancelled", async () => {
  const table = await makeTable(server, { units: { read: 4, write: 4 } });
  await put(server, table, { pk: "a" });
  const rest = transact(server, [insert(table, "b"), insert(table, "c")]);
  const error = await expectError(rest, "TransactionCanceledException");
  expect(error.message).toContain("ProvisionedThroughputExceeded");
  await reasons(transact(server, [insert(table, "a")]), "DuplicateItem");
});
