import { attributesToGetDuplicate, keyConditionsCount } from "../api/errors/legacy.ts";
import type { Condition as LegacyCondition } from "../api/requests/shared.ts";
import type { AttributeValue } from "../item/attribute-value.ts";
import { attributePath, checkComparison } from "./legacy-comparison.ts";
import type { KeyComparison, KeyCondition, Projection } from "./tree.ts";

/**
 * KeyConditions of Query. An index may have up to eight key attributes, so only having none at all
 * is refused before the key schema is known.
 */
export function compileKeyConditions(
  conditions: Readonly<Record<string, LegacyCondition>>,
): KeyCondition {
  const entries = Object.entries(conditions);
  for (const [, condition] of entries) {
    checkComparison(condition.ComparisonOperator, condition.AttributeValueList ?? []);
  }
  if (entries.length === 0) throw keyConditionsCount();
  const comparisons: { attribute: string; is: KeyComparison }[] = [];
  const unindexable: string[] = [];
  for (const [attribute, condition] of entries) {
    const is = keyComparison(condition);
    if (is === undefined) unindexable.push(attribute);
    else comparisons.push({ attribute, is });
  }
  return { kind: "key-condition", comparisons, ...(unindexable.length > 0 && { unindexable }) };
}

function keyComparison(condition: LegacyCondition): KeyComparison | undefined {
  const [first, second] = condition.AttributeValueList ?? [];
  const value = first as AttributeValue;
  switch (condition.ComparisonOperator) {
    case "EQ":
      return { op: "=", value };
    case "LE":
      return { op: "<=", value };
    case "LT":
      return { op: "<", value };
    case "GE":
      return { op: ">=", value };
    case "GT":
      return { op: ">", value };
    case "BEGINS_WITH":
      return { op: "begins_with", value };
    case "BETWEEN":
      return { op: "between", low: value, high: second as AttributeValue };
    default:
      return undefined;
  }
}

/** AttributesToGet: top-level attributes only. */
export function compileAttributesToGet(names: readonly string[]): Projection {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw attributesToGetDuplicate(name);
    seen.add(name);
  }
  return { kind: "projection", paths: names.map(attributePath) };
}
