import { describe, expect, test } from "vitest";
import { largeModel } from "../../test/model/large-model.ts";
import { users, votes } from "../modeller/heat/heat.test-support.ts";
import type { FlowRun, TableHeatRun } from "./heat-simulation.ts";
import { heatModel, isHot, modelHeatOutput, modelHeatPicture } from "./model-heat.ts";

function runOf(text: string, options = {}): TableHeatRun {
  const [run] = heatModel(text, "m.yaml", options).result?.runs ?? [];
  if (run === undefined) throw new Error("nothing was simulated");
  return run;
}

const flow = (run: TableHeatRun, direction: FlowRun["direction"]): FlowRun | undefined =>
  run.flows.find((one) => one.direction === direction);

describe("the peak is simulated", () => {
  test("a key does a thousand writes per second, and the rest is refused", () => {
    const text = votes("SHOW", "", "{ average: 10, peak: 4_445 }").replace(
      "candidate: equals",
      "castAt: equals",
    );
    const writes = flow(runOf(text, { seconds: 30 }), "write");
    expect((writes?.consumed ?? 0) / 1_000).toBeCloseTo(1, 1);
    // 1 - 1,000 / 4,445 = 0.775
    expect(writes?.throttledShare).toBeCloseTo(0.775, 1);
    expect(writes?.hottestShare).toBeCloseTo(1, 6);
    expect(isHot(heatModel(text, "m.yaml", { seconds: 30 }))).toBe(true);
  });

  test("shards spread it", () => {
    const text = votes("SHOW#{shard:40}", "", "{ average: 10, peak: 4_445 }").replace(
      "candidate: equals",
      "castAt: equals",
    );
    const writes = flow(runOf(text, { seconds: 30 }), "write");
    expect(writes?.hottestShare).toBeLessThan(0.35);
    expect(writes?.throttledShare).toBeLessThan(0.2);
  });

  test("many keys, little on each: nothing is refused", () => {
    const { complaints, result } = heatModel(users("{ average: 100, peak: 500 }"), "m.yaml");
    expect(complaints).toEqual([]);
    expect(result?.runs[0]?.throttledShare).toBe(0);
    expect(result?.runs[0]?.flows.map(({ consumed }) => Math.round(consumed))).toEqual([250, 2]);
    expect(isHot(heatModel(users("{ average: 100, peak: 500 }"), "m.yaml"))).toBe(false);
  });

  test("a cold table has less than a warm one", () => {
    const text = votes("{voterId}", "", "{ average: 100, peak: 6_000 }").replace(
      "candidate: equals",
      "voterId: equals",
    );
    expect(flow(runOf(text, { seconds: 20 }), "write")?.throttledShare).toBe(0);
    const cold = flow(runOf(text, { seconds: 20, cold: true }), "write");
    // 4,000 of 6,000 pass.
    expect(cold?.throttledShare).toBeCloseTo(1 / 3, 1);
  });

  test("a peak of 300 million requests takes no longer, and the figures are said to be rough", () => {
    const run = runOf(users("{ average: 1_000, peak: 3_000_000 }"), { seconds: 100 });
    expect(run.requests).toBeLessThan(1_100_000);
    expect(run.notes).toEqual([
      expect.stringMatching(/scales rates .* by 0\.00.*shares are rough/),
    ]);
  });

  test("a table of more partitions than can be simulated is said not to be", () => {
    const text = users("{ average: 1_000, peak: 10_000_000_000 }");
    const { result } = heatModel(text, "m.yaml", { seconds: 100 });
    expect(result?.runs[0]?.notes).toEqual([expect.stringContaining("is not simulated")]);
    expect(modelHeatOutput(heatModel(text, "m.yaml"), "text")).toContain("is not simulated");
    expect(modelHeatPicture(heatModel(text, "m.yaml"))).toBeUndefined();
  });

  test("an index that is too hot holds up the writes of its table", () => {
    const text = `${votes("{voterId}")}      indexes:
        ByCandidate: { key: { partition: candidate, sort: voterId }, projection: all, prewarm: { write: 20_000 } }
`;
    const run = runOf(text, { seconds: 30 });
    const [reason] = run.throttles;
    expect(reason).toMatchObject({
      reason: "IndexWriteKeyRangeThroughputExceeded",
      place: "Votes.ByCandidate",
    });
    const table = run.flows.find(
      ({ place, direction }) => place === "Votes" && direction === "write",
    );
    // Of 1,200 votes for red a sixth is refused: 1,800 of 2,000 are left.
    expect((table?.consumed ?? 0) / 1_800).toBeCloseTo(1, 1);
  });

  test("very many requests are scaled down, and the figures are as without it", () => {
    const text = users("{ average: 100, peak: 60_000 }");
    const run = runOf(text);
    expect(run.scale).toBeLessThan(0.2);
    expect(run.requests).toBeLessThan(1_050_000);
    expect((flow(run, "read")?.consumed ?? 0) / 30_000).toBeCloseTo(1, 2);
    expect(modelHeatOutput(heatModel(text, "m.yaml"), "text")).toContain("rates and limits at");
  });

  test("the seed decides", () => {
    const text = votes("{candidate}#{shard:3}");
    const shares = (seed: number) => runOf(text, { seed, seconds: 10 }).flows;
    expect(shares(1)).toEqual(shares(1));
    expect(shares(1)).not.toEqual(shares(2));
  });
});

describe("output", () => {
  test("a wrong document has its complaints", () => {
    const wrong = heatModel(users("{ average: 1 }").replace("read: User", "read: Usr"), "m.yaml");
    expect(wrong.result).toBe(undefined);
    expect(modelHeatOutput(wrong, "text")).toContain("names 'Usr', which is no entity");
    expect(JSON.parse(modelHeatOutput(wrong, "json")).complaints.length).toBe(1);
    expect(modelHeatPicture(wrong)).toBe(undefined);
  });

  test("before and after, side by side", () => {
    const [before, after] = ["{candidate}", "{candidate}#{shard:4}"].map((key) =>
      heatModel(votes(key), "m.yaml", { seconds: 0 }),
    );
    if (before === undefined || after === undefined) throw new Error("two are needed");
    const text = modelHeatOutput(after, "text", before);
    expect(text).toMatch(/hottest key, writes +1,200 +300\n/);
    expect(text).toMatch(/shards needed +2 +2\n/);
    const json = JSON.parse(modelHeatOutput(after, "json", before));
    expect(json.before.places[0].keys[0].write.hottest.units).toBe(1_200);
    expect(json.after.places[0].keys[0].write.hottest.units).toBe(300);
  });

  test("names cannot do anything in a terminal or a picture", () => {
    const text = users("{ average: 1, peak: 8_000 }", ", skew: { key: userId, hottest: 0.9 }")
      .replace('"{userId}"', '"<i>\\e[1m{userId}"')
      .replace("key: { userId: S }", "key: { id: S }")
      .replace('userId: "<i>', 'id: "<i>');
    const heat = heatModel(text, "m.yaml", { seconds: 60 });
    expect(heat.complaints).toEqual([]);
    const sequence = String.fromCharCode(27);
    expect(modelHeatOutput(heat, "text")).not.toContain(sequence);
    expect(modelHeatOutput(heat, "text")).toContain("<i>\\u{1b}[1m{userId}");
    const picture = modelHeatPicture(heat) ?? "";
    expect(picture).toContain("&#60;i&#62;");
    expect(picture).not.toContain("<i>");
    expect(picture).not.toContain(sequence);
  });
});

test("50 entities and 200 patterns take less than ten seconds", { timeout: 120_000 }, () => {
  const text = largeModel(50, 200);
  const began = process.cpuUsage();
  const { result } = heatModel(text, "large.yaml");
  const { user, system } = process.cpuUsage(began);
  expect(result?.runs.length).toBe(10);
  expect((user + system) / 1e6).toBeLessThan(10);
});
