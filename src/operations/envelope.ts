import type { Dialect } from "../api/dialect.ts";
import { constraintsFailed } from "../api/errors/request.ts";
import { ServiceError } from "../api/errors/service-error.ts";
import type { ValueLayer } from "../api/errors/value.ts";
import { isTooDeepForNewerLayer } from "../api/shape-constraints.ts";

/**
 * Since 2026-10 PutItem, UpdateItem and DeleteItem count whatever is wrong with the request by itself as
 * one validation error. What is found wrong by looking at the table stays bare, and so does what is wrong
 * with a request that is too deep for the newer layer: the older one judges it.
 */
export function enveloped<T>(
  dialect: Dialect,
  request: object,
  check: (layer: ValueLayer) => T,
): T {
  if (dialect === "2026-05") return check("older");
  try {
    return check("current");
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== "ValidationException") throw error;
    if (isTooDeepForNewerLayer(request)) return check("older");
    throw constraintsFailed([error.message]);
  }
}

/** The same for operations that answer bare on either layer. */
export function judged<T>(
  dialect: Dialect,
  operation: string,
  request: object,
  check: (layer: ValueLayer) => T,
): T {
  const layer = valueLayer(dialect, operation);
  if (layer === "older") return check(layer);
  try {
    return check(layer);
  } catch (error) {
    // How deep a request is, is worth finding out only if something is wrong with it.
    if (error instanceof ServiceError && isTooDeepForNewerLayer(request)) return check("older");
    throw error;
  }
}

/** The operations whose values are still checked, and complained of, the older way. */
const olderValueLayer = new Set(["BatchWriteItem", "Scan"]);

export function valueLayer(dialect: Dialect, operation: string): ValueLayer {
  return dialect === "2026-05" || olderValueLayer.has(operation) ? "older" : "current";
}
