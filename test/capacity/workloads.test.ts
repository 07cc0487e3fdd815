import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Simulation, simulate } from "../../src/workbench/simulate.ts";
import { simulationJson } from "../../src/workbench/simulate-json.ts";
import { parseWorkload } from "../../src/workbench/simulate-parse.ts";
import { capacityPicture } from "../../src/workbench/simulate-picture.ts";
import { simulationText } from "../../src/workbench/simulate-text.ts";

const folder = fileURLToPath(new URL("../../examples/workloads/", import.meta.url));

/** The first minutes of an example: enough for the verdict. */
function run(name: string, minutes: number, seed = 1): Simulation {
  const file = `${name}.yaml`;
  const workload = parseWorkload(readFileSync(join(folder, file), "utf8"), file);
  return simulate({ ...workload, seed, durationMs: minutes * 60_000 });
}

const known = new Map<string, Simulation>();

/** The same, run once for all tests. */
function result(name: string, minutes: number): Simulation {
  const simulation = known.get(name) ?? run(name, minutes);
  known.set(name, simulation);
  return simulation;
}

test("the examples are the ones that the README lists", () => {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const listed = [...readme.matchAll(/^\| \[(.+?)\]/gm)].map(([, file]) => file);
  expect(listed.toSorted()).toEqual(files.toSorted());
});

describe("voting with two candidates", () => {
  test("one item per candidate is throttled at 1,000 votes a second", () => {
    const { throttled, throttles, history } = result("voting", 6);
    expect(throttled).toBeGreaterThan(100_000);
    expect(throttles.map(({ reason }) => reason)).toEqual(["TableWriteKeyRangeThroughputExceeded"]);
    const consumed = history.resources[0]?.write.consumed ?? [];
    expect(Math.max(...consumed)).toBeLessThanOrEqual(2_000);
  });

  test("shards fix it", () => {
    expect(result("voting-sharded", 4).throttled).toBe(0);
  });
});

describe("a date as partition key", () => {
  test("is capped at 1,000 writes a second, whatever is provisioned", () => {
    const { history, throughput } = result("date-key", 6);
    const consumed = history.resources[0]?.write.consumed ?? [];
    expect(new Set(consumed)).toEqual(new Set([1_000]));
    const whys = throughput.events.flatMap((one) => (one.kind === "not split" ? [one.why] : []));
    expect(whys).toEqual(["rising sort key"]);
    const hot = throughput.resources[0]?.partitions.find(({ write }) => write.units > 0);
    expect(hot?.keys).toEqual([{ key: "2026-07-09", percent: 100 }]);
  });

  test("with fifteen shards is not", () => {
    expect(result("date-key-sharded", 2).throttled).toBe(0);
  });
});

describe("a viral post", () => {
  test("is throttled, and its neighbours with it", () => {
    const { streams } = result("viral-post", 3);
    const [others, viral] = streams;
    expect(viral?.throttled).toBeGreaterThan(20_000);
    expect(others?.throttled).toBeGreaterThan(100);
  });

  test("is carried by twenty shards", () => {
    const { throttled, requests } = result("viral-post-sharded", 7);
    expect(requests).toBeGreaterThan(500_000);
    expect(throttled).toBe(0);
  });
});

describe("the result", () => {
  const small = (seed: number) => run("viral-post", 2.5, seed);

  test("depends on the workload and the seed alone", () => {
    const [first, second, other] = [small(7), small(7), small(8)].map((one) =>
      JSON.stringify(simulationJson(one)),
    );
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  test("tells the verdict first, then reasons and what to do, on one screen", () => {
    const lines = simulationText(result("date-key", 6)).split("\n");
    expect(lines[0]).toBe(
      "Events by day: 60 % of the requests were throttled, 540,000 of 900,000.",
    );
    const text = lines.join("\n");
    expect(text).toContain(
      "TableWriteKeyRangeThroughputExceeded: 540,000 requests, 0:00:00 to 0:06:00",
    );
    expect(text).toContain("→ A partition does 1,000 write units per second");
    expect(text).toContain("0:05:00  partition 2 is hot and not split");
    expect(lines.length).toBeLessThan(30);
    expect(simulationText(result("date-key-sharded", 2)).split("\n")[0]).toBe(
      "Events by day and shard: nothing was throttled.",
    );
  });

  test("as JSON holds what was asked, refused and split", () => {
    const json = simulationJson(result("voting", 6)) as {
      readonly requests: number;
      readonly throttled: number;
      readonly resources: readonly { readonly partitions: readonly { parent?: number }[] }[];
      readonly events: readonly { readonly kind: string; readonly text: string }[];
      readonly history: { readonly resources: readonly { write: { consumed: number[] } }[] };
    };
    expect(json.requests).toBe(855_000);
    expect(json.throttled).toBeGreaterThan(0);
    const split = json.events.find(({ kind }) => kind === "split");
    expect(split?.text).toMatch(/^partition \d split into/);
    expect(json.resources[0]?.partitions.some(({ parent }) => parent !== undefined)).toBe(true);
    expect(json.history.resources[0]?.write.consumed.length).toBe(180);
  });

  test("as a picture shows every table and direction that was used", () => {
    const svg = capacityPicture(result("viral-post-sharded", 7));
    expect(svg).toContain("PostInteractions: read units per second");
    expect(svg).toContain("PostInteractions: write units per second");
    expect(svg).toContain("Nothing was throttled.");
  });
});
