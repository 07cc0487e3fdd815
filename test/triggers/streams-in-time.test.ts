import { join } from "node:path";
import {
  DeleteTableCommand,
  type DynamoDBClient,
  type StreamViewType,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { accountOf } from "../../src/workbench/account.ts";
import {
  createTable,
  onDemand,
  put,
  type Running,
  telling,
  until,
  useWorkplace,
  valuesOf,
} from "./support.ts";

const work = useWorkplace();
const caller = { account: accountOf("AKIDEXAMPLE"), region: "us-east-1" };

const setStream = (client: DynamoDBClient, TableName: string, StreamViewType?: StreamViewType) =>
  client.send(
    new UpdateTableCommand({
      TableName,
      StreamSpecification:
        StreamViewType === undefined
          ? { StreamEnabled: false }
          : { StreamEnabled: true, StreamViewType },
    }),
  );

interface Shard {
  readonly ShardId: string;
  readonly SequenceNumberRange: { readonly EndingSequenceNumber?: string };
}

async function openShards({ server }: Running, table: string): Promise<string[]> {
  const ask = async <T>(operation: string, body: object): Promise<T> =>
    plain<T>(await server.workbench.execute(operation, body, caller));
  const described = await ask<{ Table: { LatestStreamArn: string } }>("DescribeTable", {
    TableName: table,
  });
  const { StreamDescription } = await ask<{ StreamDescription: { Shards: Shard[] } }>(
    "DescribeStream",
    { StreamArn: described.Table.LatestStreamArn },
  );
  return StreamDescription.Shards.filter(
    ({ SequenceNumberRange }) => SequenceNumberRange.EndingSequenceNumber === undefined,
  ).map(({ ShardId }) => ShardId);
}

test("a table gets its stream later", async () => {
  const handler = work.write("later.mjs", telling);
  const { client, told, lines } = await work.start({ triggers: [`Later=${handler}`] });
  await createTable(client, "Later", { StreamSpecification: undefined });
  await put(client, "Later", "before", 1);
  await until(() => {
    expect(lines().join("\n")).toContain(" later Later has no stream; it is waited for one");
  });
  await setStream(client, "Later", "NEW_IMAGE");
  await put(client, "Later", "after", 2);
  await until(() => expect(valuesOf(told())).toEqual(["after=2"]));
});

test("of two streams of a table the older one is done with first", async () => {
  const handler = work.write(
    "held.mjs",
    "export const handler = async () => { throw new Error('held'); };",
  );
  const { client, told, lines } = await work.start({ triggers: [`Twice=${handler}?batch-size=1`] });
  await createTable(client, "Twice");
  await put(client, "Twice", "a", 1);
  await put(client, "Twice", "a", 2);
  await setStream(client, "Twice");
  await setStream(client, "Twice", "NEW_IMAGE");
  await put(client, "Twice", "a", 3);
  await client.send(new DeleteTableCommand({ TableName: "Twice" }));
  await createTable(client, "Twice");
  await put(client, "Twice", "a", 4);
  await until(() => expect(lines().some((line) => line.includes("failed with Error"))).toBe(true));
  work.write("held.mjs", telling);
  await until(() => expect(valuesOf(told())).toEqual(["a=1", "a=2", "a=3", "a=4"]));
  const arns = told().map(({ records }) => records[0].eventSourceARN);
  expect(new Set(arns).size).toBe(3);
  expect(arns).toEqual(arns.toSorted());
});

describe("a trigger begins", () => {
  /** A folder with a table and two records, and no trigger yet. */
  async function prepared(name: string): Promise<string> {
    const data = join(work.folder, name);
    const before = await work.start({ data, durability: "relaxed" });
    await createTable(before.client, "Begin");
    await put(before.client, "Begin", "a", 1);
    await put(before.client, "Begin", "a", 2);
    await before.close();
    return data;
  }

  test.each([
    ["at the start unless told", "", ["a=1", "a=2", "a=3"]],
    ["at the start", "?start=TRIM_HORIZON", ["a=1", "a=2", "a=3"]],
    ["at the end", "?start=LATEST", ["a=3"]],
  ])("%s", async (_, option, expected) => {
    const data = await prepared(`begin${option.slice(7)}`);
    const handler = work.write("begin.mjs", telling);
    const { client, told } = await work.start({
      data,
      durability: "relaxed",
      triggers: [`Begin=${handler}${option}`],
    });
    await until(async () => {
      // Whoever begins at the end has to have begun.
      await put(client, "Begin", "a", 3);
      expect(valuesOf(told())).not.toEqual([]);
    });
    await until(() => expect(valuesOf(told())).toEqual(expected));
  });

  test("with the first record of a stream that is younger than it", async () => {
    const handler = work.write("young.mjs", telling);
    const { client, told } = await work.start({ triggers: [`Young=${handler}?start=LATEST`] });
    await createTable(client, "Young");
    await put(client, "Young", "a", 1);
    await until(() => expect(valuesOf(told())).toEqual(["a=1"]));
  });

  test("only once at the end: what came since is handed over after a restart", async () => {
    const data = await prepared("since");
    const failing = "export const handler = async () => { throw new Error('no'); };";
    const handler = work.write("since.mjs", failing);
    const options = {
      data,
      durability: "relaxed",
      triggers: [`Begin=${handler}?start=LATEST`],
    } as const;
    // A second that belongs to nobody lies between what is old and what is new.
    const clock = new ManualClock(Date.now() + 2_000);
    const first = await work.start({ ...options, clock });
    await until(() => expect(valuesOf(first.told())).toEqual([]));
    await until(async () => {
      await put(first.client, "Begin", "a", 3);
      expect(first.lines().some((line) => line.includes("failed with Error"))).toBe(true);
    });
    await put(first.client, "Begin", "a", 4);
    await first.close();
    work.write("since.mjs", telling);
    const second = await work.start({ ...options, clock });
    await until(() => expect(valuesOf(second.told())).toEqual(["a=3", "a=4"]));
  });
});

test("shards that split are handed over parent before child", async () => {
  const handler = work.write("splitting.mjs", telling);
  const running = await work.start({ triggers: [`Splitting=${handler}?batch-size=3`] });
  const { client, told, server } = running;
  await createTable(client, "Splitting", onDemand);
  const keys = Array.from({ length: 16 }, (_, i) => `key${i}`);
  let value = 0;
  for (let round = 0; round < 5; round += 1) {
    for (let i = 0; i < 4; i += 1) {
      value += 1;
      await Promise.all(keys.map((key) => put(client, "Splitting", key, value)));
    }
    const [shard = ""] = await openShards(running, "Splitting");
    await server.workbench.splitShard("Splitting", shard, caller);
  }
  await until(() => expect(valuesOf(told())).toHaveLength(keys.length * value));
  for (const key of keys) {
    const values = valuesOf(told()).filter((text) => text.startsWith(`${key}=`));
    expect(values).toEqual(Array.from({ length: value }, (_, i) => `${key}=${i + 1}`));
  }
});

test("a trigger that comes later finds parents and children, and takes them in order", async () => {
  const data = join(work.folder, "found");
  const before = await work.start({ data, durability: "relaxed" });
  await createTable(before.client, "Found");
  const keys = Array.from({ length: 8 }, (_, i) => `key${i}`);
  const rounds = 4;
  for (let value = 1; value <= rounds; value += 1) {
    await Promise.all(keys.map((key) => put(before.client, "Found", key, value)));
    for (const shard of await openShards(before, "Found")) {
      await before.server.workbench.splitShard("Found", shard, caller);
    }
  }
  await before.close();
  // The older a record, the longer it takes: children would overtake their parents.
  const handler = work.write(
    "found.mjs",
    `export const handler = async ({ Records }) => {
       const least = Math.min(...Records.map(({ dynamodb }) => Number(dynamodb.NewImage.v.N)));
       await new Promise((next) => setTimeout(next, 50 * (5 - least)));
       console.log(JSON.stringify({ records: Records }));
     };`,
  );
  const triggers = [`Found=${handler}`];
  const { told } = await work.start({ data, durability: "relaxed", triggers });
  await until(() => expect(valuesOf(told())).toHaveLength(keys.length * rounds));
  for (const key of keys) {
    const values = valuesOf(told()).filter((text) => text.startsWith(`${key}=`));
    expect(values).toEqual(Array.from({ length: rounds }, (_, i) => `${key}=${i + 1}`));
  }
});

describe("time passes", () => {
  const minute = 60_000;
  const hour = 60 * minute;

  test("an iterator expires, shards go on as others", async () => {
    const handler = work.write("passing.mjs", telling);
    const clock = new ManualClock();
    const { client, told } = await work.start({ clock, triggers: [`Passing=${handler}`] });
    await createTable(client, "Passing");
    const expected: string[] = [];
    for (const [value, pause] of [
      10 * minute,
      20 * minute,
      5 * hour,
      5 * hour,
      23 * hour,
    ].entries()) {
      await put(client, "Passing", "a", value);
      expected.push(`a=${value}`);
      await until(() => expect(valuesOf(told())).toEqual(expected));
      clock.advance(pause);
    }
    await put(client, "Passing", "a", 100);
    await until(() => expect(valuesOf(told())).toEqual([...expected, "a=100"]));
  });

  test("what fails for a day is given up with what the stream keeps", async () => {
    const handler = work.write(
      "day.mjs",
      "export const handler = async () => { throw new Error('no'); };",
    );
    const clock = new ManualClock();
    const { client, told, lines } = await work.start({ clock, triggers: [`Day=${handler}`] });
    await createTable(client, "Day");
    await put(client, "Day", "a", 1);
    await until(() =>
      expect(lines().some((line) => line.includes("failed with Error"))).toBe(true),
    );
    clock.advance(24 * hour + minute);
    await until(() =>
      expect(lines().some((line) => line.endsWith("1 record given up: too old"))).toBe(true),
    );
    work.write("day.mjs", telling);
    await until(() => expect(lines().some((line) => line.includes("loaded anew"))).toBe(true));
    await put(client, "Day", "a", 2);
    await until(() => expect(valuesOf(told())).toEqual(["a=2"]));
  });
});
