import type { ValueLayer } from "../api/errors/value.ts";
import type * as shared from "../api/requests/shared.ts";
import { checkValue } from "../api/values.ts";
import { compileExpected } from "../expressions/legacy-condition.ts";
import type { Condition } from "../expressions/tree.ts";
import { compileParameters } from "./parameters.ts";

interface ConditionParameters {
  readonly Expected?: Readonly<Record<string, shared.ExpectedAttributeValue>>;
  readonly ConditionalOperator?: shared.ConditionalOperator;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: shared.ExpressionAttributeNames;
  readonly ExpressionAttributeValues?: shared.ExpressionAttributeValues;
}

/** The condition of PutItem or DeleteItem; `checkItem` runs where the service looks at the item. */
export function compileWriteCondition(
  operation: "PutItem" | "DeleteItem",
  request: ConditionParameters,
  layer: ValueLayer,
  checkItem: () => void,
): Condition | undefined {
  const compiled = compileParameters(operation, request, layer, () => {
    checkItem();
    return compileExpectation(request, layer);
  });
  return compiled.condition ?? compiled.before;
}

/** The legacy Expected and ConditionalOperator. */
export function compileExpectation(
  request: Pick<ConditionParameters, "Expected" | "ConditionalOperator">,
  layer: ValueLayer,
): Condition | undefined {
  const { Expected: expected } = request;
  for (const name in expected) {
    const { Value: value, AttributeValueList: values } = expected[
      name
    ] as shared.ExpectedAttributeValue;
    if (value !== undefined) checkValue(value, layer);
    for (const each of values ?? []) checkValue(each, layer);
  }
  return compileExpected(expected, request.ConditionalOperator);
}

/** The values of QueryFilter, ScanFilter or KeyConditions. */
export function checkLegacyValues(
  conditions: Readonly<Record<string, shared.Condition>> | undefined,
  layer: ValueLayer,
): void {
  for (const name in conditions) {
    for (const value of conditions[name]?.AttributeValueList ?? []) checkValue(value, layer);
  }
}
