import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  ListTablesCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../src/base/clock.ts";
import { accountOf } from "../../src/workbench/account.ts";
import { createTable, put, telling, until, useWorkplace, valuesOf } from "./support.ts";

const work = useWorkplace();

/** Tells what it got, and fails if a value of it is among these. */
const failingOn = (...bad: number[]) => `export const handler = async ({ Records }) => {
  console.log(JSON.stringify({ records: Records }));
  const values = Records.map(({ dynamodb }) => Number(dynamodb.NewImage.v.N));
  if (values.some((value) => ${JSON.stringify(bad)}.includes(value))) throw new RangeError("bad value");
};`;

/** Ten records at once: one commit, one batch. */
async function putTen(client: DynamoDBClient, TableName: string): Promise<void> {
  const requests = Array.from({ length: 10 }, (_, i) => ({
    PutRequest: { Item: { pk: { S: `key${i}` }, v: { N: String(i) } } },
  }));
  await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
}

const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("a failed batch is tried again until it succeeds, and holds up what follows", async () => {
  const handler = work.write("again.mjs", failingOn(1));
  const { client, told, lines } = await work.start({ triggers: [`Again=${handler}`] });
  await createTable(client, "Again");
  await put(client, "Again", "a", 1);
  await until(() => expect(told().length).toBeGreaterThan(2));
  await put(client, "Again", "b", 2);
  expect(new Set(valuesOf(told()))).toEqual(new Set(["a=1"]));
  const text = lines().join("\n");
  expect(text).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} again Again shard \S+: 1 record, \d+ ms: failed with RangeError$/m,
  );
  expect(text).toMatch(/: 1 record, \d+ ms, call 2: failed with RangeError$/m);
  expect(text).toMatch(/^\[again\] RangeError: bad value\n\[again\] {5}at .*again\.mjs:4/m);
  work.write("again.mjs", telling);
  await until(() => expect(valuesOf(told()).slice(-2)).toEqual(["a=1", "b=2"]));
});

test("after the last retry a batch is given up and told", async () => {
  const handler = work.write("givenup.mjs", failingOn(3));
  const onFailure = join(work.folder, "failures", "givenup.jsonl");
  const { client, told, lines } = await work.start({
    triggers: [{ table: "GivenUp", handler, retries: 1, onFailure, batchSize: 10 }],
  });
  await createTable(client, "GivenUp");
  await putTen(client, "GivenUp");
  await until(() => expect(linesOf(onFailure)).toHaveLength(1));
  await put(client, "GivenUp", "later", 100);
  await until(() => expect(valuesOf(told()).at(-1)).toBe("later=100"));
  const [, second] = told();
  const region = "us-east-1";
  expect(linesOf(onFailure)).toEqual([
    {
      requestContext: {
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        functionArn: `arn:aws:lambda:${region}:${accountOf("AKIDEXAMPLE")}:function:givenup`,
        condition: "RetryAttemptsExhausted",
        approximateInvokeCount: 2,
      },
      responseContext: {
        statusCode: 200,
        executedVersion: "$LATEST",
        functionError: "Unhandled",
      },
      version: "1.0",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
      DDBStreamBatchInfo: {
        shardId: expect.stringMatching(/^shardId-/),
        startSequenceNumber: second?.records[0].dynamodb.SequenceNumber,
        endSequenceNumber: second?.records[9].dynamodb.SequenceNumber,
        approximateArrivalOfFirstRecord: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+Z$/),
        approximateArrivalOfLastRecord: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+Z$/),
        batchSize: 10,
        streamArn: second?.records[0].eventSourceARN,
      },
    },
  ]);
  expect(lines().some((line) => line.endsWith(": 10 records given up: no retries are left"))).toBe(
    true,
  );
});

test("a split batch loses only what is bad", async () => {
  const handler = work.write("split.mjs", failingOn(3, 8));
  const onFailure = join(work.folder, "split.jsonl");
  const { client, told } = await work.start({
    triggers: [`Split=${handler}?bisect&retries=0&on-failure=${onFailure}`],
  });
  await createTable(client, "Split");
  await putTen(client, "Split");
  await until(() => expect(linesOf(onFailure)).toHaveLength(2));
  await put(client, "Split", "later", 100);
  await until(() => expect(valuesOf(told()).at(-1)).toBe("later=100"));
  const lost = linesOf(onFailure).map(({ DDBStreamBatchInfo: info }) => info);
  expect(lost.map(({ batchSize }) => batchSize)).toEqual([1, 1]);
  const isBad = (values: string[]) => values.some((text) => /=(3|8)$/.test(text));
  const done = told()
    .map((one) => valuesOf([one]))
    .filter((values) => !isBad(values))
    .flat();
  // Each of the others was in a batch that succeeded, in order, once.
  expect(done.filter((text) => text !== "later=100")).toEqual(
    [0, 1, 2, 4, 5, 6, 7, 9].map((i) => `key${i}=${i}`),
  );
});

describe("partial batch responses", () => {
  /** Answers with the first record whose value is among these and was not seen before. */
  const reporting = `
    import { existsSync, writeFileSync } from "node:fs";
    export const handler = async ({ Records }) => {
      console.log(JSON.stringify({ records: Records }));
      for (const { dynamodb } of Records) {
        const value = Number(dynamodb.NewImage.v.N);
        const mark = process.env.LAMBDA_TASK_ROOT + "/seen-" + value;
        if ([2, 5].includes(value) && !existsSync(mark)) {
          writeFileSync(mark, "");
          return { batchItemFailures: [{ itemIdentifier: dynamodb.SequenceNumber }] };
        }
      }
      return { batchItemFailures: [] };
    };`;

  test("go on from the first that failed", async () => {
    const handler = work.write("reporting.mjs", reporting);
    const { client, told, lines } = await work.start({
      triggers: [`Report=${handler}?report-item-failures`],
    });
    await createTable(client, "Report");
    await putTen(client, "Report");
    await until(() => expect(told()).toHaveLength(3));
    const firsts = told().map((one) => valuesOf([one]));
    expect(firsts.map(([first]) => first)).toEqual(["key0=0", "key2=2", "key5=5"]);
    expect(firsts.every((values) => values.at(-1) === "key9=9")).toBe(true);
    const results = lines()
      .filter((line) => line.includes(" records, "))
      .map((line) => line.split(": ")[2]);
    expect(results).toEqual([
      "failed from record 3 on, as reported",
      "failed from record 4 on, as reported",
      "ok",
    ]);
  });

  test("mean nothing unless they are asked for", async () => {
    const handler = work.write(
      "unasked.mjs",
      `export const handler = async ({ Records }) => {
         console.log(JSON.stringify({ records: Records }));
         return { batchItemFailures: [{ itemIdentifier: Records[0].dynamodb.SequenceNumber }] };
       };`,
    );
    const { client, told } = await work.start({ triggers: [`Unasked=${handler}`] });
    await createTable(client, "Unasked");
    await put(client, "Unasked", "a", 1);
    await put(client, "Unasked", "b", 2);
    await until(() => expect(valuesOf(told())).toEqual(["a=1", "b=2"]));
  });

  test("that cannot be understood fail the whole batch", async () => {
    const handler = work.write(
      "unclear.mjs",
      `export const handler = async ({ Records }) => {
         console.log(JSON.stringify({ records: Records }));
         return { batchItemFailures: [{ id: Records[1]?.dynamodb.SequenceNumber }] };
       };`,
    );
    const { client, lines } = await work.start({
      triggers: [`Unclear=${handler}?report-item-failures&retries=1`],
    });
    await createTable(client, "Unclear");
    await putTen(client, "Unclear");
    const expected = [
      "failed, because batchItemFailures cannot be understood",
      "failed, because batchItemFailures cannot be understood",
      "no retries are left",
    ];
    await until(() => {
      const results = lines()
        .filter((line) => /^\d\d:.* shard /.test(line))
        .map((line) => line.split(": ").at(-1));
      expect(results).toEqual(expected);
    });
  });
});

test("records that are too old are given up without a call", async () => {
  const handler = work.write("old.mjs", failingOn(1));
  const onFailure = join(work.folder, "old.jsonl");
  const clock = new ManualClock();
  const { client, told } = await work.start({
    clock,
    triggers: [`Old=${handler}?max-age=60&window=120&on-failure=${onFailure}`],
  });
  await createTable(client, "Old");
  await put(client, "Old", "a", 5);
  clock.advance(120_000);
  await until(() => expect(linesOf(onFailure)).toHaveLength(1));
  const [line] = linesOf(onFailure);
  expect(line.requestContext).toMatchObject({
    condition: "RecordAgeExceeded",
    approximateInvokeCount: 0,
  });
  expect(line.responseContext).toBeUndefined();
  expect(told()).toEqual([]);
});

describe("a function cannot hurt the server", () => {
  test.each([
    [
      "that never answers",
      "() => new Promise(() => {})",
      "Sandbox.Timedout",
      "Task timed out after 1.00 seconds",
    ],
    [
      "that loops for ever",
      "() => { for (;;); }",
      "Sandbox.Timedout",
      "Task timed out after 1.00 seconds",
    ],
    [
      "that exits",
      "() => process.exit(1)",
      "Runtime.ExitError",
      "the function ended its thread (1)",
    ],
    [
      "that crashes",
      "() => { setTimeout(() => { throw new Error('crash'); }); return new Promise(() => {}); }",
      "Error",
      "Error: crash",
    ],
    [
      "that breaks off",
      "() => process.abort()",
      "TypeError",
      "process.abort() is not supported in workers",
    ],
  ])("%s", async (_, text, type, words) => {
    const handler = work.write("harm.mjs", `export const handler = ${text};`);
    const { client, told, lines } = await work.start({ triggers: [`Harm=${handler}?timeout=1`] });
    await createTable(client, "Harm");
    await put(client, "Harm", "a", 1);
    await until(() => expect(lines().join("\n")).toContain(words));
    expect(lines().some((line) => line.endsWith(`: failed with ${type}`))).toBe(true);
    const { TableNames } = await client.send(new ListTablesCommand({}));
    expect(TableNames).toEqual(["Harm"]);
    work.write("harm.mjs", telling);
    await until(() => expect(valuesOf(told())).toEqual(["a=1"]));
  });
});

test("the log holds no data of items by itself", async () => {
  const handler = work.write(
    "quiet.mjs",
    "export const handler = async () => { throw new Error('no'); };",
  );
  const { client, lines } = await work.start({ triggers: [`Quiet=${handler}?retries=0`] });
  await createTable(client, "Quiet");
  await put(client, "Quiet", "secret-key", "secret-value");
  await until(() => expect(lines().some((line) => line.includes("given up"))).toBe(true));
  expect(lines().join("\n")).not.toContain("secret");
});
