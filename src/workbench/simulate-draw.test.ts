import { describe, expect, test } from "vitest";
import { SeededRandom } from "../base/random.ts";
import { hashSpace } from "../partitions/position.ts";
import { Arrivals } from "./simulate-arrivals.ts";
import { drawingOf } from "./simulate-draw.ts";
import { KeySource, SortSource, sortBytes } from "./simulate-keys.ts";
import type { Draw, RatePoint } from "./simulate-workload.ts";

const draws = 100_000;

function shares(draw: Draw, count: number): number[] {
  const drawing = drawingOf(draw);
  const random = new SeededRandom(1, 0);
  const counts = new Array<number>(count).fill(0);
  for (let i = 0; i < draws; i += 1) {
    const drawn = drawing(random);
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  expect(counts.length).toBe(count);
  return counts.map((one) => one / draws);
}

describe("keys are drawn", () => {
  test("uniformly", () => {
    for (const share of shares({ kind: "uniform", count: 10 }, 10)) {
      expect(share).toBeCloseTo(0.1, 1);
    }
  });

  test("by Zipf's law", () => {
    const [first = 0, second = 0, third = 0] = shares({ kind: "zipf", count: 50, exponent: 1 }, 50);
    expect(first / second).toBeGreaterThan(1.9);
    expect(first / second).toBeLessThan(2.1);
    expect(first / third).toBeCloseTo(3, 0);
  });

  test("by Zipf's law over more keys than have a weight each", () => {
    const count = 50_000_000;
    const drawing = drawingOf({ kind: "zipf", count, exponent: 1 });
    const random = new SeededRandom(1, 0);
    const drawn = Array.from({ length: draws }, () => drawing(random));
    const share = (from: number, to: number): number =>
      drawn.filter((one) => one >= from && one < to).length / draws;
    // H(50 million) = ln(50 million) + 0.5772 = 18.305; of two spans with the same quotient both get the same.
    expect(share(0, 1)).toBeCloseTo(1 / 18.305, 2);
    expect(share(1_000_000, count)).toBeCloseTo(Math.log(50) / 18.305, 2);
    expect(share(2_000_000, 4_000_000)).toBeCloseTo(share(20_000_000, 40_000_000), 2);
    expect(share(0, count)).toBe(1);
    const steep = drawingOf({ kind: "zipf", count, exponent: 0.5 });
    const far = Array.from({ length: draws }, () => steep(random));
    // The sum of n roots grows with the root of n: half of all is beyond a quarter of the keys.
    expect(far.filter((one) => one >= count / 4).length / draws).toBeCloseTo(0.5, 2);
  });

  test("with a hot share", () => {
    const drawn = shares({ kind: "hot", count: 100, keys: 2, share: 0.8 }, 100);
    expect((drawn[0] ?? 0) + (drawn[1] ?? 0)).toBeCloseTo(0.8, 2);
    expect(shares({ kind: "hot", count: 1, keys: 1, share: 0.1 }, 1)).toEqual([1]);
  });

  test("by weight, and never with none", () => {
    const weights = new Map([
      ["a", 3],
      ["b", 0],
      ["c", 1],
    ]);
    const [a, b, c] = shares({ kind: "weights", weights }, 3);
    expect(a).toBeCloseTo(0.75, 2);
    expect(b).toBe(0);
    expect(c).toBeCloseTo(0.25, 2);
  });
});

describe("partition keys", () => {
  const counted = (count: number, shards = 1) =>
    new KeySource({
      draw: { kind: "uniform", count },
      prefix: "user#",
      shards: shards === 1 ? undefined : { count: shards, by: "random" },
    });

  test("that are counted are spread over the space, and can be named", () => {
    const source = counted(1_000);
    const random = new SeededRandom(1, 0);
    const quarters = [0, 0, 0, 0];
    for (let i = 0; i < 4_000; i += 1) {
      source.draw(random, 0);
      const hash = source.hash(0);
      const quarter = Math.floor((4 * hash) / hashSpace);
      quarters[quarter] = (quarters[quarter] ?? 0) + 1;
      if (i > 2) continue;
      expect(source.name(hash)).toBe(undefined);
      source.learn(new Set([hash]));
      expect(source.name(hash)).toMatch(/^user#\d+$/);
    }
    for (const quarter of quarters) expect(quarter).toBeGreaterThan(800);
  });

  test("have as many places as shards", () => {
    const source = new KeySource({
      draw: { kind: "fixed", name: "post123" },
      prefix: "post#",
      shards: { count: 20, by: "calculated" },
    });
    const random = new SeededRandom(1, 0);
    source.draw(random, 0);
    const names = Array.from({ length: 20 }, (_, shard) => source.name(source.hash(shard)));
    expect(names).toEqual(names.map((_, shard) => `post123#${shard}`));
    const used = new Set(Array.from({ length: 500 }, (_, sort) => source.shardOf(random, sort)));
    expect(used.size).toBe(20);
    expect(source.shardOf(random, 77)).toBe(source.shardOf(random, 77));
    expect([source.isKnown, counted(5, 2).isKnown]).toEqual([true, false]);
  });

  test("change with the day", () => {
    const source = new KeySource({
      draw: { kind: "date", every: "day" },
      prefix: "",
      shards: undefined,
    });
    const random = new SeededRandom(1, 0);
    const noon = Date.UTC(2026, 6, 9, 12);
    const at = (ms: number) => {
      source.draw(random, ms);
      return source.name(source.hash(0));
    };
    expect(at(noon)).toBe("2026-07-09");
    expect(at(noon + 12 * 3_600_000 - 1)).toBe("2026-07-09");
    expect(at(noon + 12 * 3_600_000)).toBe("2026-07-10");
  });
});

describe("sort keys", () => {
  const bytesOf = (source: SortSource, number: number) => {
    const bytes = new Uint8Array(sortBytes);
    source.write(number, bytes);
    return bytes;
  };

  test("order as their bytes do, and can be named", () => {
    const source = new SortSource({ draw: { kind: "uniform", count: 1e6 }, prefix: "SK#" }, 1);
    const [low, high] = [bytesOf(source, 255), bytesOf(source, 256)];
    expect(Buffer.compare(low, high)).toBe(-1);
    expect([source.name(low), source.name(high)]).toEqual(["SK#255", "SK#256"]);
    const other = new SortSource({ draw: { kind: "fixed", name: "PROFILE" }, prefix: "A" }, 2);
    expect(other.name(low)).toBe(undefined);
    expect(other.name(bytesOf(other, 0))).toBe("PROFILE");
  });

  test.each(["rising", "falling"] as const)("%s, also within a millisecond", (kind) => {
    const source = new SortSource({ draw: { kind }, prefix: "" }, 1);
    const random = new SeededRandom(1, 0);
    const now = Date.UTC(2026, 6, 9);
    const drawn = [now, now, now + 1, now + 1].map((at) =>
      bytesOf(source, source.draw(random, at)),
    );
    const order = kind === "rising" ? -1 : 1;
    for (let i = 1; i < drawn.length; i += 1) {
      expect(Buffer.compare(drawn[i - 1] as Uint8Array, drawn[i] as Uint8Array)).toBe(order);
    }
    expect(source.name(drawn[2] as Uint8Array)).toBe("2026-07-09T00:00:00.001Z");
  });
});

describe("requests arrive", () => {
  const all = (points: readonly RatePoint[], random?: SeededRandom): number[] => {
    const arrivals = new Arrivals(points, random);
    const times: number[] = [];
    for (let at = arrivals.next(); at < Number.POSITIVE_INFINITY; at = arrivals.next()) {
      times.push(at);
    }
    return times;
  };
  const end = (atMs: number): RatePoint => ({ atMs, rate: 0, endRate: 0 });

  test("evenly: a thousand a second are a thousand in every second", () => {
    for (const rate of [1_000, 600, 3]) {
      const times = all([{ atMs: 500, rate, endRate: rate }, end(10_500)]);
      expect(times.length).toBe(rate * 10);
      expect(times[0]).toBe(500);
      for (let second = 0; second < 9; second += 1) {
        const within = times
          .map(Math.floor)
          .filter((at) => at >= 777 + second * 1_000 && at < 1_777 + second * 1_000);
        expect(within.length).toBe(rate);
      }
    }
  });

  test("in steps, ramps and pauses", () => {
    const times = all([
      { atMs: 0, rate: 10, endRate: 10 },
      { atMs: 1_000, rate: 0, endRate: 0 },
      { atMs: 2_000, rate: 0, endRate: 100 },
      { atMs: 4_000, rate: 100, endRate: 0 },
      end(6_000),
    ]);
    const within = (from: number, to: number) => times.filter((at) => at >= from && at < to).length;
    expect(within(0, 1_000)).toBe(10);
    expect(within(1_000, 2_000)).toBe(0);
    expect(within(2_000, 3_000)).toBe(25);
    expect(within(3_000, 4_000)).toBe(75);
    expect(Math.abs(within(4_000, 5_000) - 75)).toBeLessThanOrEqual(1);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("at random, as many on average, and the same for the same seed", () => {
    const points = [{ atMs: 0, rate: 200, endRate: 200 }, end(100_000)];
    const times = all(points, new SeededRandom(5, 1));
    expect(times.length / 100).toBeGreaterThan(195);
    expect(times.length / 100).toBeLessThan(205);
    expect(all(points, new SeededRandom(5, 1))).toEqual(times);
    expect(all(points, new SeededRandom(6, 1))).not.toEqual(times);
  });

  test("late and rarely: what one piece leaves over the next brings", () => {
    const times = all([
      { atMs: 0, rate: 0.4, endRate: 0.4 },
      { atMs: 1_000, rate: 0.4, endRate: 0.4 },
      end(10_000),
    ]);
    expect(times.map(Math.round)).toEqual([0, 2_500, 5_000, 7_500]);
  });
});
