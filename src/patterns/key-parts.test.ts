import { describe, expect, test } from "vitest";
import {
  cutTime,
  descending,
  escapePart,
  keyText,
  padded,
  partText,
  unescapePart,
} from "./key-parts.ts";

describe("parts of keys", () => {
  test("are padded before the point, and negative numbers are refused", () => {
    expect(padded(42, 8)).toBe("00000042");
    expect(padded(1.5, 4)).toBe("0001.5");
    expect(padded(123_456, 4)).toBe("123456");
    expect(() => padded(-1, 4)).toThrow("-1 is negative");
  });

  test("are times without what is finer", () => {
    expect(cutTime("2026-11-16T09:30:15.000Z", "day")).toBe("2026-11-16");
    expect(cutTime(1_794_821_400, "hour", { format: "epoch-seconds" })).toBe("2026-11-16T09");
    expect(cutTime(1_794_821_400_000, "minute")).toBe("2026-11-16T09:30");
    expect(() => cutTime(1e20, "day")).toThrow("is no time");
  });

  test("are turned round, and back", () => {
    expect(descending(7, { digits: 3 })).toBe("992");
    expect(descending("2026-11-16")).toBe("7973-88-83");
    expect(descending(descending("2026-11-16"))).toBe("2026-11-16");
    expect(descending(5)).toBe("9999999994");
    expect(descending(5, { format: "epoch-milliseconds" })).toHaveLength(13);
    expect(() => descending(1.5)).toThrow("fraction");
  });

  test("go through their transforms in order", () => {
    const day = { kind: "cut", unit: "day" } as const;
    expect(partText("2026-11-16T09:30Z", [day, { kind: "descending" }])).toBe("7973-88-83");
    expect(partText("ÄÖ", [{ kind: "lower" }])).toBe("äö");
    expect(partText("straße", [{ kind: "upper" }])).toBe("STRASSE");
  });

  test("cannot be binary", () => {
    expect(() => keyText(Uint8Array.of(1))).toThrow("binary");
  });

  test("can be made free of separators", () => {
    expect(escapePart("50% of #1")).toBe("50%25 of %231");
    expect(escapePart("a/b#c", "/")).toBe("a%2Fb#c");
    for (const text of ["%23", "#", "%%2", "", "\u{1F600}#"]) {
      expect(escapePart(text)).not.toContain("#");
      expect(unescapePart(escapePart(text))).toBe(text);
    }
    expect(() => escapePart("ä", "ä")).toThrow("ASCII");
  });
});
