import { describe, expect, test } from "vitest";
import { modelOf } from "../../../model/model.test-support.ts";
import type { Entity, Predicate } from "../../../model/requirements.ts";
import { solve } from "./solve.ts";

const model = modelOf(`keywright: 1
name: solve
entities:
  Order:
    id: [orderId]
    count: 10
    attributes:
      orderId: { type: S, bytes: 8 }
      status: { type: S, values: [open, paid] }
      total: { type: N, digits: 4 }
      note: { type: S, bytes: 8, present: 0.5 }
patterns: {}
`);
const entity = model.entities.get("Order") as Entity;
const like = new Map([
  ["orderId", { S: "o1" }],
  ["status", { S: "open" }],
  ["total", { N: "5" }],
]);
const predicate = (
  attribute: string,
  operator: Predicate["operator"],
  ...names: readonly string[]
): Predicate => ({
  attribute,
  operator,
  operands: names.map((name) => ({ kind: "parameter", name })),
  exists: true,
});

function solved(where: readonly Predicate[], ...fails: readonly Predicate[]) {
  return solve({ entity, like, known: [], where, fails: new Set(fails), pinned: new Set() });
}

describe("solve", () => {
  test("finds an entity that meets all conditions, with parameters for them", () => {
    const found = solved([
      predicate("status", "equals", "s"),
      predicate("total", "between", "a", "b"),
    ]);
    expect(found?.parameters.get("s")).toEqual([found?.values.get("status")]);
    const [low, total, high] = [
      found?.parameters.get("a")?.[0],
      found?.values.get("total"),
      found?.parameters.get("b")?.[0],
    ].map((one) => Number(one !== undefined && "N" in one ? one.N : Number.NaN));
    expect(low).toBeLessThanOrEqual(total ?? 0);
    expect(total).toBeLessThanOrEqual(high ?? 0);
  });

  test("finds an entity that fails one condition and meets the others", () => {
    const status = predicate("status", "equals", "s");
    const found = solved([status, predicate("total", "at-least", "t")], status);
    expect(found?.parameters.get("s")).not.toEqual([found?.values.get("status")]);
    const [least] = found?.parameters.get("t") ?? [];
    expect(least).toBeDefined();
  });

  test("leaves an optional attribute out where the condition that it exists must fail", () => {
    const note = predicate("note", "exists");
    const found = solved([note], note);
    expect(found).toBeDefined();
    expect(found?.values.has("note")).toBe(false);
  });

  test("finds nothing where an attribute that is always there must be missing", () => {
    const total = predicate("total", "exists");
    expect(solved([total], total)).toBeUndefined();
  });
});
