import { expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import type { Store } from "../../src/storage/store.ts";
import { type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";

/** A store that decides every commit three times over, as one may that is shared with others. */
function hesitant(): Store {
  const inner = openMemoryStore();
  return {
    get: (keys) => inner.get(keys),
    scan: (range, options) => inner.scan(range, options),
    totals: (counter) => inner.totals(counter),
    dropTotals: (counter) => inner.dropTotals(counter),
    clear: (range) => inner.clear(range),
    horizon: () => inner.horizon(),
    close: () => inner.close(),
    commit: (keys, decide) =>
      inner.commit(keys, (values) => {
        decide(values);
        decide(values);
        return decide(values);
      }),
  };
}

const caller = { account: "000000000000", region: "eu-west-1" };
const TableName = "Once";

async function openTable(write: number): Promise<Workbench> {
  const workbench = await workbenchOn(hesitant(), {
    clock: new ManualClock(),
    enforceCapacity: true,
  });
  await run(workbench, "CreateTable", {
    TableName,
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: write },
  });
  return workbench;
}

/** Undefined if it succeeds, or the error's type. */
async function run(workbench: Workbench, operation: string, body: object): Promise<unknown> {
  try {
    await workbench.execute(operation, body, caller);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.type;
    throw error;
  }
}

const item = (pk: string) => ({ pk: { S: pk } });
const put = (workbench: Workbench, pk: string) =>
  run(workbench, "PutItem", { TableName, Item: item(pk) });

test("a write that is tried again pays once", async () => {
  const workbench = await openTable(3);
  for (const pk of ["a", "b", "c"]) expect(await put(workbench, pk)).toBeUndefined();
  expect(await put(workbench, "d")).toBe("ProvisionedThroughputExceededException");
  await workbench.close();
});

test("a throttled write that is tried again is one event", async () => {
  const workbench = await openTable(1);
  await put(workbench, "a");
  expect(await put(workbench, "b")).toBe("ProvisionedThroughputExceededException");
  const all = await workbench.measurements();
  const events = all.find(({ name }) => name === "WriteThrottleEvents");
  expect(events?.samples.map((sample) => "value" in sample && sample.value)).toEqual([1]);
  await workbench.close();
});

test("a batch and a transaction that are tried again pay once", async () => {
  const workbench = await openTable(6);
  const batch = ["a", "b"].map((pk) => ({ PutRequest: { Item: item(pk) } }));
  const requests = { RequestItems: { [TableName]: batch } };
  expect(await run(workbench, "BatchWriteItem", requests)).toBeUndefined();
  const TransactItems = ["a", "b"].map((pk) => ({ Put: { TableName, Item: item(pk) } }));
  expect(await run(workbench, "TransactWriteItems", { TransactItems })).toBeUndefined();
  expect(await put(workbench, "a")).toBe("ProvisionedThroughputExceededException");
  await workbench.close();
});
