import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../src/base/clock.ts";
import { type RunningServer, startServer } from "../../src/server/start-server.ts";
import { accountOf } from "../../src/workbench/account.ts";
import { call, type Reply, raw, send } from "./wire-support.ts";

const clock = new ManualClock();
const own = `account="${accountOf("AKIDEXAMPLE")}",region="eu-west-1"`;
let server: RunningServer;
let table: string;
let serial = 0;

beforeAll(async () => {
  server = await startServer({ clock, enforceCapacity: true });
});
afterAll(() => server.close());
beforeEach(() => {
  serial += 1;
  table = `Table${serial}`;
});

function run(operation: string, body: object): Promise<Reply> {
  return send(server.port, { headers: call(operation), body: JSON.stringify(body) });
}

const index = (name: string, units: number) => ({
  IndexName: name,
  KeySchema: [{ AttributeName: name, KeyType: "HASH" }],
  Projection: { ProjectionType: "ALL" },
  ProvisionedThroughput: { ReadCapacityUnits: units, WriteCapacityUnits: units },
});

async function makeTable(units: number, ...indexes: string[]): Promise<void> {
  const reply = await run("CreateTable", {
    TableName: table,
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    AttributeDefinitions: ["id", ...indexes].map((AttributeName) => ({
      AttributeName,
      AttributeType: "S",
    })),
    ProvisionedThroughput: { ReadCapacityUnits: units, WriteCapacityUnits: units },
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes.map((name) => index(name, 1)) }),
  });
  expect(reply.status, reply.text).toBe(200);
}

const put = (id: string, more: object = {}, options: object = {}) =>
  run("PutItem", { TableName: table, Item: { id: { S: id }, ...more }, ...options });
const get = (id: string) =>
  run("GetItem", { TableName: table, Key: { id: { S: id } }, ConsistentRead: true });

async function page(): Promise<string> {
  const reply = await send(server.port, { method: "GET", path: "/metrics" });
  expect(reply.status).toBe(200);
  return reply.text;
}

/** The value of a metric of the table, with further labels. */
async function value(name: string, more = ""): Promise<number | undefined> {
  const series = `dynamodb_${name}{${own},table="${table}"${more}}`;
  const line = (await page()).split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

describe("the page", () => {
  test("is text for Prometheus, to whoever asks with GET", async () => {
    const text = await raw(
      server.port,
      "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toContain("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n");
  });

  test.each(["POST", "PUT", "HEAD", "DELETE"])("is not there for %s", async (method) => {
    const reply = await send(server.port, { method, path: "/metrics" });
    expect(reply.text).not.toContain("dynamodb_");
    expect(reply.status).not.toBe(200);
  });

  test("takes a query, and there is nothing below it", async () => {
    expect((await send(server.port, { method: "GET", path: "/metrics?x=1" })).status).toBe(200);
    expect((await send(server.port, { method: "GET", path: "/metrics/x" })).status).toBe(404);
  });

  test("says of every metric what it is, once, before its values", async () => {
    await makeTable(5);
    await put("a");
    const seen = new Set<string>();
    let current = "";
    for (const line of (await page()).split("\n")) {
      if (line === "") continue;
      const [, word, name = ""] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (word === "HELP") {
        expect(seen.has(name), name).toBe(false);
        seen.add(name);
        current = name;
      } else if (word === undefined) {
        expect(line).toMatch(/^[a-z_]+(\{[^{}]*\})? [0-9.e+-]+$/);
        expect(line.startsWith(current), line).toBe(true);
      }
    }
    expect(seen.size).toBeGreaterThan(15);
  });
});

describe("units", () => {
  test("are counted whether or not anybody asked for them", async () => {
    await makeTable(100);
    await put("a", { x: { S: "x".repeat(2_000) } });
    await get("a");
    await run("GetItem", { TableName: table, Key: { id: { S: "a" } } });
    expect(await value("consumed_write_capacity_units_total")).toBe(2);
    expect(await value("consumed_read_capacity_units_total")).toBe(1.5);
  });

  test("of every operation on items", async () => {
    await makeTable(100);
    const key = { TableName: table, Key: { id: { S: "a" } } };
    await run("UpdateItem", key);
    await run("DeleteItem", key);
    const request = { PutRequest: { Item: { id: { S: "b" } } } };
    await run("BatchWriteItem", { RequestItems: { [table]: [request] } });
    await run("TransactWriteItems", { TransactItems: [{ Delete: key }] });
    expect(await value("consumed_write_capacity_units_total")).toBe(5);
    await run("Query", {
      TableName: table,
      KeyConditionExpression: "id = :b",
      ExpressionAttributeValues: { ":b": { S: "b" } },
    });
    await run("Scan", { TableName: table });
    await run("BatchGetItem", { RequestItems: { [table]: { Keys: [key.Key] } } });
    await run("TransactGetItems", { TransactItems: [{ Get: key }] });
    expect(await value("consumed_read_capacity_units_total")).toBe(3.5);
  });

  test("of an index are told apart from the table's", async () => {
    await makeTable(100, "colour");
    await put("a", { colour: { S: "red" } });
    await run("Scan", { TableName: table, IndexName: "colour" });
    expect(await value("consumed_write_capacity_units_total")).toBe(1);
    expect(await value("consumed_write_capacity_units_total", ',index="colour"')).toBe(1);
    expect(await value("consumed_read_capacity_units_total")).toBe(0);
    expect(await value("consumed_read_capacity_units_total", ',index="colour"')).toBe(0.5);
  });

  test("of a failed condition are counted, and the failure", async () => {
    await makeTable(100);
    const condition = { ConditionExpression: "attribute_exists(id)" };
    expect((await put("a", {}, condition)).status).toBe(400);
    expect(await value("consumed_write_capacity_units_total")).toBe(1);
    expect(await value("conditional_check_failed_requests_total")).toBe(1);
  });

  test("that are provisioned, of table and index", async () => {
    await makeTable(7, "colour");
    expect(await value("provisioned_read_capacity_units")).toBe(7);
    expect(await value("provisioned_write_capacity_units")).toBe(7);
    expect(await value("provisioned_write_capacity_units", ',index="colour"')).toBe(1);
  });
});

describe("throttling", () => {
  test("is counted as a request and as an event, with its reason", async () => {
    await makeTable(1);
    await put("a");
    await put("b");
    await put("c");
    expect(await value("throttled_requests_total", ',operation="PutItem"')).toBe(2);
    expect(await value("write_throttle_events_total")).toBe(2);
    expect(await value("write_provisioned_throughput_throttle_events_total")).toBe(2);
    expect(await value("write_key_range_throughput_throttle_events_total")).toBe(0);
    expect(await value("write_account_limit_throttle_events_total")).toBe(0);
    expect(await value("write_max_on_demand_throughput_throttle_events_total")).toBe(0);
    expect(await value("read_throttle_events_total")).toBe(0);
    expect(await value("consumed_write_capacity_units_total")).toBe(1);
  });

  test("by an index is the index's event and the table's request", async () => {
    await makeTable(100, "colour");
    await put("a", { colour: { S: "red" } });
    await put("b", { colour: { S: "red" } });
    expect(await value("throttled_requests_total", ',operation="PutItem"')).toBe(1);
    expect(await value("write_throttle_events_total")).toBe(0);
    expect(await value("write_throttle_events_total", ',index="colour"')).toBe(1);
  });

  test("of a part of a batch is an event, and no throttled request", async () => {
    await makeTable(1);
    const requests = ["a", "b", "c"].map((id) => ({ PutRequest: { Item: { id: { S: id } } } }));
    await run("BatchWriteItem", { RequestItems: { [table]: requests } });
    expect(await value("write_throttle_events_total")).toBe(2);
    expect(await value("throttled_requests_total", ',operation="BatchWriteItem"')).toBe(0);
    await run("BatchWriteItem", { RequestItems: { [table]: requests } });
    expect(await value("throttled_requests_total", ',operation="BatchWriteItem"')).toBe(1);
  });
});

describe("answers", () => {
  test("are counted by how long they took", async () => {
    await makeTable(100);
    for (const id of ["a", "b", "c"]) await get(id);
    await run("GetItem", { TableName: table, Key: {} });
    const labels = ',operation="GetItem"';
    const name = "successful_request_latency_seconds";
    expect(await value(`${name}_count`, labels)).toBe(3);
    expect(await value(`${name}_bucket`, `${labels},le="+Inf"`)).toBe(3);
    const sum = await value(`${name}_sum`, labels);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(60);
  });

  test("are counted by items and bytes", async () => {
    await makeTable(100);
    for (const id of ["a", "b", "c"]) await put(id);
    await run("Scan", { TableName: table, Limit: 2 });
    await get("a");
    expect(await value("returned_item_count_total", ',operation="Scan"')).toBe(2);
    expect(await value("returned_bytes_total", ',operation="Scan"')).toBe(6);
    expect(await value("returned_bytes_total", ',operation="GetItem"')).toBe(3);
  });

  test("of a stream are counted by records and bytes", async () => {
    const streams = async (operation: string, body: object) => {
      const target = { "x-amz-target": `DynamoDBStreams_20120810.${operation}` };
      const headers = { ...call(""), ...target };
      return JSON.parse((await send(server.port, { headers, body: JSON.stringify(body) })).text);
    };
    await makeTable(100);
    const updated = await run("UpdateTable", {
      TableName: table,
      StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
    });
    for (const id of ["a", "b", "c"]) await put(id);
    const StreamArn = JSON.parse(updated.text).TableDescription.LatestStreamArn;
    const [{ ShardId }] = (await streams("DescribeStream", { StreamArn })).StreamDescription.Shards;
    const { ShardIterator } = await streams("GetShardIterator", {
      StreamArn,
      ShardId,
      ShardIteratorType: "TRIM_HORIZON",
    });
    await streams("GetRecords", { ShardIterator, Limit: 2 });
    await streams("GetRecords", { ShardIterator: "nonsense" });
    const labels = ',operation="GetRecords"';
    expect(await value("returned_records_count_total", labels)).toBe(2);
    expect(await value("returned_bytes_total", labels)).toBe(6);
    expect(await value("successful_request_latency_seconds_count", labels)).toBe(1);
    expect(await page()).toContain('dynamodb_user_errors_total{operation="GetRecords"} 1');
  });

  test("that are errors are the user's or the system's", async () => {
    const errors = async (operation: string) => {
      const text = await page();
      const series = `dynamodb_user_errors_total{operation="${operation}"} `;
      const line = text.split("\n").find((one) => one.startsWith(series)) ?? `${series}0`;
      return Number(line.slice(series.length));
    };
    const before = await errors("DescribeTable");
    await run("DescribeTable", { TableName: "Nowhere" });
    await run("DescribeTable", { TableName: 5 });
    expect(await errors("DescribeTable")).toBe(before + 2);
    const caller = { account: "1", region: "r" };
    expect(() => server.workbench.execute("MakeTea", {}, caller)).toThrow();
    expect(await errors("unknown")).toBe(1);
    expect(await page()).not.toContain("MakeTea");
    await makeTable(1);
    const puts = await errors("PutItem");
    await put("a");
    await put("b");
    await put("a", {}, { ConditionExpression: "attribute_not_exists(id)" });
    expect(await errors("PutItem")).toBe(puts);
  });
});

describe("tables come and go", () => {
  test("a deleted table is no longer shown", async () => {
    await makeTable(5, "colour");
    await put("a");
    expect(await page()).toContain(`table="${table}"`);
    await run("DeleteTable", { TableName: table });
    expect(await page()).not.toContain(`table="${table}"`);
  });

  test("a table of the same name begins anew", async () => {
    await makeTable(5);
    await put("a");
    await run("DeleteTable", { TableName: table });
    await makeTable(5);
    await put("a");
    expect(await value("consumed_write_capacity_units_total")).toBe(1);
  });

  test("the building of an index is told as it goes on", async () => {
    await makeTable(100);
    for (const id of ["a", "b", "c"]) await put(id, { colour: { S: "red" } });
    await run("UpdateTable", {
      TableName: table,
      AttributeDefinitions: [
        { AttributeName: "id", AttributeType: "S" },
        { AttributeName: "colour", AttributeType: "S" },
      ],
      GlobalSecondaryIndexUpdates: [{ Create: index("colour", 5) }],
    });
    await server.workbench.idle();
    const labels = ',index="colour"';
    expect(await value("online_index_consumed_write_capacity_total", labels)).toBe(3);
    expect(await value("online_index_percentage_progress", labels)).toBeUndefined();
    await run("UpdateTable", {
      TableName: table,
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "colour" } }],
    });
    expect(await value("consumed_write_capacity_units_total", labels)).toBeUndefined();
  });
});
