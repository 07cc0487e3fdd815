import { describe, expect, test } from "vitest";
import { Placeholders } from "./expression.ts";
import { periodName, periodsBetween } from "./period.ts";
import { expiresIn, isExpired, notExpired, ttlSeconds } from "./ttl.ts";

const now = Date.parse("2026-11-16T09:30:15.900Z");

describe("time to live", () => {
  test("is in whole seconds", () => {
    expect(ttlSeconds(now)).toBe(1_794_821_415);
    expect(ttlSeconds(new Date(now))).toBe(1_794_821_415);
    expect(expiresIn(86_400_000, now)).toBe(1_794_821_415 + 86_400);
  });

  test("is over when its second has come", () => {
    const second = ttlSeconds(now);
    expect(isExpired({ ttl: second }, "ttl", now)).toBe(true);
    expect(isExpired({ ttl: BigInt(second) }, "ttl", now)).toBe(true);
    expect(isExpired({ ttl: second + 1 }, "ttl", now)).toBe(false);
    expect(isExpired({}, "ttl", now)).toBe(false);
    expect(isExpired({ ttl: "1" }, "ttl", now)).toBe(false);
    expect(isExpired({}, "constructor", now)).toBe(false);
  });

  test("is a filter that says the same", () => {
    const place = new Placeholders();
    expect(notExpired("ttl", now).write(place)).toBe("attribute_not_exists(#n0) OR #n0 > :v0");
    expect(place.members().ExpressionAttributeValues).toEqual({ ":v0": ttlSeconds(now) });
  });
});

describe("periods", () => {
  test("have names that sort by time", () => {
    const names = (["day", "week", "month", "quarter", "year"] as const).map((every) =>
      periodName(every, now),
    );
    expect(names).toEqual(["2026-11-16", "2026-W47", "2026-11", "2026-Q4", "2026"]);
    expect(periodName("week", Date.parse("2027-01-01T12:00:00Z"))).toBe("2026-W53");
  });

  test("of a span of time are all that it touches, the newest first", () => {
    const from = Date.parse("2026-08-31T23:59:59.999Z");
    expect(periodsBetween("month", from, now)).toEqual([
      "2026-11",
      "2026-10",
      "2026-09",
      "2026-08",
    ]);
    expect(periodsBetween("quarter", from, now)).toEqual(["2026-Q4", "2026-Q3"]);
    expect(periodsBetween("year", now, now)).toEqual(["2026"]);
    expect(periodsBetween("day", now, from)).toEqual([]);
  });
});
