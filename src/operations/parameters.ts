import type { ValueLayer } from "../api/errors/value.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import {
  type CompiledExpressions,
  checkExpressionParameters,
  compileExpressions,
} from "../expressions/compile.ts";
import { pathsOf } from "../expressions/condition-paths.ts";
import { checkKeyPaths as checkPaths } from "../expressions/key-condition.ts";
import type { Condition, Path } from "../expressions/tree.ts";

/** The expression parameters that a request may have, whatever its operation. */
export interface ExpressionParameters {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, object>>;
}

/**
 * The parameters of one request in the service's order: do they go together, then whatever `before`
 * checks and makes of the other parameters, then the expressions.
 */
export function compileParameters<T>(
  operation: Parameters<typeof checkExpressionParameters>[0],
  request: ExpressionParameters,
  layer: ValueLayer,
  before: () => T,
): CompiledExpressions & { readonly before: T } {
  if (!hasExpressions(request)) return compiled(undefined, before());
  checkExpressionParameters(operation, request, layer);
  const made = before();
  return compiled(compileTexts(request, layer), made);
}

/** Member by member: a spread takes a hundred times as long, and every request comes here. */
function compiled<T>(
  expressions: CompiledExpressions | undefined,
  before: T,
): CompiledExpressions & { readonly before: T } {
  return {
    update: expressions?.update,
    condition: expressions?.condition,
    keyCondition: expressions?.keyCondition,
    filter: expressions?.filter,
    projection: expressions?.projection,
    before,
  };
}

/** Most requests for a single item have none, and then there is nothing to check either. */
function hasExpressions(request: ExpressionParameters): boolean {
  return (
    request.ConditionExpression !== undefined ||
    request.UpdateExpression !== undefined ||
    request.ProjectionExpression !== undefined ||
    request.KeyConditionExpression !== undefined ||
    request.FilterExpression !== undefined ||
    request.ExpressionAttributeNames !== undefined ||
    request.ExpressionAttributeValues !== undefined
  );
}

/** `sizeShown`: whether a condition that is too large is told how large it is. */
export function compileTexts(
  request: ExpressionParameters,
  layer: ValueLayer,
  sizeShown = layer === "older",
): CompiledExpressions {
  return compileExpressions({
    update: request.UpdateExpression,
    condition: request.ConditionExpression,
    keyCondition: request.KeyConditionExpression,
    filter: request.FilterExpression,
    projection: request.ProjectionExpression,
    names: request.ExpressionAttributeNames,
    values: request.ExpressionAttributeValues,
    layer,
    sizeShown,
  });
}

export function conditionPaths(condition: Condition | undefined): readonly Path[] {
  return condition === undefined ? noPaths : pathsOf(condition);
}

const noPaths: readonly Path[] = [];

/** Key attributes, of the table or an index, are scalars: no path leads into them. */
export function checkKeyPaths(table: TableDescriptor, paths: readonly Path[] | undefined): void {
  if (paths === undefined || !paths.some(({ steps }) => steps.length > 1)) return;
  checkPaths(paths, table.key, "Key");
  for (const index of table.indexes) checkPaths(paths, index.key, "IndexKey");
}
