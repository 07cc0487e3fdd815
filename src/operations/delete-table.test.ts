import { expect, test } from "vitest";
import { catalogKey, collectionKey, dataKey, dataRange } from "../engine/layout.ts";
import { createTable } from "./create-table.ts";
import { deleteTable } from "./delete-table.ts";
import { describeTable } from "./describe-table.ts";
import { listTables } from "./list-tables.ts";
import {
  type Bench,
  define,
  failure,
  hash,
  openBench,
  range,
  run,
} from "./table-operations.test-support.ts";

const create = (bench: Bench, TableName: string, more: object = {}) =>
  run(bench, createTable, {
    TableName,
    AttributeDefinitions: define("a b"),
    KeySchema: [hash("a"), range("b")],
    BillingMode: "PAY_PER_REQUEST",
    ...more,
  });

const remove = (bench: Bench, TableName: string) => run(bench, deleteTable, { TableName });

const index = (IndexName: string) => ({
  IndexName,
  KeySchema: [hash("a"), range("b")],
  Projection: { ProjectionType: "ALL" },
});

test("a deleted table is gone with all it held", async () => {
  const bench = await openBench();
  const { database, store } = bench;
  await create(bench, "abc", {
    LocalSecondaryIndexes: [index("loc")],
    GlobalSecondaryIndexes: [index("glo")],
  });
  const table = await database.describe("main", "abc");
  const spaces = [table.id, ...table.indexes.map(({ id }) => id)];
  const zeros = Buffer.alloc(16);
  const keys = [...spaces.map((id) => dataKey(id, zeros)), collectionKey(table.id, zeros)];
  const other = dataKey(999, zeros);
  await store.commit([], () => ({
    writes: [...keys, other].map((key) => ({ kind: "put", key, value: zeros })),
    result: undefined,
  }));

  const { TableDescription: description } = await remove(bench, "abc");
  expect(description).toMatchObject({ TableName: "abc", TableStatus: "DELETING" });
  expect(description).toHaveProperty("LocalSecondaryIndexes");
  expect(description).not.toHaveProperty("GlobalSecondaryIndexes");
  expect(await failure(run(bench, describeTable, { TableName: "abc" }))).toBe(
    "ResourceNotFoundException: Requested resource not found: Table: abc not found",
  );
  await database.jobs.idle();
  expect(await store.get(keys)).toEqual(keys.map(() => undefined));
  expect(await store.get([other])).toEqual([zeros]);
});

test("a table made again shares nothing with the one deleted", async () => {
  const bench = await openBench();
  const first = await create(bench, "abc");
  await remove(bench, "abc");
  const second = await create(bench, "abc");
  expect(second.TableDescription?.TableId).not.toBe(first.TableDescription?.TableId);
  await bench.database.jobs.idle();
  const ids = (await bench.database.catalog.all()).map((table) => table.id);
  expect(ids).toEqual([3]);
});

test("what a deletion left undone is done after a restart", async () => {
  const bench = await openBench();
  await create(bench, "abc");
  const { id } = await bench.database.describe("main", "abc");
  const key = dataKey(id, Buffer.alloc(16));
  await bench.store.commit([], () => ({
    writes: [{ kind: "put", key, value: key }],
    result: undefined,
  }));
  // The process dies before the job has begun: only its record is there.
  bench.database.jobs.start = () => {};
  await remove(bench, "abc");
  expect(await bench.store.get([key])).toEqual([key]);

  const again = await openBench({ store: bench.store });
  await again.database.jobs.idle();
  expect(await again.store.get([key])).toEqual([undefined]);
  expect((await again.store.scan(dataRange(id), { limit: 1, bytesMax: 1 })).entries).toEqual([]);
});

test("a table that takes its time to go", async () => {
  const bench = await openBench({ transitionMs: 100 });
  await create(bench, "abc", { GlobalSecondaryIndexes: [index("glo")] });
  expect(await failure(remove(bench, "abc"))).toBe(
    "ResourceInUseException: Attempt to change a resource which is still in use: " +
      "Table is being created: abc",
  );
  bench.clock.advance(100);
  await remove(bench, "abc");
  const { Table: going } = await run(bench, describeTable, { TableName: "abc" });
  expect(going?.TableStatus).toBe("DELETING");
  expect(going).not.toHaveProperty("GlobalSecondaryIndexes");
  expect(await run(bench, listTables, {})).toEqual({ TableNames: ["abc"] });
  expect(await failure(remove(bench, "abc"))).toBe(
    "ResourceInUseException: Attempt to change a resource which is still in use: " +
      "Table is being deleted: abc",
  );
  expect(await failure(create(bench, "abc"))).toBe(
    "ResourceInUseException: Table already exists: abc",
  );

  bench.clock.advance(100);
  expect(await run(bench, listTables, {})).toEqual({ TableNames: [] });
  expect(await failure(remove(bench, "abc"))).toBe(
    "ResourceNotFoundException: Requested resource not found: Table: abc not found",
  );
  await create(bench, "abc");
  expect(await run(bench, listTables, {})).toEqual({ TableNames: ["abc"] });
});

const notFound = (name: string) =>
  `ResourceNotFoundException: Requested resource not found: Table: ${name} not found`;

test.each([
  ["no such table", "nothing", notFound("nothing")],
  ["its ARN", "arn:aws:dynamodb:eu-west-1:000000000000:table/nothing", notFound("nothing")],
  [
    "a protected table",
    "safe",
    "ValidationException: Resource cannot be deleted as it is currently protected against " +
      "deletion. Disable deletion protection first.",
  ],
])("DeleteTable refuses: %s", async (_, name, message) => {
  const bench = await openBench();
  await create(bench, "safe", { DeletionProtectionEnabled: true });
  expect(await failure(remove(bench, name))).toBe(message);
  expect(await run(bench, listTables, {})).toEqual({ TableNames: ["safe"] });
  expect(await bench.store.get([catalogKey("main", "safe")])).not.toEqual([undefined]);
});
