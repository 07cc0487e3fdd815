import { describe, expect, test } from "vitest";
import {
  allShards,
  calculatedShard,
  randomShard,
  shardHash,
  timeShard,
  timeShardsBetween,
} from "./shard.ts";

const at = (text: string): number => Date.parse(text);

describe("shards", () => {
  test("have as many digits as the last one", () => {
    expect(allShards(3)).toEqual(["0", "1", "2"]);
    expect(allShards(11).at(0)).toBe("00");
    expect(allShards(10).at(-1)).toBe("9");
    expect(() => allShards(0)).toThrow("0 shards cannot be");
    expect(() => allShards(1.5)).toThrow("1.5 shards cannot be");
  });

  test("that are calculated spread evenly, and always alike", () => {
    expect(shardHash("")).toBe(2872998923);
    expect(shardHash("é#\u{1F600}")).toBe(1661412998);
    expect(calculatedShard("ada", 16)).toBe("14");
    expect(calculatedShard(7, 10)).toBe(calculatedShard("7", 10));
    const counts = new Map<string, number>();
    for (let id = 0; id < 10_000; id += 1) {
      const shard = calculatedShard(`user-${id}`, 8);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect(counts.size).toBe(8);
    for (const count of counts.values()) expect(Math.abs(count - 1_250)).toBeLessThan(150);
  });

  test("that are drawn cover all of them", () => {
    expect(randomShard(12, () => 0)).toBe("00");
    expect(randomShard(12, () => 0.999_999)).toBe("11");
    expect(allShards(5)).toContain(randomShard(5));
  });

  test("of a time go round", () => {
    expect(timeShard("hour", 24, at("2026-11-16T09:30:00Z"))).toBe("09");
    expect(timeShard("month", 12, at("2026-11-16T09:30:00Z"))).toBe("10");
    expect(timeShard("year", 10, at("2026-11-16T09:30:00Z"))).toBe("6");
    expect(() => timeShard("day", 7, -1)).toThrow("no time since 1970");
  });

  test("of a span of time are those that it lies in, in its order, each once", () => {
    const span = (from: string, to: string) => timeShardsBetween("hour", 24, at(from), at(to));
    expect(span("2026-11-16T22:10Z", "2026-11-17T01:00Z")).toEqual(["22", "23", "00", "01"]);
    expect(span("2026-11-16T22:10Z", "2026-11-16T22:20Z")).toEqual(["22"]);
    expect(span("2026-11-16T22:10Z", "2026-11-20T01:00Z")).toHaveLength(24);
    expect(span("2026-11-16T22:10Z", "2026-11-16T21:00Z")).toEqual([]);
  });
});
