import { expect, test } from "vitest";
import { createTable } from "./create-table.ts";
import {
  type Bench,
  define,
  failure,
  hash,
  openBench,
  run,
} from "./table-operations.test-support.ts";
import { updateContributorInsights } from "./update-contributor-insights.ts";
import { updateTable } from "./update-table.ts";

const make = (bench: Bench) =>
  run(bench, createTable, {
    TableName: "abc",
    AttributeDefinitions: define("a b"),
    KeySchema: [hash("a")],
    BillingMode: "PAY_PER_REQUEST",
    GlobalSecondaryIndexes: [
      { IndexName: "byB", KeySchema: [hash("b")], Projection: { ProjectionType: "ALL" } },
    ],
  });

const enable = (bench: Bench, IndexName?: string) =>
  run(bench, updateContributorInsights, {
    TableName: "abc",
    ContributorInsightsAction: "ENABLE",
    ...(IndexName !== undefined && { IndexName }),
  });

const refusal = (what: string) =>
  "ValidationException: Table or Index is not in a valid state to update Key Access Insights: " +
  `${what} must be ACTIVE to enable ContributorInsights.`;

test("insights wait for a new table", async () => {
  const bench = await openBench({ transitionMs: 100 });
  await make(bench);
  expect(await failure(enable(bench))).toBe(refusal("TableStatus"));
  expect(await failure(enable(bench, "byB"))).toBe(refusal("TableStatus"));
  bench.clock.advance(100);
  expect(await failure(enable(bench))).toBe("no error");
  await run(bench, updateTable, { TableName: "abc", TableClass: "STANDARD" });
  // A table that is being changed need not be waited for.
  expect(await failure(enable(bench, "byB"))).toBe("no error");
});

test("insights wait for a new index", async () => {
  const bench = await openBench();
  await make(bench);
  const filling = (ready: boolean) =>
    bench.database.catalog.change("main", "abc", (table) => ({
      table: table && {
        ...table,
        version: table.version + 1,
        indexes: table.indexes.map((index) => ({ ...index, ready })),
      },
      result: undefined,
    }));
  await filling(false);
  expect(await failure(enable(bench, "byB"))).toBe(refusal("IndexStatus"));
  expect(await failure(enable(bench))).toBe("no error");
  await filling(true);
  expect(await failure(enable(bench, "byB"))).toBe("no error");
});

test("the counts of an index are gone with it", async () => {
  const bench = await openBench();
  await make(bench);
  await enable(bench, "byB");
  const index = async () => (await bench.database.describe("main", "abc")).indexes[0];
  const before = await index();
  if (before === undefined) return expect.unreachable("there is an index");
  const { insights } = bench.context;
  insights.access(before, { a: { S: "1" }, b: { S: "2" } }, "write", 1);
  expect(insights.report(before)?.accessed?.total).toBe(3);
  await run(bench, updateTable, {
    TableName: "abc",
    GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "byB" } }],
  });
  expect(insights.report(before)?.accessed?.total).toBe(0);
});
