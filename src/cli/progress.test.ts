import { expect, test } from "vitest";
import { barText } from "./progress.ts";

test("a bar fills as work is done", () => {
  expect(barText("Proving", 0, 4)).toBe(`Proving [${"-".repeat(24)}] 0 of 4`);
  expect(barText("Proving", 1, 4)).toBe(`Proving [${"#".repeat(6)}${"-".repeat(18)}] 1 of 4`);
  expect(barText("Proving", 4, 4)).toBe(`Proving [${"#".repeat(24)}] 4 of 4`);
  expect(barText("Proving", 0, 0)).toBe(`Proving [${"-".repeat(24)}] 0 of 0`);
});
