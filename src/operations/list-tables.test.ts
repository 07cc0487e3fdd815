import { expect, test } from "vitest";
import { createTable } from "./create-table.ts";
import { deleteTable } from "./delete-table.ts";
import { listTables } from "./list-tables.ts";
import { type Bench, define, hash, openBench, run } from "./table-operations.test-support.ts";

async function create(bench: Bench, ...names: string[]): Promise<void> {
  for (const TableName of names) {
    await run(bench, createTable, {
      TableName,
      AttributeDefinitions: define("a"),
      KeySchema: [hash("a")],
      BillingMode: "PAY_PER_REQUEST",
    });
  }
}

test("no tables", async () => {
  expect(await run(await openBench(), listTables, {})).toEqual({ TableNames: [] });
});

test.each([
  ["in the order of bytes", {}, ["-ab", "Abc", "abc", "abc.d", "abd"], undefined],
  ["as many as asked for", { Limit: 2 }, ["-ab", "Abc"], "Abc"],
  ["exactly as many as there are", { Limit: 5 }, ["-ab", "Abc", "abc", "abc.d", "abd"], undefined],
  ["after a name", { ExclusiveStartTableName: "abc", Limit: 1 }, ["abc.d"], "abc.d"],
  ["after a name that is not there", { ExclusiveStartTableName: "abca" }, ["abd"], undefined],
  ["after the last name", { ExclusiveStartTableName: "abd" }, [], undefined],
])("%s", async (_, request, names, last) => {
  const bench = await openBench();
  await create(bench, "abd", "abc.d", "Abc", "abc", "-ab");
  expect(await run(bench, listTables, request)).toEqual({
    ...(last !== undefined && { LastEvaluatedTableName: last }),
    TableNames: names,
  });
});

test("a page holds a hundred names", async () => {
  const bench = await openBench();
  const names = Array.from({ length: 101 }, (_, i) => `table-${String(i).padStart(3, "0")}`);
  await create(bench, ...names);
  expect(await run(bench, listTables, {})).toEqual({
    TableNames: names.slice(0, 100),
    LastEvaluatedTableName: "table-099",
  });
  expect(await run(bench, listTables, { ExclusiveStartTableName: "table-099" })).toEqual({
    TableNames: ["table-100"],
  });
});

test("tables whose deletion is over are passed by, however many", async () => {
  const bench = await openBench({ transitionMs: 10 });
  const names = ["aaa", "bbb", "ccc", "ddd", "eee"];
  await create(bench, ...names);
  bench.clock.advance(10);
  for (const TableName of names.slice(0, 4)) await run(bench, deleteTable, { TableName });
  expect(await run(bench, listTables, {})).toEqual({ TableNames: names });
  bench.clock.advance(10);
  expect(await run(bench, listTables, { Limit: 1 })).toEqual({ TableNames: ["eee"] });
});

test("namespaces know nothing of each other", async () => {
  const bench = await openBench();
  await create(bench, "abc");
  const other: Bench = { ...bench, context: { ...bench.context, namespace: "main2" } };
  await create(other, "abc", "abd");
  expect(await run(bench, listTables, {})).toEqual({ TableNames: ["abc"] });
  expect(await run(other, listTables, {})).toEqual({ TableNames: ["abc", "abd"] });
});
