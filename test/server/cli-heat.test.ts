import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { users, votes } from "../../src/modeller/heat/heat.test-support.ts";
import { folderForTests } from "../folder-for-tests.ts";
import { root } from "../tidy/source-files.ts";
import { endOfCli } from "./child-support.ts";

const keywright = (...args: string[]) => endOfCli(args, root);

const folder = folderForTests("heat");

function fileWith(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const cool = fileWith("cool.yaml", users("{ average: 100, peak: 500 }"));
const hot = fileWith("hot.yaml", votes("{candidate}"));

test("a model without hot keys ends with 0", { timeout: 120_000 }, async () => {
  const { code, out, err } = await keywright("heat", cool, "--seconds", "10");
  expect(err).toBe("");
  expect(out).toContain(
    "users: no key gets more than a partition can do.\nSimulated at peak, nothing",
  );
  expect(out).toContain("10 simulated seconds of peak");
  expect(code).toBe(0);
});

test("a hot key ends it with 1; a picture is drawn", { timeout: 120_000 }, async () => {
  const svg = join(folder, "hot.svg");
  const { code, out } = await keywright("heat", hot, "--seconds", "10", "--svg", svg);
  expect(out).toContain("votes: one key gets more than a partition can do in Votes.");
  expect(out).toContain("Shards: 2 needed (1,200 write units / 1,000, rounded up).");
  expect(out).toMatch(/TableWriteKeyRangeThroughputExceeded \(Votes\): \d/);
  expect(readFileSync(svg, "utf8")).toMatch(/^<svg [\s\S]*Votes: write units per second/);
  expect(code).toBe(1);
});

test("two documents side by side, as JSON", { timeout: 120_000 }, async () => {
  const cured = fileWith("cured.yaml", votes("{candidate}#{shard:2}"));
  const { code, out } = await keywright("heat", cured, "--before", hot, "--seconds", "0", "--json");
  const { before, after } = JSON.parse(out);
  expect(before.places[0].keys[0].write.hottest).toMatchObject({ units: 1_200, over: true });
  expect(after.places[0].keys[0].write.hottest).toMatchObject({ units: 600, over: false });
  expect([before.simulated, after.simulated]).toEqual([[], []]);
  expect(code).toBe(0);
});

test("wrong documents and options end it with 2", { timeout: 120_000 }, async () => {
  const wrong = fileWith("wrong.yaml", votes("{candidte}"));
  const { code, out } = await keywright("heat", wrong);
  expect(out).toContain("'candidte'");
  expect(code).toBe(2);
  const before = await keywright("heat", cool, "--before", wrong, "--seconds", "0");
  expect(before.code).toBe(2);
  const long = await keywright("heat", cool, "--seconds", "99999");
  expect([long.code, long.err]).toEqual([2, "keywright: --seconds takes up to 3600, not 99999.\n"]);
});
