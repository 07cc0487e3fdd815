import {
  comparisonWithoutValue,
  conditionalOperatorAlone,
  conditionalOperatorForOne,
  existsAndComparison,
  existsWithoutValue,
  valueAndValueList,
  valueDespiteNotExists,
  valueListWithoutComparison,
} from "../api/errors/legacy.ts";
import type {
  ConditionalOperator,
  ExpectedAttributeValue,
  Condition as LegacyCondition,
} from "../api/requests/shared.ts";
import { attributePath, checkComparison, comparisonCondition } from "./legacy-comparison.ts";
import type { Condition } from "./tree.ts";

/**
 * Expected of PutItem, UpdateItem and DeleteItem. Its attribute values are canonical. Undefined if
 * there is nothing to expect.
 */
export function compileExpected(
  expected: Readonly<Record<string, ExpectedAttributeValue>> | undefined,
  operator: ConditionalOperator | undefined,
): Condition | undefined {
  checkConditionalOperator(operator, expected);
  const conditions: Condition[] = [];
  for (const [name, expectation] of Object.entries(expected ?? {})) {
    conditions.push(compileExpectation(name, expectation));
  }
  return combine(conditions, operator);
}

/** QueryFilter or ScanFilter; undefined if it lets everything through. */
export function compileFilter(
  filter: Readonly<Record<string, LegacyCondition>> | undefined,
  operator: ConditionalOperator | undefined,
): Condition | undefined {
  checkConditionalOperator(operator, filter);
  const conditions: Condition[] = [];
  for (const [name, condition] of Object.entries(filter ?? {})) {
    const values = condition.AttributeValueList ?? [];
    checkComparison(condition.ComparisonOperator, values);
    conditions.push(comparisonCondition(name, condition.ComparisonOperator, values));
  }
  return combine(conditions, operator);
}

/** Judged by the number of conditions alone, so an operation may ask before it checks values. */
export function checkConditionalOperator(
  operator: ConditionalOperator | undefined,
  conditions: Readonly<Record<string, unknown>> | undefined,
): void {
  if (operator === undefined) return;
  const count = conditions === undefined ? 0 : Object.keys(conditions).length;
  if (count === 0) throw conditionalOperatorAlone();
  if (count === 1) throw conditionalOperatorForOne();
}

function compileExpectation(name: string, expectation: ExpectedAttributeValue): Condition {
  const { ComparisonOperator: operator, AttributeValueList: list, Value: value } = expectation;
  if (list !== undefined && value !== undefined) throw valueAndValueList(name);
  if (operator === undefined) {
    if (list !== undefined) throw valueListWithoutComparison(name);
    return compileExistence(name, expectation);
  }
  if (expectation.Exists !== undefined) throw existsAndComparison(name);
  if (list === undefined && value === undefined) {
    if (operator !== "NULL" && operator !== "NOT_NULL")
      throw comparisonWithoutValue(operator, name);
  }
  const values = list ?? (value === undefined ? [] : [value]);
  checkComparison(operator, values);
  return comparisonCondition(name, operator, values);
}

/** The oldest form: the attribute has this value, or it is not there. */
function compileExistence(
  name: string,
  { Exists: exists, Value: value }: ExpectedAttributeValue,
): Condition {
  if (exists === false) {
    if (value !== undefined) throw valueDespiteNotExists(name);
    return { kind: "attribute_not_exists", path: attributePath(name) };
  }
  if (value === undefined) throw existsWithoutValue(exists, name);
  return comparisonCondition(name, "EQ", [value]);
}

/** A balanced tree, so that a request with thousands of conditions does not make a deep one. */
function combine(
  conditions: readonly Condition[],
  operator: ConditionalOperator | undefined,
): Condition | undefined {
  const kind = operator === "OR" ? "or" : "and";
  let level = conditions;
  while (level.length > 1) {
    const above: Condition[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const left = level[at] as Condition;
      const right = level[at + 1];
      above.push(right === undefined ? left : { kind, left, right });
    }
    level = above;
  }
  return level[0];
}
