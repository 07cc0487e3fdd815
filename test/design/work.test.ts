import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { parseModel } from "../../src/model/parse.ts";
import { designOf } from "../../src/modeller/designer/designer.ts";
import type { Solver } from "../../src/modeller/designer/program.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";
import { largeModel } from "../model/large-model.ts";

let solver: Solver;

beforeAll(async () => {
  solver = await integerSolver();
});

const example = (name: string): string => readFileSync(`examples/models/${name}.yaml`, "utf8");

/** Work is counted, not timed: prices that were worked out, steps of the choice, and programs that had to be solved. */
test.each([
  ["20 patterns", largeModel(7, 20), 30, 60],
  ["150 patterns", largeModel(50, 150), 700, 700],
  ["online-shop", example("online-shop"), 450, 450],
  ["social-network", example("social-network"), 300, 300],
  ["documents", example("documents"), 200, 300],
])(
  "the designer does not look at more than it has to: %s",
  { timeout: 60_000 },
  (_name, text, prices, steps) => {
    let programs = 0;
    const counting: Solver = (program) => {
      programs += 1;
      return solver(program);
    };
    const { designed } = designOf(parseModel(text, "model.yaml").model as Model, counting);
    expect(designed?.gap).toBe(0);
    expect(designed?.looked).toBeLessThan(prices);
    expect(designed?.steps).toBeLessThan(steps);
    expect(programs).toBe(0);
  },
);

test("the same document gives the same design", { timeout: 60_000 }, () => {
  const [one, other] = [0, 1].map(() => {
    const { model } = parseModel(example("online-shop"), "model.yaml");
    return JSON.stringify(designOf(model as Model, solver).designed?.design);
  });
  expect(one).toBe(other);
});
