import { expect, test } from "vitest";
import { durationMs, durationPattern, sizeBytes, sizePattern } from "./measures.ts";

test.each([
  [50, 50_000],
  ["50ms", 50],
  ["2s", 2_000],
  ["1.5m", 90_000],
  ["3h", 10_800_000],
  ["365d", 31_536_000_000],
])("%s is a time of %i ms", (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

test.each([
  [7, 7],
  [7.2, 8],
  ["200 B", 200],
  ["200B", 200],
  ["4 KB", 4_096],
  ["1.5KB", 1_536],
  ["0.3 B", 1],
  ["2 MB", 2_097_152],
])("%s is a size of %i bytes", (text, bytes) => {
  expect(sizeBytes(text)).toBe(bytes);
});

test.each([
  ["4 KB", sizePattern, true],
  ["4KB", sizePattern, true],
  ["4  KB", sizePattern, false],
  ["4 GB", sizePattern, false],
  ["about 4 KB", sizePattern, false],
  ["4 KBs", sizePattern, false],
  ["1.5d", durationPattern, true],
  ["15 m", durationPattern, false],
  ["1w", durationPattern, false],
  ["-1s", durationPattern, false],
])("%j is held against %j: %j", (text, pattern, fits) => {
  expect(new RegExp(pattern).test(text)).toBe(fits);
});

test("a unit that a schema would have refused makes no number", () => {
  expect(sizeBytes("4 GB")).toBeNaN();
  expect(durationMs("soon")).toBeNaN();
});
