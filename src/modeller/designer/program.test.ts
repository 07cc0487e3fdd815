import { beforeAll, expect, test } from "vitest";
import { integerSolver } from "../../workbench/integer-solver.ts";
import { Program, type Solver } from "./program.ts";

let solver: Solver;

beforeAll(async () => {
  solver = await integerSolver();
});

function ofTwo(first: readonly number[], second: readonly number[]) {
  const program = new Program(2);
  const [a, b] = [program.variable(...first), program.variable(...second)];
  program.row(
    [
      { variable: a, times: 1 },
      { variable: b, times: 1 },
    ],
    "=",
    1,
  );
  return { program, a, b };
}

test("the first goal decides, and the second only among equals", () => {
  const cheap = ofTwo([1.5, 9], [1.6, 1]);
  expect(cheap.program.solve(solver).ones).toEqual(new Set([cheap.a]));
  const equal = ofTwo([0.1 + 0.2, 9], [0.3, 1]);
  expect(equal.program.solve(solver).ones).toEqual(new Set([equal.b]));
});

test("what is fixed stays, and what cannot be is said", () => {
  const { program, a, b } = ofTwo([1, 0], [2, 0]);
  const without = program.solve(solver, new Map([[a, 0]]));
  expect(without.ones).toEqual(new Set([b]));
  expect(program.value(0, without)).toBe(2);
  const neither = program.solve(solver, new Map([a, b].map((name) => [name, 0] as const)));
  expect(neither.status).toBe("infeasible");
});
