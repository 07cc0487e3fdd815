import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TriggerOptionsError } from "./options-error.ts";
import { readOptions } from "./read-options.ts";
import type { ScheduleSettings, TriggerSettings } from "./settings.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "keywright-options-"));
  for (const name of ["h.mjs", "job.cjs", "my.orders fn.js", "typed.ts", "text.txt"]) {
    writeFileSync(join(folder, name), "");
  }
  mkdirSync(join(folder, "below"));
  writeFileSync(join(folder, "below", "h.mjs"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const trigger = (text: string): TriggerSettings =>
  readOptions([text], [], folder).triggers[0] as TriggerSettings;
const schedule = (text: string): ScheduleSettings =>
  readOptions([], [text], folder).schedules[0] as ScheduleSettings;

const defaults = {
  policy: {
    batchSize: 100,
    windowMs: 0,
    bisect: false,
    retries: undefined,
    maxAgeMs: 86_400_000,
  },
  start: "TRIM_HORIZON",
  parallel: 1,
  reportItemFailures: false,
  onFailure: undefined,
  filters: [],
  exportName: "handler",
  timeoutMs: 3_000,
  memoryMegabytes: 128,
  concurrency: 10,
  region: undefined,
  accessKey: undefined,
};

describe("a trigger on the command line", () => {
  test("has Lambda's defaults", () => {
    expect(trigger("Orders=./h.mjs")).toEqual({
      ...defaults,
      table: "Orders",
      file: join(folder, "h.mjs"),
      name: "h",
    });
  });

  test("takes every option", () => {
    const filter =
      '{"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"a%26b%25"}]}}}}';
    const options = [
      "batch-size=10000&window=300&start=LATEST&parallel=10&bisect&retries=10000&max-age=3600",
      "report-item-failures&on-failure=./failed.jsonl&timeout=900&memory=512&concurrency=2",
      `name=orders_fn&export=onOrder&region=eu-west-1&access-key=local&filter=${filter}`,
    ].join("&");
    expect(trigger(`a.b-C_9=h.mjs?${options}`)).toEqual({
      table: "a.b-C_9",
      policy: {
        batchSize: 10_000,
        windowMs: 300_000,
        bisect: true,
        retries: 10_000,
        maxAgeMs: 3_600_000,
      },
      start: "LATEST",
      parallel: 10,
      reportItemFailures: true,
      onFailure: join(folder, "failed.jsonl"),
      filters: [
        {
          alternatives: [],
          fields: [
            { name: "eventName", want: [{ kind: "equals", value: "INSERT" }] },
            {
              name: "dynamodb",
              want: expect.objectContaining({
                fields: [expect.objectContaining({ name: "Keys" })],
              }),
            },
          ],
        },
      ],
      file: join(folder, "h.mjs"),
      exportName: "onOrder",
      name: "orders_fn",
      timeoutMs: 900_000,
      memoryMegabytes: 512,
      concurrency: 2,
      region: "eu-west-1",
      accessKey: "local",
    });
  });

  test("may have several filters, and a name made of its file's", () => {
    const one = '{"eventName":["INSERT"]}';
    const { filters, name } = trigger(`Orders=my.orders fn.js?filter=${one}&filter=${one}`);
    expect(filters).toHaveLength(2);
    expect(name).toBe("my-orders-fn");
  });

  test("keeps no record for longer than a stream does", () => {
    expect(trigger("Orders=h.mjs?max-age=604800").policy.maxAgeMs).toBe(86_400_000);
    expect(trigger("Orders=h.mjs?max-age=-1").policy.maxAgeMs).toBe(86_400_000);
    expect(trigger("Orders=h.mjs?retries=-1").policy.retries).toBeUndefined();
    expect(trigger("Orders=h.mjs?retries=0").policy.retries).toBe(0);
  });

  test.each([
    ["Orders", "write Table=./module.mjs or a file of triggers."],
    ["=h.mjs", "table needs a text."],
    ["No=h.mjs", "'No' is no name of a table."],
    ["Or ders=h.mjs", "'Or ders' is no name of a table."],
    ["Orders=", "handler needs a text."],
    ["Orders=none.mjs", "there is no file "],
    ["Orders=below", "there is no file "],
    ["Orders=text.txt", "text.txt is no module; write .mjs, .js, .cjs or .ts."],
    ["Orders=h.mjs?batch-size=0", "batch-size takes a whole number from 1 to 10000, not '0'."],
    [
      "Orders=h.mjs?batch-size=10001",
      "batch-size takes a whole number from 1 to 10000, not '10001'.",
    ],
    ["Orders=h.mjs?batch-size=1e3", "batch-size takes a whole number from 1 to 10000, not '1e3'."],
    ["Orders=h.mjs?batch-size", "batch-size takes a whole number from 1 to 10000, not ''."],
    ["Orders=h.mjs?window=301", "window takes a whole number from 0 to 300, not '301'."],
    ["Orders=h.mjs?start=AT_TIMESTAMP", "start takes TRIM_HORIZON or LATEST, not 'AT_TIMESTAMP'."],
    ["Orders=h.mjs?parallel=11", "parallel takes a whole number from 1 to 10, not '11'."],
    ["Orders=h.mjs?bisect=no", "bisect is there or not, and takes no value."],
    [
      "Orders=h.mjs?retries=10001",
      "retries takes a whole number from 0 to 10000, or -1, not '10001'.",
    ],
    ["Orders=h.mjs?retries=-2", "retries takes a whole number from 0 to 10000, or -1, not '-2'."],
    ["Orders=h.mjs?max-age=59", "max-age takes a whole number from 60 to 604800, or -1, not '59'."],
    ["Orders=h.mjs?timeout=901", "timeout takes a whole number from 1 to 900, not '901'."],
    ["Orders=h.mjs?memory=64", "memory takes a whole number from 128 to 10240, not '64'."],
    ["Orders=h.mjs?concurrency=0", "concurrency takes a whole number from 1 to 1000, not '0'."],
    ["Orders=h.mjs?name=a b", "name takes up to 64 letters, digits, - and _, not 'a b'."],
    ["Orders=h.mjs?retries=1&retries=2", "retries is given twice."],
    ["Orders=h.mjs?table=Other", "table is given twice."],
    ["Orders=h.mjs?filter={", "a filter is not JSON: {."],
    ['Orders=h.mjs?filter={"a":[{"like":1}]}', "wrong at a: there is no comparison 'like'."],
    ["Orders=h.mjs?filter=50%", "write % as %25 in '50%'."],
    [
      "Orders=h.mjs?tumbling-window=30",
      "there is no option 'tumbling-window'; there are access-key, batch-size, bisect",
    ],
    ["Orders=h.mjs?at-start", "there is no option 'at-start'; there are"],
  ])("%s is refused", (text, message) => {
    expect(() => trigger(text)).toThrow(TriggerOptionsError);
    expect(() => trigger(text)).toThrow(`trigger '${text}': `);
    expect(() => trigger(text)).toThrow(message);
  });

  test("has ten filters at most", () => {
    const filters = (count: number) => Array(count).fill('filter={"a":["b"]}').join("&");
    expect(trigger(`Orders=h.mjs?${filters(10)}`).filters).toHaveLength(10);
    expect(() => trigger(`Orders=h.mjs?${filters(11)}`)).toThrow(
      "there are 11 filters; up to 10 can be.",
    );
  });

  test.runIf(!("typescript" in process.features))("says when Node runs no TypeScript", () => {
    expect(() => trigger("Orders=typed.ts")).toThrow(
      `Node ${process.versions.node} runs no TypeScript; use Node 22.18 or newer, or a .mjs file.`,
    );
  });
});

describe("a schedule on the command line", () => {
  test("is a rate or a cron expression", () => {
    expect(schedule("rate(1 minute)=./job.cjs")).toMatchObject({
      expression: { kind: "rate", everyMs: 60_000 },
      file: join(folder, "job.cjs"),
      name: "job",
      atStart: false,
      input: undefined,
    });
    expect(schedule("cron(0/5 8-17 ? * MON-FRI *)=job.cjs?at-start&timeout=60")).toMatchObject({
      expression: { kind: "cron" },
      atStart: true,
      timeoutMs: 60_000,
    });
    expect(schedule('rate(1 day)=job.cjs?input={"a":1}').input).toBe('{"a":1}');
  });

  test.each([
    ["job.cjs", "write 'rate(5 minutes)=./module.mjs' or a file of schedules."],
    ["5 minutes=job.cjs", "write 'rate(5 minutes)=./module.mjs'"],
    ["rate(5 weeks)=job.cjs", "a rate is a whole number above 0 and minutes, hours or days"],
    ["at(2026-01-01)=job.cjs", "a schedule is rate(5 minutes) or cron(0 12 * * ? *)"],
    ["rate(5 minutes)=none.mjs", "there is no file "],
    ["rate(5 minutes)=job.cjs?batch-size=5", "there is no option 'batch-size'"],
    ["rate(5 minutes)=job.cjs?input={", "input takes JSON."],
  ])("%s is refused", (text, message) => {
    expect(() => schedule(text)).toThrow(TriggerOptionsError);
    expect(() => schedule(text)).toThrow(message);
  });
});

describe("a file", () => {
  const read = (text: string, name = "below/all.yaml") => {
    writeFileSync(join(folder, name), text);
    return readOptions([name], [], folder);
  };

  test("holds triggers and schedules, with paths from where it lies", () => {
    const all = read(`
triggers:
  - table: Orders
    handler: ./h.mjs
    batch-size: 10
    bisect: true
    on-failure: failed.jsonl
    filter:
      - eventName: [INSERT]
      - eventName: [REMOVE]
  - { table: Customers, handler: h.mjs }
schedules:
  - schedule: rate(1 hour)
    handler: ../job.cjs
    input: { hello: [1] }
`);
    expect(all.triggers).toHaveLength(2);
    expect(all.triggers[0]).toMatchObject({
      table: "Orders",
      file: join(folder, "below", "h.mjs"),
      onFailure: join(folder, "below", "failed.jsonl"),
      policy: { batchSize: 10, bisect: true },
    });
    expect(all.triggers[0]?.filters).toHaveLength(2);
    expect(all.triggers[1]).toMatchObject({ ...defaults, table: "Customers" });
    expect(all.schedules).toEqual([
      expect.objectContaining({ file: join(folder, "job.cjs"), input: '{"hello":[1]}' }),
    ]);
  });

  test("may be JSON, and be given as a schedule", () => {
    writeFileSync(
      join(folder, "all.json"),
      JSON.stringify({ schedules: [{ schedule: "rate(1 day)", handler: "h.mjs" }] }),
    );
    expect(readOptions([], ["all.json"], folder).schedules).toHaveLength(1);
  });

  test.each([
    ["triggers: [", /^below\/all\.yaml:1:12: /],
    ["[]", /^below\/all\.yaml: there is neither a list 'triggers' nor 'schedules'\.$/],
    ["{}", /^below\/all\.yaml: there is neither a list 'triggers' nor 'schedules'\.$/],
    ["triggers: x", /^below\/all\.yaml: 'triggers' is a list of objects\.$/],
    ["triggers: [x]", /^below\/all\.yaml: 'triggers' is a list of objects\.$/],
    [
      "triggers: []\nextra: 1",
      /^below\/all\.yaml: 'extra' is neither 'triggers' nor 'schedules'\.$/,
    ],
    [
      "triggers: [{ table: Orders }]",
      /^below\/all\.yaml: trigger 1: a module with the function is missing\.$/,
    ],
    ["triggers: [{ table: Orders, handler: h.mjs, bisect: maybe }]", /bisect is there or not/],
    [
      "triggers: [{ table: Orders, handler: h.mjs, batchSize: 1 }]",
      /there is no option 'batchSize'/,
    ],
    [
      "schedules: [{ handler: h.mjs }]",
      /^below\/all\.yaml: schedule 1: a schedule says when, such as/,
    ],
  ])("%s is refused", (text, message) => {
    expect(() => read(text)).toThrow(TriggerOptionsError);
    expect(() => read(text)).toThrow(message);
  });

  test("that is not there is told", () => {
    expect(() => readOptions(["none.yaml"], [], folder)).toThrow(
      "none.yaml cannot be read: ENOENT.",
    );
  });
});

describe("a program", () => {
  test("writes names in camel case", () => {
    const { triggers, schedules } = readOptions(
      [
        {
          table: "Orders",
          handler: "h.mjs",
          batchSize: 5,
          maxAge: 60,
          reportItemFailures: true,
          onFailure: "failed.jsonl",
          accessKey: "local",
          filter: { eventName: ["INSERT"] },
        },
      ],
      [{ schedule: "rate(1 minute)", handler: "job.cjs", atStart: true, export: "run" }],
      folder,
    );
    expect(triggers[0]).toMatchObject({
      policy: { batchSize: 5, maxAgeMs: 60_000 },
      reportItemFailures: true,
      accessKey: "local",
    });
    expect(triggers[0]?.filters).toHaveLength(1);
    expect(schedules[0]).toMatchObject({ atStart: true, exportName: "run" });
  });

  test("is told what is wrong", () => {
    expect(() =>
      readOptions([{ table: "Orders", handler: "h.mjs", batchSize: 0.5 }], [], folder),
    ).toThrow("the trigger of Orders: batch-size takes a whole number from 1 to 10000, not 0.5.");
  });
});

test("no two triggers of a table have the same name", () => {
  const both = (second: string) => () => readOptions(["Orders=h.mjs", second], [], folder);
  expect(both("Orders=below/h.mjs")).toThrow(
    "Two triggers of Orders call a function named h; give one of them another name.",
  );
  expect(both("Orders=below/h.mjs?name=other")).not.toThrow();
  expect(both("Orders=h.mjs?region=eu-west-1")).toThrow("give one of them another name");
  expect(both("Customers=h.mjs")).not.toThrow();
});
