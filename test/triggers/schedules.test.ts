import { describe, expect, test } from "vitest";
import { ManualClock } from "../../src/base/clock.ts";
import { accountOf } from "../../src/workbench/account.ts";
import { createTable, until, useWorkplace } from "./support.ts";

const work = useWorkplace();
const minute = 60_000;

const telling = `export const handler = async (event, context) => {
  console.log(JSON.stringify({ event, name: context.functionName, region: process.env.AWS_REGION }));
};`;

test("a function is called at its times, with Scheduler's event", async () => {
  const handler = work.write("times.mjs", telling);
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12, 0, 30));
  const { told, lines } = await work.start({
    clock,
    schedules: [`rate(5 minutes)=${handler}?region=eu-west-1&access-key=123456789012`],
  });
  clock.advance(5 * minute - 1);
  expect(told()).toEqual([]);
  clock.advance(1);
  await until(() => expect(told()).toHaveLength(1));
  clock.advance(5 * minute);
  await until(() => expect(told()).toHaveLength(2));
  expect(told()[0]).toEqual({
    name: "times",
    region: "eu-west-1",
    event: {
      version: "0",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      "detail-type": "Scheduled Event",
      source: "aws.scheduler",
      account: "123456789012",
      time: "2026-01-01T12:05:30Z",
      region: "eu-west-1",
      resources: ["arn:aws:scheduler:eu-west-1:123456789012:schedule/default/times"],
      detail: "{}",
    },
  });
  expect(told()[1]?.event.time).toBe("2026-01-01T12:10:30Z");
  expect(told()[1]?.event.id).not.toBe(told()[0]?.event.id);
  await until(() =>
    expect(lines().at(-1)).toMatch(/^12:10:30\.\d{3} times due at 12:10:30, \d+ ms: ok$/),
  );
});

test("a cron expression is in UTC", async () => {
  const handler = work.write("cron.mjs", telling);
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 23, 59));
  const { told } = await work.start({ clock, schedules: [`cron(0 6 ? * MON *)=${handler}`] });
  clock.advance(54 * 60 * minute);
  expect(told()).toEqual([]);
  clock.advance(minute);
  await until(() => expect(told()[0]?.event.time).toBe("2026-01-05T06:00:00Z"));
});

test("times that were slept through are one run", async () => {
  const handler = work.write("slept.mjs", telling);
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const { told } = await work.start({ clock, schedules: [`rate(1 minute)=${handler}`] });
  clock.advance(10 * minute + 1);
  await until(() => expect(told()).toHaveLength(1));
  clock.advance(minute - 1);
  await until(() => expect(told()).toHaveLength(2));
  expect(told()[1]?.event.time).toBe("2026-01-01T00:11:00Z");
});

test("a schedule may run at the start, with an input of its own", async () => {
  const handler = work.write("input.mjs", telling);
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const input = {
    when: "<aws.scheduler.scheduled-time>",
    deep: [{ of: "<aws.scheduler.schedule-arn>", id: "<aws.scheduler.execution-id>" }],
    attempt: "<aws.scheduler.attempt-number>",
  };
  const { told } = await work.start({
    clock,
    schedules: [
      { schedule: "rate(1 day)", handler, input, atStart: true, name: "daily", accessKey: "x" },
    ],
  });
  await until(() => expect(told()).toHaveLength(1));
  expect(told()[0]?.event).toEqual({
    when: "2026-01-01T00:00:00Z",
    deep: [
      {
        of: `arn:aws:scheduler:us-east-1:${accountOf("x")}:schedule/default/daily`,
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ],
    attempt: "1",
  });
});

test("a run that lasts does not hold up the next one", async () => {
  const handler = work.write(
    "lasting.mjs",
    `export const handler = async ({ time }) => {
       console.log(JSON.stringify({ time }));
       await new Promise(() => {});
     };`,
  );
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const { told, close } = await work.start({
    clock,
    schedules: [`rate(1 minute)=${handler}?timeout=5`],
  });
  for (let run = 1; run <= 3; run += 1) {
    clock.advance(minute);
    await until(() => expect(told()).toHaveLength(run));
  }
  await close();
});

describe("a run that fails", () => {
  test("is told and left", async () => {
    const handler = work.write(
      "failing.mjs",
      "export const handler = async () => { throw new TypeError('no'); };",
    );
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    const { lines } = await work.start({ clock, schedules: [`rate(1 minute)=${handler}`] });
    clock.advance(minute);
    await until(() => expect(lines().join("\n")).toContain("[failing] TypeError: no"));
    expect(lines()[0]).toMatch(
      /^00:01:00\.000 failing due at 00:01:00, \d+ ms: failed with TypeError$/,
    );
  });

  test("because it cannot be loaded is left out", async () => {
    const handler = work.write("unloaded.mjs", "syntax error");
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    const { lines, told } = await work.start({ clock, schedules: [`rate(1 minute)=${handler}`] });
    await until(() => expect(lines().join("\n")).toContain("SyntaxError"));
    clock.advance(minute);
    await until(() =>
      expect(lines().at(-1)).toBe("00:01:00.000 unloaded due at 00:01:00: left out"),
    );
    work.write("unloaded.mjs", telling);
    await until(() => expect(lines().at(-1)).toContain("loaded anew"));
    clock.advance(minute);
    await until(() => expect(told()).toHaveLength(1));
  });
});

test("a function that is called at times works on the tables of the server's environment", async () => {
  const handler = work.write(
    "listing.mjs",
    `import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
     export const handler = async () => {
       const { TableNames } = await new DynamoDBClient().send(new ListTablesCommand());
       console.log(JSON.stringify({ TableNames }));
     };`,
  );
  const clock = new ManualClock();
  const { client, told } = await work.start({
    clock,
    schedules: [
      `rate(1 minute)=${handler}?access-key=AKIDEXAMPLE&region=us-east-1&timeout=20`,
      { schedule: "rate(1 minute)", handler, name: "other", accessKey: "OTHER", timeout: 20 },
    ],
  });
  await createTable(client, "Mine");
  clock.advance(minute);
  await until(() => expect(told()).toHaveLength(2));
  expect(told()).toContainEqual({ TableNames: ["Mine"] });
  expect(told()).toContainEqual({ TableNames: [] });
});
