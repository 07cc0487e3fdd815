import { expect, test } from "vitest";
import { createTable } from "./create-table.ts";
import { deleteTable } from "./delete-table.ts";
import { describeTable } from "./describe-table.ts";
import { listTables } from "./list-tables.ts";
import { define, hash, openBench, run } from "./table-operations.test-support.ts";

test("smoke", async () => {
  const bench = await openBench();
  const c = await run(bench, createTable, {
    TableName: "abc",
    AttributeDefinitions: define("a"),
    KeySchema: [hash("a")],
    BillingMode: "PAY_PER_REQUEST",
  });
  console.log(JSON.stringify(c, null, 1));
  console.log(JSON.stringify(await run(bench, describeTable, { TableName: "abc" })));
  expect(await run(bench, listTables, {})).toEqual({ TableNames: ["abc"] });
  console.log(JSON.stringify(await run(bench, deleteTable, { TableName: "abc" })));
  await bench.database.jobs.idle();
  expect(await run(bench, listTables, {})).toEqual({ TableNames: [] });
});
