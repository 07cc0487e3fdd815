import { DeleteTableCommand, PutItemCommand, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { ListStreamsCommand } from "@aws-sdk/client-dynamodb-streams";
import { expect, suite, test } from "vitest";
import { ManualClock } from "../../../src/base/clock.ts";
import { freshName } from "../harness.ts";
import {
  allRecords,
  createStreamTable,
  describe,
  getRecords,
  hour,
  isOpen,
  iteratorOf,
  latestArn,
  shardsOf,
  streamError,
  told,
  useStreamServer,
} from "./support.ts";

const clock = new ManualClock(Date.UTC(2026, 4, 1));
const server = useStreamServer({ clock });

const put = (TableName: string, pk: string) =>
  server.client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk } } }));
const disable = (TableName: string) =>
  server.client.send(
    new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } }),
  );
const enable = (TableName: string) =>
  server.client.send(
    new UpdateTableCommand({
      TableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
    }),
  );
const remove = (TableName: string) => server.client.send(new DeleteTableCommand({ TableName }));

async function listed(TableName: string): Promise<(string | undefined)[]> {
  const { Streams } = await server.streams.send(new ListStreamsCommand({ TableName }));
  return (Streams ?? []).map(({ StreamArn }) => StreamArn);
}

suite.each([
  ["disabled", disable],
  ["its table was deleted", remove],
] as const)("a stream after it was %s", (_, end) => {
  test("says so, and is what it was in all else", async () => {
    const { name, arn } = await createStreamTable(server, "OLD_IMAGE", { key: "a:S b:N" });
    const before = await describe(server, arn);
    await end(name);
    expect({ ...(await describe(server, arn)), Shards: [] }).toEqual({
      ...before,
      Shards: [],
      StreamStatus: "DISABLED",
    });
  });

  test("has all its shards closed", async () => {
    const { name, arn } = await createStreamTable(server);
    const before = await shardsOf(server, arn);
    await end(name);
    const after = await shardsOf(server, arn);
    expect(after.map(({ ShardId }) => ShardId)).toEqual(before.map(({ ShardId }) => ShardId));
    for (const { SequenceNumberRange: range } of after) {
      expect(range?.EndingSequenceNumber).toMatch(/^\d{21,40}$/);
      expect(BigInt(range?.EndingSequenceNumber ?? "")).toBeGreaterThan(
        BigInt(range?.StartingSequenceNumber ?? ""),
      );
    }
  });

  test("is listed and readable to its end", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY");
    for (const pk of ["a", "b", "c", "d", "e"]) await put(name, pk);
    await end(name);
    expect(await listed(name)).toEqual([arn]);
    expect(await allRecords(server, arn)).toHaveLength(5);
    for (const { ShardId } of await shardsOf(server, arn)) {
      const page = await getRecords(server, await iteratorOf(server, arn, ShardId));
      expect(page.NextShardIterator).toBeUndefined();
    }
  });

  test("can be read for 24 hours, then it is gone", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY");
    await put(name, "a");
    await end(name);
    clock.advance(24 * hour - 1);
    expect(await allRecords(server, arn)).toHaveLength(1);
    expect(await listed(name)).toEqual([arn]);
    clock.advance(1);
    expect(await listed(name)).toEqual([]);
    await streamError(
      describe(server, arn),
      "ResourceNotFoundException",
      `Requested resource not found: Stream: ${arn} not found`,
    );
  });

  test("keeps each record no longer than 24 hours", async () => {
    const { name, arn } = await createStreamTable(server, "KEYS_ONLY");
    await put(name, "old");
    clock.advance(3 * hour);
    await put(name, "young");
    await end(name);
    clock.advance(22 * hour);
    expect((await allRecords(server, arn)).map(told)).toEqual([
      { event: "INSERT", keys: { pk: { S: "young" } } },
    ]);
  });
});

suite("another stream of the same table", () => {
  test("leaves the former as it was", async () => {
    const { name, arn: first } = await createStreamTable(server, "KEYS_ONLY");
    await put(name, "in the first");
    await disable(name);
    await put(name, "in none");
    await enable(name);
    const second = await latestArn(server, name);
    await put(name, "in the second");
    const keys = async (arn: string) =>
      (await allRecords(server, arn)).map(({ dynamodb }) => dynamodb?.Keys?.pk?.S);
    expect(await keys(first)).toEqual(["in the first"]);
    expect(await keys(second)).toEqual(["in the second"]);
    expect((await describe(server, first)).StreamStatus).toBe("DISABLED");
    expect((await describe(server, second)).StreamStatus).toBe("ENABLED");
    expect((await describe(server, first)).StreamViewType).toBe("KEYS_ONLY");
    expect((await describe(server, second)).StreamViewType).toBe("NEW_IMAGE");
  });

  test("both are listed, the former first", async () => {
    const { name, arn: first } = await createStreamTable(server);
    await disable(name);
    await enable(name);
    expect(await listed(name)).toEqual([first, await latestArn(server, name)]);
  });

  test("has shards of its own", async () => {
    const { name, arn: first } = await createStreamTable(server);
    await disable(name);
    await enable(name);
    const second = await latestArn(server, name);
    const ids = async (arn: string) => (await shardsOf(server, arn)).map(({ ShardId }) => ShardId);
    const both = [...(await ids(first)), ...(await ids(second))];
    expect(new Set(both).size).toBe(8);
    expect((await shardsOf(server, second)).every(isOpen)).toBe(true);
    const [ofFirst] = await ids(first);
    await streamError(iteratorOf(server, second, ofFirst), "ResourceNotFoundException");
  });
});

test("a table made again by the same name shares nothing with the former's stream", async () => {
  const name = freshName("again");
  const { arn: first } = await createStreamTable(server, "KEYS_ONLY", { TableName: name });
  await put(name, "former");
  await remove(name);
  const { arn: second } = await createStreamTable(server, "KEYS_ONLY", { TableName: name });
  await put(name, "now");
  expect(second).not.toBe(first);
  expect(await listed(name)).toEqual([first, second]);
  const keys = async (arn: string) =>
    (await allRecords(server, arn)).map(({ dynamodb }) => dynamodb?.Keys?.pk?.S);
  expect(await keys(first)).toEqual(["former"]);
  expect(await keys(second)).toEqual(["now"]);
});
