import { describe, expect, test } from "vitest";
import { ksuid, ksuidText, ulid, ulidText, uuid, uuidText } from "./identifiers.ts";
import { currentPeriods, periodName, periodStart, timeOf } from "./time-of.ts";

const at = (text: string): number => Date.parse(text);

describe("identifiers", () => {
  test("with time in them sort by it, and tell it", () => {
    const random = new Uint8Array(16).fill(255);
    const [early, late] = [at("2026-11-16T09:00:00.123Z"), at("2026-11-16T09:00:01.000Z")];
    expect(ulidText(ulid(early, random)) < ulidText(ulid(late, new Uint8Array(16)))).toBe(true);
    expect(ksuidText(ksuid(early, random)) < ksuidText(ksuid(late, new Uint8Array(16)))).toBe(true);
    expect(timeOf({ format: "ulid" }, { S: ulidText(ulid(early, random)) })).toBe(early);
    const binary = Buffer.from(ulid(early, random)).toString("base64");
    expect(timeOf({ format: "ulid" }, { B: binary })).toBe(early);
    expect(timeOf({ format: "ksuid" }, { S: ksuidText(ksuid(early, random)) })).toBe(
      at("2026-11-16T09:00:00Z"),
    );
  });

  test("are written as they are everywhere", () => {
    // The published examples of both formats.
    expect(timeOf({ format: "ulid" }, { S: "01ARZ3NDEKTSV4RRFFQ69G5FAV" })).toBe(1_469_922_850_259);
    expect(timeOf({ format: "ksuid" }, { S: "0ujtsYcgvSTl8PAuAdqWYSMnLOv" })).toBe(
      at("2017-10-10T04:00:47Z"),
    );
    expect(uuidText(uuid(new Uint8Array(16).fill(255)))).toBe(
      "ffffffff-ffff-4fff-bfff-ffffffffffff",
    );
  });
});

describe("periods", () => {
  test.each([
    ["day", "2026-11-16T23:59:59.999Z", "2026-11-16", "2026-11-16", "2026-11-15"],
    ["week", "2026-11-16T00:00:00.000Z", "2026-W47", "2026-11-16", "2026-W46"],
    ["week", "2027-01-03T12:00:00.000Z", "2026-W53", "2026-12-28", "2026-W52"],
    ["week", "2025-12-29T12:00:00.000Z", "2026-W01", "2025-12-29", "2025-W52"],
    ["month", "2026-01-31T12:00:00.000Z", "2026-01", "2026-01-01", "2025-12"],
    ["quarter", "2026-03-31T12:00:00.000Z", "2026-Q1", "2026-01-01", "2025-Q4"],
    ["quarter", "2026-11-16T12:00:00.000Z", "2026-Q4", "2026-10-01", "2026-Q3"],
    ["year", "2026-11-16T12:00:00.000Z", "2026", "2026-01-01", "2025"],
  ] as const)("%s of %s", (every, time, name, start, before) => {
    expect(periodName(every, at(time))).toBe(name);
    expect(periodStart(every, at(time))).toBe(at(`${start}T00:00:00.000Z`));
    expect(currentPeriods(every, at(time))).toEqual([name, before]);
  });
});
