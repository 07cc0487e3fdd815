import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startServer } from "../../src/index.ts";
import { clientFor } from "../sdk/harness.ts";
import { type Child, endpointOf, runCli } from "../server/child-support.ts";
import { createTable, put, telling, toldIn, until, useWorkplace, valuesOf } from "./support.ts";

const work = useWorkplace();

const log = ({ written }: Child) => written.out + written.err;

test("keywright start calls what it was told to, and stops in order", async () => {
  work.write("orders.mjs", telling);
  work.write("job.mjs", "export const handler = async () => console.log('at work');");
  work.write(
    "more.yaml",
    "triggers:\n  - { table: Customers, handler: ./orders.mjs, batch-size: 1 }\n",
  );
  const child = runCli(
    [
      ...["start", "--port", "0", "--data", "data", "--durability", "relaxed"],
      ...["--trigger", "Orders=./orders.mjs?batch-size=2", "--trigger=more.yaml"],
      ...["--schedule", "rate(1 second)=./job.mjs"],
    ],
    work.folder,
  );
  const endpoint = await endpointOf(child);
  expect(child.written.out).toContain(
    "Trigger: Orders=./orders.mjs?batch-size=2\nTrigger: more.yaml\nSchedule: rate(1 second)=./job.mjs\n",
  );
  const client = clientFor(endpoint);
  for (const table of ["Orders", "Customers"]) {
    await createTable(client, table);
    await put(client, table, table, 1);
  }
  await until(() => {
    expect(valuesOf(toldIn(log(child))).toSorted()).toEqual(["Customers=1", "Orders=1"]);
    expect(log(child)).toContain("[job] at work\n");
  });
  // What functions do is told apart from what scripts may want to read.
  expect(child.written.out).not.toContain("[orders]");
  client.destroy();
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);
});

test("a process with a function in an endless loop can be stopped", async () => {
  work.write("loop.mjs", "export const handler = () => { console.log('begun'); for (;;); };");
  const child = runCli(
    ["start", "--port", "0", "--in-memory", "--trigger", "Loop=./loop.mjs?timeout=2"],
    work.folder,
  );
  const client = clientFor(await endpointOf(child));
  await createTable(client, "Loop");
  await put(client, "Loop", "a", 1);
  await until(() => expect(log(child)).toContain("[loop] begun"));
  client.destroy();
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);
});

describe("what cannot be is told in one sentence", () => {
  test.each([
    [["--trigger", "Orders"], "trigger 'Orders': write Table=./module.mjs or a file of triggers."],
    [
      ["--trigger", "Orders=./none.mjs"],
      /^keywright: trigger 'Orders=\.\/none\.mjs': there is no file \S+none\.mjs\.$/,
    ],
    [["--trigger", "none.yaml"], "none.yaml cannot be read: ENOENT."],
    [
      ["--trigger", "Orders=./h.mjs?batch-size=0"],
      "batch-size takes a whole number from 1 to 10000, not '0'.",
    ],
    [
      ["--trigger", "Orders=./h.mjs", "--trigger", "Orders=./h.mjs"],
      "Two triggers of Orders call a function named h; give one of them another name.",
    ],
    [
      ["--trigger", "Orders=./h.mjs?on-failure=h.mjs/x"],
      /^keywright: \S+h\.mjs\/x cannot be written: (EEXIST|ENOTDIR)\.$/,
    ],
    [["--trigger"], "value is missing"],
    [["--trigger", "--in-memory"], /needs a value|value is missing/],
    [
      ["--schedule", "rate(1 fortnight)=./h.mjs"],
      "a rate is a whole number above 0 and minutes, hours or days",
    ],
    [
      ["--schedule", "cron(* * * * * *)=./h.mjs"],
      "says either day-of-month or day-of-week; put ? into the other.",
    ],
    [
      ["--shared", "--trigger", "Orders=./h.mjs?region=eu-west-1"],
      "h: region and access-key tell spaces of tables apart, and with --shared there is one.",
    ],
  ])("%j", async (args, words) => {
    work.write("h.mjs", telling);
    const child = runCli(["start", "--port", "0", "--data", "untouched", ...args], work.folder);
    expect(await child.ended).toBe(2);
    const lines = child.written.err.trimEnd().split("\n");
    expect(lines).toHaveLength(1);
    if (typeof words === "string") expect(lines[0]).toContain(words);
    else expect(lines[0]).toMatch(words);
    expect(existsSync(join(work.folder, "untouched"))).toBe(false);
  });
});

test("a program is told by an error", async () => {
  await expect(
    startServer({ triggers: [{ table: "Orders", handler: "./none.mjs" }] }),
  ).rejects.toThrow(
    expect.objectContaining({
      name: "TriggerOptionsError",
      message: expect.stringMatching(/^the trigger of Orders: there is no file /),
    }),
  );
});
