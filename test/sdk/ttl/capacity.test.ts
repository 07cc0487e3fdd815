import { UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { createTable } from "../harness.ts";
import { day, hour, useTtl } from "./support.ts";

const server = useTtl({ enforceCapacity: true });

const oneUnit = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 };

const smallTable = () =>
  createTable(
    server,
    { key: "pk:S" },
    { BillingMode: "PROVISIONED", ProvisionedThroughput: oneUnit },
  );

/** How many writes pass at once. */
async function writesAtOnce(table: string): Promise<number> {
  for (let i = 0; ; i += 1) {
    try {
      await server.put(table, { pk: "probe", i });
    } catch (error) {
      expect((error as Error).name).toBe("ProvisionedThroughputExceededException");
      return i;
    }
  }
}

/** A counter of the metrics page. */
async function counted(metric: string, table: string): Promise<number | undefined> {
  const page = await (await fetch(`${server.running.url}/metrics`)).text();
  const line = page
    .split("\n")
    .find((each) => each.startsWith(`${metric}{`) && each.includes(`table="${table}"`));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

test("deletes of the service take no capacity and are not throttled", async () => {
  const [table, other] = [await smallTable(), await smallTable()];
  for (const name of [table, other]) {
    await server.enable(name);
    for (let i = 0; i < 40; i += 1) {
      // A second for each: there is one unit in it.
      await server.elapse(1);
      const ttl = name === table ? server.second(hour) : server.second(30 * day);
      await server.put(name, { pk: `item ${i}`, ttl });
    }
  }
  await server.elapse(2 * hour);
  expect(await server.keys(table)).toEqual([]);
  expect(await writesAtOnce(table)).toBe(await writesAtOnce(other));
});

test("they are counted by a metric of their own, and not as consumed capacity", async () => {
  const table = await createTable(server, { key: "pk:S", global: { byG: { hash: "g:S" } } });
  expect(await counted("dynamodb_time_to_live_deleted_item_count_total", table)).toBeUndefined();
  await server.enable(table);
  for (let i = 0; i < 7; i += 1) {
    await server.put(table, { pk: `${i}`, g: "x", ttl: server.second(i < 5 ? day : 90 * day) });
  }
  const units = await counted("dynamodb_consumed_write_capacity_units_total", table);
  expect(await counted("dynamodb_time_to_live_deleted_item_count_total", table)).toBe(0);
  await server.elapse(10 * day);
  expect(await server.keys(table)).toHaveLength(2);
  expect(await counted("dynamodb_time_to_live_deleted_item_count_total", table)).toBe(5);
  expect(await counted("dynamodb_consumed_write_capacity_units_total", table)).toBe(units);
});

test("a change of throughput is no hindrance", async () => {
  const table = await smallTable();
  await server.enable(table);
  await server.put(table, { pk: "a", ttl: server.second(day) });
  await server.client.send(
    new UpdateTableCommand({ TableName: table, BillingMode: "PAY_PER_REQUEST" }),
  );
  await server.elapse(10 * day);
  expect(await server.keys(table)).toEqual([]);
});
