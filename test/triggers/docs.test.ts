import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOptions } from "../../src/triggers/read-options.ts";
import { read } from "../tidy/source-files.ts";

const document = read("docs/triggers.md");
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "keywright-docs-"));
  const names = ["on-order", "on-end", "roll-up", "report"];
  mkdirSync(join(folder, "below"));
  for (const name of names) writeFileSync(join(folder, `${name}.mjs`), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The options in the table after this sentence. */
function documented(sentence: string): string[] {
  const [, rest = ""] = document.split(`\n${sentence}`);
  const [table = ""] = rest.split(/\n\n(?!\|)/).filter((part) => part.includes("| --- |"));
  return [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name = ""]) => name);
}

/** The options that there are, as a complaint lists them. */
function known(read: () => unknown, own: readonly string[]): string[] {
  try {
    read();
  } catch (error) {
    const [, names = ""] = /; there are (.*)\.$/.exec((error as Error).message) ?? [];
    return names.split(", ").filter((name) => !own.includes(name));
  }
  return [];
}

test("docs/triggers.md has all options of triggers and schedules", () => {
  const both = documented("Of both:");
  expect(both.length).toBeGreaterThan(0);
  const ofTrigger = known(
    () => readOptions(["Orders=on-order.mjs?none"], [], folder),
    ["table", "handler"],
  );
  const starts = "Of a trigger; in brackets what Lambda's event source mapping calls it:";
  expect([...documented(starts), ...both].toSorted()).toEqual(ofTrigger.toSorted());
  const ofSchedule = known(
    () => readOptions([], ["rate(1 day)=report.mjs?none"], folder),
    ["schedule", "handler"],
  );
  expect([...documented("Of a schedule:"), ...both].toSorted()).toEqual(ofSchedule.toSorted());
});

test("the examples of docs/triggers.md are understood", () => {
  const texts = (flag: string) =>
    [...document.matchAll(new RegExp(`${flag} '([^']+)'`, "g"))].map(([, text = ""]) => text);
  const triggers = [...new Set(texts("--trigger"))];
  const schedules = [...new Set(texts("--schedule"))];
  expect([triggers.length, schedules.length]).toEqual([3, 2]);
  for (const trigger of triggers)
    expect(readOptions([trigger], [], folder).triggers).toHaveLength(1);
  expect(readOptions([], schedules, folder).schedules).toHaveLength(2);
  const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(document) ?? [];
  writeFileSync(join(folder, "triggers.yaml"), yaml);
  const all = readOptions(["triggers.yaml"], [], folder);
  expect([all.triggers.length, all.schedules.length]).toEqual([1, 1]);
});
