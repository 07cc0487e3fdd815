import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { parseModel } from "../../src/model/parse.ts";
import { designOf } from "../../src/modeller/designer/designer.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";

test("does not choose an index that the planner makes another pattern pay more for", async () => {
  const name = "price-of-an-index-for-children.yaml";
  const text = readFileSync(`test/models/regressions/${name}`, "utf8");
  const { model } = parseModel(text, name);
  const { designed } = designOf(model as Model, await integerSolver());
  const { sensors } = designed?.design.tables ?? {};
  expect(sensors).toBeDefined();
  expect(sensors?.indexes).toBeUndefined();
  // Pattern 9 reads an index by ownerId 100 times, which costs $16.42 a month, where a second Scan costs $0.33.
  expect(designed?.total).toBeCloseTo(0.99, 2);
  expect(designed?.gap).toBe(0);
});
