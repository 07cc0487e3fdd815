import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { getExitCode, proveText } from "../../src/workbench/model-prove.ts";

/**
 * Correct designs that the prover reports as wrong, or whose trial breaks off: defects that are known. A test fails when its
 * defect is gone; then the document moves to `regressions/`.
 */
const folder = new URL("known-defects/", import.meta.url);

test.each(readdirSync(folder))("%s is still reported as wrong or as a defect", async (name) => {
  const text = readFileSync(new URL(name, folder), "utf8");
  const proof = await proveText(text, name, { now: Date.UTC(2026, 0, 15, 12), mutants: false });
  expect(proof.complaints).toEqual([]);
  expect(getExitCode(proof)).toBe(1);
});
