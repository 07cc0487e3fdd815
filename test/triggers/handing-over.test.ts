import {
  type DynamoDBClient,
  ScanCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../src/base/clock.ts";
import { accountOf } from "../../src/workbench/account.ts";
import { clientFor } from "../sdk/harness.ts";
import { createTable, put, telling, until, useWorkplace, valuesOf } from "./support.ts";

const work = useWorkplace();

async function putAll(client: DynamoDBClient, table: string, values: readonly string[]) {
  for (const value of values) {
    const [key = "", number] = value.split("=");
    await put(client, table, key, Number(number));
  }
}

describe("batches", () => {
  test("gather for the window, on the server's clock", async () => {
    const handler = work.write("window.mjs", telling);
    const clock = new ManualClock();
    const { client, told } = await work.start({
      clock,
      triggers: [{ table: "Window", handler, window: 300 }],
    });
    await createTable(client, "Window");
    await putAll(client, "Window", ["a=1", "b=2"]);
    clock.advance(299_000);
    await putAll(client, "Window", ["c=3"]);
    expect(told()).toEqual([]);
    clock.advance(1_000);
    await until(() => expect(told()).toHaveLength(1));
    expect(valuesOf(told())).toEqual(["a=1", "b=2", "c=3"]);
  });

  test("do not wait when they are full", async () => {
    const handler = work.write("full.mjs", telling);
    const { client, told } = await work.start({
      clock: new ManualClock(),
      triggers: [`Full=${handler}?batch-size=2&window=300`],
    });
    await createTable(client, "Full");
    await putAll(client, "Full", ["a=1", "b=2", "c=3", "d=4"]);
    await until(() => expect(told()).toHaveLength(2));
    expect(told().map(({ records }) => records.length)).toEqual([2, 2]);
  });

  test("hold six megabytes at most", async () => {
    const handler = work.write(
      "large.mjs",
      `export const handler = async (event) => {
         const bytes = Buffer.byteLength(JSON.stringify(event));
         console.log(JSON.stringify({ bytes, count: event.Records.length }));
       };`,
    );
    const clock = new ManualClock();
    const { client, told } = await work.start({
      clock,
      triggers: [`Large=${handler}?batch-size=1000&window=1&memory=512`],
    });
    await createTable(client, "Large", {
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
    });
    for (let i = 0; i < 20; i += 1) await put(client, "Large", `key${i}`, "x".repeat(390_000));
    // Sixteen fit; the rest waits for its window, which begins when it is read: maybe after the clock has moved.
    await until(() => expect(told()).toHaveLength(1));
    await until(() => {
      clock.advance(1_000);
      expect(told()).toHaveLength(2);
    });
    expect(told().map(({ count }) => count)).toEqual([16, 4]);
    expect(told()[0]?.bytes).toBeLessThanOrEqual(6 * 1_024 * 1_024);
  });

  test("of different keys go side by side if they may", async () => {
    // Each call waits until another one runs, too.
    const handler = work.write(
      "parallel.mjs",
      `import { existsSync, writeFileSync } from "node:fs";
       export const handler = async ({ Records }) => {
         const [{ dynamodb: { Keys } }] = Records;
         writeFileSync(process.env.LAMBDA_TASK_ROOT + "/in-" + Keys.pk.S, "");
         const others = ["a", "b", "c", "d", "e", "f", "g", "h"].filter((key) => key !== Keys.pk.S);
         while (!others.some((key) => existsSync(process.env.LAMBDA_TASK_ROOT + "/in-" + key))) {
           await new Promise((next) => setTimeout(next, 5));
         }
         console.log(JSON.stringify({ key: Keys.pk.S }));
       };`,
    );
    const { client, told } = await work.start({
      triggers: [`Parallel=${handler}?parallel=4&batch-size=1&timeout=20`],
    });
    await createTable(client, "Parallel");
    await putAll(client, "Parallel", ["a=1", "b=1", "c=1", "d=1", "e=1", "f=1", "g=1", "h=1"]);
    await until(() => expect(told()).toHaveLength(8));
  });
});

describe("filters", () => {
  test("let through what matches one of them", async () => {
    const handler = work.write("filtered.mjs", telling);
    const filter = [
      { eventName: ["REMOVE"] },
      { dynamodb: { NewImage: { v: { N: ["7"] } }, Keys: { pk: { S: [{ prefix: "a" }] } } } },
    ];
    const { client, told } = await work.start({
      triggers: [{ table: "Filtered", handler, filter }],
    });
    await createTable(client, "Filtered");
    await putAll(client, "Filtered", ["a=1", "ab=7", "b=7", "ac=8", "ad=7"]);
    await until(() => expect(valuesOf(told())).toEqual(["ab=7", "ad=7"]));
  });

  test("that can never match are told", async () => {
    const handler = work.write("numeric.mjs", telling);
    const filter = { dynamodb: { NewImage: { v: { N: [{ numeric: [">", 5] }] } } } };
    const { lines } = await work.start({ triggers: [{ table: "Numeric", handler, filter }] });
    expect(lines().join("\n")).toMatch(
      / numeric the filter's numeric rule at dynamodb\.NewImage\.v\.N never matches: numbers of items are strings/,
    );
  });
});

describe("spaces of tables", () => {
  const asking = `
    import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
    const client = new DynamoDBClient();
    export const handler = async ({ Records: [{ awsRegion, dynamodb }] }, context) => {
      const { TableNames } = await client.send(new ListTablesCommand());
      console.log(JSON.stringify({ awsRegion, key: dynamodb.Keys.pk.S, TableNames, arn: context.invokedFunctionArn }));
    };`;

  test("a table is found whoever it belongs to, and the function sees its neighbours", async () => {
    const handler = work.write("asking.mjs", asking);
    const { server, client, told } = await work.start({
      triggers: [`Orders=${handler}?timeout=20`],
    });
    const other = clientFor(server.url, "OTHER", "eu-west-1");
    await createTable(client, "Orders");
    await createTable(other, "Orders");
    await createTable(other, "Second");
    await put(client, "Orders", "ours");
    await put(other, "Orders", "theirs");
    await until(() => expect(told()).toHaveLength(2));
    const told_ = told().toSorted((a, b) => (a.key < b.key ? -1 : 1));
    expect(told_).toEqual([
      {
        awsRegion: "us-east-1",
        key: "ours",
        TableNames: ["Orders"],
        arn: `arn:aws:lambda:us-east-1:${accountOf("AKIDEXAMPLE")}:function:asking`,
      },
      {
        awsRegion: "eu-west-1",
        key: "theirs",
        TableNames: ["Orders", "Second"],
        arn: `arn:aws:lambda:eu-west-1:${accountOf("OTHER")}:function:asking`,
      },
    ]);
    other.destroy();
  });

  test.each([
    ["region=eu-west-1", "theirs"],
    ["access-key=OTHER", "theirs"],
    ["access-key=AKIDEXAMPLE&region=us-east-1", "ours"],
  ])("with %s only such a table", async (option, expected) => {
    const handler = work.write("space.mjs", telling);
    const { server, client, told } = await work.start({
      triggers: [`Orders=${handler}?${option}`],
    });
    const other = clientFor(server.url, "OTHER", "eu-west-1");
    for (const [one, key] of [[client, "ours"] as const, [other, "theirs"] as const]) {
      await createTable(one, "Orders");
      await put(one, "Orders", key);
    }
    await until(() => expect(valuesOf(told())).toEqual([`${expected}=0`]));
    other.destroy();
  });

  test("one space has one table of a name", async () => {
    const handler = work.write("shared.mjs", telling);
    const { client, told } = await work.start({ shared: true, triggers: [`Orders=${handler}`] });
    await createTable(client, "Orders");
    await put(client, "Orders", "a");
    await until(() => expect(valuesOf(told())).toEqual(["a=0"]));
    await expect(
      work.start({ shared: true, triggers: [`Orders=${handler}?region=eu-west-1`] }),
    ).rejects.toThrow(
      "shared: region and access-key tell spaces of tables apart, and with --shared",
    );
  });

  test("other tables are left alone", async () => {
    const handler = work.write("others.mjs", telling);
    const { client, told } = await work.start({ triggers: [`Orders=${handler}`] });
    await createTable(client, "OrdersToo");
    await createTable(client, "Orders");
    await put(client, "OrdersToo", "a");
    await put(client, "Orders", "b");
    await until(() => expect(valuesOf(told())).toEqual(["b=0"]));
  });
});

test("two functions of one table each get everything", async () => {
  const one = work.write("one.mjs", telling);
  const two = work.write("two.mjs", telling);
  const { client, lines } = await work.start({ triggers: [`Both=${one}`, `Both=${two}`] });
  await createTable(client, "Both");
  await put(client, "Both", "a");
  await until(() => {
    expect(lines().some((line) => line.startsWith("[one] {"))).toBe(true);
  });
});

test("an item that expires is removed by the service", async () => {
  const handler = work.write("expiring.mjs", telling);
  const clock = new ManualClock(Date.now());
  const { client, told, server } = await work.start({
    clock,
    triggers: [
      {
        table: "Expiring",
        handler,
        filter: { userIdentity: { principalId: ["dynamodb.amazonaws.com"] } },
      },
    ],
  });
  await createTable(client, "Expiring");
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: "Expiring",
      TimeToLiveSpecification: { Enabled: true, AttributeName: "v" },
    }),
  );
  await server.workbench.idle();
  await put(client, "Expiring", "a", Math.floor(clock.now() / 1_000) + 60);
  clock.advance(120_000);
  await until(() => expect(told()).toHaveLength(1));
  expect(told()[0]?.records[0]).toMatchObject({
    eventName: "REMOVE",
    userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" },
    dynamodb: { Keys: { pk: { S: "a" } }, OldImage: { pk: { S: "a" } } },
  });
  const { Items } = await client.send(new ScanCommand({ TableName: "Expiring" }));
  expect(Items).toEqual([]);
});
