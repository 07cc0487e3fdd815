import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../server/child-support.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keywright-simulate-"));
  await writeFile(join(folder, "calm.yaml"), workload(10));
  await writeFile(join(folder, "hot.yaml"), workload(2_000));
  await writeFile(
    join(folder, "wrong.yaml"),
    `${workload(10)}    flavour: sweet\n    items: two\n`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function workload(rate: number): string {
  return `title: Likes
duration: 30s
table: { name: Likes, partitionKey: post, billing: on-demand }
traffic:
  - operation: put
    size: 100 B
    rate: ${rate}
    arrivals: poisson
    key: { fixed: post1 }
`;
}

test("a workload that fits: exit code 0 and a verdict", async () => {
  const child = runCli(["simulate", "calm.yaml"], folder);
  expect(await child.ended).toBe(0);
  expect(child.written.out).toMatch(/^Likes: nothing was throttled\.\n/);
  expect(child.written.err).toBe("");
});

test("one that is throttled: exit code 1, a report, a picture; the seed decides", async () => {
  const run = async (seed: string, out: string) => {
    const child = runCli(
      ["simulate", "hot.yaml", "--seed", seed, "--out", out, "--svg", "hot.svg"],
      folder,
    );
    expect(await child.ended).toBe(1);
    expect(child.written.out).toContain("TableWriteKeyRangeThroughputExceeded");
    return readFile(join(folder, out), "utf8");
  };
  const [first, again, other] = [await run("3", "a"), await run("3", "b"), await run("4", "c")];
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(JSON.parse(first)).toMatchObject({ title: "Likes", seed: 3, table: "Likes" });
  expect(await readFile(join(folder, "hot.svg"), "utf8")).toMatch(/^<svg .*<\/svg>\n$/s);
});

test.each([
  [
    "no file",
    ["simulate"],
    /^keywright: missing required args for command `simulate <workload>`\n$/,
  ],
  [
    "a missing file",
    ["simulate", "none.yaml"],
    /^keywright: none\.yaml cannot be read: ENOENT\.\n$/,
  ],
  ["a bad seed", ["simulate", "calm.yaml", "--seed", "x"], /--seed takes a whole number/],
  ["an option too many", ["simulate", "calm.yaml", "--fast"], /Unknown option `--fast`/],
  [
    "a place that cannot be written",
    ["simulate", "calm.yaml", "--out", "no/such/x"],
    /cannot be written: ENOENT/,
  ],
])("%s: exit code 2", async (_name, args, sentence) => {
  const child = runCli(args, folder);
  expect(await child.ended).toBe(2);
  expect(child.written.err).toMatch(sentence);
  expect(child.written.out).toBe("");
});

test("a wrong file: exit code 2, and each fault with its line and column", async () => {
  const child = runCli(["simulate", "wrong.yaml"], folder);
  expect(await child.ended).toBe(2);
  const [first, second] = child.written.err.split("\n");
  expect(first).toMatch(
    /^keywright: wrong\.yaml:10:5: traffic\[0\]\.flavour is not known here; known: name, /,
  );
  expect(second).toBe("wrong.yaml:11:12: traffic[0].items must be a whole number");
});
