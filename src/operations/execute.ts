import { operationNotSupported } from "../api/errors/unsupported.ts";
import { unknownOperation } from "../api/errors/wire.ts";
import { checkConstraints } from "../api/shape-constraints.ts";
import { checkTypes } from "../api/shape-types.ts";
import type { MaybePromise } from "../base/maybe-promise.ts";
import type { Context } from "./operation.ts";
import { registry, streamRegistry } from "./registry.ts";
import { scalingRegistry } from "./scaling-registry.ts";

/** Runs one operation on a parsed request body: its types, its constraints, then the operation itself. */
export function execute(
  context: Context,
  name: string,
  body: unknown,
): MaybePromise<object | undefined> {
  const operation = registry.get(name) ?? streamRegistry.get(name) ?? scalingRegistry.get(name);
  if (operation === undefined) {
    const known = registry.has(name) || scalingRegistry.has(name);
    throw known ? operationNotSupported(name) : unknownOperation();
  }
  const request = checkTypes(operation.shape, body);
  checkConstraints(name, operation.shape, request, context.dialect);
  return operation.run(context, request);
}
