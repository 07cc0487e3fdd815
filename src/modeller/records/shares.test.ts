import { expect, test } from "vitest";
import type { Constant, OperatorName } from "../../model/document-parts.ts";
import { modelOf, smallModel } from "../../model/model.test-support.ts";
import type { Predicate } from "../../model/requirements.ts";
import { holdsFor, shareOf } from "./shares.ts";

const order = modelOf(smallModel).entities.get("Order");
const customer = modelOf(smallModel).entities.get("Customer");

function asked(
  attribute: string,
  operator: OperatorName,
  ...values: readonly Constant[]
): Predicate {
  const operands = values.map((value) => ({ kind: "constant", value }) as const);
  return { attribute, operator, operands, exists: true };
}

test("the share of stated values, of presence, and of what is one in so many", () => {
  if (order === undefined || customer === undefined) throw new Error("no such entity");
  const share = (...predicates: readonly Predicate[]) => shareOf(order, predicates, () => 50);
  expect(share(asked("status", "equals", "open"))).toEqual({ value: 0.1, assumed: false });
  expect(share(asked("status", "one-of", "open", "shipped")).value).toBeCloseTo(1, 12);
  expect(share(asked("total", "equals", 5))).toEqual({ value: 1 / 50, assumed: false });
  expect(share(asked("status", "equals", "open"), asked("total", "equals", 5)).value).toBeCloseTo(
    0.002,
    12,
  );
  expect(share(asked("total", "greater", 5))).toEqual({ value: 1, assumed: true });
  const there: Predicate = {
    attribute: "birthday",
    operator: "exists",
    operands: [],
    exists: true,
  };
  expect(shareOf(customer, [there], () => undefined).value).toBe(0.5);
  expect(shareOf(customer, [{ ...there, exists: false }], () => undefined).value).toBe(0.5);
});

test("known values against known bounds", () => {
  const holds = (operator: OperatorName, bounds: readonly Constant[], value: Constant) =>
    holdsFor({ operator, operands: bounds.map((one) => ({ kind: "constant", value: one })) })?.(
      value,
    );
  expect([4, 5, 6].map((value) => holds("less", [5], value))).toEqual([true, false, false]);
  expect([4, 5, 6].map((value) => holds("at-most", [5], value))).toEqual([true, true, false]);
  expect([4, 5, 6].map((value) => holds("greater", [5], value))).toEqual([false, false, true]);
  expect([4, 5, 6].map((value) => holds("at-least", [5], value))).toEqual([false, true, true]);
  expect([3, 4, 6, 7].map((value) => holds("between", [4, 6], value))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  // As numbers 10 is more than 9; as texts it would not be.
  expect(holds("greater", [9], 10)).toBe(true);
  expect(holds("begins-with", ["ab"], "abc")).toBe(true);
  expect(holds("contains", ["bc"], "abcd")).toBe(true);
  expect(holds("one-of", [1, 2], "2")).toBe(true);
  expect(holdsFor({ operator: "equals", operands: [] })).toBeUndefined();
});
