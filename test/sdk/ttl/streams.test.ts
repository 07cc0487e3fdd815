import type { StreamViewType } from "@aws-sdk/client-dynamodb";
import type { DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import { DeleteCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allRecords, createStreamTable, streamsClientFor, told } from "../streams/support.ts";
import { day, hour, useTtl } from "./support.ts";

const server = Object.assign(useTtl(), {} as { streams: DynamoDBStreamsClient });
beforeAll(() => {
  server.streams = streamsClientFor(server.running.url);
});
afterAll(() => server.streams.destroy());

const theService = { PrincipalId: "dynamodb.amazonaws.com", Type: "Service" };

async function expiringTable(viewType?: StreamViewType, key = "pk:S") {
  const table = await createStreamTable(server, viewType, { key });
  await server.enable(table.name);
  return table;
}

/** The records of what was removed, with who did it. */
async function removals(arn: string) {
  const records = await allRecords(server, arn);
  return records
    .filter(({ eventName }) => eventName === "REMOVE")
    .map((record) => ({ ...told(record), by: record.userIdentity }));
}

describe("the record of an item that the service deleted", () => {
  const old = { pk: { S: "a" }, n: { N: "1" }, ttl: { N: "" } };

  test.each(["NEW_AND_OLD_IMAGES", "OLD_IMAGE", "NEW_IMAGE", "KEYS_ONLY"] as const)(
    "names the service, and shows of the item what %s shows",
    async (viewType) => {
      const { name, arn } = await expiringTable(viewType);
      const ttl = server.second(hour);
      await server.put(name, { pk: "a", n: 1, ttl });
      await server.elapse(2 * hour);
      expect(await removals(arn)).toEqual([
        {
          event: "REMOVE",
          keys: { pk: { S: "a" } },
          ...(viewType.includes("OLD") && { old: { ...old, ttl: { N: String(ttl) } } }),
          by: theService,
        },
      ]);
    },
  );

  test("is like any other but for that", async () => {
    const { name, arn } = await expiringTable();
    await server.put(name, { pk: "a", ttl: server.second(hour) });
    await server.elapse(2 * hour);
    const [, removed] = await allRecords(server, arn);
    const { at, ...rest } = {
      at: removed?.dynamodb?.ApproximateCreationDateTime,
      ...removed,
    };
    expect(rest).toMatchObject({
      eventName: "REMOVE",
      eventSource: "aws:dynamodb",
      awsRegion: "us-east-1",
      dynamodb: { StreamViewType: "NEW_AND_OLD_IMAGES", SizeBytes: expect.any(Number) },
    });
    expect(rest.eventID).toMatch(/^[0-9a-f]{32}$/);
    expect(removed?.dynamodb?.NewImage).toBeUndefined();
    expect(at?.getTime()).toBeGreaterThanOrEqual((server.second() - hour) * 1_000);
  });

  test("comes after what was written before, item by item", async () => {
    const { name, arn } = await expiringTable();
    const first = server.second(hour);
    await server.put(name, { pk: "a", n: 1, ttl: first });
    await server.put(name, { pk: "a", n: 2, ttl: first });
    await server.elapse(2 * hour);
    await server.put(name, { pk: "a", n: 3 });
    const records = await allRecords(server, arn);
    expect(records.map(({ eventName }) => eventName)).toEqual([
      "INSERT",
      "MODIFY",
      "REMOVE",
      "INSERT",
    ]);
    const numbers = records.map(({ dynamodb }) => BigInt(dynamodb?.SequenceNumber ?? 0));
    expect(numbers.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(numbers);
  });

  test("is there once for each of many", async () => {
    const { name, arn } = await expiringTable("KEYS_ONLY", "pk:S sk:N");
    for (let i = 0; i < 60; i += 1) {
      await server.put(name, { pk: `p${i % 7}`, sk: i, ttl: server.second(hour + (i % 3)) });
    }
    await server.elapse(2 * hour);
    const removed = await removals(arn);
    expect(removed).toHaveLength(60);
    expect(new Set(removed.map(({ keys }) => keys?.sk?.N)).size).toBe(60);
    for (const { by } of removed) expect(by).toEqual(theService);
  });
});

describe("nobody is named", () => {
  test("where a client deleted the item, be it expired or not", async () => {
    const { name, arn } = await expiringTable();
    await server.put(name, { pk: "a", ttl: server.second(hour) });
    await server.put(name, { pk: "b", ttl: server.second(hour) });
    await server.documents.send(new DeleteCommand({ TableName: name, Key: { pk: "a" } }));
    await server.documents.send(
      new TransactWriteCommand({
        TransactItems: [{ Delete: { TableName: name, Key: { pk: "b" } } }],
      }),
    );
    await server.elapse(2 * hour);
    expect((await removals(arn)).map(({ by }) => by)).toEqual([undefined, undefined]);
  });

  test("where an item is written", async () => {
    const { name, arn } = await expiringTable();
    await server.put(name, { pk: "a", ttl: server.second(10 * day) });
    await server.put(name, { pk: "a", ttl: server.second(20 * day) });
    const records = await allRecords(server, arn);
    expect(records.map(({ userIdentity }) => userIdentity)).toEqual([undefined, undefined]);
  });
});

test("an item that was given more time in time has no record of its end", async () => {
  const { name, arn } = await expiringTable();
  await server.put(name, { pk: "a", ttl: server.second(hour) });
  await server.put(name, { pk: "a", ttl: server.second(20 * day) });
  await server.elapse(2 * hour);
  expect(await removals(arn)).toEqual([]);
  expect(await server.keys(name)).toEqual(["a"]);
});

test("enabling and disabling it leaves no record", async () => {
  const { name, arn } = await createStreamTable(server);
  await server.put(name, { pk: "a", ttl: server.second(90 * day) });
  await server.enable(name);
  await server.elapse(2 * hour);
  await server.disable(name);
  await server.elapse(2 * hour);
  expect(await allRecords(server, arn)).toHaveLength(1);
});
