import { BatchGetCommand, BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import {
  arnOf,
  exceeded,
  expectThrottled,
  get,
  kilobytes,
  makeTable,
  put,
  putSome,
  readSome,
  useThrottling,
} from "./support.ts";

const server = useThrottling();
const second = () => server.clock.advance(1_000);
const keys = (...names: string[]) => names.map((pk) => ({ pk }));
const puts = (...names: string[]) =>
  names.map((pk) => ({ PutRequest: { Item: { pk, made: "here" } } }));

describe("BatchGetItem", () => {
  const read = (RequestItems: Record<string, Record<string, unknown> & { Keys: object[] }>) =>
    server.documents.send(
      new BatchGetCommand({
        RequestItems: RequestItems as never,
        ReturnConsumedCapacity: "TOTAL",
      }),
    );

  test("leaves the keys that are too many", async () => {
    const table = await makeTable(server, { units: { read: 2, write: 10 } });
    for (const { pk } of keys("a", "b", "c")) await put(server, table, { pk });
    const answer = await read({
      [table]: { Keys: keys("a", "b", "c"), ConsistentRead: true, ProjectionExpression: "pk" },
    });
    expect(answer.Responses?.[table]).toEqual(keys("a", "b"));
    expect(answer.UnprocessedKeys).toEqual({
      [table]: { Keys: keys("c"), ConsistentRead: true, ProjectionExpression: "pk" },
    });
    expect(answer.ConsumedCapacity).toEqual([{ TableName: table, CapacityUnits: 2 }]);
  });

  test("reads the others when they are asked for again", async () => {
    const table = await makeTable(server, { units: { read: 2, write: 10 } });
    for (const { pk } of keys("a", "b", "c")) await put(server, table, { pk });
    const first = await read({ [table]: { Keys: keys("a", "b", "c"), ConsistentRead: true } });
    second();
    const rest = await read(first.UnprocessedKeys as never);
    expect(rest.Responses?.[table]).toEqual(keys("c"));
    expect(rest.UnprocessedKeys).toEqual({});
  });

  test("of eventually consistent keys reads twice as many", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 10 } });
    const answer = await read({ [table]: { Keys: keys("a", "b", "c") } });
    expect(answer.UnprocessedKeys).toEqual({ [table]: { Keys: keys("c") } });
  });

  test("a large item may be too much where small ones are not", async () => {
    const table = await makeTable(server, { units: { read: 3, write: 100 } });
    await put(server, table, { pk: "large", x: kilobytes(11) });
    const answer = await read({
      [table]: { Keys: keys("a", "large", "b"), ConsistentRead: true },
    });
    expect(answer.UnprocessedKeys?.[table]?.Keys).toEqual(keys("large"));
  });

  test("fails if nothing at all can be read", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await readSome(server, table, 1);
    await expectThrottled(
      read({ [table]: { Keys: keys("a", "b") } }),
      exceeded,
      "TableReadProvisionedThroughputExceeded",
      arnOf(table),
    );
  });

  test("one table may be busy and the other not", async () => {
    const busy = await makeTable(server, { units: { read: 1, write: 1 } });
    const idle = await makeTable(server, { units: { read: 5, write: 5 } });
    await put(server, idle, { pk: "a" });
    await readSome(server, busy, 1);
    const answer = await read({ [busy]: { Keys: keys("a") }, [idle]: { Keys: keys("a") } });
    expect(answer.Responses).toEqual({ [busy]: [], [idle]: keys("a") });
    expect(answer.UnprocessedKeys).toEqual({ [busy]: { Keys: keys("a") } });
  });

  test("takes nothing for what it leaves", async () => {
    const table = await makeTable(server, { units: { read: 2, write: 100 } });
    await put(server, table, { pk: "large", x: kilobytes(8) });
    await readSome(server, table, 1);
    const answer = await read({ [table]: { Keys: keys("large", "a"), ConsistentRead: true } });
    expect(answer.UnprocessedKeys?.[table]?.Keys).toEqual(keys("large"));
    second();
    await read({ [table]: { Keys: keys("a", "b"), ConsistentRead: true } });
  });
});

describe("BatchWriteItem", () => {
  const write = (RequestItems: Record<string, object[]>) =>
    server.documents.send(
      new BatchWriteCommand({
        RequestItems: RequestItems as never,
        ReturnConsumedCapacity: "TOTAL",
      }),
    );

  test("leaves the puts that are too many", async () => {
    const table = await makeTable(server, { units: { read: 10, write: 2 } });
    const answer = await write({ [table]: puts("a", "b", "c", "d") });
    expect(answer.UnprocessedItems).toEqual({ [table]: puts("c", "d") });
    expect(answer.ConsumedCapacity).toEqual([{ TableName: table, CapacityUnits: 2 }]);
    expect((await get(server, table, { pk: "b" })).Item).toEqual({ pk: "b", made: "here" });
    expect((await get(server, table, { pk: "c" })).Item).toBeUndefined();
  });

  test("leaves the deletes that are too many", async () => {
    const table = await makeTable(server, { units: { read: 10, write: 2 } });
    await putSome(server, table, 1);
    const remove = { DeleteRequest: { Key: { pk: "some-0" } } };
    const answer = await write({ [table]: [...puts("a"), remove] });
    expect(answer.UnprocessedItems).toEqual({ [table]: [remove] });
    expect((await get(server, table, { pk: "some-0" })).Item).toEqual({ pk: "some-0" });
  });

  test("writes the others when they are sent again", async () => {
    const table = await makeTable(server, { units: { read: 10, write: 2 } });
    let left: Record<string, object[]> = { [table]: puts("a", "b", "c", "d", "e") };
    let rounds = 0;
    while (Object.keys(left).length > 0) {
      left = (await write(left)).UnprocessedItems as typeof left;
      rounds += 1;
      second();
    }
    expect(rounds).toBe(3);
    for (const { pk } of keys("a", "e")) {
      expect((await get(server, table, { pk })).Item).toEqual({ pk, made: "here" });
    }
  });

  test("a large item may be too much where small ones are not", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 3 } });
    const large = { PutRequest: { Item: { pk: "large", x: kilobytes(3) } } };
    const answer = await write({ [table]: [...puts("a"), large, ...puts("b")] });
    expect(answer.UnprocessedItems).toEqual({ [table]: [large] });
  });

  test("fails if nothing at all can be written", async () => {
    const table = await makeTable(server, { units: { read: 1, write: 1 } });
    await putSome(server, table, 1);
    await expectThrottled(
      write({ [table]: puts("a", "b") }),
      exceeded,
      "TableWriteProvisionedThroughputExceeded",
      arnOf(table),
    );
  });

  test("one table may be busy and the other not", async () => {
    const busy = await makeTable(server, { units: { read: 1, write: 1 } });
    const idle = await makeTable(server, { units: { read: 5, write: 5 } });
    await putSome(server, busy, 1);
    const answer = await write({ [busy]: puts("a"), [idle]: puts("a") });
    expect(answer.UnprocessedItems).toEqual({ [busy]: puts("a") });
    expect((await get(server, idle, { pk: "a" })).Item).toEqual({ pk: "a", made: "here" });
  });

  test("leaves what an index is too small for", async () => {
    const units = { read: 10, write: 10 };
    const table = await makeTable(server, { units, indexes: { colour: { write: 1 } } });
    const red = (pk: string) => ({ PutRequest: { Item: { pk, colour: "red" } } });
    const answer = await write({ [table]: [red("a"), red("b"), ...puts("c")] });
    expect(answer.UnprocessedItems).toEqual({ [table]: [red("b")] });
  });

  test("leaves item collections as large as what it wrote", async () => {
    const table = await makeTable(server, { units: { read: 10, write: 2 }, local: "rank" });
    const row = (sk: string) => ({ PutRequest: { Item: { pk: "a", sk, rank: sk } } });
    const answer = await write({ [table]: [row("1"), row("2")] });
    expect(answer.UnprocessedItems).toEqual({ [table]: [row("2")] });
    expect((await server.running.workbench.verify()).problems).toEqual([]);
  });
});
