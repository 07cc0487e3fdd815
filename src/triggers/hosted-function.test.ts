import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type CallOutcome, HostedFunction } from "./hosted-function.ts";
import type { FunctionSettings } from "./settings.ts";

let folder: string;
const open: HostedFunction[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "keywright-function-"));
});
afterEach(() => {
  for (const hosted of open.splice(0)) hosted.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let serial = 0;
let stamp = 1_700_000_000;

/** Writes a file; each writing has a time of its own, however coarse the file system's clock is. */
function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(`${file}.new`, text);
  stamp += 1;
  utimesSync(`${file}.new`, stamp, stamp);
  renameSync(`${file}.new`, file);
  return file;
}

interface Hosted {
  readonly hosted: HostedFunction;
  readonly file: string;
  readonly output: string[];
  readonly told: string[];
  call(event?: unknown): Promise<CallOutcome>;
  /** The answer of a call that must succeed. */
  answer(event?: unknown): Promise<unknown>;
  /** Writes the module, or a file that it imports, anew and waits until that was seen. */
  change(text: string, path?: string): Promise<void>;
}

function host(
  text: string,
  { name = "", ...settings }: Partial<FunctionSettings> = {},
  env: Record<string, string> = {},
): Hosted {
  serial += 1;
  const file = write(name === "" ? `f${serial}/h.mjs` : name, text);
  const output: string[] = [];
  const told: string[] = [];
  const hosted = new HostedFunction({
    function: {
      file,
      exportName: "handler",
      name: "h",
      timeoutMs: 5_000,
      memoryMegabytes: 128,
      concurrency: 10,
      region: undefined,
      accessKey: undefined,
      ...settings,
    },
    env,
    arn: "arn:aws:lambda:us-east-1:000000000000:function:h",
    output: (line) => output.push(line),
    told: (line) => told.push(line),
  });
  open.push(hosted);
  const call = (event: unknown = {}) => hosted.call(JSON.stringify(event));
  const answer = async (event?: unknown): Promise<unknown> => {
    const outcome = await call(event);
    if (outcome.kind !== "answered") throw new Error(JSON.stringify(outcome));
    return JSON.parse(outcome.json);
  };
  const change = async (newText: string, path = file.slice(folder.length + 1)): Promise<void> => {
    // However long it takes: a busy machine starts threads slowly, and a clock would give up on it.
    const seen = new Promise<void>((next) => hosted.onChange(next));
    write(path, newText);
    await seen;
  };
  return { hosted, file, output, told, call, answer, change };
}

describe("answers come", () => {
  test.each([
    ["from a promise", "export const handler = async (event) => ({ got: event.x });", { got: 1 }],
    ["from nothing", "export const handler = async () => {};", null],
    ["by the callback", "export const handler = (event, context, done) => done(null, event.x);", 1],
    [
      "by the callback, when the event loop is empty",
      `export const handler = (event, context, done) => {
         const parts = [];
         setTimeout(() => parts.push("timer"), 20);
         done(null, parts);
       };`,
      ["timer"],
    ],
    [
      "by the callback at once, if told so",
      `export const handler = (event, context, done) => {
         context.callbackWaitsForEmptyEventLoop = false;
         const parts = [];
         setTimeout(() => parts.push("timer"), 20);
         done(null, parts);
       };`,
      [],
    ],
    [
      "by a later callback",
      "export const handler = (event, context, done) => { setTimeout(() => done(null, 'late'), 20); };",
      "late",
    ],
    ["by context.done", "export const handler = (event, context) => context.done(null, 2);", 2],
    [
      "by context.succeed",
      "export const handler = (event, context) => { context.succeed(3); };",
      3,
    ],
    ["as null without promise and callback", "export const handler = () => 5;", null],
  ])("%s", async (_, text, expected) => {
    expect(await host(text).answer({ x: 1 })).toEqual(expected);
  });

  test("from CommonJS, and by another export", async () => {
    const text = "exports.handler = async () => 'cjs'; exports.other = async () => 'other';";
    expect(await host(text, { name: "c1/h.cjs" }).answer()).toBe("cjs");
    expect(await host(text, { name: "c2/h.cjs", exportName: "other" }).answer()).toBe("other");
    const computed = "module.exports = Object.fromEntries([['handler', async () => 'computed']]);";
    expect(await host(computed, { name: "c3/h.cjs" }).answer()).toBe("computed");
  });

  test("one after the other in one thread", async () => {
    const { answer } = host("let calls = 0; export const handler = async () => ++calls;");
    expect([await answer(), await answer(), await answer()]).toEqual([1, 2, 3]);
  });

  test("side by side, each in a thread of its own", async () => {
    const counting = `
      let calls = 0;
      export const handler = async () => {
        calls += 1;
        const seen = calls;
        await new Promise((next) => setTimeout(next, 200));
        return seen;
      };`;
    const { answer } = host(counting);
    expect(await Promise.all([answer(), answer()])).toEqual([1, 1]);
    const bounded = host(counting, { concurrency: 1 });
    expect(await Promise.all([bounded.answer(), bounded.answer()])).toEqual([1, 2]);
  });

  test("to the environment that is handed in", async () => {
    const { answer } = host(
      "export const handler = async () => process.env.COLOUR;",
      {},
      { COLOUR: "red" },
    );
    expect(await answer()).toBe("red");
    expect(process.env.COLOUR).toBeUndefined();
  });
});

test("the context is Lambda's", async () => {
  const { answer } = host(
    `export const handler = async (event, context) => ({
       ...context, left: context.getRemainingTimeInMillis(), names: Object.keys(context) });`,
    { name: "context/h.mjs" },
    { AWS_LAMBDA_LOG_STREAM_NAME: "stream" },
  );
  const context = (await answer()) as { left: number; awsRequestId: string; names: string[] };
  expect(context).toMatchObject({
    functionName: "h",
    functionVersion: "$LATEST",
    invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:h",
    memoryLimitInMB: "128",
    logGroupName: "/aws/lambda/h",
    logStreamName: "stream",
    callbackWaitsForEmptyEventLoop: true,
  });
  expect(context.awsRequestId).toMatch(/^[0-9a-f]{8}-/);
  expect(context.names).toContain("identity");
  expect(context.left).toBeGreaterThan(0);
  expect(context.left).toBeLessThanOrEqual(5_000);
  expect(((await answer()) as typeof context).awsRequestId).not.toBe(context.awsRequestId);
});

describe("failures are answers", () => {
  test.each([
    [
      "thrown",
      "export const handler = () => { throw new RangeError('too far'); };",
      "RangeError",
      "too far",
    ],
    [
      "rejected",
      "export const handler = async () => { throw new Error('no'); };",
      "Error",
      "h.mjs:1",
    ],
    [
      "by the callback",
      "export const handler = (e, c, done) => done('plain text');",
      "string",
      "'plain text'",
    ],
    [
      "by context.fail",
      "export const handler = (e, c) => c.fail(new Error('gone'));",
      "Error",
      "gone",
    ],
    [
      "with causes",
      "export const handler = async () => { throw new Error('outer', { cause: new Error('inner') }); };",
      "Error",
      "Caused by: Error: inner",
    ],
    [
      "uncaught",
      "export const handler = () => new Promise(() => setTimeout(() => { throw new Error('lost'); }));",
      "Error",
      "lost",
    ],
    [
      "unhandled",
      "export const handler = () => { Promise.reject(new Error('lost')); return new Promise(() => {}); };",
      "Error",
      "lost",
    ],
    [
      "that end the process",
      "export const handler = () => process.exit(7);",
      "Runtime.ExitError",
      "the function ended its thread (7)",
    ],
    ["that cannot be JSON", "export const handler = async () => 5n;", "TypeError", "BigInt"],
    [
      "that take all memory",
      "export const handler = async () => { const all = []; for (;;) all.push(new Array(1e5).fill(0.5)); };",
      "Error",
      "memory",
    ],
  ])("%s", async (_, text, type, words) => {
    const { call } = host(text, { timeoutMs: 20_000 });
    expect(await call()).toMatchObject({
      kind: "failed",
      type,
      text: expect.stringContaining(words),
    });
    // The next call finds a thread all the same.
    expect(await call()).toMatchObject({ kind: "failed", type });
  });

  test.each([
    ["waits for ever", "export const handler = () => new Promise(() => {});"],
    ["loops for ever", "export const handler = () => { console.log('in'); for (;;); };"],
  ])("when the function %s", async (_, text) => {
    const { call } = host(text, { timeoutMs: 300 });
    expect(await call()).toEqual({
      kind: "failed",
      type: "Sandbox.Timedout",
      text: "Task timed out after 0.30 seconds",
      ms: expect.any(Number),
    });
  });
});

test("what is printed arrives in order, before the answer and from endless loops", async () => {
  const { call, output } = host(
    `export const handler = (event) => {
       console.log("one", { a: 1 });
       console.error("two");
       process.stdout.write(Buffer.from("three"));
       for (;;);
     };`,
    { timeoutMs: 500 },
  );
  await call();
  expect(output.join("")).toBe("one { a: 1 }\ntwo\nthree");
});

test("a crash between calls is told", async () => {
  const { call, output } = host(
    "export const handler = async () => { setTimeout(() => { throw new Error('afterwards'); }, 50); };",
  );
  expect(await call()).toMatchObject({ kind: "answered" });
  await vi.waitFor(() => expect(output.join("")).toContain("Error: afterwards"), 10_000);
  expect(await call()).toMatchObject({ kind: "answered" });
});

describe("a module that cannot be loaded", () => {
  test("is told once, with the place of a syntax error, and works after a change", async () => {
    const { call, told, change } = host("export const handler = (( => 1;");
    const both = await Promise.all([call(), call()]);
    expect(both).toEqual([{ kind: "unusable" }, { kind: "unusable" }]);
    expect(await call()).toEqual({ kind: "unusable" });
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("cannot be loaded and is tried again when it changes");
    expect(told[0]).toContain("h.mjs:1");
    expect(told[0]).toContain("SyntaxError: Unexpected token");
    await change("export const handler = async () => 'mended';");
    expect(await call()).toMatchObject({ json: '"mended"' });
  });

  test.each([
    ["an import that is not there", "import './nowhere.mjs';", "nowhere.mjs"],
    ["no such export", "export const other = 1;", "h.mjs exports no function named handler"],
    [
      "an export that is no function",
      "export const handler = 1;",
      "exports no function named handler",
    ],
    ["an error while loading", "throw new Error('at the top');", "at the top"],
    ["an end of the process", "process.exit(3);", "the function ended its thread (3)"],
  ])("because of %s", async (_, text, words) => {
    const { call, told } = host(text);
    expect(await call()).toEqual({ kind: "unusable" });
    expect(told.join("")).toContain(words);
  });
});

describe("a module that changes", () => {
  const answering = (text: string) => `export const handler = async () => ${JSON.stringify(text)};`;

  test("is loaded anew before the next call", async () => {
    const { answer, told, hosted, change } = host(answering("old"));
    const changes: string[] = [];
    hosted.onChange(() => changes.push("changed"));
    expect(await answer()).toBe("old");
    await change(answering("new"));
    expect(await answer()).toBe("new");
    expect(told).toEqual(["has changed and is loaded anew"]);
    expect(changes).toEqual(["changed"]);
  });

  test.each([
    ["import", "import { text } from './below/part.mjs';", "below/part.mjs"],
    [
      "import without an ending in CommonJS",
      "const { text } = require('./below/part');",
      "below/part.js",
    ],
    ["dynamic import", "const { text } = await import('./below/part.mjs');", "below/part.mjs"],
    ["import through another file", "import { text } from './between.mjs';", "below/part.mjs"],
  ])("also in what it imports: %s", async (how, first, part) => {
    const base = how.replaceAll(" ", "-");
    const isCommon = part.endsWith(".js");
    const exporting = (text: string) =>
      isCommon ? `exports.text = '${text}';` : `export const text = '${text}';`;
    write(`${base}/between.mjs`, "export { text } from './below/part.mjs';");
    write(`${base}/${part}`, exporting("old"));
    const { answer, change } = host(
      isCommon
        ? `${first} exports.handler = async () => text;`
        : `${first} export const handler = async () => text;`,
      { name: `${base}/h.${isCommon ? "cjs" : "mjs"}` },
    );
    expect(await answer()).toBe("old");
    await change(exporting("new"), `${base}/${part}`);
    expect(await answer()).toBe("new");
  });

  test("and changes again while it is loaded is not called as it was in between", async () => {
    const { answer, output, change } = host(answering("one"));
    expect(await answer()).toBe("one");
    // Is still being loaded when the third is there.
    await change(
      `console.log("two begins");
       await new Promise((next) => setTimeout(next, 1_500));
       console.log("two is loaded");
       ${answering("two")}`,
    );
    await vi.waitFor(() => expect(output.join("")).toContain("two begins"), { timeout: 15_000 });
    await change(answering("three"));
    await vi.waitFor(() => expect(output.join("")).toContain("two is loaded"), { timeout: 15_000 });
    // A turn of the loop later its thread would wait for calls.
    await new Promise((next) => setTimeout(next, 50));
    expect([await answer(), await answer()]).toEqual(["three", "three"]);
  });

  test("ends the call that is running in its old form", async () => {
    const slow = (text: string) => `
      export const handler = async () => {
        console.log("begun");
        await new Promise((next) => setTimeout(next, 600));
        return "${text}";
      };`;
    const { answer, output, change } = host(slow("old"));
    const running = answer();
    await vi.waitFor(() => expect(output).toHaveLength(1), { timeout: 15_000 });
    await change(slow("new"));
    expect(await running).toBe("old");
    expect(await answer()).toBe("new");
  });
});

test("a closed function ends its calls and takes no more", async () => {
  const { hosted, call, output } = host(
    "export const handler = () => { console.log('begun'); return new Promise(() => {}); };",
    { timeoutMs: 60_000 },
  );
  const running = call();
  await vi.waitFor(() => expect(output).toHaveLength(1), 10_000);
  hosted.close();
  expect(await running).toMatchObject({ kind: "failed", type: "Runtime.ExitError" });
  expect(await call()).toEqual({ kind: "unusable" });
});

test("a function that is closed while it is loaded is not called", async () => {
  const { hosted, call, output } = host("export const handler = () => console.log('called');");
  const running = call();
  hosted.close();
  expect(await running).toEqual({ kind: "unusable" });
  expect(output).toEqual([]);
});
